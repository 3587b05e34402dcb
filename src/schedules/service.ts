/** Scheduled reports of a project: kept, changed, sent now (docs/contract/alerts.md). */
import { changeAs, type Actor } from '../configuration/change';
import type { Postgres, Queryable } from '../db/postgres';
import { refuseTaken } from '../db/violations';
import { ApiError } from '../errors';
import type { Static } from '../lib/schema';
import type { Seals } from '../lib/seal';
import { listReceivers, presentReceiver, saveReceivers, type ReceiverRow } from '../notices/receivers';
import { findNext, type Times } from './due';
import * as queries from './queries';
import type { scheduleEntrySchema } from './schema';

export const MAX_SCHEDULES = 100;
const RUNS = 50;

export interface SchedulesParts {
  readonly postgres: Postgres;
  readonly seals: Seals;
  /** Whether an SMTP server is configured. */
  readonly hasMail: boolean;
  readonly now: () => number;
}
type ScheduleEntry = Static<typeof scheduleEntrySchema>;

const missing = () => new ApiError(404, 'Schedule not found.');
const throwTaken = refuseTaken('schedule');

/** @throws ApiError 400 that names the field, for what is missing or has no place. */
export function readTimes({ every, weekday, month_day: monthDay, hour }: ScheduleEntry): Times {
  const rules = [
    ['weekday', weekday, every === 'week'],
    ['month_day', monthDay, every === 'month'],
  ] as const;
  for (const [field, value, isNeeded] of rules) {
    if (isNeeded && value === undefined) throw new ApiError(400, `${field}: is required for every ${every}`);
    if (!isNeeded && value !== undefined) throw new ApiError(400, `${field}: has no place for every ${every}`);
  }
  return { every, weekday: weekday ?? null, month_day: monthDay ?? null, hour };
}

function refuseReceivers(receivers: ScheduleEntry['receivers']): void {
  const at = receivers.findIndex(({ kind }) => kind !== 'email');
  if (at >= 0) throw new ApiError(400, `receivers[${at}].kind: reports are sent by e-mail`);
}

/** @throws ApiError 404 for a board of others. */
async function mustHaveBoard(db: Queryable, projectId: number, boardId: number): Promise<void> {
  if ((await queries.findBoard(db, projectId, boardId)).length === 0) throw new ApiError(404, 'Board not found.');
}

const present = (row: queries.ScheduleRow, receivers: readonly ReceiverRow[], seals: Seals) => ({
  ...row,
  receivers: receivers.filter((one) => one.schedule_id === row.id).map((one) => presentReceiver(one, seals)),
});

export async function listSchedules({ postgres, seals, hasMail }: SchedulesParts, projectId: number) {
  const rows = await queries.listSchedules(postgres, projectId, null);
  const ids = rows.map(({ id }) => id);
  const receivers = await listReceivers(postgres, [], ids);
  return { schedules: rows.map((row) => present(row, receivers, seals)), mail: hasMail };
}

/** @throws ApiError 404 where the project has no such schedule. */
export async function readSchedule({ postgres, seals }: SchedulesParts, projectId: number, id: number) {
  const [row] = await queries.listSchedules(postgres, projectId, id);
  if (!row) throw missing();
  return present(row, await listReceivers(postgres, [], [id]), seals);
}

/** What is given as columns, with the time at which it is due next. */
async function readColumns({ postgres, now }: SchedulesParts, projectId: number, entry: ScheduleEntry) {
  const times = readTimes(entry);
  refuseReceivers(entry.receivers);
  await mustHaveBoard(postgres, projectId, entry.board_id);
  const [project] = await queries.findTimezone(postgres, projectId);
  const next = new Date(findNext(times, project?.timezone ?? 'UTC', now()));
  const { every, weekday, month_day: monthDay, hour } = times;
  return { given: [entry.name, entry.board_id, every, weekday, monthDay, hour, entry.enabled ?? true] as const, next };
}

/** @throws ApiError 409 for a name that is taken, or when the project has as many as it may. */
export async function createSchedule(parts: SchedulesParts, actor: Actor, projectId: number, entry: ScheduleEntry) {
  const { given, next } = await readColumns(parts, projectId, entry);
  const id = await changeAs(parts.postgres, actor, async (db) => {
    const [row] = await queries
      .createSchedule(db, projectId, ...given, actor.name, next, MAX_SCHEDULES)
      .catch(throwTaken);
    if (!row) throw new ApiError(409, `A project has at most ${MAX_SCHEDULES} schedules.`);
    await saveReceivers(db, { scheduleId: row.id }, entry.receivers, parts.seals);
    return row.id;
  });
  return readSchedule(parts, projectId, id);
}

export async function changeSchedule(
  parts: SchedulesParts,
  actor: Actor,
  projectId: number,
  id: number,
  entry: ScheduleEntry,
) {
  await readSchedule(parts, projectId, id);
  const { given, next } = await readColumns(parts, projectId, entry);
  await changeAs(parts.postgres, actor, async (db) => {
    const [row] = await queries.changeSchedule(db, projectId, id, ...given, next).catch(throwTaken);
    if (!row) throw missing();
    await saveReceivers(db, { scheduleId: id }, entry.receivers, parts.seals);
  });
  return readSchedule(parts, projectId, id);
}

export async function deleteSchedule({ postgres }: SchedulesParts, actor: Actor, projectId: number, id: number) {
  const deleted = await changeAs(postgres, actor, (db) => queries.deleteSchedule(db, projectId, id));
  if (deleted.length === 0) throw missing();
}

export async function listRuns(parts: SchedulesParts, projectId: number, id: number) {
  await readSchedule(parts, projectId, id);
  return { runs: await queries.listRuns(parts.postgres, id, RUNS) };
}

/**
 * Sends a schedule now to the person who asks, and to nobody else.
 *
 * @throws ApiError 400 for a key, which has no address, 409 where no SMTP server is configured.
 */
export async function sendNow(parts: SchedulesParts, projectId: number, id: number, actor: Actor) {
  const { postgres, hasMail, now } = parts;
  await readSchedule(parts, projectId, id);
  if (!hasMail) throw new ApiError(409, 'No SMTP server is configured.');
  const [person] = actor.userId === undefined ? [] : await queries.findAddress(postgres, actor.userId);
  if (!person) throw new ApiError(400, 'Only who is signed in has an address that it can be sent to.');
  await postgres.tx(async (db) => {
    const [run] = await queries.addRun(db, id, null, new Date(now()));
    await queries.addMessageToAsker(db, run?.id, person.email);
  });
  return { to: person.email };
}
