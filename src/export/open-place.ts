/** Opens the place that an export writes to, and says why it failed without its secrets. */
import fs from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import path from 'node:path';
import { ClickHouseError } from '@clickhouse/client';
import { FieldError, findFolder, nameFolder } from '../configuration/exports';
import { ApiError, UnavailableError } from '../errors';
import { S3Store, type S3Access } from '../stores/s3-store';
import { FolderStore, type Store } from '../stores/store';
import type { ExportRow } from './scheduled-queries';

/** Which addresses a connection may be made to. */
export interface Reachable {
  readonly isAllowed: (address: string) => boolean;
  readonly lookup: LookupFunction;
}

export interface Places {
  readonly folder: string | undefined;
  readonly s3: S3Access | undefined;
  readonly addresses: Reachable;
}

/** Whether an address that is written in an endpoint may be reached; names are looked up as a connection is made. */
export function mayReach({ isAllowed }: Pick<Reachable, 'isAllowed'>, endpoint: string): boolean {
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 || isAllowed(host);
}

/** @throws FieldError for a place that cannot be written to. */
export function openPlace({ destination, kind, name }: ExportRow, { folder, s3, addresses }: Places): Store {
  const inside = nameFolder(kind, name);
  if (destination.type === 'folder') {
    if (folder === undefined) throw new FieldError('type', 'set EXPORT_DIR for folders');
    const outer = findFolder(destination.path, folder);
    fs.mkdirSync(outer, { recursive: true, mode: 0o700 });
    const at = path.join(findFolder(destination.path, folder), inside);
    return new FolderStore(at, at);
  }
  if (!s3) throw new FieldError('type', 'set EXPORT_S3_KEY and EXPORT_S3_SECRET for buckets');
  const { bucket, prefix, endpoint, region } = destination;
  // The endpoint of the configuration is the operator's, who may have it inside.
  if (endpoint !== undefined && !mayReach(addresses, endpoint))
    throw new FieldError('endpoint', 'is not a public address');
  const access = { ...s3, ...(endpoint && { endpoint }), ...(region && { region }) };
  const at = prefix === '' ? inside : `${prefix}/${inside}`;
  return new S3Store(bucket, at, access, endpoint === undefined ? {} : { lookup: addresses.lookup });
}

const LONGEST_REASON = 300;

/** Why an export failed, in words that may be shown: neither keys, nor what the engines say of themselves. */
export function explainFailure(error: unknown, { s3 }: Pick<Places, 's3'>): string {
  if (error instanceof ClickHouseError || error instanceof UnavailableError) return 'the rows could not be read';
  if (error instanceof FieldError) return `destination.${error.field}: ${error.problem}`;
  if (error instanceof ApiError) return error.message.slice(0, LONGEST_REASON);
  if (!(error instanceof Error)) return 'unknown';
  const { code, name, message } = error as NodeJS.ErrnoException;
  // Paths of the machine stay here.
  if (typeof code === 'string' && 'syscall' in error && 'path' in error) return `the folder: ${code}`;
  const known = [s3?.secret, s3?.key].filter((one): one is string => one !== undefined && one !== '');
  const text = name === 'Error' ? message : `${name}: ${message}`;
  return known.reduce((shown, one) => shown.replaceAll(one, '[HIDDEN]'), text).slice(0, LONGEST_REASON);
}
