/** Scheduled exports as a workspace document declares them, and where they go (docs/contract/scheduled-exports.md). */
import path from 'node:path';
import { FORMAT_NAMES } from '../files/formats';
import { RECORD_KINDS, type RecordKind } from '../files/kinds';
import { choice, closed, mapTo, optional, Type, type Static } from '../lib/schema';
import { sha256 } from '../lib/secrets';
import { isWithin, resolveRealPath } from '../stores/folders';

/** How many a project may have. */
export const MOST_EXPORTS = 20;
export const EVERY = ['hour', 'day'] as const;
export type Every = (typeof EVERY)[number];

const text = (maxLength: number) => Type.String({ maxLength });
const bucket = Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' });
const region = Type.String({ pattern: '^[a-z0-9-]{1,64}$' });
const endpoint = Type.String({ maxLength: 2048, format: 'web-url' });

/** Which fields a destination has depends on its type: `readDestination` says so by name. */
export const destinationFields = {
  type: choice(['s3', 'folder'], { type: 'string' }),
  ...optional({ bucket, prefix: text(500), endpoint, region, path: text(1_000) }),
};
/** A kind of records, or the rows of a question without its days. */
export const kindSchema = Type.Unsafe<RecordKind | { readonly query: Readonly<Record<string, unknown>> }>({
  anyOf: [choice(RECORD_KINDS, { type: 'string' }), closed({ query: mapTo(Type.Unknown()) })],
  description: 'The kind of records, or `{"query": {...}}`: a query without its days, page and comparison.',
});
/** What an export is, wherever it goes. */
export const exportFields = {
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  kind: kindSchema,
  format: choice(FORMAT_NAMES, { type: 'string' }),
  every: choice(EVERY, { type: 'string' }),
  ...optional({ enabled: Type.Boolean() }),
};
export const exportEntry = closed({ ...exportFields, destination: closed(destinationFields) });
export type ExportEntry = Static<typeof exportEntry>;

export type Destination =
  | { readonly type: 's3'; bucket: string; prefix: string; endpoint?: string; region?: string }
  | { readonly type: 'folder'; path: string };

/** Where exports may go. */
export interface ExportPlaces {
  /** Folders are this one or below it; undefined: there are none. Links lead nowhere else. */
  readonly folder: string | undefined;
  /** Whether there are keys of buckets. */
  readonly hasKeys: boolean;
  /** Whether connections may be made to an address that is written in an endpoint; names are looked up later. */
  readonly mayReach: (endpoint: string) => boolean;
}

/** What is wrong with a field. */
export class FieldError extends Error {
  constructor(
    readonly field: string,
    readonly problem: string,
  ) {
    super(`${field}: ${problem}`);
  }
}

/** @throws FieldError naming the field, for a destination that cannot be written to. */
export function readDestination(given: ExportEntry['destination'], places: ExportPlaces): Destination {
  const misplaced = (['bucket', 'prefix', 'endpoint', 'region', 'path'] as const).find(
    (name) => given[name] !== undefined && (name === 'path') !== (given.type === 'folder'),
  );
  if (misplaced) throw new FieldError(misplaced, `has no place in a destination of type ${given.type}`);
  return given.type === 's3' ? readBucket(given, places) : readFolder(given, places);
}

function readBucket(
  { bucket, prefix, endpoint, region }: ExportEntry['destination'],
  { hasKeys, mayReach }: ExportPlaces,
): Destination {
  if (bucket === undefined) throw new FieldError('bucket', 'is required');
  if (prefix === undefined) throw new FieldError('prefix', 'is required');
  const names = prefix.split('/');
  // One slash may be before it, and one after it.
  const inner = names.slice(names[0] === '' ? 1 : 0, names.at(-1) === '' ? -1 : undefined);
  const bare = inner.join('/');
  if (inner.some((one) => !/^[\w.=-]+$/.test(one) || /^\.+$/.test(one)))
    throw new FieldError('prefix', 'takes letters, digits and . _ = - between single slashes');
  if (!hasKeys) throw new FieldError('type', 'set EXPORT_S3_KEY and EXPORT_S3_SECRET for buckets');
  if (endpoint !== undefined && !mayReach(endpoint)) throw new FieldError('endpoint', 'is not a public address');
  return { type: 's3', bucket, prefix: bare, ...(endpoint && { endpoint }), ...(region && { region }) };
}

function readFolder({ path: given }: ExportEntry['destination'], { folder }: ExportPlaces): Destination {
  if (given === undefined || given.trim() === '') throw new FieldError('path', 'is required');
  if (folder === undefined) throw new FieldError('type', 'set EXPORT_DIR for folders');
  return { type: 'folder', path: path.relative(resolveRealPath(path.resolve(folder)), findFolder(given, folder)) };
}

/**
 * Where a folder of exports is, wherever symbolic links lead.
 *
 * @throws FieldError for one that is not below EXPORT_DIR.
 */
export function findFolder(given: string, folder: string): string {
  if (given.includes('\0') || given.split(/[/\\]/).includes('..')) throw new FieldError('path', 'must have no ..');
  const outer = path.resolve(folder);
  const named = path.resolve(outer, given);
  if (!isWithin(named, outer)) throw new FieldError('path', 'is not below EXPORT_DIR');
  let real: { readonly named: string; readonly outer: string };
  try {
    real = { named: resolveRealPath(named), outer: resolveRealPath(outer) };
  } catch {
    throw new FieldError('path', 'cannot be used');
  }
  if (!isWithin(real.named, real.outer)) throw new FieldError('path', 'leads out of EXPORT_DIR');
  return real.named;
}

/** The folder of what projects declare themselves: each has one, and no other's. */
export const nameProjectFolder = (projectId: number) => `project-${projectId}`;

/** The folder of what an export writes: the kind of records, or a name made of that of the export. */
export function nameFolder(kind: string, name: string): string {
  if (kind !== 'query') return kind;
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `query-${slug === '' ? 'rows' : slug}`;
}

/** A place in one form: two exports that have the same would write over each other. */
export function nameExportPlace(destination: Destination, folder: string): string {
  if (destination.type === 'folder') return `folder:${path.join(destination.path, folder)}`;
  const { bucket: name, prefix } = destination;
  // Whatever the endpoint: that of the configuration may be one that a document names.
  return `s3://${[name, prefix, folder].filter(Boolean).join('/')}`;
}

/** A place with what tells those of one access key from those of another. */
export const nameKeyedPlace = (key: string, place: string) => `${sha256(key).slice(0, 16)}@${place}`;
/** The place without it. */
export const readBarePlace = (place: string) => place.replace(/^[0-9a-f]{16}@/, '');

/** Whether two destinations of a project lead to one bucket: all of Amazon's addresses know the same ones. */
export function isSameBucket(one: Destination, other: Destination): boolean {
  if (one.type !== 's3' || other.type !== 's3') return false;
  return one.bucket === other.bucket && nameStore(one.endpoint) === nameStore(other.endpoint);
}

function nameStore(endpoint: string | undefined): string {
  const host = endpoint === undefined ? 'amazonaws.com' : new URL(endpoint).host;
  return /(^|\.)amazonaws\.com$/.test(host) ? 'amazonaws.com' : host;
}
