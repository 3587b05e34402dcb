/** A figure of a partner over hours or days; what was refused by its reasons. */
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { toPage } from '../../addresses';
import type { Traffic } from '../../api/partner';
import type { PointAction } from '../../components/chart/Drawing';
import { TimeChart, type Series } from '../../components/chart/TimeChart';
import { Panel } from '../../components/Panel';
import { usePeriod } from '../../period';
import { useFormats, usePartner } from '../../session';
import { dimensionText, texts } from '../../texts';
import { notes } from '../../texts/notes';
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

/** What a point leads to: its day alone, and requests that were refused for the reason that was pressed. */
function useActions(traffic: Traffic | undefined, figure: FigureName) {
  const { id } = usePartner();
  const { shortDay } = useFormats();
  const [{ days }, setPeriod] = usePeriod();
  const navigate = useNavigate();
  return (at: number, series: string): PointAction[] => {
    const day = traffic?.buckets[at]?.time.slice(0, 10);
    if (day === undefined) return [];
    const reasons = figure === 'refused' ? Object.keys(traffic?.totals.refused ?? {}) : [];
    const reason = reasons.find((one) => refusalText(one).label === series);
    const open = () => void navigate(toPage('/partners/$partnerId/touches', { partnerId: id }, { reason }));
    return [
      ...(days > 1 ? [{ label: notes.open(shortDay(day)), run: () => setPeriod({ from: day, to: day }) }] : []),
      ...(reason === undefined ? [] : [{ label: text.samples(series), run: open }]),
    ];
  };
}

export function Curve({ traffic, figure, isHour, loading, stale }: Props) {
  const actions = useActions(traffic, figure);
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
        actions={actions}
        shape={figure === 'refused' ? 'stacked' : 'line'}
        loading={loading}
        stale={stale}
      />
    </Panel>
  );
}
