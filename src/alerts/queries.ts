/** The statements of alerts, one function each (sql/queries/alerts.sql, clickhouse/queries/alerts.sql). */
import type { Queryable, Row } from '../db/postgres';
import { postgresQuery, readQuery } from '../db/sql';
import type { Question } from '../questions/question';
import type { QueryBudget } from '../reporting/query-budget';
import type { Condition, Kind, ReceiptCondition } from './condition';
import type { Details, Outcome, Told } from './model';

export interface AlertRow extends Row {
  id: number;
  name: string;
  question: Question | null;
  question_id: number | null;
  condition: Condition;
  enabled: boolean;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  judged: string | null;
  judged_at: Date | null;
  outcome: Outcome | null;
  partner: string | null;
  saved: { name: string; question: Question } | null;
  breaches: { value: string; label: string; since: string }[];
}
export interface TakenRow extends Row {
  id: number;
  project_id: number;
  name: string;
  turn: number;
  condition: Condition;
  judged: string | null;
  question: unknown;
  breached: string[];
  outcome: Outcome | null;
}
export interface EventRow extends Row {
  id: number;
  kind: 'fired' | 'over';
  at: Date;
  details: Details;
  messages: { to: string; state: string; attempts: number; error: string; at: string | null }[];
}
export interface ToldEvent extends Row, Told {}
export interface ProjectRow extends Row {
  name: string;
  timezone: string;
  created_at: Date;
}

export const listAlerts = postgresQuery<AlertRow>('alerts.list');
export const createAlert = postgresQuery<{ id: number }>('alerts.create');
export const changeAlert = postgresQuery<{ id: number }>('alerts.change');
export const renameAlert = postgresQuery<{ id: number }>('alerts.rename');
export const lockAlert = postgresQuery<{ id: number; is_same: boolean }>('alerts.lock');
export const deleteAlert = postgresQuery<{ id: number }>('alerts.delete');
export const clearBreaches = postgresQuery('alerts.clear-breaches');
export const takeUp = postgresQuery<TakenRow>('alerts.take-up');
export const hold = postgresQuery<{ id: number }>('alerts.hold');
export const note = postgresQuery('alerts.note');
export const addEvent = postgresQuery<{ id: number }>('alerts.add-event');
export const addBreaches = postgresQuery('alerts.add-breaches');
export const endBreaches = postgresQuery('alerts.end-breaches');
export const addMessages = postgresQuery('notices.add-for-event');
export const listEvents = postgresQuery<EventRow>('alerts.events');
export const findEvent = postgresQuery<ToldEvent>('alerts.event');
const project = postgresQuery<ProjectRow>('alerts.project');
const campaign = postgresQuery<{ id: number }>('alerts.campaign');
const exported = postgresQuery<{ id: number }>('alerts.export');
const partner = postgresQuery<{ id: number }>('alerts.partner');

export const readProject = async (db: Queryable, projectId: number) => (await project(db, projectId))[0] as ProjectRow;
/** Undefined where the project has none of that name. */
export const findCampaign = async (db: Queryable, projectId: number, displayId: string) =>
  (await campaign(db, projectId, displayId))[0]?.id;
/** Whether the project has a scheduled export of that name. */
export const hasExport = async (db: Queryable, projectId: number, name: string) =>
  (await exported(db, projectId, name)).length > 0;
export const worksWith = async (db: Queryable, projectId: number, partnerId: number) =>
  (await partner(db, projectId, partnerId)).length > 0;

const statement = (name: string) => ({ name: `alerts.${name}`, text: readQuery('clickhouse', `alerts.${name}`) });
const receipts: Readonly<Record<Kind, ReturnType<typeof statement>>> = {
  click: statement('click'),
  impression: statement('impression'),
  ctv_impression: statement('ctv_impression'),
  app_event: statement('app_event'),
  web_event: statement('web_event'),
};
const refusals = statement('refusals');

interface Receipts {
  readonly project_id: number;
  /** Milliseconds; the first is not included. */
  readonly since: number;
  readonly until: number;
  /** 0 for all. */
  readonly partner_id: number;
  readonly campaign_id: number;
}

/** When something of this kind was received last, in milliseconds; 0 for never. */
export async function readLastReceipt(budget: QueryBudget, kind: Kind, about: Receipts): Promise<number> {
  const [row] = await budget.rows<{ last: number | string }>(receipts[kind], { ...about });
  return Number(row?.last ?? 0);
}

export interface RefusalRow extends Row {
  reason: string;
  refused: number;
  refused_before: number;
}
/** `from` in seconds, the beginning of an hour. */
export const readRefusals = (
  budget: QueryBudget,
  about: { readonly project_id: number; readonly from: number; readonly hours: number; readonly partner_id: number },
) => budget.rows<RefusalRow>(refusals, { ...about });

const hours = { nothing_received: statement('received-by-hour'), refusals_doubled: statement('refused-by-hour') };

export interface HourRow extends Row {
  /** In seconds. */
  hour: number;
  /** The reason of refusals. */
  value: string;
  amount: number | string;
}
/** What a condition on what is received counts, by hour; only hours that have any. `from` in milliseconds. */
export const readHours = (
  budget: QueryBudget,
  condition: ReceiptCondition,
  about: { readonly project_id: number; readonly from: number; readonly campaign_id: number },
) => {
  const { project_id, from, campaign_id } = about;
  const asked = { project_id, from, partner_id: condition.partner_id ?? 0 };
  return budget.rows<HourRow>(
    hours[condition.type],
    condition.type === 'nothing_received'
      ? { ...asked, kind: condition.kind, campaign_id }
      : { ...asked, reason: condition.reason ?? '' },
  );
};
