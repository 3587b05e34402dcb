/**
 * What nobody paid for has no cost: the service answers 0 for it (docs/contract/queries.md), and pages show that it is
 * not known. So does the profit of organic installs, with which no campaign is credited.
 */
import type { paths } from '@adtrail/client';

type QueryOperation = paths['/api/v1/reporting/query']['post'];
type Report = QueryOperation['responses']['200']['content']['application/json'];

/** What one of something cost. */
const COSTS = ['cpi', 'cpa', 'blended_cpi'];
const ORGANIC = 'organic';

type Values = readonly (number | null)[];

interface Asked {
  readonly metrics?: readonly string[];
  readonly dimensions?: readonly string[];
  readonly filters?: readonly (readonly [string, string, readonly string[]])[];
}

const asksForOrganic = ({ filters = [] }: Asked) =>
  filters.some(
    ([operator, dimension, values]) =>
      operator === 'is' && dimension === 'campaign' && values.length > 0 && values.every((one) => one === ORGANIC),
  );

/** The figures of a row, its comparison or the totals; `isOrganic`: no campaign is credited with them. */
function hideUnspent<T extends Values | undefined>(metrics: readonly string[], values: T, isOrganic: boolean): T {
  if (!values) return values;
  const read = (name: string) => {
    const at = metrics.indexOf(name);
    return at < 0 ? undefined : values[at];
  };
  // Where spend is not asked for a cost of 0 tells the same.
  const isUnspent = (read('spend') ?? 0) === 0;
  // Without a campaign's revenue and spend there is no profit, though there is revenue: all of it is organic.
  const isUncredited = isOrganic || (isUnspent && (read('revenue') ?? 0) !== 0);
  return values.map((value, at) => {
    const name = metrics[at] as string;
    const isHidden = (COSTS.includes(name) && isUnspent) || (name === 'profit' && isUncredited);
    return value === 0 && isHidden ? null : value;
  }) as unknown as T;
}

/** Whether anything of an answer has no cost or no profit for that reason. */
export function hasUnspent({ query, results, totals, meta }: Report): boolean {
  const { metrics = [] } = query as Asked;
  const named = metrics.flatMap((name, at) =>
    (name === 'profit' || COSTS.includes(name)) && !meta.unknown?.includes(name) ? [at] : [],
  );
  return [...results.map((row) => row.metrics), ...(totals ? [totals] : [])].some((values) =>
    named.some((at) => values[at] === null),
  );
}

/** An answer as pages show it: in rows, comparisons and totals. */
export function withoutUnspent<T extends Report>(report: T): T {
  const asked = report.query as Asked;
  const { metrics = [], dimensions = [] } = asked;
  if (!metrics.some((name) => name === 'profit' || COSTS.includes(name))) return report;
  const campaign = dimensions.indexOf('campaign');
  const isAllOrganic = asksForOrganic(asked);
  return {
    ...report,
    results: report.results.map((row) => {
      const isOrganic = isAllOrganic || (campaign >= 0 && row.dimensions[campaign] === ORGANIC);
      return {
        ...row,
        metrics: hideUnspent(metrics, row.metrics, isOrganic),
        ...(row.comparison && { comparison: hideUnspent(metrics, row.comparison, isOrganic) }),
      };
    }),
    ...(report.totals && { totals: hideUnspent(metrics, report.totals, isAllOrganic) }),
  };
}
