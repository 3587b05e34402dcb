/** A metric of the value by day, beside the same of the comparison. */
import { useMemo } from 'react';
import { useReport } from '../../api/queries';
import { TimeChart } from '../../components/chart/TimeChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { listDays, type Period } from '../../period';
import { useProject } from '../../session';
import { dimensionText, metricText, texts } from '../../texts';
import { curveQuestion, figures, type Subject } from './questions';

interface Props {
  readonly subject: Subject;
  readonly period: Period;
  readonly metric: string;
}

export function Curve({ subject, period, metric }: Props) {
  const question = curveQuestion(subject, period);
  const { data, error, isPending, isPlaceholderData, refetch } = useReport(useProject().id, question);
  const { label, kind } = metricText(metric);
  const at = figures(subject).indexOf(metric);
  const labels = useMemo(() => listDays(period), [period]);
  const series = useMemo(() => {
    const rows = new Map(data?.results.map((row) => [row.dimensions[0], row]));
    // A day without a row had nothing: that is zero of what can be counted, and no value of a ratio.
    const nothing = (kind === 'count' || kind === 'money') && !data?.meta.unknown?.includes(metric) ? 0 : null;
    const values = (which: 'metrics' | 'comparison') =>
      labels.map((day) => {
        const row = rows.get(day);
        return row ? (row[which]?.[at] ?? null) : nothing;
      });
    return [
      { name: label, values: values('metrics'), ...(period.comparison.compare && { before: values('comparison') }) },
    ];
  }, [data, labels, at, kind, label, metric, period.comparison.compare]);
  return (
    <Panel title={`${label} ${texts.byDay.toLowerCase()}`} question={question}>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <TimeChart
          title={label}
          kind={kind}
          labels={labels}
          labelName={dimensionText('day')}
          series={series}
          loading={isPending}
          stale={isPlaceholderData}
        />
      )}
    </Panel>
  );
}
