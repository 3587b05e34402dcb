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

const HEREDOC = /\$[A-Za-z0-9_]*\$/y;

/** What a character of Latin-1 may be in a token; every character beyond is part of a word. */
const BLANK = 1;
const IN_WORD = 2;
// Not what JavaScript takes for white space: the text may hold bytes as Latin-1, where 0x85 and 0xA0 are parts of
// UTF-8 characters.
const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  const char = String.fromCharCode(code);
  return ' \t\n\r\f\v'.includes(char) ? BLANK : /[A-Za-z0-9_\u0080-\u00ff]/.test(char) ? IN_WORD : 0;
});
const isBlank = (code: number) => code < 256 && CLASSES[code] === BLANK;
const isInWord = (code: number) => code >= 256 || CLASSES[code] === IN_WORD;
const [DOLLAR, DASH, HASH, SLASH, STAR, SPACE, BANG] = [...'$-#/* !'].map((char) => char.charCodeAt(0));

/**
 * Yields the significant tokens of `sql` from `from` on, lazily: what follows an INSERT's header may be binary. Every
 * statement of the service passes here, some of many thousand tokens.
 */
export function* tokenize(sql: string, from = 0): Generator<Token, void, undefined> {
  let depth = 0;
  let at = skipBlank(sql, from);
  while (at < sql.length) {
    const token = tokenAt(sql, at, depth);
    if (token.text === ')' || token.text === ']' || token.text === '}') token.depth = depth = Math.max(0, depth - 1);
    yield token;
    if (token.text === '(' || token.text === '[' || token.text === '{') depth += 1;
    at = skipBlank(sql, token.end);
  }
}

function tokenAt(sql: string, start: number, depth: number): Token {
  const code = sql.charCodeAt(start);
  if (isInWord(code)) {
    const end = endOfWord(sql, start);
    return { kind: 'word', text: sql.slice(start, end).toUpperCase(), start, end, depth };
  }
  const first = sql.charAt(start);
  if (first === "'") return { kind: 'string', text: '', start, end: endOfQuoted(sql, start, first), depth };
  if (first === '`' || first === '"')
    return { kind: 'quoted', text: '', start, end: endOfQuoted(sql, start, first), depth };
  const end = code === DOLLAR ? endOfHeredoc(sql, start) : start + 1;
  return end - start > 1
    ? { kind: 'string', text: '', start, end, depth }
    : { kind: 'sign', text: first, start, end, depth };
}

function endOfWord(sql: string, start: number): number {
  let at = start + 1;
  while (at < sql.length && (isInWord(sql.charCodeAt(at)) || sql.charCodeAt(at) === DOLLAR)) at += 1;
  return at;
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
  for (let at = from; ;) {
    while (at < sql.length && isBlank(sql.charCodeAt(at))) at += 1;
    const [code, next] = [sql.charCodeAt(at), sql.charCodeAt(at + 1)];
    if (code === DASH && next === DASH) at = findEnd(sql, '\n', at);
    else if (code === HASH && (next === SPACE || next === BANG)) at = findEnd(sql, '\n', at);
    else if (code === SLASH && next === STAR) at = findEnd(sql, '*/', at + 2);
    else return at;
  }
}

function findEnd(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from);
  return found < 0 ? sql.length : found + mark.length;
}

function matchEnd(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : at;
}
