/** What the parts of a page about payback and retention ask the service, of what some filters leave. */
import type { Question } from '../../api/queries';
import { chooseHorizon } from '../../judge';
import { dayAge, type Period } from '../../period';
import type { Filter } from '../../search';

export type Filters = readonly Filter[];

const ask = (filters: Filters, { from, to }: Period): Pick<Question, 'source' | 'filters' | 'from' | 'to'> => ({
  source: 'app',
  filters: filters.map((filter) => [...filter]),
  from,
  to,
});

/** Days since install at which payback is asked for: an answer has at most 20 metrics, two for each day. */
const POINTS: Readonly<Record<number, readonly number[]>> = {
  3: [0, 1, 2, 3],
  7: [0, 1, 2, 3, 4, 5, 6, 7],
  14: [0, 1, 2, 3, 4, 5, 7, 9, 11, 14],
  30: [0, 1, 2, 3, 5, 7, 10, 14, 21, 30],
  60: [0, 1, 3, 7, 10, 14, 21, 30, 45, 60],
  90: [0, 1, 3, 7, 14, 21, 30, 45, 60, 90],
};

/** Up to which day the page looks, unless somebody chooses: that by which campaigns are judged. */
export const chooseShown = (chosen: string, period: Period, today: string): number =>
  chosen === 'auto' ? chooseHorizon(period, today) : Number(chosen);

export const choosePoints = (horizon: number): readonly number[] => POINTS[horizon] ?? [];

/** @param hasCost whether what they cost is known */
export const paybackQuestion = (filters: Filters, period: Period, horizon: number, hasCost: boolean): Question => ({
  ...ask(filters, period),
  // 20 at most: with ten days the share of those that are old enough is another question.
  metrics: choosePoints(horizon).flatMap((day) => [`ltv_d${day}`, ...(hasCost ? [`roas_d${day}`] : [])]),
});

/** How many of the installs are old enough for a day. */
export const maturityQuestion = (filters: Filters, period: Period, horizon: number): Question => ({
  ...ask(filters, period),
  metrics: ['installs', `mature_d${horizon}`],
});

const RETENTION_DAYS = [1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 28, 42, 60, 90];

/** As far as the installs of the period are old enough. */
export const retentionDays = (period: Period, today: string): readonly number[] =>
  RETENTION_DAYS.filter((day) => day === 1 || day < dayAge(period.from, today));

/** Asks for the retention of what the filters leave; without any, of all installs of the project. */
export const retentionQuestion = (filters: Filters, period: Period, today: string): Question => ({
  ...ask(filters, period),
  metrics: retentionDays(period, today).map((day) => `classic_retention_d${day}`),
});
