/** What the overview asks the service. */
import type { Question } from '../../api/queries';
import type { Period } from '../../period';
import { texts } from '../../texts';

export type Source = 'app' | 'web';

const FIGURES = {
  app: ['installs', 'clicks', 'signups', 'conversion', 'revenue', 'spend', 'roas', 'cpi'],
  web: ['visitors', 'sessions', 'page_views', 'bounce_rate', 'signups', 'conversion', 'purchases', 'revenue'],
} as const satisfies Record<Source, readonly string[]>;

/** The figures at the head of the page; by default the curve shows the first. */
export const figures = (source: Source): readonly string[] => FIGURES[source];

const toRange = ({ from, to, comparison }: Period) => ({ from, to, ...comparison });

export const totalsQuestion = (source: Source, period: Period): Question => ({
  source,
  metrics: [...figures(source)],
  ...toRange(period),
});

/** By day; of a single day by hour, as far as the metrics are known by hour. */
export function curveQuestion(source: Source, period: Period, metrics: readonly string[]): Question {
  return { source, metrics: [...metrics], dimensions: ['day'], ...toRange(period), order_by: [['day', 'asc']] };
}

export interface TopList {
  readonly dimension: string;
  readonly title: string;
  readonly metrics: readonly string[];
}

const text = texts.overview;
const TOPS: Readonly<Record<Source, readonly TopList[]>> = {
  app: [
    { dimension: 'campaign', title: text.campaigns, metrics: ['installs', 'revenue', 'spend', 'roas'] },
    { dimension: 'channel', title: text.channels, metrics: ['installs', 'revenue', 'spend', 'roas'] },
    { dimension: 'country', title: text.countries, metrics: ['installs', 'signups', 'revenue', 'arpu'] },
  ],
  web: [
    { dimension: 'campaign', title: text.campaigns, metrics: ['visitors', 'signups', 'revenue', 'conversion'] },
    { dimension: 'channel', title: text.channels, metrics: ['visitors', 'signups', 'revenue', 'conversion'] },
    { dimension: 'country', title: text.countries, metrics: ['visitors', 'signups', 'revenue', 'conversion'] },
    { dimension: 'source', title: text.sources, metrics: ['visitors', 'signups', 'revenue', 'conversion'] },
  ],
};

export const tops = (source: Source) => TOPS[source];

/** How many rows a list has. */
export const ROWS = 6;

/** The lists show no change, so that they compare nothing: that would be a second statement each. */
export const topQuestion = (source: Source, { from, to }: Period, { dimension, metrics }: TopList): Question => ({
  source,
  metrics: [...metrics],
  dimensions: [dimension],
  from,
  to,
  limit: ROWS,
  include: source === 'app' ? ['organic'] : [],
});
