/** Takes an INSERT apart: its header, and where the data in its body begin. */
import { ClickHouseException } from './errors';
import { singleStatement } from './statement';
import { tokenize, type Token } from './tokens';

export type InsertPlan =
  /** Rows come from a SELECT; the text runs as it is. */
  | { kind: 'select' }
  /** Rows follow the header, from the character `dataStart` on. */
  | { kind: 'data'; dataStart: number; from(fileLiteral: string): string };

/**
 * Plans an INSERT from its beginning (`sql` may be cut off anywhere in the data, and holds one character a byte).
 * The engine's own reading of data that follow a header ends at the first empty line, whatever the format, so data
 * always go through a file: FROM INFILE.
 */
export function planInsert(sql: string): InsertPlan {
  const tokens = new Lookahead(sql);
  if (tokens.peek()?.text === 'WITH') return selectPlan(sql);
  tokens.next();
  for (const optional of ['INTO', 'TABLE']) if (tokens.peek()?.text === optional) tokens.next();
  const isFunction = tokens.peek()?.text === 'FUNCTION';
  if (isFunction) tokens.next();
  skipName(tokens);
  let settingsStart: number | undefined;
  for (let token = tokens.next(); token; token = tokens.next()) {
    if (token.depth > 0 || token.kind !== 'word') continue;
    if (token.text === 'SETTINGS') settingsStart ??= token.start;
    else if (token.text === 'FROM' && tokens.peek()?.text === 'INFILE') {
      throw new ClickHouseException(78, 'UNKNOWN_TYPE_OF_QUERY', 'Query has infile and was send directly to server');
    } else if (token.text === 'SELECT' || token.text === 'WITH' || token.text === 'FROM') return selectPlan(sql);
    else if (token.text === 'VALUES') {
      const head = spliced(sql, settingsStart ?? token.start, token.start);
      return { kind: 'data', dataStart: token.end, from: (file) => `${head(file)} FORMAT Values` };
    } else if (token.text === 'FORMAT') return dataPlan(sql, tokens, settingsStart ?? token.start, token.start);
  }
  return { kind: 'select' };
}

function spliced(sql: string, at: number, end: number): (file: string) => string {
  return (file) => `${sql.slice(0, at)} FROM INFILE ${file} ${sql.slice(at, end)}`;
}

function dataPlan(sql: string, tokens: Lookahead, at: number, formatStart: number): InsertPlan {
  const name = tokens.next();
  if (!name) return { kind: 'select' };
  const format = sql.slice(name.start, name.end);
  const settings = tokens.peek()?.text === 'SETTINGS' ? settingsAfterFormat(tokens) : undefined;
  const headerEnd = settings?.end ?? name.end;
  const blank = /^[ \t\f]*(?:\r?\n)?/.exec(sql.slice(headerEnd, headerEnd + 1024))?.[0].length ?? 0;
  if (/^[ \t\f]*;/.test(sql.slice(headerEnd, headerEnd + 1024))) {
    throw new ClickHouseException(62, 'SYNTAX_ERROR', "You have excessive ';' symbol before data for INSERT");
  }
  const settingsText = settings ? sql.slice(settings.start, settings.end) : '';
  const head = spliced(sql, at, formatStart);
  return {
    kind: 'data',
    dataStart: headerEnd + blank,
    from: (file) => `${head(file)} ${settingsText} FORMAT ${format}`,
  };
}

/** `SETTINGS a = 1, b = 'x'` between the format's name and the data. */
function settingsAfterFormat(tokens: Lookahead): { start: number; end: number } | undefined {
  const keyword = tokens.next();
  if (!keyword) return undefined;
  let end = keyword.end;
  for (;;) {
    tokens.next(); // the setting's name
    tokens.next(); // =
    const value = tokens.next();
    if (!value) return { start: keyword.start, end };
    end = value.end;
    // A value of several tokens, such as -1.5 or ['a', 'b'], has no blank outside brackets.
    for (
      let next = tokens.peek();
      next && (next.depth > value.depth || (next.start === end && next.text !== ','));
      next = tokens.peek()
    ) {
      end = next.end;
      tokens.next();
    }
    if (tokens.peek()?.text !== ',') return { start: keyword.start, end };
    tokens.next();
  }
}

/** `INPUT(` would read rows that the engine, embedded, silently takes as none. */
function selectPlan(sql: string): InsertPlan {
  const tokens = singleStatement(sql);
  if (tokens.some((token, index) => token.text === 'INPUT' && tokens[index + 1]?.text === '(')) {
    throw new ClickHouseException(
      48,
      'NOT_IMPLEMENTED',
      'The embedded ClickHouse does not support the table function input',
    );
  }
  return { kind: 'select' };
}

function skipName(tokens: Lookahead): void {
  for (;;) {
    const part = tokens.next();
    if (part?.text === '{') while (tokens.next()?.text !== '}' && tokens.peek());
    if (tokens.peek()?.text !== '.') return;
    tokens.next();
  }
}

class Lookahead {
  private readonly source: Generator<Token, void, undefined>;
  private ahead: Token | undefined;

  constructor(sql: string) {
    this.source = tokenize(sql);
  }

  peek(): Token | undefined {
    this.ahead ??= this.source.next().value ?? undefined;
    return this.ahead;
  }

  next(): Token | undefined {
    const token = this.peek();
    this.ahead = undefined;
    return token;
  }
}
