/**
 * Checks a data engineer's statement. Grants and `readonly` of the engine decide what it may read; this refuses what
 * they leave open in an embedded engine: the function file(), INTO OUTFILE, system tables that tell of others, and
 * statements that are no queries.
 */
import { REFUSED_FUNCTIONS } from '../../lib/reader-functions';
import { ClickHouseException } from './errors';
import { singleStatement } from './statement';
import type { Token } from './tokens';

export interface ReaderStatement {
  /** The statement without its SETTINGS. */
  sql: string;
  /** What its SETTINGS said, to be checked. */
  settings: Map<string, string>;
  /**
   * How strict the engine's `readonly` may be: 1 refuses some pure table functions, and makes system.settings say that
   * nothing can be set, so that clients would not even try. 2 would let settings change, of which none is left in the
   * text.
   */
  readonly: '1' | '2';
}

const FIRST_WORDS = new Set(['SELECT', 'WITH', 'SHOW', 'DESCRIBE', 'EXPLAIN', 'EXISTS']);
const SHOWN = new Set(['TABLES', 'DATABASES', 'COLUMNS', 'CREATE', 'EXTENDED', 'FULL']);
const CREATED = new Set(['TABLE', 'VIEW', 'DATABASE']);
const EXPLAINED = new Set(['SYNTAX', 'QUERY', 'TREE', 'PLAN', 'PIPELINE']);
/** What a ClickHouse server lets every user read: of tables, columns and databases those that it may read. */
const SYSTEM_TABLES = new Set([
  ...['databases', 'tables', 'columns', 'settings', 'current_roles', 'enabled_roles', 'quota_usage'],
  ...['one', 'contributors', 'licenses', 'time_zones', 'collations', 'formats', 'privileges', 'functions'],
  ...['data_type_families', 'database_engines', 'table_engines', 'table_functions', 'aggregate_function_combinators'],
]);
const OTHER_DATABASES = new Set(['adtrail', '_temporary_and_external_tables']);

const TEMPORARY = new Set(['zeros', 'zeros_mt']);
const PURE_TABLE_FUNCTIONS = new Set([
  ...TEMPORARY,
  ...['numbers', 'numbers_mt', 'generaterandom', 'generateseries', 'generate_series', 'primes', 'values'],
]);
/** Table functions that share their name with a function that is pure. */
const PURE_FUNCTIONS = new Set(['format', 'fuzzquery', 'null']);

/**
 * @param sql as the engine's own parser writes it: one statement, no comments, escapes resolved.
 * @param parameters values of query parameters, of which some stand for names.
 * @param tableFunctions all that the engine has, in lower case.
 */
export function checkReaderStatement(
  sql: string,
  parameters: ReadonlyMap<string, string>,
  tableFunctions: ReadonlySet<string>,
): ReaderStatement {
  const tokens = singleStatement(sql);
  checkKind(tokens);
  const names = readNames(sql, tokens, parameters);
  for (const name of names) checkName(name, tableFunctions);
  if (names.some(({ text, member }) => text === 'system' && member === 'databases')) checkDatabases(sql, tokens);
  return {
    ...withoutSettings(sql, tokens),
    readonly: names.some(needsLenience) ? '2' : '1',
  };
}

function checkKind(tokens: readonly Token[]): void {
  const words = tokens.map(({ kind, text }) => (kind === 'word' || kind === 'sign' ? text : ''));
  const first = words.find((word) => word !== '(') ?? '';
  if (!FIRST_WORDS.has(first)) throw denied(`${first || 'this statement'} is not for reading`);
  if (first === 'SHOW' && (!SHOWN.has(words[1] ?? '') || (words[1] === 'CREATE' && !CREATED.has(words[2] ?? ''))))
    throw denied(`SHOW ${words[1] ?? ''} is not for readers`);
  if (first === 'EXPLAIN') checkExplain(words);
  for (const [index, word] of words.entries()) {
    if (word === 'OUTFILE' || word === 'INFILE')
      throw new ClickHouseException(358, 'INTO_OUTFILE_NOT_ALLOWED', `${word} is not allowed`);
    if (word === 'PARALLEL' && words[index + 1] === 'WITH') throw denied('PARALLEL WITH is not for readers');
  }
}

/** EXPLAIN of a query only, with options that are numbers. */
function checkExplain(words: readonly string[]): void {
  const query = words.findIndex((word) => word === 'SELECT' || word === 'WITH' || word === '(');
  const options = words.slice(1, query < 0 ? undefined : query);
  const isKnown = (word: string, index: number) =>
    EXPLAINED.has(word) || word === '=' || word === ',' || /^[01]$/.test(word) || options[index + 1] === '=';
  if (query < 0 || !options.every(isKnown)) throw denied('EXPLAIN is for queries only');
}

/** Refuses all columns of system.databases at once: one of them is the path of the service's data. */
function checkDatabases(sql: string, tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    const isCount = tokens[index - 2]?.text === 'COUNT' && tokens[index - 1]?.text === '(';
    if (sliceToken(sql, token) === '*' && !isCount) throw denied('name the columns of system.databases');
    if (readName(sql, token) === 'columns' && tokens[index + 1]?.text === '(')
      throw denied('name the columns of system.databases');
  }
}

interface Name {
  /** In lower case: some of what a name may mean is found whatever its case. */
  text: string;
  isCalled: boolean;
  /** The name after the dot that follows, '' for something else, undefined without a dot. */
  member: string | undefined;
}

function readNames(sql: string, tokens: readonly Token[], parameters: ReadonlyMap<string, string>): Name[] {
  const textAt = (index: number) => {
    const token = tokens[index];
    return token ? readName(sql, token) : undefined;
  };
  const names: Name[] = [];
  for (const [index, token] of tokens.entries()) {
    const text = readName(sql, token);
    if (text === undefined) continue;
    const after = tokens[index + 1]?.text;
    const member = after === '.' ? (textAt(index + 2) ?? '') : undefined;
    const isType = text === 'identifier' && tokens[index - 1]?.text === ':' && tokens[index - 3]?.text === '{';
    const given = isType ? parameters.get(sliceToken(sql, tokens[index - 2])) : undefined;
    // Dots inside quotes do not part names, but nobody who is honest would notice if they did.
    for (const part of [text, ...text.split('.'), ...(given?.toLowerCase().split('.') ?? [])])
      names.push({ text: part, isCalled: after === '(', member });
    if (given?.includes('\\')) throw denied('names in parameters are written without backslashes');
  }
  return names;
}

function readName(sql: string, token: Token): string | undefined {
  if (token.kind === 'word') return token.text.toLowerCase();
  if (token.kind !== 'quoted') return undefined;
  const text = sql.slice(token.start + 1, token.end - 1);
  if (text.includes('\\')) throw denied('names are written without backslashes and quotation marks');
  return text.toLowerCase();
}

const sliceToken = (sql: string, token: Token | undefined) => (token ? sql.slice(token.start, token.end) : '');

function checkName({ text, isCalled, member }: Name, tableFunctions: ReadonlySet<string>): void {
  if (OTHER_DATABASES.has(text)) throw denied(`the database ${text} is not for readers`);
  if (text === 'system' && !SYSTEM_TABLES.has(member ?? ''))
    throw denied(`of system only ${[...SYSTEM_TABLES].join(', ')} are for readers`);
  if (text === 'data_path') throw denied('paths of the disk are not for readers');
  if (REFUSED_FUNCTIONS.test(text)) throw denied(`the function ${text} is not for readers`);
  if (isCalled && tableFunctions.has(text) && !PURE_TABLE_FUNCTIONS.has(text) && !PURE_FUNCTIONS.has(text))
    throw denied(`the table function ${text} is not for readers`);
}

const needsLenience = ({ text, isCalled, member }: Name) =>
  (isCalled && TEMPORARY.has(text)) || (text === 'system' && member === 'settings');

/** Takes SETTINGS out, which the strictest `readonly` refuses whatever they say. Throws for those of a subquery. */
function withoutSettings(sql: string, tokens: readonly Token[]): Pick<ReaderStatement, 'sql' | 'settings'> {
  const settings = new Map<string, string>();
  let rest = '';
  let kept = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    if (!isSettings(tokens, index)) continue;
    const clause = tokens[index] as Token;
    if (clause.depth > 0)
      throw new ClickHouseException(164, 'READONLY', 'reader: Cannot modify settings of a subquery in readonly mode');
    rest += sql.slice(kept, clause.start);
    do {
      const [name, , value] = tokens.slice(index + 1, index + 4);
      settings.set(sliceToken(sql, name), quoteLiteral(sliceToken(sql, value)));
      kept = value?.end ?? sql.length;
      index += 4;
    } while (tokens[index]?.text === ',');
    index -= 1;
  }
  return { sql: rest + sql.slice(kept), settings };
}

const isSettings = (tokens: readonly Token[], index: number) =>
  tokens[index]?.text === 'SETTINGS' &&
  ['word', 'quoted'].includes(tokens[index + 1]?.kind ?? '') &&
  tokens[index + 2]?.text === '=';

/** A number, or a text without escapes. */
function quoteLiteral(text: string): string {
  const value = /^'([^'\\]*)'$/.exec(text)?.[1] ?? text;
  if (!/^[^'\\]*$/.test(value)) throw denied('settings take plain numbers and texts');
  return value;
}

function denied(reason: string): ClickHouseException {
  return new ClickHouseException(497, 'ACCESS_DENIED', `reader: Not enough privileges: ${reason}`);
}
