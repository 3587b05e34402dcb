/** A view of the explore page as a question that is kept, and back (docs/contract/boards.md). */
import type { components } from '@adtrail/client';
import type { Question } from '../../api/queries';
import type { Period } from '../../period';
import { COMPARISONS, PRESETS, type Filter } from '../../search';
import { curveQuestion, readDimensions, tableQuestion, type View } from './questions';
import { GRAINS, SHAPES } from './search';

type Schemas = components['schemas'];
export type SavedQuestion = Schemas['SavedQuestion'];
export type KeptQuestion = Schemas['Question'];
export type Drawn = KeptQuestion['chart'];

/** Ranges that move with the day, under the same names in questions that are kept. */
const RANGES = [
  'today',
  'yesterday',
  'last_7_days',
  'last_28_days',
  'last_90_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_quarter',
  'this_year',
  'last_12_months',
  'all_time',
] as const;

const isDrawnOverTime = (chart: Drawn): boolean => SHAPES.some((shape) => shape === chart);

/** With days that move where the period has a name; a comparison of days of one's own stays as it is. */
export function keepQuestion(
  view: View,
  period: Period,
  chart: Drawn,
  lines: readonly string[] | undefined,
): KeptQuestion {
  const curve = isDrawnOverTime(chart) ? curveQuestion(view, period, lines) : undefined;
  const asked: Question = curve ? { ...curve, ...period.comparison } : tableQuestion(view, period);
  const { from, to, compare, ...question } = asked;
  const range = RANGES.find((one) => one === period.preset);
  const named = period.compare === 'previous_period' || period.compare === 'previous_year' ? period.compare : undefined;
  return {
    ...question,
    ...(range ? { range } : { from, to }),
    ...(range === 'all_time' || compare === undefined ? {} : { compare: (range ? named : undefined) ?? compare }),
    chart,
  } as KeptQuestion;
}

/** What the URL of the page says to show a question that is kept. */
export function readKept(question: KeptQuestion): Partial<View> {
  const { source, metrics, dimensions = [], include = ['organic'], order_by: [order] = [], range, chart } = question;
  const isDrawn = isDrawnOverTime(chart);
  // A chart without a step of time stands over the rows.
  const isOverTime = isDrawn && GRAINS.some((one) => one === dimensions[0]);
  const [grain] = isOverTime ? dimensions : [];
  const [name, direction] = order ?? [];
  return {
    source,
    metrics,
    by: isOverTime ? dimensions.slice(1) : dimensions,
    filters: question.filters as Filter[] | undefined,
    sort: name === undefined || isOverTime ? undefined : `${direction === 'desc' ? '-' : ''}${name}`,
    view: question.view ?? 'user_acquisition',
    model: question.model ?? 'last_touch',
    paid: source === 'app' && !include.includes('organic'),
    period: PRESETS.find((one) => one === range) ?? PRESETS[0],
    from: question.from,
    to: question.to,
    compare: COMPARISONS.find((one) => one === question.compare) ?? 'none',
    over: isDrawn && !isOverTime && dimensions.length > 0 ? 'rows' : 'time',
    shape: SHAPES.find((one) => one === chart) ?? 'line',
    grain: grain === 'hour' || grain === 'day' || grain === 'week' || grain === 'month' ? grain : 'auto',
    table: 'rows',
  };
}

/** How a view is drawn unless somebody chooses: as a table where it has rows, else as its chart. */
export const suggestChart = (view: View): Drawn => (readDimensions(view).length > 0 ? 'table' : view.shape);
