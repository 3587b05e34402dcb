/** A metric of the campaign by day, beside the same metric of the comparison. */
import { useMemo } from 'react';
import { useReport } from '../../api/queries';
import { TimeChart } from '../../components/chart/TimeChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { listDays, type Period } from '../../period';
import { useProject } from '../../session';
import { dimensionText, metricText } from '../../texts';
import { curveQuestion, FIGURES } from './questions';
import { campaigns as campaignsTexts } from '../../texts/campaigns';

interface Props {
  readonly campaign: string;
  readonly period: Period;
  readonly metric: (typeof FIGURES)[number];
}

export function Curve({ campaign, period, metric }: Props) {
  const question = curveQuestion(campaign, period);
  const answer = useReport(useProject().id, question);
  const { label, kind } = metricText(metric);
  const at = FIGURES.indexOf(metric);
  const labels = useMemo(() => listDays(period), [period]);
  const isCompared = period.compare !== 'none';
  const series = useMemo(() => {
    const rows = new Map(answer.data?.results.map((row) => [row.dimensions[0], row]));
    // A day without a row had nothing: that is zero of what can be counted, and no value of a ratio.
    const nothing = kind === 'count' || kind === 'money' ? 0 : null;
    const values = (which: 'metrics' | 'comparison') => labels.map((day) => rows.get(day)?.[which]?.[at] ?? nothing);
    return [{ name: label, values: values('metrics'), ...(isCompared && { before: values('comparison') }) }];
  }, [answer.data, labels, at, kind, label, isCompared]);
  return (
    <Panel title={campaignsTexts.one.byDay(label)} question={question}>
      {answer.error ? (
        <ErrorBox error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <TimeChart
          title={label}
          kind={kind}
          labels={labels}
          labelName={dimensionText('day')}
          series={series}
          loading={answer.isPending}
          stale={answer.isPlaceholderData}
          height={240}
        />
      )}
    </Panel>
  );
}
