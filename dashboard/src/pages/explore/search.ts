/** What the URL of the explore page says: the whole question, and how its answer is shown. */
import { choice, filterSearch, flag, optionalText, periodSearch, texts, Type } from '../../search';

export const SHAPES = ['line', 'bar', 'area'] as const;
export const GRAINS = ['auto', 'hour', 'day', 'week', 'month'] as const;

export const exploreSearch = Type.Object({
  ...periodSearch,
  ...filterSearch,
  source: choice(['app', 'web']),
  /** Undefined: those that the source begins with. */
  metrics: texts(20),
  /** Dimensions of the rows, in their order; an empty list for one row of all. */
  by: texts(4),
  sort: optionalText(),
  /** App figures only. */
  view: choice(['user_acquisition', 'retargeting']),
  /** Web figures only. */
  model: choice(['last_touch', 'first_touch']),
  /** Leaves out what no campaign is credited with. */
  paid: flag(),
  shape: choice(SHAPES),
  /** What the chart is drawn over: time, or the rows of the table. */
  over: choice(['time', 'rows']),
  grain: choice(GRAINS),
  /** Metrics that the right axis measures; undefined: those of another kind than the first. */
  right: texts(20),
  table: choice(['rows', 'pivot']),
  /** The metric of a pivot table, and of a chart by rows over time; by default the first. */
  metric: optionalText(),
});
