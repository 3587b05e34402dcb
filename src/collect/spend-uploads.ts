/**
 * Uploads of spend: what a file would do, the history of files, and undoing one. After that every row is what it would
 * be without the upload; what a later request has written stays (docs/contract/collectors.md).
 */
import { changeAs, type Actor } from '../configuration/change';
import { PROJECT_LOCKS, tryWithProjectLock } from '../db/advisory-lock';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres, Queryable } from '../db/postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors';
import { answerBatch, type BatchAnswer } from '../ingest/batch';
import { rowEncoder } from '../ingest/row-encoder';
import { Decimal, ZERO } from '../lib/decimal';
import { nextReceipt } from './spend-queries';
import type { SpendRow } from './spend-input';
import {
  checkSpend,
  encodeSpend,
  findCampaigns,
  insertSpend,
  type CheckedSpend,
  type SpendRows,
  type Stores,
} from './spend-service';
import * as queries from './spend-upload-queries';

export interface UploadInfo {
  readonly name: string;
  readonly actor: Actor;
}

export interface StoredUpload {
  readonly checked: CheckedSpend;
  readonly answer: BatchAnswer;
  /** Null where no row was good. */
  readonly uploadId: number | null;
}

/** How long a request waits for another upload of the project. */
const WAITS_MS = 10_000;
const LOOKS_AFTER_MS = 200;

/**
 * Runs `work` once no other upload of the project is being stored or undone.
 *
 * @throws ApiError 409 if that takes long.
 */
async function alone<T>(postgres: Postgres, projectId: number, work: (held: Queryable) => Promise<T>): Promise<T> {
  for (let waited = 0; waited <= WAITS_MS; waited += LOOKS_AFTER_MS) {
    const done = await tryWithProjectLock(postgres, PROJECT_LOCKS.spendUploads, projectId, async (held) => ({
      value: await work(held),
    }));
    if (done) return done.value;
    // No connection is kept meanwhile: who holds the lock may need one.
    await sleep(LOOKS_AFTER_MS);
  }
  throw new ApiError(409, 'Another upload of the project is being stored or undone. Please try again.');
}

/** Throws where the connection that holds the lock is lost: somebody else may hold it by now. */
const mustStillHold = (held: Queryable) => held.rows('SELECT 1');

/** The sum of rows by currency. */
export function sumByCurrency(rows: readonly SpendRow[]): Record<string, string> {
  const sums = new Map<string, Decimal>();
  for (const { currency, spend } of rows) sums.set(currency, (sums.get(currency) ?? ZERO).plus(spend));
  return Object.fromEntries([...sums].toSorted().map(([currency, sum]) => [currency, sum.toFixed()]));
}

/** The first and the last day of rows. */
export function spanDays(rows: readonly SpendRow[]): { first: string; last: string } | undefined {
  if (rows.length === 0) return undefined;
  let [first, last] = [rows[0]?.date as string, rows[0]?.date as string];
  for (const { date } of rows) {
    if (date < first) first = date;
    if (date > last) last = date;
  }
  return { first, last };
}

const noted = rowEncoder(['project_id', 'upload_id', ...queries.KEYS]);

/**
 * Stores the good rows of a file, and what they replace, so that it can be undone.
 *
 * @throws UnavailableError when they could not be stored; the same file again is safe.
 */
export async function storeUpload(
  stores: Stores,
  projectId: number,
  sent: SpendRows,
  { name, actor }: UploadInfo,
  now: number,
): Promise<StoredUpload> {
  const { postgres, clickhouse } = stores;
  const checked = await checkSpend(postgres, projectId, sent);
  const answer = answerBatch(checked.batch);
  const rows = checked.batch.good.map(({ value }) => value);
  const days = spanDays(rows);
  if (!days) return { checked, answer, uploadId: null };
  const campaigns = await findCampaigns(postgres, projectId, checked);
  return alone(postgres, projectId, async (held) => {
    const receipt = await nextReceipt(postgres);
    const sums = JSON.stringify(sumByCurrency(rows));
    const uploadId = await changeAs(postgres, actor, async (db) => {
      const values = [projectId, receipt, name, actor.name, rows.length, days.first, days.last, sums];
      return (await queries.createUpload(db, ...values))[0]?.id as number;
    });
    const keys = rows.map((row, i) =>
      noted.encode({
        project_id: projectId,
        upload_id: uploadId,
        campaign_id: campaigns[i],
        date: row.date,
        ...row.ids,
        platform: row.platform,
        network: row.network,
        account: row.account,
      }),
    );
    await clickhouse.insert('adtrail.spend_replaced', noted.columns, keys);
    await queries.noteReplaced(clickhouse, projectId, uploadId);
    await mustStillHold(held);
    await insertSpend(clickhouse, encodeSpend({ projectId, rows, campaigns, receipt, uploadId, now }));
    await queries.setStored(postgres, uploadId);
    return { checked, answer, uploadId };
  });
}

/** An upload of the project. @throws ApiError 404 where there is none. */
async function readUpload(db: Queryable, projectId: number, id: number): Promise<queries.UploadRow> {
  const [upload] = await queries.listUploads(db, projectId, null, 1, id);
  if (!upload) throw new ApiError(404, 'Upload not found.');
  return upload;
}

/** Takes an upload back. One that was undone stays so; one that was broken off in between is brought to its end. */
export async function undoUpload(
  { postgres, clickhouse }: Stores,
  projectId: number,
  id: number,
  actor: Actor,
  now: number,
): Promise<queries.UploadRow> {
  if ((await readUpload(postgres, projectId, id)).state === 'undone') return readUpload(postgres, projectId, id);
  return alone(postgres, projectId, async (held) => {
    const { state } = await readUpload(postgres, projectId, id);
    if (state !== 'undone') {
      const undo = await planUndo(clickhouse, postgres, projectId, id, now);
      if (state !== 'undoing')
        await changeAs(postgres, actor, (db) =>
          queries.setUndoing(db, id, actor.name, undo.restored, undo.removed, undo.kept),
        );
      await mustStillHold(held);
      if (undo.lines.length > 0) await insertSpend(clickhouse, undo.lines, restored.columns);
      await queries.setUndone(postgres, id);
    }
    return readUpload(postgres, projectId, id);
  });
}

const restored = rowEncoder([
  'project_id',
  ...queries.KEYS,
  ...queries.CONTENTS,
  'received_at',
  'version',
  'upload_id',
  'is_deleted',
]);
const encodeKeys = (row: queries.SpendKeys) => JSON.stringify(queries.KEYS.map((key) => row[key]));

/** The rows that bring back what an upload replaced. */
async function planUndo(clickhouse: ClickHouse, postgres: Postgres, projectId: number, id: number, now: number) {
  const undone = new Set((await queries.readUndone(postgres, projectId)).map((one) => one.id));
  const replaced = new Map<number, ReadonlyMap<string, queries.Replaced>>();
  const readNotes = async (upload: number) => {
    const notes = replaced.get(upload) ?? indexNotes(await queries.readReplaced(clickhouse, projectId, upload));
    replaced.set(upload, notes);
    return notes;
  };
  const all = await readNotes(id);
  const inForce = await queries.readInForce(clickhouse, projectId, id);
  const lines: string[] = [];
  let removed = 0;
  for (const row of inForce) {
    const key = encodeKeys(row);
    let before = all.get(key);
    // What an upload replaced may be of one that has been undone since, which counts as never sent.
    while (before?.existed === 1 && undone.has(before.replaced_upload_id))
      before = (await readNotes(before.replaced_upload_id)).get(key);
    const back = before?.existed === 1 ? before : undefined;
    if (!back) removed += 1;
    lines.push(
      restored.encode({
        ...EMPTY,
        ...pickKeys(row),
        ...back,
        project_id: projectId,
        received_at: now,
        // Above the row of the upload, and below whatever was received after it.
        version: row.version + 1,
        upload_id: back?.replaced_upload_id ?? 0,
        is_deleted: back ? 0 : 1,
      }),
    );
  }
  return { lines, removed, restored: lines.length - removed, kept: all.size - lines.length };
}

const indexNotes = (rows: readonly queries.Replaced[]) => new Map(rows.map((row) => [encodeKeys(row), row]));
const pickKeys = (row: queries.SpendKeys) =>
  Object.fromEntries(queries.KEYS.map((key) => [key, row[key]])) as Record<(typeof queries.KEYS)[number], unknown>;
const EMPTY = {
  network_campaign_id: '',
  campaign_name: '',
  ad_set_name: '',
  ad_name: '',
  keyword_name: '',
  impressions: 0,
  clicks: 0,
  spend: '0',
  currency: '',
};

/** Spend in a currency that reports cannot convert on these days. */
export interface Unpriced {
  readonly currency: string;
  /** The currencies without a rate: that of the spend, that of the project, or both. */
  readonly lacking: readonly string[];
  readonly days: readonly string[];
  readonly rows: number;
  readonly spend: string;
}

function push(groups: Map<string, SpendRow[]>, row: SpendRow): void {
  const group = groups.get(row.currency);
  if (group) group.push(row);
  else groups.set(row.currency, [row]);
}

/** What of good rows would not count in reports, whose amounts are in the currency of the project. */
export async function findUnpriced(
  db: Queryable,
  projectId: number,
  rows: readonly SpendRow[],
): Promise<readonly Unpriced[]> {
  const own = (await queries.readCurrencies(db, projectId))[0]?.currency ?? '';
  const foreign = rows.filter(({ currency }) => currency !== own);
  if (foreign.length === 0) return [];
  const currencies = [...new Set([own, ...foreign.map(({ currency }) => currency)])];
  const since = new Map((await queries.readFirstRates(db, currencies)).map((row) => [row.currency, row.since]));
  const lacks = (currency: string, day: string) => currency !== 'USD' && !((since.get(currency) ?? '9999') <= day);
  const groups = new Map<string, SpendRow[]>();
  for (const row of foreign) if (lacks(row.currency, row.date) || lacks(own, row.date)) push(groups, row);
  return [...groups].toSorted().map(([currency, without]) => ({
    currency,
    lacking: [currency, own].filter((one) => without.some(({ date }) => lacks(one, date))),
    days: [...new Set(without.map(({ date }) => date))].sort(),
    rows: without.length,
    spend: sumByCurrency(without)[currency] as string,
  }));
}
