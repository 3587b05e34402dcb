/** What the page of a campaign asks the service. */
import dayjs from 'dayjs';
import type { Question } from '../../api/queries';
import type { Period } from '../../period';
import type { PARTS } from './search';

export type Part = (typeof PARTS)[number];

/** At the head of the page; by default the curve shows the first. */
export const FIGURES = ['installs', 'clicks', 'signups', 'conversion', 'revenue', 'spend', 'roas', 'cpi'] as const;

const PART_METRICS = ['installs', 'signups', 'conversion', 'spend', 'revenue', 'roas', 'arpu'] as const;
const BY_COUNTRY = ['installs', 'signups', 'conversion', 'revenue', 'arpu'] as const;

const of = (campaign: string, { from, to }: Period): Pick<Question, 'source' | 'filters' | 'from' | 'to'> => ({
  source: 'app',
  filters: [['is', 'campaign', [campaign]]],
  from,
  to,
});

/** One row, which says whose the campaign is, too. */
export const totalsQuestion = (campaign: string, period: Period): Question => ({
  ...of(campaign, period),
  metrics: [...FIGURES],
  dimensions: ['network', 'partner', 'channel'],
  ...period.comparison,
});

export const curveQuestion = (campaign: string, period: Period): Question => ({
  ...totalsQuestion(campaign, period),
  dimensions: ['day'],
  order_by: [['day', 'asc']],
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

/** Days since the first day of the period. */
const countAge = ({ from }: Period, today: string) => dayjs(today).diff(dayjs(from), 'day');

/** The greatest horizon for which about half of the days of the period are old enough, else the smallest. */
export const chooseHorizon = (period: Period, today: string): number =>
  [90, 60, 30, 14, 7].find((days) => countAge(period, today) - days + 1 >= period.days / 2) ?? 3;

export const choosePoints = (horizon: number): readonly number[] => POINTS[horizon] ?? [];

export const paybackQuestion = (campaign: string, period: Period, horizon: number): Question => ({
  ...of(campaign, period),
  metrics: choosePoints(horizon).flatMap((day) => [`ltv_d${day}`, `roas_d${day}`]),
});

const RETENTION_DAYS = [1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 28, 42, 60, 90];

/** As far as the installs of the period are old enough. */
export const retentionDays = (period: Period, today: string): readonly number[] =>
  RETENTION_DAYS.filter((day) => day === 1 || day < countAge(period, today));

/** Asks for the retention of the campaign, or of all installs of the project. */
export const retentionQuestion = (campaign: string | undefined, period: Period, today: string): Question => ({
  ...of(campaign ?? '', period),
  ...(campaign === undefined && { filters: [] }),
  metrics: retentionDays(period, today).map((day) => `classic_retention_d${day}`),
});

export const partMetrics = (by: Part): readonly string[] => (by === 'country' ? BY_COUNTRY : PART_METRICS);

export const partsQuestion = (campaign: string, period: Period, by: Part): Question => ({
  ...of(campaign, period),
  metrics: [...partMetrics(by)],
  dimensions: [by],
  limit: 500,
});
