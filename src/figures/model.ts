/**
 * What figures are made of: facts, which are counted; dimensions, by which they are grouped and filtered; metrics,
 * which are what is counted, or a quotient of it. ./app-model.ts and ./web-model.ts declare them, ./compile.ts makes
 * SQL of a question. What is legal together, and how answers are written, follows from here.
 */

/** SQL by the name that its value has in statements. */
export type Columns = Readonly<Record<string, string>>;

/** A relation that is counted, for one question. */
export interface Relation {
  /** The table, or a subquery, with what is joined to it. */
  readonly from: string;
  /** Conditions that all hold. */
  readonly where: readonly string[];
  /** What rows can be grouped and filtered by. */
  readonly columns: Columns;
  /** What some of them follow from: rows are grouped by that, which is quicker. */
  readonly followsFrom?: Columns;
  /** What ad sets, ads and keywords are called, and when they were called so: the latest name counts. */
  readonly names?: { readonly at: string; readonly columns: Columns };
  /** The currency of its amounts of money, and the UTC day whose exchange rate applies. */
  readonly money?: { readonly currency: string; readonly day: string };
}

/** A relation that is counted, whatever the question. */
export interface Fact {
  /** Tells facts apart. */
  readonly name: string;
  /** The columns that it can be grouped and filtered by. */
  readonly columns: readonly string[];
  /** Columns of which its rows have something, but nobody tells what: figures by them are unknown. */
  readonly untold?: readonly string[];
  readonly relation: (asked: Asked) => Relation;
  /** The filters stand in the relation already. */
  readonly filtersItself?: boolean;
}

/** What the SQL of a model may have to know of the question. */
export interface Asked {
  /** A table by its name: one of adtrail for the service, the view of analytics of that name for readers. */
  readonly table: (name: string, alias?: string) => string;
  /** Whether rows are grouped or filtered by any of these columns. */
  readonly uses: (...columns: string[]) => boolean;
  /** Whether rows are grouped by any of these columns. */
  readonly groupsBy: (...columns: string[]) => boolean;
  /** The conditions under which a value passes the filters on a dimension. */
  readonly passes: (dimension: string, value: string) => readonly string[];
  /** Whether this is counted: a measure or a fact. */
  readonly counts: (...names: string[]) => boolean;
  /** The range compared with stands for a later one: the day there of a day. */
  readonly moved: (day: string) => string;
  /** How many names of events are asked for; each is bound as `{event_1}` and so on. */
  readonly events: number;
  /** Whether what no campaign is credited with counts. */
  readonly organic: boolean;
  /** Rows beyond the range are read as well: each count keeps to the range itself. */
  readonly readsAll: boolean;
  /** Whether the project has campaigns that were paused at some time. */
  readonly hasPauses: boolean;
  /** Whether the first touch is credited, and not the last one. */
  readonly isFirstTouch: boolean;
  /** What rows are grouped by of their campaigns. */
  readonly ofCampaign: readonly string[];
  /** Whether rows name campaigns, or their filters do. */
  readonly needsCampaigns: boolean;
}

/** What one measure counts in one fact. */
export interface Part {
  readonly fact: Fact;
  readonly column: string;
  /** The aggregate over the rows of a group of the fact. */
  readonly aggregate: string | ((asked: Asked) => string);
  /** Nobody counts twice: what groups have does not add up. */
  readonly isDistinct?: boolean;
  /** Left out where the fact does not know what is asked for. */
  readonly isOptional?: boolean;
  /** The same of a fact that others are counted of as well, so that they are read once; by no day of what happened. */
  readonly together?: Pick<Part, 'fact' | 'aggregate'>;
  /** What the groups of other facts have of it, where that is no 0. */
  readonly nothing?: string;
}

/** Something that is summed over the groups of facts. */
export interface Measure {
  /** The column of it in statements. */
  readonly name: string;
  readonly parts: readonly Part[];
  /** How it is summed, of these columns, where that takes more than its own: with what is known of campaigns. */
  readonly sum?: (columns: readonly string[]) => string;
  /** What puts groups together, where they do not add up. */
  readonly combine?: 'max' | 'uniqExactArray';
  /** How it is made of the columns of `facts`, where that is not its own sum. */
  readonly summed?: string;
  /** It says something of a row, and makes none alone. */
  readonly isNote?: boolean;
  /** Rows that have any of it are left out, but not of totals. */
  readonly hides?: boolean;
  /** Where a part is left out that counts for some groups: SQL of whether it does, for a group and for any of them. */
  readonly lacks?: (asked: Asked) => { readonly group: string; readonly any: string } | undefined;
  /** An amount of money, to be converted into the project's currency. */
  readonly isMoney?: boolean;
  /** The name of the event that it is of. */
  readonly event?: string;
}

/** How a metric is written: money with the decimals of the project's currency, percentages from 0 to 100. */
export type Format = 'count' | 'money' | 'percent' | 'ratio' | 'seconds';

/** What the values of a dimension are: times as texts, codes of ISO 3166, whole numbers, or any text. */
export type DimensionFormat = 'text' | 'country' | 'number' | 'day' | 'week' | 'month' | 'hour';

/** A measure, less or by another one; null where a divisor is zero. */
export interface Quantity {
  readonly name: string;
  readonly measure: Measure;
  readonly divisor?: Measure;
  /** What is taken off the measure. */
  readonly less?: Measure;
  /** SQL that turns the quotient into the unit of the metric, as ` * 100`. */
  readonly scale: string;
  readonly format: Format;
  /** Decimals of what is no money. */
  readonly decimals: 0 | 2 | 4;
  /** Day N of a metric of cohorts. */
  readonly day?: number;
  /** Its installs are those of which the greatest day asked for, `{cohort_day}`, has ended. */
  readonly sharesCohort?: boolean;
}

/** A quantity that can be asked for. */
export interface Metric extends Quantity {
  /** What it is called. */
  readonly label: string;
  /** What it is, where its label does not say. */
  readonly about?: string;
}

export interface Dimension {
  readonly name: string;
  /** The columns of facts that it is made of. */
  readonly columns: readonly string[];
  /** SQL of its value, of columns of `facts` or of `campaigns`. */
  readonly value: string;
  /** SQL of what the value is called. */
  readonly label?: string;
  /** What is joined to `facts` for that. */
  readonly join?: string;
  /** Among rows that are otherwise equal, the one without a value is last. */
  readonly isEmptyLast?: boolean;
  /** The column of the names of facts that it is called by. */
  readonly named?: string;
  /** Known of everything that has a campaign. */
  readonly ofCampaign?: boolean;
  /** A time: it has no filter, and rows are in its order unless asked otherwise. */
  readonly isTime?: boolean;
  /** Its values are numbers, and in their order; answers have texts. */
  readonly isNumber?: boolean;
  /** Only to be filtered by. */
  readonly isFilter?: boolean;
  /** SQL behind `FROM facts` that puts each row of it into all groups that it counts in. */
  readonly expands?: string;
  /** Its values are what those of this dimension are called. */
  readonly namesSource?: string;
}

/** A dimension that can be asked for. */
export interface ShownDimension extends Dimension {
  /** What it is called. */
  readonly title: string;
  readonly format: DimensionFormat;
}

/** What rows of one source of figures can be grouped and filtered by. */
export interface Source {
  readonly dimensions: readonly Dimension[];
  /** What stands before the facts of a statement: named subqueries and values. */
  readonly steps: (asked: Asked) => readonly string[];
}

/** All that can be asked of it. */
export interface Model extends Source {
  readonly dimensions: readonly ShownDimension[];
  /** Legal metrics, for error messages and the OpenAPI document. */
  readonly metricNames: readonly string[];
  /** Metrics with a fixed name, then those with a day `N` or an event `<name>` in theirs. */
  readonly documented: readonly string[];
  /** The metric of that name; undefined if there is none. */
  readonly metric: (name: string) => Metric | undefined;
}

const measuresOfOne = ({ measure, divisor, less }: Quantity): readonly Measure[] => [
  measure,
  ...(divisor ? [divisor] : []),
  ...(less ? [less] : []),
];

/** The measures of metrics, each once. */
export const listMeasures = (metrics: readonly Quantity[]): readonly Measure[] => [
  ...new Map(
    metrics.flatMap(measuresOfOne).map((measure) => [`${measure.name} ${measure.event ?? ''}`, measure]),
  ).values(),
];

/** Whether a metric can be grouped, or filtered, by a dimension: all that it is counted from knows it. */
export const knows = (metric: Quantity, { columns, ofCampaign }: Dimension): boolean =>
  ofCampaign === true ||
  measuresOfOne(metric)
    .flatMap(({ parts }) => parts)
    .every(({ fact, isOptional }) => isOptional || columns.every((name) => fact.columns.includes(name)));

/** Whether a dimension makes a metric unknown: all that it is counted from has one, but some does not tell it. */
export const isUnknownBy = (metric: Quantity, dimension: Dimension): boolean =>
  !knows(metric, dimension) &&
  measuresOfOne(metric)
    .flatMap(({ parts }) => parts)
    .every(
      ({ fact: { columns, untold = [] }, isOptional }) =>
        isOptional || dimension.columns.every((name) => columns.includes(name) || untold.includes(name)),
    );

/** What a metric is, before it has a name and a label. */
export type Definition = Omit<Quantity, 'name'>;
/** A metric but for its name. */
export type Labelled = Omit<Metric, 'name'>;

export const called = (label: string, definition: Definition, about?: string): Labelled => ({
  label,
  ...(about === undefined ? {} : { about }),
  ...definition,
});

/** `landing_page` as `Landing page`, and the few that are written otherwise. */
const TITLES: Readonly<Record<string, string>> = {
  os: 'OS',
  os_version: 'OS version',
  touch_type: 'Touch',
  day_n: 'Days since install',
};
export const toTitle = (name: string): string =>
  TITLES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

const PERCENT = ' * 100';

/** A measure of one fact. */
export const measure = (
  name: string,
  fact: Fact,
  aggregate: Part['aggregate'],
  { isDistinct, together, ...more }: Omit<Measure, 'name' | 'parts'> & Pick<Part, 'isDistinct' | 'together'> = {},
): Measure => ({
  name,
  parts: [{ fact, column: name, aggregate, ...(isDistinct ? { isDistinct } : {}), ...(together ? { together } : {}) }],
  ...more,
});

export const count = (of: Measure): Definition => ({ measure: of, scale: '', format: 'count', decimals: 0 });
export const money = (of: Measure, more: Partial<Definition> = {}): Definition => ({
  measure: of,
  scale: '',
  format: 'money',
  decimals: 2,
  ...more,
});
export const ratio = (of: Measure, divisor: Measure, more: Partial<Definition> = {}): Definition => ({
  measure: of,
  divisor,
  scale: '',
  format: 'ratio',
  decimals: 2,
  ...more,
});
/** Money for each of something. */
export const moneyPer = (of: Measure, divisor: Measure, more: Partial<Definition> = {}) =>
  ratio(of, divisor, { format: 'money', ...more });
export const percent = (of: Measure, divisor: Measure, more: Partial<Definition> = {}) =>
  ratio(of, divisor, { scale: PERCENT, format: 'percent', ...more });

/** A dimension that is a column of facts. */
export const column = (name: string, more: Partial<ShownDimension> = {}): ShownDimension => ({
  name,
  title: toTitle(name),
  format: name === 'country' ? 'country' : 'text',
  columns: [name],
  value: `facts.${name}`,
  ...more,
});
export const time = (name: string, more: Partial<ShownDimension> = {}) =>
  column(name, { isTime: true, format: name.endsWith('week') ? 'week' : 'day', ...more });
export const month = (name: string) =>
  time(name, { format: 'month', value: `substring(toString(facts.${name}), 1, 7)` });
export const hour = () =>
  time('hour', {
    format: 'hour',
    columns: ['day', 'hour'],
    value: "concat(toString(facts.day), ' ', leftPad(toString(facts.hour), 2, '0'))",
  });

/** A day as the columns that it is grouped by. */
export const dayColumns = (moved: Asked['moved'], day: string, prefix = ''): Columns => ({
  [`${prefix}day`]: moved(day),
  [`${prefix}week`]: `toMonday(${moved(day)})`,
  [`${prefix}month`]: `toStartOfMonth(${moved(day)})`,
});

export const OF_PROJECT = 'project_id = {project_id:UInt32}';
export const IN_RANGE = 'BETWEEN {from:Date} AND {to:Date}';
