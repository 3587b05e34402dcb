/** Whether figures are what an alert waits for (pure; docs/contract/alerts.md). */
import type { Condition } from './condition';

/** One value of the question's dimension, or all of it. */
export interface Point {
  /** As filters take it; empty where the question has no dimension. */
  readonly value: string;
  readonly label: string;
  readonly figure: number | null;
  /** The figure of the range to compare with. */
  readonly comparison?: number | null;
  /** Figures of the same weekday in earlier weeks; null where there is none. */
  readonly history?: readonly (number | null)[];
}

export type Reason = 'no_figure' | 'no_comparison' | 'too_little_history' | 'no_variation' | 'nothing_received_ever';

/** `expected`: the limit, the comparison or the median that the figure was held against. */
export type Verdict =
  | { readonly state: 'breach' | 'fine'; readonly expected: number; readonly deviation?: number }
  | { readonly state: 'not_judged'; readonly reason: Reason };

/** Earlier weeks that are looked at, and how many of them must have a figure. */
export const WEEKS = 8;
const FEWEST_WEEKS = 4;
/** Fewer refusals than this are none, unless the condition says so. */
export const FEWEST_REFUSALS = 100;

export const HOUR_SECONDS = 3_600;

const notJudged = (reason: Reason): Verdict => ({ state: 'not_judged', reason });
const isFigure = (figure: number | null | undefined): figure is number =>
  typeof figure === 'number' && Number.isFinite(figure);

/** What a condition says of one point. */
export function judge(condition: Condition, { figure, comparison, history = [] }: Point): Verdict {
  if (!isFigure(figure)) return notJudged('no_figure');
  switch (condition.type) {
    case 'threshold': {
      const { direction, value } = condition;
      return verdict(direction === 'above' ? figure > value : figure < value, value);
    }
    case 'change': {
      if (!isFigure(comparison) || comparison === 0) return notJudged('no_comparison');
      const percent = ((figure - comparison) / Math.abs(comparison)) * 100;
      const { direction } = condition;
      const isUp = direction !== 'down' && percent >= condition.percent;
      const isDown = direction !== 'up' && percent <= -condition.percent;
      return verdict(isUp || isDown, comparison, percent);
    }
    case 'unusual':
      return judgeUnusual(figure, history.filter(isFigure), condition.factor);
    case 'nothing_received':
      return isFigure(comparison) && comparison > 0 ? verdict(figure === 0, 1) : notJudged('nothing_received_ever');
    case 'refusals_doubled': {
      if (!isFigure(comparison)) return notJudged('no_comparison');
      const isMany = figure >= (condition.minimum ?? FEWEST_REFUSALS);
      return verdict(isMany && figure >= 2 * comparison, comparison);
    }
    case 'export_late': {
      const limit = condition.hours * HOUR_SECONDS;
      return verdict(figure > limit, limit);
    }
  }
}

/** Unusual is what is farther from the median than so many times the median distance from it. */
function judgeUnusual(figure: number, history: readonly number[], factor: number): Verdict {
  if (history.length < FEWEST_WEEKS) return notJudged('too_little_history');
  const middle = median(history);
  const spread = median(history.map((one) => Math.abs(one - middle)));
  if (spread === 0) return notJudged('no_variation');
  const deviation = (figure - middle) / spread;
  return verdict(Math.abs(deviation) > factor, middle, deviation);
}

const verdict = (isBreach: boolean, expected: number, deviation?: number): Verdict => ({
  state: isBreach ? 'breach' : 'fine',
  expected,
  ...(deviation === undefined ? {} : { deviation }),
});

/** The median of at least one number. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** A point with its verdict. */
export interface Judged extends Point {
  readonly verdict: Verdict;
}

/** What begins and ends with a judgement: what is breached and was not before, and what was and is fine again. */
export function findTransitions(
  judged: readonly Judged[],
  breached: ReadonlySet<string>,
): { readonly fired: readonly Judged[]; readonly over: readonly Judged[] } {
  return {
    fired: judged.filter((one) => one.verdict.state === 'breach' && !breached.has(one.value)),
    over: judged.filter((one) => one.verdict.state === 'fine' && breached.has(one.value)),
  };
}
