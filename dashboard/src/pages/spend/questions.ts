/** What the page of spend asks. */
import type { Question } from '../../api/queries';
import type { Period } from '../../period';

export const METRICS = ['spend', 'impressions', 'clicks', 'installs', 'cpi', 'roas'];
const ROWS = 1_000;

/** The rows of the table: by campaign, or by day and campaign. */
export const buildQuestion = (rows: 'campaigns' | 'days', { from, to, comparison }: Period): Question => ({
  source: 'app',
  metrics: rows === 'days' ? METRICS.slice(0, 3) : METRICS,
  dimensions: rows === 'days' ? ['day', 'campaign'] : ['campaign'],
  from,
  to,
  ...(rows === 'campaigns' && comparison),
  order_by: [rows === 'days' ? ['day', 'desc'] : ['spend', 'desc']],
  include: ['totals'],
  limit: ROWS,
});
