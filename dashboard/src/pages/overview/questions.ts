/** What the overview asks the service, beside the figures and their curve. */
import type { Question } from '../../api/queries';
import { ORGANIC_FIGURES, topMetrics, type Source } from '../../figures';
import type { Period } from '../../period';
import { texts } from '../../texts';

/** How much of the figures nobody is credited with. */
export const organicQuestion = ({ from, to }: Period): Question => ({
  source: 'app',
  metrics: [...ORGANIC_FIGURES],
  filters: [['is', 'campaign', ['organic']]],
  from,
  to,
  include: ['organic'],
});

export interface TopList {
  readonly dimension: string;
  readonly title: string;
}

const text = texts.overview;
const TOPS: Readonly<Record<Source, readonly TopList[]>> = {
  app: [
    { dimension: 'campaign', title: text.campaigns },
    { dimension: 'channel', title: text.channels },
    { dimension: 'country', title: text.countries },
  ],
  web: [
    { dimension: 'campaign', title: text.campaigns },
    { dimension: 'channel', title: text.channels },
    { dimension: 'country', title: text.countries },
    { dimension: 'source', title: text.sources },
  ],
};

export const tops = (source: Source) => TOPS[source];

/** How many rows a list has. */
export const ROWS = 6;

/** The lists show no change, so that they compare nothing: that would be a second statement each. */
export const topQuestion = (source: Source, { from, to }: Period, dimension: string): Question => ({
  source,
  metrics: [...topMetrics(source, dimension)],
  dimensions: [dimension],
  from,
  to,
  limit: ROWS,
  include: source === 'app' ? ['organic'] : [],
});
