/** A chart of an answer as a PNG, for mails. Apache ECharts draws it on a canvas; the font comes with the service. */
import path from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import * as echarts from 'echarts';
import { once } from '../lib/once';
import { MOST_SERIES, type ChartData } from './chart-data';

const [WIDTH, HEIGHT, SCALE] = [640, 300, 2];
const FONT = 'adtrail chart';
/** Told apart by people who do not see all colours; of Okabe and Ito. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999999'];
const registerFont = once(() => {
  const folder = path.dirname(require.resolve('open-sans-fonts/package.json'));
  GlobalFonts.registerFromPath(path.join(folder, 'open-sans', 'Regular', 'OpenSans-Regular.ttf'), FONT);
  return true;
});

/** The bytes of a PNG. */
export function drawChart(data: ChartData): Buffer {
  registerFont();
  const canvas = createCanvas(WIDTH * SCALE, HEIGHT * SCALE);
  const chart = echarts.init(canvas as never, null, {
    renderer: 'canvas',
    devicePixelRatio: SCALE,
    width: WIDTH,
    height: HEIGHT,
  });
  try {
    chart.setOption(describeChart(data));
    return canvas.toBuffer('image/png');
  } finally {
    chart.dispose();
  }
}

function describeChart({ kind, labels, series, write }: ChartData): echarts.EChartsCoreOption {
  return {
    animation: false,
    backgroundColor: '#ffffff',
    color: COLORS,
    textStyle: { fontFamily: `"${FONT}", sans-serif`, fontSize: 12 },
    grid: { left: 12, right: 44, top: 16, bottom: series.length > 1 ? 40 : 12, containLabel: true },
    ...(series.length > 1 ? { legend: { bottom: 4, type: 'plain', icon: 'roundRect' } } : {}),
    xAxis: { type: 'category', data: [...labels], boundaryGap: kind === 'bar', axisTick: { show: false } },
    yAxis: { type: 'value', axisLabel: { formatter: (value: number) => write(value) } },
    series: series.slice(0, MOST_SERIES).map(({ name, values, isComparison }) => ({
      name,
      type: kind === 'bar' ? 'bar' : 'line',
      data: [...values],
      showSymbol: labels.length === 1,
      connectNulls: false,
      ...(kind === 'area' && !isComparison ? { areaStyle: { opacity: 0.2 } } : {}),
      ...(isComparison ? { lineStyle: { type: 'dashed', opacity: 0.6 }, itemStyle: { opacity: 0.6 } } : {}),
    })),
  };
}
