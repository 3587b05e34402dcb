/**
 * A chart of ECharts: loaded when it is needed, of fixed height so that nothing jumps, in light and dark, as PNG, and
 * with the same figures as a table for all who cannot see or point at it.
 */
import { ActionIcon, Skeleton, Text, Tooltip } from '@mantine/core';
import type { EChartsOption } from 'echarts';
import type { EChartsType } from 'echarts/core';
import { IconChartLine, IconTable } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../../texts';
import classes from './Chart.module.css';
import { offerImage } from './image';
import { baseOption, useLook, type Look } from './look';

const text = texts.tools.chart;

export interface ChartProps {
  /** What the chart shows; also the name of its image. */
  readonly title: string;
  /** Made anew for every look; keep it stable with useCallback. */
  readonly option: (look: Look) => EChartsOption;
  /** The same figures as a table: a DataTable. */
  readonly table: ReactNode;
  readonly height?: number;
  readonly loading?: boolean;
  /** Whether there is nothing to draw. */
  readonly empty?: boolean;
  readonly stale?: boolean;
  /** Called with the place of a label, and the name of a series or label, where either is pressed. */
  readonly onPoint?: (at: number, series: string) => void;
  /** Instead of saying that there are no figures. */
  readonly emptyText?: string;
  /** For example a Legend; at the left, above the chart. */
  readonly legend?: ReactNode;
}

export function Chart({ height = 280, loading = false, empty = false, ...props }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const label = isTable ? text.asChart : text.asTable;
  return (
    <figure className={classes.figure} aria-label={props.title}>
      <div className={classes.bar}>
        {props.legend}
        <Tooltip label={label}>
          <ActionIcon ml="auto" size="sm" aria-label={label} onClick={() => setTable(!isTable)}>
            {isTable ? <IconChartLine size={16} /> : <IconTable size={16} />}
          </ActionIcon>
        </Tooltip>
      </div>
      <div style={{ height }} className={classes.area} data-stale={props.stale || undefined}>
        {loading && <Skeleton height={height} />}
        {!loading && empty && (
          <Text size="sm" c="dimmed" className={classes.empty}>
            {props.emptyText ?? text.empty}
          </Text>
        )}
        {!loading && !empty && isTable && (
          <div className={classes.table} tabIndex={0} role="region" aria-label={props.title}>
            {props.table}
          </div>
        )}
        {!loading && !empty && !isTable && (
          <Drawing title={props.title} option={props.option} onPoint={props.onPoint} height={height} />
        )}
      </div>
    </figure>
  );
}

type DrawingProps = Pick<ChartProps, 'title' | 'option' | 'onPoint'> & { height: number };

function Drawing({ title, option, onPoint, height }: DrawingProps) {
  const look = useLook();
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType>();
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    let made: EChartsType | undefined;
    let isGone = false;
    void import('./echarts').then(({ init }) => {
      if (isGone) return;
      made = init(target);
      setChart(made);
    });
    const observer = new ResizeObserver(() => made?.resize());
    observer.observe(target);
    return () => {
      isGone = true;
      observer.disconnect();
      made?.dispose();
    };
  }, []);
  useEffect(() => {
    chart?.setOption({ ...baseOption(look), ...option(look) }, { notMerge: true });
  }, [chart, look.scheme, option]);
  useEffect(() => {
    if (!chart || !onPoint) return undefined;
    const listen = ({ dataIndex, seriesName }: { dataIndex?: number; seriesName?: string }) => {
      if (dataIndex !== undefined) onPoint(dataIndex, seriesName ?? '');
    };
    // Wherever it is pressed above a label, not only on the thin line of a series.
    const listenAbove = ({ offsetX, offsetY, target }: { offsetX: number; offsetY: number; target?: unknown }) => {
      if (target || !chart.containPixel('grid', [offsetX, offsetY])) return;
      const [x] = chart.convertFromPixel('grid', [offsetX, offsetY]);
      if (x !== undefined) onPoint(Math.round(x), '');
    };
    chart.on('click', listen);
    chart.getZr().on('click', listenAbove);
    return () => {
      chart.off('click', listen);
      if (!chart.isDisposed()) chart.getZr().off('click', listenAbove);
    };
  }, [chart, onPoint]);
  useEffect(() => {
    if (!chart) return undefined;
    return offerImage({ title, image: () => chart.getDataURL({ pixelRatio: 2, backgroundColor: look.surface }) });
  }, [chart, title, look.surface]);
  return <div ref={element} role="img" aria-label={text.description(title)} style={{ height }} />;
}
