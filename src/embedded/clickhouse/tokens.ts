/** The few tokens of ClickHouse's SQL that matter for finding where a statement's clauses start and end. */

export interface Token {
  kind: 'word' | 'string' | 'quoted' | 'sign';
  /** Words in upper case, signs as they are, '' for literals. */
  text: string;
  start: number;
  end: number;
  /** How many brackets enclose the token; brackets themselves count as outside. */
  depth: number;
}

// No \s: the text may hold bytes as Latin-1, where 0x85 and 0xA0 are parts of UTF-8 characters.
const SPACE = /[ \t\n\r\f\v]+/y;
const WORD = /[A-Za-z0-9_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const HEREDOC = /\$[A-Za-z0-9_]*\$/y;

/** Yields the significant tokens of `sql` from `from` on, lazily: what follows an INSERT's header may be binary. */
export function* tokenize(sql: string, from = 0): Generator<Token, void, undefined> {
  let depth = 0;
  let at = skipBlank(sql, from);
  while (at < sql.length) {
    const end = endOfToken(sql, at);
    const first = sql.charAt(at);
    if (first === ')' || first === ']' || first === '}') depth = Math.max(0, depth - 1);
    yield { ...describe(sql, at, end), start: at, end, depth };
    if (first === '(' || first === '[' || first === '{') depth += 1;
    at = skipBlank(sql, end);
  }
}

function describe(sql: string, start: number, end: number): Pick<Token, 'kind' | 'text'> {
  const first = sql.charAt(start);
  if (first === "'" || (first === '$' && end - start > 1)) return { kind: 'string', text: '' };
  if (first === '`' || first === '"') return { kind: 'quoted', text: '' };
  if (matchEnd(WORD, sql, start) > start) return { kind: 'word', text: sql.slice(start, end).toUpperCase() };
  return { kind: 'sign', text: first };
}

function endOfToken(sql: string, start: number): number {
  const first = sql.charAt(start);
  if (first === "'" || first === '`' || first === '"') return endOfQuoted(sql, start, first);
  if (first === '$') return endOfHeredoc(sql, start);
  return Math.max(matchEnd(WORD, sql, start), start + 1);
}

/** Inside every kind of quotes a backslash escapes and a doubled quote stands for one; unclosed runs to the end. */
function endOfQuoted(sql: string, start: number, quote: string): number {
  for (let at = start + 1; at < sql.length; at += 1) {
    const char = sql.charAt(at);
    if (char === '\\') at += 1;
    else if (char === quote) {
      if (sql.charAt(at + 1) !== quote) return at + 1;
      at += 1;
    }
  }
  return sql.length;
}

function endOfHeredoc(sql: string, start: number): number {
  const opened = matchEnd(HEREDOC, sql, start);
  if (opened === start) return start + 1;
  const closing = sql.indexOf(sql.slice(start, opened), opened);
  return closing < 0 ? start + 1 : closing + opened - start;
}

/** Skips white space and comments: `--`, `# `, `#!` to the end of the line, and block comments, which do not nest. */
function skipBlank(sql: string, from: number): number {
  let at = from;
  for (;;) {
    const start = at;
    at = matchEnd(SPACE, sql, at);
    const two = sql.slice(at, at + 2);
    if (two === '--' || two === '# ' || two === '#!') at = endOf(sql, '\n', at);
    else if (two === '/*') at = endOf(sql, '*/', at + 2);
    if (at === start) return at;
  }
}

function endOf(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from);
  return found < 0 ? sql.length : found + mark.length;
}

function matchEnd(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : at;
}
