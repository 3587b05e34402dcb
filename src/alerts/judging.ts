/** Judges one alert: asks for its figures, of what is complete, and holds them against its condition. */
import { ApiError } from '../errors';
import { addDays, dayIn, HOUR_MS, DAY_MS, MINUTE_MS } from '../lib/time';
import { answer, prepare } from '../questions/answer';
import type { AskParts } from '../questions/ask';
import { readQuestion, type Question } from '../questions/question';
import {
  isOnFigures,
  isOnReceipts,
  type Condition,
  type ExportCondition,
  type FigureCondition,
  type ReceiptCondition,
} from './condition';
import { readPoints, readWeekdays } from './figures';
import { judge, type Judged, type Point, type Reason } from './judge';
import type { JudgedRange, Metric } from './model';
import * as queries from './queries';
import { buildQuery, findJudgedRange } from './question';

export interface JudgeParts extends AskParts {
  /** Receipt time, in milliseconds, up to which everything is stored that living processes have accepted. */
  readonly settled: () => Promise<number>;
  /** The scheduled exports of a project that are on, by name: how long each has failed or been behind, in seconds. */
  readonly exports: (projectId: number) => Promise<readonly { readonly name: string; readonly seconds: number }[]>;
}

/** What is judged. */
export interface Judgeable {
  readonly project_id: number;
  readonly condition: Condition;
  /** As it is kept; null where the condition needs none. */
  readonly question: unknown;
  /** The values for which it has fired. */
  readonly breached: readonly string[];
}

/** Why nothing is judged. */
export type Waiting = 'not_complete' | 'judged_already' | 'question_changed' | 'no_export' | Reason;

export type Judgement =
  | { readonly state: 'waiting'; readonly reason: Waiting; readonly problem?: string }
  | {
      readonly state: 'judged';
      /** Tells ranges apart: each is judged once. */
      readonly key: string;
      readonly range: JudgedRange;
      readonly metric: Metric;
      readonly points: readonly Judged[];
    };

/** How long counts of refusals may be on their way to the table. */
const COUNTS_MS = MINUTE_MS;
/** Before this nobody remembers that something was received. */
const KNOWN_DAYS = 90;

/**
 * @param lastJudged the key of the range that was judged last; undefined to judge in any case.
 * @throws UnavailableError while an engine is away, ApiError 503 where the report takes more than it may.
 */
export function judgeAlert(parts: JudgeParts, alert: Judgeable, lastJudged?: string | null): Promise<Judgement> {
  const { condition } = alert;
  if (condition.type === 'export_late') return judgeExports(parts, alert, condition);
  return isOnFigures(condition)
    ? judgeFigures(parts, alert, condition, lastJudged)
    : judgeReceipts(parts, alert, condition, lastJudged);
}

async function judgeFigures(
  parts: JudgeParts,
  { project_id: projectId, question: kept, breached }: Judgeable,
  condition: FigureCondition,
  lastJudged: string | null | undefined,
  day?: string,
): Promise<Judgement> {
  let question: Question;
  try {
    question = readQuestion(kept);
    // A saved one may have been changed to something that means nothing to an alert.
    buildQuery(question, condition, '2026-01-01');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { state: 'waiting', reason: 'question_changed', problem: error.message };
  }
  const prepared = await prepare(parts, projectId, question.source);
  const { timezone, currency } = prepared.about;
  if (prepared.completeUntil === null) return { state: 'waiting', reason: 'not_complete' };
  const lastDay = day ?? addDays(dayIn(timezone, Date.parse(prepared.completeUntil)), -1);
  const range = findJudgedRange(question, condition, lastDay);
  const key = `${range.from}..${range.to}`;
  if (key === lastJudged) return { state: 'waiting', reason: 'judged_already' };
  const query = buildQuery(question, condition, lastDay);
  const project = await queries.readProject(parts.postgres, projectId);
  const firstDay = dayIn(timezone, project.created_at.getTime());
  const found = await parts.reports.compute('alert', (budget) => answer(budget, prepared, query));
  const points =
    condition.type === 'unusual'
      ? readWeekdays(found, query, breached, { day: range.to, firstDay })
      : readPoints(found, query, breached, firstDay);
  const [metric] = query.metrics;
  const { name = '', label = '', format = 'count' } = metric ?? {};
  return {
    state: 'judged',
    key,
    range: { ...range, timezone },
    metric: { name, label, format, currency },
    points: judgeAll(condition, points),
  };
}

/** The same of an earlier day, as if it were the last that is complete: whether an alert would have fired then. */
export const judgeDay = (parts: JudgeParts, alert: Judgeable, condition: FigureCondition, day: string) =>
  judgeFigures(parts, alert, condition, undefined, day);

const judgeAll = (condition: Condition, points: readonly Point[]): Judged[] =>
  points.map((point) => ({ ...point, verdict: judge(condition, point) }));

async function judgeReceipts(
  parts: JudgeParts,
  { project_id: projectId, breached }: Judgeable,
  condition: ReceiptCondition,
  lastJudged: string | null | undefined,
): Promise<Judgement> {
  const { postgres, reports, settled, now } = parts;
  const { timezone } = await queries.readProject(postgres, projectId);
  const partner = condition.partner_id ?? 0;
  const complete = Math.min(await settled(), now());
  if (condition.type === 'refusals_doubled') {
    const until = Math.floor((complete - COUNTS_MS) / HOUR_MS) * HOUR_MS;
    const from = until - condition.hours * HOUR_MS;
    const range = { ...writeRange(from, until), timezone };
    const key = `${range.from}..${range.to}`;
    if (key === lastJudged) return { state: 'waiting', reason: 'judged_already' };
    const about = { project_id: projectId, from: from / 1000, hours: condition.hours, partner_id: partner };
    const rows = await reports.compute('alert', (budget) => queries.readRefusals(budget, about));
    const points = readRefusalPoints(rows, condition.reason, breached);
    return {
      state: 'judged',
      key,
      range,
      metric: counted('refusals', 'Refused requests'),
      points: judgeAll(condition, points),
    };
  }
  const campaign = await readCampaign(postgres, projectId, condition);
  if (campaign === undefined) return { state: 'waiting', reason: 'no_figure', problem: 'the campaign is not there' };
  const since = complete - condition.hours * HOUR_MS;
  const about = { project_id: projectId, until: complete, partner_id: partner, campaign_id: campaign };
  const read = (from: number) =>
    reports.compute('alert', (budget) => queries.readLastReceipt(budget, condition.kind, { ...about, since: from }));
  const recent = await read(since);
  const known = recent > 0 ? recent : await read(complete - KNOWN_DAYS * DAY_MS);
  const range = { ...writeRange(since, complete), timezone };
  const point = { value: '', label: '', figure: recent > 0 ? 1 : 0, comparison: known };
  return {
    state: 'judged',
    key: `${range.from}..${range.to}`,
    range,
    metric: counted('received', 'Received'),
    points: judgeAll(condition, [point]),
  };
}

/** The campaign that a condition names: 0 for any, undefined where it is not there. */
const readCampaign = async (postgres: JudgeParts['postgres'], projectId: number, condition: ReceiptCondition) =>
  condition.type === 'refusals_doubled' || condition.campaign === undefined
    ? 0
    : queries.findCampaign(postgres, projectId, condition.campaign);

/** How far back hours are shown. */
const SHOWN_DAYS = 7;

/** What was received, or refused, in each of the last hours: of what a condition waits for, nothing of others. */
export async function readHours(parts: JudgeParts, projectId: number, condition: Condition) {
  const from = Math.floor(parts.now() / HOUR_MS) * HOUR_MS - SHOWN_DAYS * DAY_MS;
  const rows = isOnReceipts(condition) ? await countHours(parts, projectId, condition, from) : [];
  return {
    from: new Date(from),
    hours: rows.map(({ hour, value, amount }) => ({ hour: new Date(hour * 1000), value, amount: Number(amount) })),
  };
}

async function countHours(
  { postgres, reports }: JudgeParts,
  projectId: number,
  condition: ReceiptCondition,
  from: number,
): Promise<queries.HourRow[]> {
  const campaign = await readCampaign(postgres, projectId, condition);
  if (campaign === undefined) return [];
  const about = { project_id: projectId, from, campaign_id: campaign };
  return reports.compute('alert', (budget) => queries.readHours(budget, condition, about));
}

async function judgeExports(
  { postgres, exports, now }: JudgeParts,
  { project_id: projectId, breached }: Judgeable,
  { export: name, hours }: ExportCondition,
): Promise<Judgement> {
  const { timezone } = await queries.readProject(postgres, projectId);
  const at = now();
  const written = (await exports(projectId)).filter((one) => name === undefined || one.name === name);
  const known = new Set(written.map((one) => one.name));
  // One that is off or gone is not waited for any more.
  const gone = breached.filter((value) => !known.has(value)).map((value) => ({ name: value, seconds: 0 }));
  const points = [...written, ...gone].map((one) => ({ value: one.name, label: one.name, figure: one.seconds }));
  if (points.length === 0) return { state: 'waiting', reason: 'no_export' };
  const range = { ...writeRange(at - hours * HOUR_MS, at), timezone };
  return {
    state: 'judged',
    key: `${range.from}..${range.to}`,
    range,
    metric: { name: 'late', label: 'Scheduled exports', format: 'seconds', currency: '' },
    points: judgeAll({ type: 'export_late', hours }, points),
  };
}

const writeRange = (from: number, to: number) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});
const counted = (name: string, label: string): Metric => ({ name, label, format: 'count', currency: '' });

/** A reason that is not there any more was refused by no times. */
function readRefusalPoints(
  rows: readonly queries.RefusalRow[],
  reason: string | undefined,
  breached: readonly string[],
): Point[] {
  const asked = rows.filter((row) => reason === undefined || row.reason === reason);
  const points = asked.map((row): Point => {
    const [figure, comparison] = [Number(row.refused), Number(row.refused_before)];
    return { value: row.reason, label: row.reason, figure, comparison };
  });
  const known = new Set(asked.map((row) => row.reason));
  const expected = reason === undefined ? breached : [reason];
  const gone = expected.filter((value) => !known.has(value));
  return [...points, ...gone.map((value) => ({ value, label: value, figure: 0, comparison: 0 }))];
}
