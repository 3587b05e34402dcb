/** Where a value of a dimension leads: to its own page, to a filter, to the explore page. */
import { leadTo, toPage } from './addresses';
import type { Range } from './period';
import { readPeriod, type Filter } from './search';

export type Source = 'app' | 'web';

/** What a question about figures says besides its period, as the explore page has it in its URL. */
export interface Exploration {
  readonly source: Source;
  readonly metrics?: readonly string[];
  readonly by?: readonly string[];
  readonly filters?: readonly Filter[];
  readonly sort?: string;
  readonly model?: 'last_touch' | 'first_touch';
  readonly view?: 'user_acquisition' | 'retargeting';
  /** Without what no campaign is credited with. */
  readonly paid?: boolean;
  /** Draws its rows, not time. */
  readonly over?: 'rows';
  /** Days of its own, instead of the period of the page. */
  readonly days?: Range;
}

/** Times and what has no filter of its own lead nowhere. */
const TIMES = ['day', 'week', 'month', 'hour', 'install_day', 'install_week', 'install_month', 'day_n'];
export const isTime = (dimension: string): boolean => TIMES.includes(dimension);

/** The filters with this value of the dimension alone: what was said of it before is replaced. */
export const filterTo = (filters: readonly Filter[] | undefined, dimension: string, value: string): Filter[] => [
  ...(filters ?? []).filter(([, one]) => one !== dimension),
  ['is', dimension, [value]],
];

/** The explore page with a question, for the period of the page unless it has days of its own. */
export const toExplore = (projectId: number, view: Exploration) =>
  toPage('/projects/$projectId/explore', { projectId }, (before: Record<string, unknown>) => ({
    ...readPeriod(before),
    ...view.days,
    source: view.source,
    ...(view.metrics && { metrics: [...view.metrics] }),
    ...(view.by && { by: [...view.by] }),
    ...(view.filters && view.filters.length > 0 && { filters: [...view.filters] }),
    ...(view.sort !== undefined && { sort: view.sort }),
    ...(view.model !== undefined && { model: view.model }),
    ...(view.view !== undefined && { view: view.view }),
    ...(view.paid !== undefined && { paid: view.paid }),
    ...(view.over !== undefined && { over: view.over }),
  }));

/**
 * The page of a value: a campaign has its own, any other value the page of its dimension. Undefined where there is
 * none: of times, of what is unknown, and of what no campaign is credited with.
 */
export function toValue(projectId: number, source: Source, dimension: string, value: string) {
  if (value === '' || isTime(dimension)) return undefined;
  if (source === 'app' && dimension === 'campaign')
    return value === 'organic'
      ? undefined
      : toPage('/projects/$projectId/campaigns/$displayId', { projectId, displayId: value }, readPeriod);
  const { to } = toPage('/projects/$projectId/values/$dimension', { projectId, dimension });
  return leadTo(to, (before: Record<string, unknown>) => ({
    ...readPeriod(before),
    ...(source === 'web' && { source }),
    value,
  }));
}
