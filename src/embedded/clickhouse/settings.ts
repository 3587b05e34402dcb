/** The statements that put a request's database, settings and parameters in force before its query. */
import { ClickHouseException } from './errors';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PARAMETER = /^[A-Za-z0-9_]+$/;

// Parameters of the HTTP interface itself; everything else in the URL is a setting.
const NOT_SETTINGS = new Set([
  'query',
  'database',
  'default_format',
  'user',
  'password',
  'quota_key',
  'query_id',
  'session_id',
  'session_timeout',
  'session_check',
  'role',
  'buffer_size',
  'wait_end_of_query',
  'compress',
  'decompress',
  'client_protocol_version',
  'stacktrace',
  'close_session',
  'http_method',
]);

/** A string literal that ClickHouse reads back as exactly `value`. */
export function quote(value: string): string {
  return `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\0/g, '\\0')}'`;
}

/** Whether a parameter of the HTTP interface is switched on. */
export const isOn = (value: string | null | undefined) => value === '1' || value === 'true';

export interface Scope {
  database: string;
  /** Settings by name, in the order given. */
  settings: Map<string, string>;
  /** Query parameters by name, in escaped form (TSV) as HTTP carries them. */
  parameters: Map<string, string>;
}

/** Sorts a request's parameters into settings and query parameters; a repeated name counts as last given. */
export function readScope(given: Iterable<[string, string]>, database: string): Scope {
  const scope: Scope = { database, settings: new Map(), parameters: new Map() };
  for (const [name, value] of given) {
    if (name.startsWith('param_')) {
      const parameter = name.slice('param_'.length);
      if (!PARAMETER.test(parameter))
        throw new ClickHouseException(36, 'BAD_ARGUMENTS', `Wrong name of a query parameter: '${parameter}'`);
      scope.parameters.set(parameter, value);
    } else if (!NOT_SETTINGS.has(name)) {
      if (!NAME.test(name)) throw new ClickHouseException(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`);
      scope.settings.set(name, value);
    }
  }
  return scope;
}

/**
 * SQL that puts a reader's scope in force: `settings` in place of those of the scope, then the reader's grants and no
 * others, `readonly` last.
 */
export function readerPreamble(scope: Scope, settings: ReadonlyMap<string, string>, readonly: '1' | '2'): string {
  const own = buildPreamble(
    { ...scope, settings: new Map([...settings].filter(([name]) => name !== 'readonly')) },
    false,
  );
  return `${own}SET ROLE reader; SET readonly=${readonly}; `;
}

/** SQL that applies the scope; `readonly` last, since it forbids changing settings. Throws when a GET asks to write. */
export function buildPreamble(scope: Scope, isReadOnlyMethod: boolean): string {
  const settings = new Map(scope.settings);
  let readonly = settings.get('readonly');
  settings.delete('readonly');
  if (isReadOnlyMethod) {
    readonly ??= '2';
    if (readonly !== '1' && readonly !== '2')
      throw new ClickHouseException(164, 'READONLY', "Cannot modify 'readonly' setting in readonly mode");
  }
  // As on a server: no bare expressions as statements, and an INSERT answers when its rows are stored.
  for (const name of ['implicit_select', 'async_insert']) if (!settings.has(name)) settings.set(name, '0');
  const given = [...settings, ...[...scope.parameters].map(([name, value]) => [`param_${name}`, value] as const)];
  const statements = [`SET ${given.map(([name, value]) => `${name}=${quote(value)}`).join(', ')}`];
  if (scope.database !== '') statements.push(`USE \`${scope.database.replace(/[\\`]/g, '\\$&')}\``);
  if (readonly !== undefined) statements.push(`SET readonly=${quote(readonly)}`);
  return `${statements.join('; ')}; `;
}
