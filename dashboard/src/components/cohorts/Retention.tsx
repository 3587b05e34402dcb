/** The share of installs that are active on a day after the install, beside that of all installs. */
import { useCallback, useMemo } from 'react';
import { useReport } from '../../api/queries';
import { ErrorBox } from '../ErrorBox';
import { Panel } from '../Panel';
import { todayIn, type Period } from '../../period';
import { useProject } from '../../session';
import { useDayActions } from '../use-lead-on';
import { DayCurve } from './DayCurve';
import { retentionDays, retentionQuestion, type Filters } from './questions';
import { campaigns as campaignsTexts } from '../../texts/campaigns';
import { texts } from '../../texts';

const text = campaignsTexts.one.retention;
const HEIGHT = 276;

interface Props {
  readonly filters: Filters;
  readonly period: Period;
  /** What the filters leave is called. */
  readonly name: string;
}

const ALL: Filters = [];

export function Retention({ filters, period, name }: Props) {
  const { id, timezone } = useProject();
  const today = todayIn(timezone);
  const days = useMemo(() => retentionDays(period, today), [period, today]);
  const question = retentionQuestion(filters, period, today);
  const own = useReport(id, question);
  const all = useReport(id, retentionQuestion(ALL, period, today));
  const series = useMemo(() => {
    const values = (metrics: readonly (number | null)[] | undefined) => days.map((_, at) => metrics?.[at] ?? null);
    return [
      { name, values: values(own.data?.results[0]?.metrics) },
      { name: texts.allInstalls, values: values(all.data?.results[0]?.metrics) },
    ];
  }, [days, name, own.data, all.data]);
  const actions = useDayActions(
    useCallback(
      (day: number, series: string) => ({
        metrics: ['installs', `classic_retention_d${day}`],
        ...(series !== texts.allInstalls && { filters }),
      }),
      [filters],
    ),
    days,
  );
  const error = own.error ?? all.error;
  return (
    <Panel title={texts.retentionByDay} about={text.about} question={question}>
      {error ? (
        <ErrorBox error={error} onRetry={() => void Promise.all([own.refetch(), all.refetch()])} />
      ) : (
        <DayCurve
          title={texts.retentionByDay}
          kind="percent"
          days={days}
          series={series}
          actions={actions}
          loading={own.isPending || all.isPending}
          stale={own.isPlaceholderData || all.isPlaceholderData}
          height={HEIGHT}
        />
      )}
    </Panel>
  );
}
