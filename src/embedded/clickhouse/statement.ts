/** Decides what kind of statement a text is, and directs a query's output into a pipe. */
import { ClickHouseException } from './errors';
import { tokenize, type Token } from './tokens';

export type StatementKind = 'empty' | 'query' | 'insert' | 'command';

const OUTPUT_WORDS = new Set([
  'SELECT',
  'FROM',
  'SHOW',
  'DESC',
  'DESCRIBE',
  'EXPLAIN',
  'EXISTS',
  'CHECK',
  'KILL',
  'WATCH',
]);
// After these words `format` is a column or an alias: ORDER BY format DESC.
const EXPRESSION_FOLLOWS = new Set(
  (
    'SELECT DISTINCT BY WHERE PREWHERE HAVING QUALIFY AND OR NOT ON FROM JOIN IN LIKE ILIKE BETWEEN CASE WHEN THEN ' +
    'ELSE AS LIMIT OFFSET USING WITH IS'
  ).split(' '),
);
const SELECT_LIKE = new Set(['SELECT', 'FROM', 'WITH', 'EXPLAIN']);

/** The kind of the statement that `sql` starts with; only as much of the text is read as that takes. */
export function classify(sql: string): StatementKind {
  let seenWith = false;
  for (const token of tokenize(sql)) {
    if (token.text === ';' && !seenWith) continue;
    if (token.text === '(' && !seenWith) continue;
    if (seenWith) {
      if (token.depth > 0) continue;
      if (token.text === 'INSERT') return 'insert';
      if (token.text === 'SELECT' || token.text === 'FROM') return 'query';
      continue;
    }
    if (token.text === 'WITH') seenWith = true;
    else if (token.text === 'INSERT') return 'insert';
    else return token.kind === 'word' && OUTPUT_WORDS.has(token.text) ? 'query' : 'command';
  }
  return seenWith ? 'query' : 'empty';
}

/** True for statements that write although the engine's readonly lets them pass. */
export function slipsPastReadonly(sql: string): boolean {
  const first = tokenize(sql).next().value;
  return (
    classify(sql) === 'insert' ||
    (first?.kind === 'word' && ['SYSTEM', 'KILL', 'BACKUP', 'RESTORE'].includes(first.text))
  );
}

/**
 * True for a statement that names the function file(); the rows of an INSERT are not looked at. What BACKUP and RESTORE
 * name so is no function, and kept to one folder by the configuration.
 */
export function callsFile(sql: string): boolean {
  if (['BACKUP', 'RESTORE'].includes(tokenize(sql).next().value?.text ?? '')) return false;
  const isInsert = classify(sql) === 'insert';
  let wasFile = false;
  let wasArgument = false;
  let wasApply = false;
  for (const token of tokenize(sql)) {
    if (isInsert && token.depth === 0 && (token.text === 'VALUES' || token.text === 'FORMAT')) return false;
    const name = token.kind === 'quoted' ? sql.slice(token.start + 1, token.end - 1).toUpperCase() : token.text;
    // An escape in a quoted name may spell anything.
    const isFile =
      (name === 'FILE' || (token.kind === 'quoted' && name.includes('\\'))) &&
      (token.kind === 'word' || token.kind === 'quoted');
    // Called, or handed to a function such as arrayMap; outside of brackets it is a column.
    if ((wasFile && token.text === '(') || (wasArgument && [',', ')'].includes(token.text))) return true;
    if (isFile && wasApply) return true;
    wasFile = isFile;
    wasArgument = isFile && token.depth > 0;
    wasApply = token.text === 'APPLY' || (wasApply && token.text === '(');
  }
  return false;
}

/** The tokens of a text that must hold one statement; further ones after a semicolon are refused as by the server. */
export function singleStatement(sql: string): Token[] {
  const tokens: Token[] = [];
  let closed: Token | undefined;
  for (const token of tokenize(sql)) {
    if (token.text === ';' && token.kind === 'sign' && token.depth === 0) closed ??= token;
    else if (closed) {
      const rest = sql.slice(closed.start, closed.start + 100);
      throw new ClickHouseException(
        62,
        'SYNTAX_ERROR',
        `Syntax error (Multi-statements are not allowed): failed at position ${closed.start + 1} (end of query): ` +
          `${rest}`,
      );
    } else tokens.push(token);
  }
  return tokens;
}

export interface QueryPlan {
  /** The format as the user wrote it, or the default. */
  format: string;
  /** The statement as it was, without semicolon and trailing comment. */
  original: string;
  /** The statement writing its output to the file that the SQL literal names. */
  into(fileLiteral: string): string;
}

/** Plans a statement with output. Throws an error for several statements, and for one that has INTO OUTFILE. */
export function planQuery(sql: string, defaultFormat: string): QueryPlan {
  const tokens = singleStatement(sql);
  const last = tokens.at(-1);
  if (!last) throw new ClickHouseException(62, 'SYNTAX_ERROR', 'Empty query');
  if (
    tokens.some((token, index) => token.text === 'OUTFILE' && tokens[index - 1]?.text === 'INTO' && token.depth === 0)
  ) {
    throw new ClickHouseException(358, 'INTO_OUTFILE_NOT_ALLOWED', 'INTO OUTFILE is not allowed');
  }
  const original = sql.slice(0, last.end);
  const format = formatClause(tokens);
  if (format) {
    const name = sql.slice(format.name.start, format.name.end).replace(/^[`"]|[`"]$/g, '');
    return {
      format: name,
      original,
      into: (file) => `${sql.slice(0, format.start)} INTO OUTFILE ${file} APPEND ${sql.slice(format.start, last.end)}`,
    };
  }
  // SETTINGS of a SELECT belong to it and come before INTO OUTFILE; those of SHOW or DESCRIBE belong to the output and
  // come after.
  const first = tokens.find((token) => token.kind === 'word');
  const at = first && SELECT_LIKE.has(first.text) ? last.end : (settingsClause(tokens)?.start ?? last.end);
  return {
    format: defaultFormat,
    original,
    into: (file) =>
      `${sql.slice(0, at)} INTO OUTFILE ${file} APPEND FORMAT ${defaultFormat} ${sql.slice(at, last.end)}`,
  };
}

function formatClause(tokens: Token[]): { start: number; name: Token } | undefined {
  for (let index = tokens.length - 2; index > 0; index -= 1) {
    const [before, token, name, after] = [tokens[index - 1], tokens[index], tokens[index + 1], tokens[index + 2]];
    if (token?.text !== 'FORMAT' || token.kind !== 'word' || token.depth > 0 || !before || !name) continue;
    if (name.kind !== 'word' && name.kind !== 'quoted') continue;
    if (after && after.text !== 'SETTINGS') continue;
    const endsExpression =
      before.kind !== 'sign' ||
      before.text === ')' ||
      before.text === ']' ||
      before.text === '}' ||
      before.text === '*';
    if (endsExpression && !(before.kind === 'word' && EXPRESSION_FOLLOWS.has(before.text)))
      return { start: token.start, name };
  }
  return undefined;
}

function settingsClause(tokens: Token[]): Token | undefined {
  return tokens.findLast(
    (token, index) =>
      token.text === 'SETTINGS' &&
      token.depth === 0 &&
      tokens[index + 1]?.kind === 'word' &&
      tokens[index + 2]?.text === '=',
  );
}
