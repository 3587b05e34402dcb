/** What the editor offers: views, columns of the views that the statement names, functions, keywords. */
import type { SqlSchema } from '../../api/sql';

export interface Offer {
  readonly label: string;
  readonly type: 'class' | 'property' | 'function' | 'keyword';
  readonly detail?: string;
  readonly info?: string;
  readonly apply?: string;
  readonly boost?: number;
}

export const KEYWORDS = (
  'SELECT DISTINCT FROM WHERE PREWHERE GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET WITH AS AND OR NOT IN LIKE ILIKE ' +
  'BETWEEN IS NULL JOIN LEFT RIGHT INNER FULL CROSS ASOF ANY ALL ON USING ARRAY UNION INTERVAL DAY HOUR WEEK MONTH ' +
  'CASE WHEN THEN ELSE END OVER PARTITION ROLLUP TOTALS SETTINGS FINAL FILL STEP NULLS FIRST LAST EXISTS'
).split(' ');

/** Names before a dot that stand for a view: the view itself, and what the statement calls it. */
function readAliases(statement: string): Map<string, string> {
  const named = [...statement.matchAll(/\b(?:from|join)\s+(?:analytics\.)?(\w+)(?:\s+(?:as\s+)?(\w+))?/gi)];
  return new Map(
    named.flatMap(([, table = '', alias]): [string, string][] => [
      [table, table],
      ...(alias && !KEYWORDS.includes(alias.toUpperCase()) ? [[alias, table] as [string, string]] : []),
    ]),
  );
}

/** `before` is the name before the dot that is being completed after, if there is one. */
export function listOffers({ tables, functions }: SqlSchema, statement: string, before: string | undefined): Offer[] {
  const aliases = readAliases(statement);
  const listColumns = (names: ReadonlySet<string>): Offer[] =>
    tables
      .filter(({ name }) => names.has(name))
      .flatMap((table) =>
        table.columns.map(({ name, type, comment }): Offer => ({
          label: name,
          type: 'property',
          detail: type,
          info: comment,
          boost: 2,
        })),
      );
  const views = tables.map(({ name, comment }): Offer => ({ label: name, type: 'class', info: comment, boost: 1 }));
  if (before === 'analytics') return views;
  if (before !== undefined) return listColumns(new Set([aliases.get(before) ?? before]));
  const columns = listColumns(new Set(aliases.values()));
  const once = new Map(columns.map((one) => [one.label, one]));
  return [
    ...once.values(),
    ...views,
    ...functions.map(({ name }): Offer => ({ label: name, type: 'function', apply: `${name}(` })),
    ...KEYWORDS.map((label): Offer => ({ label, type: 'keyword' })),
  ];
}
