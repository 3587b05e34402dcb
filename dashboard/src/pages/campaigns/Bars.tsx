/** What the campaigns with the most spend have paid back of their cost, against the target. */
import { useNavigate } from '@tanstack/react-router';
import type { EChartsOption } from 'echarts';
import { useCallback, useMemo } from 'react';
import { toPage } from '../../addresses';
import { Chart } from '../../components/chart/Chart';
import { axisLook, tooltipLook, type Look } from '../../components/chart/look';
import { DataTable } from '../../components/DataTable';
import type { Column } from '../../components/table-columns';
import type { Formats } from '../../format';
import { readJudged } from '../../search';
import { useFormats, useProject } from '../../session';
import { sorted, type Judging, type Row } from './rows';
import { campaigns as campaignsTexts } from '../../texts/campaigns';
import { texts } from '../../texts';

const text = campaignsTexts.verdict;
const DRAWN = 6;

interface Props extends Judging {
  readonly rows: readonly Row[] | undefined;
  readonly stale: boolean;
  readonly height: number;
}

export function Bars({ rows, stale, height, horizon, target }: Props) {
  const formats = useFormats();
  const { id } = useProject();
  const navigate = useNavigate();
  const metric = `roas_d${horizon}`;
  const drawn = useMemo(
    () =>
      sorted(
        (rows ?? []).filter(({ verdict }) => verdict === 'below' || verdict === 'reached'),
        '-spend',
      ).slice(0, DRAWN),
    [rows],
  );
  const open = (row: Row | undefined) => {
    const [displayId] = row?.path ?? [];
    if (displayId === undefined) return;
    void navigate(toPage('/projects/$projectId/campaigns/$displayId', { projectId: id, displayId }, readJudged));
  };
  const option = useCallback(
    (look: Look) => buildOption({ drawn, metric, target }, formats, look),
    [drawn, formats, metric, target],
  );
  const columns: Column<Row>[] = [
    { id: 'name', header: texts.campaign, value: ({ name }) => name },
    { id: metric, header: text.paidBack, value: ({ figures }) => formats.share(figures[metric]) },
  ];
  return (
    <Chart
      title={text.chart}
      option={option}
      height={height}
      loading={rows === undefined}
      empty={drawn.length === 0}
      stale={stale}
      onPoint={(at) => open(drawn[at])}
      table={<DataTable label={text.chart} columns={columns} rows={drawn} rowId={({ path }) => path.join(' ')} />}
    />
  );
}

interface Drawn {
  readonly drawn: readonly Row[];
  readonly metric: string;
  readonly target: number;
}

function buildOption({ drawn, metric, target }: Drawn, formats: Formats, look: Look): EChartsOption {
  const axis = axisLook(look);
  return {
    grid: { left: 4, right: 24, top: 18, bottom: 0, containLabel: true },
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      valueFormatter: (value: unknown) => formats.share(typeof value === 'number' ? value : null),
    },
    xAxis: {
      type: 'value',
      splitNumber: 4,
      // The target is always in the picture.
      max: ({ max }: { max: number }) => Math.max(max, target * 1.1),
      ...axis,
      axisLabel: { ...axis.axisLabel, showMaxLabel: false, formatter: (value: number) => formats.share(value) },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: drawn.map(({ name }) => name),
      ...axis,
      axisLabel: { color: look.text, width: 130, overflow: 'truncate', interval: 0 },
    },
    series: {
      type: 'bar',
      name: text.paidBack,
      data: drawn.map(({ figures, verdict }) => ({
        value: figures[metric] ?? 0,
        itemStyle: { color: verdict === 'below' ? look.bad : look.colors[0] },
      })),
      barMaxWidth: 14,
      emphasis: { disabled: true },
      markLine: {
        silent: true,
        symbol: 'none',
        data: [{ xAxis: target }],
        lineStyle: { color: look.muted, type: [4, 4], width: 1.5 },
        label: {
          ...{ position: 'start', color: look.muted, fontSize: 11 },
          formatter: `${text.target} ${formats.share(target)}`,
        },
      },
    },
  };
}
