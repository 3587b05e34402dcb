/**
 * Pages that visitors pass through and come back from, as they pay or sign in: a visit from there is no new one
 * (docs/contract/collectors.md). The browser script has the same list.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseList } from '../lib/csv';
import { parseUrl } from '../lib/parse-url';

/** Hosts, which stand for their subdomains too, and packages of Android apps. */
export const EXCLUDED_REFERRERS: readonly string[] = parseList(
  readFileSync(path.join(__dirname, 'excluded-referrers.csv'), 'utf8'),
  'excluded-referrers.csv',
  ['host', 'kind'],
).map(({ host }) => host);

const excluded: ReadonlySet<string> = new Set(EXCLUDED_REFERRERS);

/** Whether a referrer, as the browser gave it, is one of those pages. */
export function isExcludedReferrer(referrer: string): boolean {
  const host = parseUrl(referrer)?.hostname.toLowerCase() ?? '';
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1))
    if (excluded.has(rest)) return true;
  return false;
}
