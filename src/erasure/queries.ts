/** The queries behind erasure, one function per statement of sql/queries and clickhouse/queries; changes: plan.ts. */
import { randomUUID } from 'node:crypto';
import type { ClickHouse } from '../db/clickhouse';
import { renderForCluster } from '../db/cluster-ddl';
import type { Queryable } from '../db/postgres';
import { readNodesQuery, readQuery } from '../db/sql';
import type { Found } from './owned';

const texts = {
  request: readQuery('sql', 'erasure.request'),
  receipts: readQuery('sql', 'erasure.receipts'),
  underWay: readQuery('sql', 'erasure.under-way'),
  found: readQuery('sql', 'erasure.found'),
  noteExport: readQuery('sql', 'erasure.note-export'),
  hidden: readQuery('sql', 'erasure.hidden'),
  removed: readQuery('sql', 'erasure.removed'),
  setAside: readQuery('sql', 'erasure.set-aside'),
  oldestVisible: readQuery('sql', 'erasure.oldest-visible'),
  findInstalls: readQuery('clickhouse', 'erasure.find-installs'),
  devices: readQuery('clickhouse', 'erasure.devices'),
  findTouches: readQuery('clickhouse', 'erasure.find-touches'),
  findVisitors: readQuery('clickhouse', 'erasure.find-visitors'),
  kinds: readQuery('clickhouse', 'erasure.kinds'),
  needles: readQuery('clickhouse', 'erasure.needles'),
  activeParts: readQuery('clickhouse', 'erasure.active-parts'),
  subjectFolders: readQuery('clickhouse', 'erasure.subject-folders'),
};

export type Kind = 'gaid' | 'idfa' | 'user';

export interface Receipt extends Record<string, unknown> {
  id: number;
  kind: Kind;
  requested_at: Date;
  hidden_at: Date | null;
  removed_at: Date | null;
  failure: string | null;
  /** Null before the person is hidden, and for requests of earlier versions. */
  found: Found | null;
}
export interface Request extends Record<string, unknown> {
  id: number;
  project_id: number;
  kind: Kind;
  value: string | null;
  requested_at: Date;
  hidden_at: Date | null;
  /** What is to be looked for on the disk, sealed; null before the person is hidden. */
  needles: string | null;
  attempts: number;
}

export const createRequest = async (db: Queryable, projectId: number, kind: Kind, sealed: string) =>
  (await db.rows<Receipt>(texts.request, [projectId, kind, sealed]))[0];
export const readReceipts = (db: Queryable, projectId: number, id: number | null) =>
  db.rows<Receipt>(texts.receipts, [projectId, id]);
export const readRequestsUnderWay = (db: Queryable, at: number) => db.rows<Request>(texts.underWay, [new Date(at)]);
/** What was counted first stays: afterwards some of it is gone. */
export const setFound = (db: Queryable, id: number, found: Found) => db.rows(texts.found, [id, JSON.stringify(found)]);
/** Notes in the audit log that somebody took a copy of what there is of a person. */
export const noteExport = (db: Queryable, projectId: number, kind: Kind, found: Found) =>
  db.rows(texts.noteExport, [projectId, kind, JSON.stringify(found)]);
export const setHidden = (db: Queryable, id: number, at: number, needles: string) =>
  db.rows(texts.hidden, [id, new Date(at), needles]);
export const setRemoved = (db: Queryable, id: number, at: number) => db.rows(texts.removed, [id, new Date(at)]);
export const setAside = (db: Queryable, id: number, until: number, failure: string) =>
  db.rows(texts.setAside, [id, new Date(until), failure]);
/** When the oldest request was made whose person is not hidden yet, in milliseconds since 1970. */
export const readOldestVisible = async (db: Queryable) =>
  (await db.rows<{ requested_at: Date | null }>(texts.oldestVisible))[0]?.requested_at?.getTime();

export interface Noted extends Record<string, unknown> {
  readonly kind: string;
  readonly subjects: number;
  readonly salt: string;
}
/** What is noted of a request, by kind. */
export const readNoted = (db: ClickHouse, request: number) => db.rows<Noted>(texts.kinds, { request });

/**
 * Notes everything that connects records with the person whose identifier is `value`, and resolves with the advertising
 * IDs. They go to ClickHouse as data, never as part of a change, and are stored as hashes.
 */
export async function findSubjects(
  db: ClickHouse,
  { id: request, project_id: project, kind }: Request,
  value: string,
  until: number,
): Promise<string[]> {
  const salt = (await readSalt(db, request)) ?? randomUUID();
  await db.command(texts.findInstalls, { request, project, kind, value, salt });
  const found = await db.rows<{ device: string }>(texts.devices, { request, project });
  const devices = [...new Set([...found.map(({ device }) => device), ...(kind === 'user' ? [] : [value])])];
  if (devices.length > 0) {
    await db.insert(
      'adtrail.erasure_subjects',
      ['request_id', 'project_id', 'kind', 'salt', 'plain'],
      devices.map((device) => JSON.stringify([request, project, 'device', salt, device])),
    );
  }
  await db.command(texts.findTouches, { request, project, devices, salt, until });
  if (kind === 'user') await db.command(texts.findVisitors, { request, project, value, salt });
  return devices;
}

/** Notes the touches of these advertising IDs that were received up to `until` and taken in since they were noted. */
export async function findTouchesAgain(
  db: ClickHouse,
  { id: request, project_id: project }: Request,
  devices: readonly string[],
  until: number,
): Promise<void> {
  const salt = await readSalt(db, request);
  if (salt) await db.command(texts.findTouches, { request, project, devices, salt, until });
}

/** What the identifiers of a request are hashed with; undefined where nothing is noted of it. */
const readSalt = async (db: ClickHouse, request: number) => (await readNoted(db, request))[0]?.salt;

export const readNeedles = async (db: ClickHouse, request: number, limit: number) =>
  (await db.rows<{ value: string }>(texts.needles, { request, limit })).map(({ value }) => value);
/** Folders of the parts that are in force, or were after `since` (milliseconds since 1970). */
export const readActiveParts = async (db: ClickHouse, since: number) =>
  (await db.rows<{ path: string }>(texts.activeParts, { since })).map((row) => row.path);
export const readSubjectFolders = async (db: ClickHouse) =>
  (await db.rows<{ folders: string[] }>(texts.subjectFolders))[0]?.folders ?? [];

/** Starts a change, which runs in the background: on every node of a cluster, where each must have the identifiers. */
export async function startChange(db: ClickHouse, cluster: string | undefined, change: string): Promise<void> {
  for (const statement of cluster ? renderForCluster(change, cluster) : [change])
    await db.command(statement, {}, { mutations_sync: '0', allow_nondeterministic_mutations: 1 });
}

/** How many changes of a request are still under way, and why they cannot continue, if they cannot. */
export async function readUnfinished(
  db: ClickHouse,
  cluster: string | undefined,
  request: number,
): Promise<{ unfinished: number; failure: string }> {
  const [row] = await db.rows<{ unfinished: number; failure: string }>(readNodesQuery('erasure.unfinished', cluster), {
    pattern: `request_id = ${request}\\b`,
  });
  return row ?? { unfinished: 0, failure: '' };
}

/** Gives up the changes of a request: one that fails would hold up all later ones of its table. */
export const stopChanges = (db: ClickHouse, cluster: string | undefined, request: number) =>
  db.command(
    `KILL MUTATION ${cluster ? `ON CLUSTER '${cluster}' ` : ''}
     WHERE database = 'adtrail' AND NOT is_done AND match(command, 'request_id = ${request}\\\\b') SYNC`,
  );

/**
 * Those of the tables with parts still on disk that changes replaced up to `until`; parts without rows may stay long.
 */
export async function readLeftovers(
  db: ClickHouse,
  cluster: string | undefined,
  tables: readonly string[],
  until: number,
): Promise<string[]> {
  const rows = await db.rows<{ table: string }>(readNodesQuery('erasure.leftovers', cluster), { tables, until });
  return rows.map(({ table }) => table);
}

/**
 * Has ClickHouse look at once for replaced parts whose time has come. Left alone it may take ten minutes for a table
 * that nothing happens to. No partition has this ID.
 */
export async function clearReplacedParts(db: ClickHouse, tables: readonly string[]): Promise<void> {
  for (const table of tables) await db.command(`ALTER TABLE adtrail.${table} DROP PARTITION ID 'nothing'`);
}

/** The greatest version of an empty row of a visitor of a request: with it, whatever was derived before is void. */
export async function readEmptiedVersion(db: ClickHouse, request: number, project: number): Promise<number> {
  const [row] = await db.rows<{ version: number }>(
    `SELECT max(version) AS version FROM adtrail.web_visitors
     WHERE project_id = {project:UInt32} AND empty(element.day) AND visitor_id IN (
       SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'visitor')`,
    { request, project },
  );
  return row?.version ?? 0;
}

export const countRows = async (db: ClickHouse, query: string, params: object = {}) =>
  (await db.rows<{ held: number }>(query, { ...params }))[0]?.held ?? 0;

/** On a cluster, waits until every node has the identifiers. */
export async function spreadSubjects(db: ClickHouse, cluster: string | undefined): Promise<void> {
  if (cluster) await db.command(`SYSTEM SYNC REPLICA ON CLUSTER '${cluster}' adtrail.erasure_subjects`);
}
