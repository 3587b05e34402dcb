/** Alerts of a project: kept, changed, tried out (docs/contract/alerts.md). */
import { randomUUID } from 'node:crypto';
import { changeAs, type Actor } from '../configuration/change';
import type { Postgres, Queryable } from '../db/postgres';
import { refuseTaken } from '../db/violations';
import { ApiError } from '../errors';
import type { Static } from '../lib/schema';
import type { Seals } from '../lib/seal';
import { deliver, type DeliveryParts } from '../notices/delivery';
import { listReceivers, presentReceiver, saveReceivers } from '../notices/receivers';
import { findQuestion } from '../questions/saved';
import { readQuestion, type Question } from '../questions/question';
import { isOnFigures, readCondition, readWithin, type Condition } from './condition';
import { judgeAlert, readHours, type Judgement, type JudgeParts } from './judging';
import { presentAlert, presentEvents } from './presenter';
import { refuseQuestion, buildQuery } from './question';
import * as queries from './queries';
import type { checkedEntrySchema } from './schema';
import { tellEvent } from './telling';
import { describe } from './worker';

export const MAX_ALERTS = 200;
const EVENTS = 50;

export interface AlertsParts extends JudgeParts {
  readonly postgres: Postgres;
  readonly seals: Seals;
  readonly delivery: DeliveryParts;
}
export type AlertEntry = Static<typeof checkedEntrySchema>;

/** What an alert waits for, checked. */
interface Asked {
  readonly condition: Condition;
  readonly question: Question | null;
  readonly questionId: number | null;
}

const missing = () => new ApiError(404, 'Alert not found.');
const throwTaken = refuseTaken('alert');

/** @throws ApiError 400 that names what is wrong, 404 for a question, partner or campaign of others. */
export async function checkAsked(
  db: Queryable,
  projectId: number,
  given: Pick<AlertEntry, 'question' | 'question_id'> & { readonly condition: unknown },
): Promise<Asked> {
  const condition = readCondition(given.condition);
  const { question, question_id: questionId } = given;
  if (!isOnFigures(condition)) {
    if (question !== undefined || questionId !== undefined)
      throw new ApiError(400, `question: a condition ${condition.type} needs none`);
    await refuseStrangers(db, projectId, condition);
    return { condition, question: null, questionId: null };
  }
  if ((question === undefined) === (questionId === undefined))
    throw new ApiError(400, 'question: is required, or else question_id');
  const asked = question ?? (await findQuestion(db, projectId, questionId as number)).question;
  const checked = readWithin('question', () => readQuestion(asked));
  refuseQuestion(checked);
  readWithin('question', () => buildQuery(checked, condition, '2026-01-01'));
  return { condition, question: question === undefined ? null : checked, questionId: questionId ?? null };
}

async function refuseStrangers(db: Queryable, projectId: number, condition: Condition): Promise<void> {
  const {
    partner_id: partner,
    campaign,
    export: exported,
  } = { partner_id: undefined, campaign: undefined, export: undefined, ...condition };
  if (partner !== undefined && !(await queries.worksWith(db, projectId, partner)))
    throw new ApiError(404, 'Partner not found.');
  if (campaign !== undefined && (await queries.findCampaign(db, projectId, campaign)) === undefined)
    throw new ApiError(404, 'Campaign not found.');
  if (exported !== undefined && !(await queries.hasExport(db, projectId, exported)))
    throw new ApiError(404, 'Export not found.');
}

export async function listAlerts({ postgres, seals, delivery }: AlertsParts, projectId: number) {
  const rows = await queries.listAlerts(postgres, projectId, null);
  const ids = rows.map(({ id }) => id);
  const receivers = await listReceivers(postgres, ids, []);
  return { alerts: rows.map((row) => presentAlert(row, receivers, seals)), mail: delivery.mail !== undefined };
}

/** @throws ApiError 404 where the project has no such alert. */
export async function readAlert({ postgres, seals }: AlertsParts, projectId: number, id: number) {
  const row = await findRow(postgres, projectId, id);
  return presentAlert(row, await listReceivers(postgres, [id], []), seals);
}

async function findRow(db: Queryable, projectId: number, id: number): Promise<queries.AlertRow> {
  const [row] = await queries.listAlerts(db, projectId, id);
  if (!row) throw missing();
  return row;
}

/** @throws ApiError 409 for a name that is taken, or when the project has as many as it may. */
export async function createAlert(parts: AlertsParts, actor: Actor, projectId: number, entry: AlertEntry) {
  const { postgres, seals } = parts;
  const { condition, question, questionId } = await checkAsked(postgres, projectId, entry);
  const made = await changeAs(postgres, actor, async (db) => {
    const [row] = await queries
      .createAlert(
        db,
        projectId,
        entry.name,
        question && JSON.stringify(question),
        questionId,
        JSON.stringify(condition),
        entry.enabled ?? true,
        actor.name,
        MAX_ALERTS,
      )
      .catch(throwTaken);
    if (!row) throw new ApiError(409, `A project has at most ${MAX_ALERTS} alerts.`);
    return { id: row.id, secrets: await saveReceivers(db, { alertId: row.id }, entry.receivers, seals) };
  });
  return { alert: await readAlert(parts, projectId, made.id), secrets: made.secrets };
}

/** What waits for something else, or asks something else, begins anew: nothing is said of what it was before. */
export async function changeAlert(parts: AlertsParts, actor: Actor, projectId: number, id: number, entry: AlertEntry) {
  const { postgres, seals } = parts;
  const { condition, question, questionId } = await checkAsked(postgres, projectId, entry);
  const asked = [question && JSON.stringify(question), questionId, JSON.stringify(condition)] as const;
  const secrets = await changeAs(postgres, actor, async (db) => {
    const [locked] = await queries.lockAlert(db, projectId, id, ...asked);
    if (!locked) throw missing();
    const enabled = entry.enabled ?? true;
    if (locked.is_same) await queries.renameAlert(db, projectId, id, entry.name, enabled).catch(throwTaken);
    else {
      await queries.changeAlert(db, projectId, id, entry.name, ...asked, enabled).catch(throwTaken);
      await queries.clearBreaches(db, id);
    }
    return saveReceivers(db, { alertId: id }, entry.receivers, seals);
  });
  return { alert: await readAlert(parts, projectId, id), secrets };
}

export async function deleteAlert({ postgres }: AlertsParts, actor: Actor, projectId: number, id: number) {
  const deleted = await changeAs(postgres, actor, (db) => queries.deleteAlert(db, projectId, id));
  if (deleted.length === 0) throw missing();
}

/** The latest first; `before` is the ID of the last one that is known. */
export async function listEvents({ postgres }: AlertsParts, projectId: number, id: number, before: number | null) {
  const { condition } = await findRow(postgres, projectId, id);
  return presentEvents(await queries.listEvents(postgres, id, EVENTS + 1, before), condition, EVENTS);
}

/** What an alert on receipts waits for, by hour. */
export const listHours = async (parts: AlertsParts, projectId: number, id: number) =>
  readHours(parts, projectId, (await findRow(parts.postgres, projectId, id)).condition);

/** Judges an alert now, and notes nothing. */
export async function testAlert(parts: AlertsParts, projectId: number, id: number): Promise<Judgement> {
  const row = await findRow(parts.postgres, projectId, id);
  return judgeAlert(parts, await toJudgeable(parts.postgres, projectId, row));
}

/** The question itself, where it is a saved one. */
export const readAsked = async (
  db: Queryable,
  projectId: number,
  { question, questionId }: Pick<Asked, 'question' | 'questionId'>,
): Promise<Question | null> =>
  questionId === null ? question : (await findQuestion(db, projectId, questionId)).question;

async function toJudgeable(db: Queryable, projectId: number, row: queries.AlertRow) {
  const { condition, question: own, question_id: questionId, breaches } = row;
  const question = await readAsked(db, projectId, { question: own, questionId });
  return { project_id: projectId, condition, question, breached: breaches.map(({ value }) => value) };
}

/** Sends each receiver a message that says that it is a test, once. */
export async function testMessages(parts: AlertsParts, projectId: number, id: number) {
  const { postgres, seals, delivery, now } = parts;
  const row = await findRow(postgres, projectId, id);
  const { name: project } = await queries.readProject(postgres, projectId);
  const judgement = await testAlert(parts, projectId, id);
  const empty = {
    range: { from: '', to: '', timezone: '' },
    metric: { name: '', label: '', format: 'count' as const, currency: '' },
    values: [],
    count: 0,
  };
  const details = judgement.state === 'judged' ? describe(judgement, judgement.points) : empty;
  const { name, condition } = row;
  const told = { kind: 'test' as const, at: new Date(now()), details, alert_id: id, name, condition, project };
  const content = tellEvent({ ...told, project_id: projectId }, delivery.publicUrl);
  const receivers = (await listReceivers(postgres, [id], [])).filter((one) => one.unsubscribed_at === null);
  return Promise.all(
    receivers.map(async (receiver) => {
      const { id: receiverId, kind, address, url, secret } = receiver;
      const messageId = randomUUID();
      const target = { kind, address, url, secret, owner: { alertId: id }, messageId, attempt: 1 };
      const outcome = await deliver(delivery, target, content);
      const error = outcome.state === 'sent' ? '' : outcome.error;
      const state = outcome.state === 'sent' ? 'sent' : 'failed';
      return { receiver_id: receiverId, to: presentReceiver(receiver, seals).to, state, error };
    }),
  );
}

/** What an event says to its receivers; undefined where it is gone. */
export async function composeEvent(db: Queryable, eventId: number, publicUrl: string | undefined) {
  const [event] = await queries.findEvent(db, eventId);
  return event && tellEvent(event, publicUrl);
}
