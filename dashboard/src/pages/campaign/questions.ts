/** What the page of a campaign asks the service. */
import type { Question } from '../../api/queries';
import { partMetrics } from '../../figures';
import type { Period } from '../../period';
import type { Asked } from '../../series';
import type { PARTS } from './search';

export type Part = (typeof PARTS)[number];

const of = (campaign: string, { from, to }: Period): Pick<Question, 'source' | 'filters' | 'from' | 'to'> => ({
  source: 'app',
  filters: [['is', 'campaign', [campaign]]],
  from,
  to,
});

/** The figures of the campaign and their curve; each row says whose it is, too. */
export const askFigures = (campaign: string, metrics: readonly string[]): Asked => ({
  source: 'app',
  metrics,
  filters: [['is', 'campaign', [campaign]]],
  more: ['network', 'partner'],
});

export const partsQuestion = (campaign: string, period: Period, by: Part): Question => ({
  ...of(campaign, period),
  metrics: [...partMetrics(by)],
  dimensions: [by],
  limit: 500,
});
