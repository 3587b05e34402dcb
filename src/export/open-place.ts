/** Opens the place that an export writes to, and says why it failed without its secrets. */
import fs from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import path from 'node:path';
import { ClickHouseError } from '@clickhouse/client';
import { FieldError, findFolder, nameFolder, nameProjectFolder } from '../configuration/exports';
import type { Queryable } from '../db/postgres';
import { ApiError, UnavailableError } from '../errors';
import type { Seal } from '../lib/seal';
import { S3Store, type S3Access } from '../stores/s3-store';
import { FolderStore, type Store } from '../stores/store';
import { readKeys, type ExportRow } from './scheduled-queries';
import { LeftBehindError } from './write-period';

/** Which addresses a connection may be made to. */
export interface Reachable {
  readonly isAllowed: (address: string) => boolean;
  readonly lookup: LookupFunction;
}

export interface Places {
  readonly folder: string | undefined;
  /** What the operator's exports to buckets are written with. */
  readonly s3: S3Access | undefined;
  /** Whether those are written that projects declare. */
  readonly byProjects: boolean;
  readonly addresses: Reachable;
  /** Seals the keys of projects. */
  readonly seal: Seal;
}

export interface Keys {
  readonly key: string;
  readonly secret: string;
}
/** What an export is to know where it goes. */
export type Placed = Pick<ExportRow, 'project_id' | 'destination' | 'kind' | 'name' | 'declared_by'>;

const DEFAULT_REGION = 'us-east-1';

/** What a bucket of a project is reached with: by its own keys, at Amazon unless the destination says otherwise. */
export function accessWith({ destination }: Pick<ExportRow, 'destination'>, keys: Keys): S3Access {
  const region = (destination.type === 's3' && destination.region) || DEFAULT_REGION;
  return { ...keys, region, endpoint: `https://s3.${region}.amazonaws.com` };
}

/** What an export reaches its bucket with: where a project declared it, with nothing that is the operator's. */
export async function findAccess(
  db: Queryable,
  row: Pick<ExportRow, 'id' | 'destination' | 'declared_by'>,
  { s3, seal }: Pick<Places, 's3' | 'seal'>,
): Promise<S3Access | undefined> {
  if (row.declared_by === 'operator') return s3;
  const [keys] = await readKeys(db, row.id);
  return keys && accessWith(row, { key: seal.open(keys.access_key), secret: seal.open(keys.secret) });
}

/** Whether an address that is written in an endpoint may be reached; names are looked up as a connection is made. */
export function mayReach({ isAllowed }: Pick<Reachable, 'isAllowed'>, endpoint: string): boolean {
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 || isAllowed(host);
}

/**
 * `access` is what a bucket is reached with; once `signal` is aborted nothing is asked of it any more.
 *
 * @throws FieldError for a place that cannot be written to.
 */
export function openPlace(
  row: Placed,
  places: Pick<Places, 'folder' | 'addresses'>,
  access?: S3Access,
  signal?: AbortSignal,
): Store {
  const { destination, kind, name } = row;
  const inside = nameFolder(kind, name);
  if (destination.type === 'folder') return openFolder(row, destination.path, inside, places.folder);
  if (!access) throw new FieldError('type', 'set EXPORT_S3_KEY and EXPORT_S3_SECRET for buckets');
  const { bucket, prefix, endpoint, region } = destination;
  const { addresses } = places;
  // The endpoint of the configuration is the operator's, who may have it inside.
  const isOperators = row.declared_by === 'operator' && endpoint === undefined;
  if (endpoint !== undefined && !mayReach(addresses, endpoint))
    throw new FieldError('endpoint', 'is not a public address');
  const at = prefix === '' ? inside : `${prefix}/${inside}`;
  const whole = { ...access, ...(endpoint && { endpoint }), ...(region && { region }) };
  return new S3Store(bucket, at, whole, {
    ...(!isOperators && { lookup: addresses.lookup }),
    ...(signal && { signal }),
  });
}

/** A project has a folder of its own, and writes into no other. */
function openFolder(row: Placed, below: string, inside: string, folder: string | undefined): Store {
  if (folder === undefined) throw new FieldError('type', 'set EXPORT_DIR for folders');
  const outer = row.declared_by === 'operator' ? folder : path.join(folder, nameProjectFolder(row.project_id));
  fs.mkdirSync(findFolder(below, outer), { recursive: true, mode: 0o700 });
  const at = path.join(findFolder(below, outer), inside);
  return new FolderStore(at, at);
}

const LONGEST_REASON = 300;

/** A text without the keys of a bucket. */
export function hideKeys(text: string, access: Keys | undefined): string {
  const known = [access?.secret, access?.key].filter((one): one is string => one !== undefined && one !== '');
  return known.reduce((shown, one) => shown.replaceAll(one, '[HIDDEN]'), text);
}

/** Why an export failed, in words that may be shown: neither keys, nor what the engines say of themselves. */
export function explainFailure(error: unknown, access: Keys | undefined): string {
  if (error instanceof ClickHouseError || error instanceof UnavailableError) return 'the rows could not be read';
  if (error instanceof FieldError) return `destination.${error.field}: ${error.problem}`;
  if (error instanceof LeftBehindError) return `${error.message}: ${explainFailure(error.cause, access)}`;
  if (error instanceof ApiError) return error.message.slice(0, LONGEST_REASON);
  if (!(error instanceof Error)) return 'unknown';
  const { code, name, message } = error as NodeJS.ErrnoException;
  // Paths of the machine stay here.
  if (typeof code === 'string' && 'syscall' in error && 'path' in error) return `the folder: ${code}`;
  return hideKeys(name === 'Error' ? message : `${name}: ${message}`, access).slice(0, LONGEST_REASON);
}
