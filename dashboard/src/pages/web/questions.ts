/** What the page of web visits asks the service. */
import type { Question } from '../../api/queries';
import { headFigures } from '../../figures';
import type { Period } from '../../period';
import type { Filter } from '../../search';

export const TABS = [
  'channel',
  'source',
  'campaign',
  'landing_page',
  'page',
  'exit_page',
  'country',
  'device',
  'browser',
] as const;
export type Tab = (typeof TABS)[number];

/** What a session has whatever it is credited to: it is the same in both models. */
export const isOfSession = (tab: Tab): boolean => !['channel', 'source', 'campaign'].includes(tab);
export type Model = 'last_touch' | 'first_touch';

/** The figures at the head of the page; by default the curve shows the first. */
export const FIGURES = headFigures('web', 'conversion');

const OF_ROWS = ['visitors', 'sessions', 'bounce_rate', 'signups', 'conversion', 'purchases', 'revenue'];
/** Spend is known of channels and campaigns alone. */
const WITH_SPEND = [...OF_ROWS, 'spend', 'roas'];
export const listMetrics = (tab: Tab): readonly string[] =>
  tab === 'channel' || tab === 'campaign' ? WITH_SPEND : OF_ROWS;

/** Rows of a table; a file has all. */
export const ROWS = 1000;
/** Lines of the curve. */
export const LINES = 5;

interface Asked {
  readonly period: Period;
  readonly filters: Filter[] | undefined;
}

const common = ({ period: { from, to }, filters = [] }: Asked) => ({ source: 'web' as const, filters, from, to });

export const tableQuestion = (asked: Asked, tab: Tab, model: Model, isCompared: boolean) =>
  ({
    ...common(asked),
    metrics: [...listMetrics(tab)],
    dimensions: [tab],
    model,
    ...(isCompared && !asked.period.isOpen && asked.period.comparison),
    include: ['totals'],
    limit: ROWS,
  }) as Question;

/** A metric of the greatest rows over time; undefined while these are not known. */
export function curveQuestion(
  asked: Asked,
  tab: Tab,
  model: Model,
  metric: string,
  values: readonly string[] | undefined,
) {
  if (!values || values.length === 0) return undefined;
  const { filters, ...rest } = common(asked);
  return {
    ...rest,
    metrics: [metric],
    dimensions: [asked.period.granularity, tab],
    filters: [...filters, ['is', tab, [...values]]],
    model,
    order_by: [[asked.period.granularity, 'asc']],
    limit: 400 * LINES,
  } as Question;
}
