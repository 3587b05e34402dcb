/** What the installs of a campaign earn by day since install, how many are old enough, and the verdict on them. */
import { useMemo } from 'react';
import { useReport, type Report } from '../../api/queries';
import { judge } from '../../judge';
import { todayIn, type Period } from '../../period';
import { useView } from '../../search';
import { useProject } from '../../session';
import { choosePoints, chooseShown, maturityQuestion, paybackQuestion } from './questions';
import { campaignSearch } from './search';

/** The values of a figure at each day; empty of an answer to another question. */
function listValues(report: Report | undefined, figure: 'ltv' | 'roas', days: readonly number[]) {
  const { metrics = [] } = (report?.query ?? {}) as { metrics?: string[] };
  const row = report?.results[0]?.metrics ?? [];
  return days.map((day) => row[metrics.indexOf(`${figure}_d${day}`)] ?? null);
}

export function usePayback(campaign: string, period: Period) {
  const [{ horizon: chosen }] = useView(campaignSearch);
  const project = useProject();
  const horizon = chooseShown(chosen, period, todayIn(project.timezone));
  const question = paybackQuestion(campaign, period, horizon);
  const answer = useReport(project.id, question);
  const maturity = useReport(project.id, maturityQuestion(campaign, period, horizon));
  const { data } = answer;
  const days = choosePoints(horizon);
  const ltv = useMemo(() => listValues(data, 'ltv', days), [data, days]);
  const roas = useMemo(() => listValues(data, 'roas', days), [data, days]);
  const isKnown = data !== undefined && !answer.isPlaceholderData;
  const share = maturity.isPlaceholderData ? undefined : maturity.data?.results[0]?.metrics[1];
  const last = roas.at(-1) ?? null;
  // What has no revenue by then has an LTV all the same: it tells that some installs are old enough.
  const mature = share ?? (ltv.at(-1) === null ? 0 : 1);
  const target = project.target_roas;
  return {
    question,
    answer,
    horizon,
    days,
    ltv,
    roas: last,
    curve: roas,
    /** The share of the installs that are old enough, in percent; undefined while it is not known. */
    share,
    target,
    verdict: isKnown ? judge({ roas: last, mature }, target) : undefined,
  };
}
