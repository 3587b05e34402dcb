/** Typed search parameters: the whole of a view stands in its URL. What is illegal there counts as not sent. */
import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { Check } from '@sinclair/typebox/value';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

export { Type, type Static };

/** One of these texts; the first is the default. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { default: values[0] },
    ),
  );

/** A text that may be missing. */
export const optionalText = (pattern = '^[^]{1,500}$') => Type.Optional(Type.String({ pattern }));
/** A switch, off unless it is in the URL. */
export const flag = () => Type.Boolean({ default: false });
/** Which page of a list, from 1. */
export const pageNumber = () => Type.Integer({ minimum: 1, maximum: 100_000, default: 1 });
/** Texts, for example the columns of a table; undefined means those that the page shows by default. */
export const texts = (maxItems = 50) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems }));

const DAY = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$';
export const PRESETS = [
  'last_28_days',
  'today',
  'yesterday',
  'last_7_days',
  'last_90_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
  'last_12_months',
  'all_time',
] as const;
export const COMPARISONS = ['previous_period', 'previous_year', 'custom', 'none'] as const;
export const GRANULARITIES = ['auto', 'hour', 'day', 'week', 'month'] as const;

/** For pages with a PeriodPicker. `from` and `to` together win over the preset. */
export const periodSearch = {
  period: choice(PRESETS),
  from: optionalText(DAY),
  to: optionalText(DAY),
  compare: choice(COMPARISONS),
  /** The days of a comparison of one's own. */
  compare_from: optionalText(DAY),
  compare_to: optionalText(DAY),
  /** Compares with the same days of the week. */
  weekdays: flag(),
  granularity: choice(GRANULARITIES),
};
/** Days after the install by which campaigns are judged, or a page looks at them; `auto` is what the period allows. */
export const HORIZONS = ['auto', '3', '7', '14', '30', '60', '90'] as const;
/** For pages about payback. */
export const horizonSearch = { horizon: choice(HORIZONS) };
/** For pages about what installs pay back: which figure, and up to which day since install. */
export const paybackSearch = { payback: choice(['ltv', 'roas']), ...horizonSearch };
export const paybackView = Type.Object(paybackSearch);
/** For pages with a FilterBar: `[operator, dimension, [values]]`, as the API takes them. */
export const filterSearch = {
  filters: Type.Optional(
    Type.Array(
      Type.Tuple([
        Type.Union([
          Type.Literal('is'),
          Type.Literal('is_not'),
          Type.Literal('contains'),
          Type.Literal('contains_not'),
        ]),
        Type.String({ maxLength: 100 }),
        Type.Array(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 100 }),
      ]),
      { maxItems: 20 },
    ),
  ),
};
/** For pages with a DataTable: `sort` is a column's id, with `-` before it for greatest first. */
export const tableSearch = { sort: optionalText(), columns: texts() };

export type Filter = NonNullable<Static<(typeof filterSearch)['filters']>>[number];

const readDefault = (schema: TSchema): unknown => schema.default;

/** The legal parameters of a URL, without those that say what holds anyway. */
export function readSearch<S extends TObject>(schema: S, given: Readonly<Record<string, unknown>>): Partial<Static<S>> {
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, property]): unknown[][] => {
      const value = given[name];
      if (value === undefined || value === readDefault(property) || !Check(property, value)) return [];
      return [[name, value]];
    }),
  ) as Partial<Static<S>>;
}

/** A view with all its defaults. */
export function withDefaults<S extends TObject>(schema: S, given: Readonly<Record<string, unknown>>): Static<S> {
  const legal: Readonly<Record<string, unknown>> = readSearch(schema, given);
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, legal[name] ?? readDefault(property)]),
  );
}

/**
 * The view that the URL says, and a function that changes some of it. A change is an entry of the browser's history
 * unless `replace` is set (for what is typed).
 */
export function useView<S extends TObject>(schema: S) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const view = useMemo(() => withDefaults(schema, search), [schema, search]);
  const setView = useCallback(
    (changes: Partial<Static<S>>, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => readSearch(schema, { ...before, ...changes }),
        replace,
        resetScroll: false,
      });
    },
    [navigate, schema],
  );
  return [view, setView] as const;
}

const period = Type.Object(periodSearch);
const judged = Type.Object({ ...periodSearch, ...horizonSearch });

/** What goes along from page to page: the period. For `search` of a Link. */
export const readPeriod = (before: Record<string, unknown>) => readSearch(period, before);

/** The same with the day by which campaigns are judged. */
export const readJudged = (before: Record<string, unknown>) => readSearch(judged, before);
