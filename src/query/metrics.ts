/** What metrics and dimensions are to queries, whatever the source of the figures. */

/** How a metric comes from parts that the statements count: `part` times `factor`, by `divisor` where there is one. */
export interface Metric {
  readonly name: string;
  readonly part: string;
  /** Null is the value where this part is zero. Empty for none. */
  readonly divisor: string;
  readonly factor: number;
  readonly decimals: 0 | 2 | 4;
  /** What it is counted from; the source knows the dimensions of each. */
  readonly facts: readonly string[];
}

export type Definition = Omit<Metric, 'name'>;

/** What can be asked of app campaigns, or of web visits. */
export interface Source {
  /** Legal metrics, for error messages and the OpenAPI document. */
  readonly metricNames: readonly string[];
  /** The metric of that name; undefined if there is none. */
  readonly metric: (name: string) => Metric | undefined;
  /** Legal dimensions of rows. */
  readonly dimensions: readonly string[];
  /** Legal dimensions of filters. */
  readonly filters: readonly string[];
  /** Dimensions of rows that are times: they have no filter, and rows are in their order unless asked otherwise. */
  readonly times: readonly string[];
  /** Whether a metric has this dimension, to be grouped or filtered by. */
  readonly hasDimension: (metric: Metric, dimension: string) => boolean;
}

export const PERCENT = 100;

export const count = (part: string, fact: string): Definition => ({
  part,
  divisor: '',
  factor: 1,
  decimals: 0,
  facts: [fact],
});
export const money = (part: string, fact: string): Definition => ({ ...count(part, fact), decimals: 2 });
export const ratio = (
  part: string,
  divisor: string,
  facts: readonly string[],
  { factor = 1, decimals = 2 }: Partial<Pick<Definition, 'factor' | 'decimals'>> = {},
): Definition => ({ part, divisor, factor, decimals, facts });
