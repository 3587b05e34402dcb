/** The steps of web queries, each a file of clickhouse/queries. */
import type { Files, Steps } from '../db/sql';
import type { Query } from './input';
import { passesOf } from './passes';

/** The files that answer a question: what it does not ask for is left out, since each step costs its planning. */
export function webSteps(parts: readonly string[]): Steps {
  const asksSpend = parts.includes('spend');
  const asksVisits = parts.some((part) => part !== 'spend');
  return {
    campaign_keys: 'web-report.step-campaign-keys',
    touches: 'query.step-web-touches',
    ...(asksVisits ? { hits: 'query.step-web-hits' } : {}),
    ...(asksSpend
      ? { spend: 'query.step-web-spend', amounts: 'query.step-spent', priced: 'app-report.step-priced' }
      : {}),
    facts: [...(asksVisits ? ['query.step-web-visits'] : []), ...(asksSpend ? ['query.step-converted'] : [])],
    grouped: 'query.step-web-grouped',
    measured: 'query.step-measured',
    sortable: 'query.step-sortable',
  };
}

/** The functions that they use. `withPauses`: some campaign of the project was ever paused. */
export const webExpressions = (filters: Query['filters'], withPauses: boolean): Files => ({
  passes: passesOf(filters),
  moved: 'query.moved',
  touch_key_of: 'query.web-touch-key-of',
  hit_key_of: 'query.web-hit-key-of',
  number_of: 'query.web-number-of',
  asks: 'query.web-asks',
  touch_list: 'web-report.touch-list',
  row_list: 'web-report.row-list',
  ...(withPauses
    ? {
        paused_touch_list: 'web-report.paused-touch-list',
        pauses_list: 'web-report.pauses-list',
        row_of: 'web-report.row-of-with-pauses',
      }
    : { row_of: 'web-report.row-of' }),
});
