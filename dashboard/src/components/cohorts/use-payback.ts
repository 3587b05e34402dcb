/** What installs earn by day since install, how many are old enough, and the verdict on them. */
import { useMemo } from 'react';
import { useReport, type Report } from '../../api/queries';
import { judge } from '../../judge';
import { todayIn, type Period } from '../../period';
import { useProject } from '../../session';
import { choosePoints, chooseShown, maturityQuestion, paybackQuestion, type Filters } from './questions';

/** The values of a figure at each day; empty of an answer to another question. */
function listValues(report: Report | undefined, figure: 'ltv' | 'roas', days: readonly number[]) {
  const { metrics = [] } = (report?.query ?? {}) as { metrics?: string[] };
  const row = report?.results[0]?.metrics ?? [];
  return days.map((day) => row[metrics.indexOf(`${figure}_d${day}`)] ?? null);
}

export interface PaybackAsked {
  readonly filters: Filters;
  readonly period: Period;
  /** Up to which day somebody has chosen to look. */
  readonly chosen: string;
  /** False where nobody tells what was spent: then there is no verdict. */
  readonly hasCost?: boolean;
}

export function usePayback({ filters, period, chosen, hasCost = true }: PaybackAsked) {
  const project = useProject();
  const horizon = chooseShown(chosen, period, todayIn(project.timezone));
  const question = paybackQuestion(filters, period, horizon, hasCost);
  const answer = useReport(project.id, question);
  const maturity = useReport(project.id, maturityQuestion(filters, period, horizon));
  const { data } = answer;
  const days = choosePoints(horizon);
  const ltv = useMemo(() => listValues(data, 'ltv', days), [data, days]);
  const roas = useMemo(() => listValues(data, 'roas', days), [data, days]);
  // What it costs may not be told: then nothing is said of whether it pays back.
  const isTold = hasCost && !data?.meta.unknown?.some((one) => one.startsWith('roas_'));
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
    verdict: isKnown && isTold ? judge({ roas: last, mature }, target) : undefined,
  };
}
