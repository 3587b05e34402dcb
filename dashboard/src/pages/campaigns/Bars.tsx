/** Spend and revenue of the campaigns with the most spend, beside each other. */
import type { EChartsOption } from 'echarts';
import { useCallback, useMemo, useState } from 'react';
import { Chart } from '../../components/chart/Chart';
import { Legend } from '../../components/chart/Legend';
import { axisLook, tooltipLook, type Look } from '../../components/chart/look';
import { DataTable } from '../../components/DataTable';
import type { Column } from '../../components/table-columns';
import { useFormats } from '../../session';
import { sorted, type Row } from './rows';
import { campaigns as campaignsTexts } from '../../texts/campaigns';
import { texts } from '../../texts';

const text = campaignsTexts.verdict;
const DRAWN = 6;
const SHOWN = ['spend', 'revenue'] as const;

interface Props {
  readonly rows: readonly Row[] | undefined;
  readonly stale: boolean;
  readonly height: number;
}

export function Bars({ rows, stale, height }: Props) {
  const formats = useFormats();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  const drawn = useMemo(
    () =>
      sorted(
        (rows ?? []).filter(({ figures }) => (figures.spend ?? 0) > 0),
        '-spend',
      ).slice(0, DRAWN),
    [rows],
  );
  const option = useCallback(
    (look: Look): EChartsOption => {
      const axis = axisLook(look);
      return {
        grid: { left: 4, right: 20, top: 4, bottom: 0, containLabel: true },
        tooltip: {
          ...tooltipLook(look),
          trigger: 'axis',
          axisPointer: { type: 'shadow' },
          valueFormatter: (value: unknown) => formats.money(typeof value === 'number' ? value : null),
        },
        xAxis: {
          type: 'value',
          splitNumber: 4,
          ...axis,
          axisLabel: { ...axis.axisLabel, formatter: (value: number) => formats.short(value, 'money') },
        },
        yAxis: {
          type: 'category',
          inverse: true,
          data: drawn.map(({ name }) => name),
          ...axis,
          axisLabel: { color: look.text, width: 130, overflow: 'truncate', interval: 0 },
        },
        series: SHOWN.map((metric, at) => ({
          type: 'bar',
          name: text[metric],
          data: hidden.has(text[metric]) ? [] : drawn.map(({ figures }) => figures[metric] ?? null),
          color: look.colors[at] as string,
          barMaxWidth: 12,
          barGap: '10%',
          emphasis: { disabled: true },
        })),
      };
    },
    [drawn, hidden, formats],
  );
  const columns: Column<Row>[] = [
    { id: 'name', header: texts.campaign, value: ({ name }) => name },
    ...SHOWN.map((metric): Column<Row> => ({
      id: metric,
      header: text[metric],
      kind: 'money',
      value: ({ figures }) => figures[metric],
    })),
  ];
  return (
    <Chart
      title={text.chart}
      option={option}
      height={height}
      loading={rows === undefined}
      empty={drawn.length === 0}
      stale={stale}
      legend={<Legend names={SHOWN.map((metric) => text[metric])} hidden={hidden} onToggle={toggle} />}
      table={<DataTable label={text.chart} columns={columns} rows={drawn} rowId={({ path }) => path.join(' ')} />}
    />
  );
}
