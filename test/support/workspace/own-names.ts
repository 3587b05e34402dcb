/** Gives a suite names of its own, so that suites can share one service. */

type Json = Record<string, unknown>;

/** Lists whose entries have a name that is unique in an installation. */
const NAMED = new Set(['accounts', 'partners', 'projects', 'domains']);
/** Lists of values that are unique in an installation. */
const KEYS = new Set(['tokens', 'server_keys', 'app_keys', 'web_keys']);
/** Fields that refer to a unique name. */
const REFERENCES = new Set(['account', 'partner', 'domain']);

export interface OwnNames {
  /** The suite's own form of a name, token, key or domain. */
  (name: string): string;
  /** A workspace document with everything that is unique in an installation in the suite's own form. */
  readonly document: <T extends object>(document: T) => T;
}

/** Every name begins with that of the suite. */
export function ownNames(suite: string): OwnNames {
  const own = (name: string) => `${suite}-${name}`;
  const ownField = (field: string, value: unknown): unknown => {
    if (typeof value === 'string') return REFERENCES.has(field) ? own(value) : value;
    if (Array.isArray(value)) return value.map((one: unknown) => ownEntry(field, one));
    return value;
  };
  const ownEntry = (list: string, entry: unknown): unknown => {
    if (typeof entry === 'string') return KEYS.has(list) ? own(entry) : entry;
    if (typeof entry !== 'object' || entry === null) return entry;
    return NAMED.has(list) ? { ...ownFields(entry), name: own((entry as { name: string }).name) } : ownFields(entry);
  };
  const ownFields = (fields: object): Json =>
    Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, ownField(field, value)]));
  return Object.assign(own, { document: <T extends object>(document: T) => ownFields(document) as T });
}
