/** A figure of a partner over hours or days; what was refused by its reasons. */
import { useMemo } from 'react';
import type { Traffic } from '../../api/partner';
import { TimeChart, type Series } from '../../components/chart/TimeChart';
import { Panel } from '../../components/Panel';
import { dimensionText, texts } from '../../texts';
import { refusalText } from '../../texts/refusals';
import { readCount, figureText, type FigureName } from './figures';
import { partner as partnerTexts } from '../../texts/partner';

const text = partnerTexts.overview;
const hourFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const hourName = (time: string) => hourFormat.format(new Date(time));

interface Props {
  readonly traffic: Traffic | undefined;
  readonly figure: FigureName;
  readonly isHour: boolean;
  readonly loading: boolean;
  readonly stale: boolean;
}

/** At most this many reasons have their own colour. */
const MOST_REASONS = 6;

function buildSeries({ buckets, totals }: Traffic, figure: FigureName): Series[] {
  const all = { name: figureText(figure).label, values: buckets.map((bucket) => readCount(bucket, figure)) };
  const reasons = Object.entries(totals.refused).sort(([, a], [, b]) => b - a);
  if (figure !== 'refused' || reasons.length === 0) return [all];
  const [first, others] = [reasons.slice(0, MOST_REASONS), reasons.slice(MOST_REASONS)];
  const of = (names: readonly string[]) =>
    buckets.map(({ refused }) => names.reduce((sum, name) => sum + (refused[name] ?? 0), 0));
  return [
    ...first.map(([reason]) => ({ name: refusalText(reason).label, values: of([reason]) })),
    ...(others.length > 0
      ? [{ name: partnerTexts.overview.otherReasons, values: of(others.map(([name]) => name)) }]
      : []),
  ];
}

export function Curve({ traffic, figure, isHour, loading, stale }: Props) {
  const labels = useMemo(() => traffic?.buckets.map(({ time }) => time) ?? [], [traffic]);
  const series = useMemo(() => (traffic ? buildSeries(traffic, figure) : []), [traffic, figure]);
  return (
    <Panel title={text.over(figureText(figure).label, isHour)}>
      <TimeChart
        title={figureText(figure).label}
        kind="count"
        labels={labels}
        {...(isHour && { formatLabel: hourName })}
        labelName={isHour ? texts.time : dimensionText('day')}
        series={series}
        shape={figure === 'refused' ? 'stacked' : 'line'}
        loading={loading}
        stale={stale}
      />
    </Panel>
  );
}
