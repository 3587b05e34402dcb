/**
 * Judges alerts that are due. Any number of processes do at once: each takes alerts up for a while, and notes a
 * judgement only if nobody else has taken the alert up or changed it since. What fires or is over, where it does, and
 * its messages are noted in one transaction: killed before it, the alert is judged again; after it, it has fired once.
 */
import type { Postgres, Queryable } from '../db/postgres';
import type { Log } from '../lib/log';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import { findTransitions, type Judged } from './judge';
import { judgeAlert, type Judgement, type JudgeParts } from './judging';
import type { Details, Outcome } from './model';
import * as queries from './queries';

const LOOK_MS = 1_000;
/** Alerts that are judged at once: the reports of people come first. */
const AT_ONCE = 2;
/** How long an alert is taken up: longer than its figures may take. */
const TAKEN_SECONDS = 300;
/** When an alert is judged again. */
const AGAIN_SECONDS = 60;
/** Values that an event names; it says how many there are. */
const MOST_TOLD = 50;

export interface AlertParts extends JudgeParts {
  readonly postgres: Postgres;
  readonly log: Log;
  /** Messages were noted. */
  readonly onMessages: () => void;
  /** Called for every judgement, for metrics. */
  readonly observe: (outcome: string) => void;
}

export const startAlerts = (parts: AlertParts): PeriodicTask =>
  runPeriodically('Judging alerts', LOOK_MS, parts.log, async () => {
    const taken = await queries.takeUp(parts.postgres, AT_ONCE, TAKEN_SECONDS);
    await Promise.all(taken.map((alert) => judgeTaken(parts, alert)));
    return taken.length === AT_ONCE;
  });

/** What fails for one alert is noted at it, and holds up no other. */
async function judgeTaken(parts: AlertParts, alert: queries.TakenRow): Promise<void> {
  const { postgres, log, observe } = parts;
  try {
    const judgement = await judgeAlert(parts, alert, alert.judged);
    const outcome = await postgres.tx((db) => note(db, alert, judgement));
    observe(outcome ?? 'left');
    if (outcome === 'firing' || outcome === 'fine') parts.onMessages();
  } catch (error) {
    observe('failed');
    log.warn(`An alert of project ${alert.project_id} was not judged, and is again: ${(error as Error).message}`);
    await postgres.tx((db) => noteFailure(db, alert)).catch(() => undefined);
  }
}

async function noteFailure(db: Queryable, { id, turn }: queries.TakenRow): Promise<void> {
  const [held] = await queries.hold(db, id, turn);
  const outcome: Outcome = { state: 'failed', reason: 'not_available' };
  if (held) await queries.note(db, id, null, JSON.stringify(outcome), AGAIN_SECONDS);
}

/** Notes a judgement; undefined where another one has the alert by now. */
async function note(
  db: Queryable,
  { id, turn, breached, outcome: before }: queries.TakenRow,
  judgement: Judgement,
): Promise<Outcome['state'] | 'waiting' | undefined> {
  const [held] = await queries.hold(db, id, turn);
  if (!held) return undefined;
  if (judgement.state === 'waiting') {
    const outcome = explainWaiting(judgement, before, breached.length);
    await queries.note(db, id, null, outcome && JSON.stringify(outcome), AGAIN_SECONDS);
    return 'waiting';
  }
  const { fired, over } = findTransitions(judgement.points, new Set(breached));
  if (fired.length > 0) {
    const values = fired.map(({ value }) => value);
    await queries.addBreaches(
      db,
      id,
      values,
      fired.map(({ label }) => label),
    );
    await tell(db, id, 'fired', judgement, fired);
  }
  if (over.length > 0) {
    await queries.endBreaches(
      db,
      id,
      over.map(({ value }) => value),
    );
    await tell(db, id, 'over', judgement, over);
  }
  const outcome = summarize(judgement, breached.length + fired.length - over.length);
  await queries.note(db, id, judgement.key, JSON.stringify(outcome), AGAIN_SECONDS);
  return outcome.state;
}

/** What is judged already is as it was, but for a failure that is over; null to leave it. */
function explainWaiting(
  { reason, problem }: Extract<Judgement, { state: 'waiting' }>,
  before: Outcome | null,
  breaches: number,
): Outcome | null {
  if (reason !== 'judged_already') return { state: 'not_judged', reason: problem ?? reason };
  return before?.state === 'failed' ? { state: breaches > 0 ? 'firing' : 'fine' } : null;
}

type Made = Extract<Judgement, { state: 'judged' }>;

async function tell(db: Queryable, id: number, kind: 'fired' | 'over', made: Made, points: readonly Judged[]) {
  const [event] = await queries.addEvent(db, id, kind, JSON.stringify(describe(made, points)));
  await queries.addMessages(db, event?.id);
}

/** What an event says of points. */
export function describe({ range, metric }: Pick<Made, 'range' | 'metric'>, points: readonly Judged[]): Details {
  const values = points.slice(0, MOST_TOLD).flatMap(({ value, label, figure, verdict }) => {
    if (verdict.state === 'not_judged') return [];
    const { expected, deviation } = verdict;
    return [{ value, label, figure, expected, ...(deviation === undefined ? {} : { deviation }) }];
  });
  return { range, metric, values, count: points.length };
}

/** What came of a judgement, for the list of alerts. */
export function summarize({ points, range }: Made, breaches: number): Outcome {
  if (breaches > 0) return { state: 'firing', range };
  const judged = points.filter(({ verdict }) => verdict.state !== 'not_judged');
  const [first] = points;
  if (judged.length === 0 && first?.verdict.state === 'not_judged')
    return { state: 'not_judged', reason: first.verdict.reason, range };
  return { state: 'fine', range };
}
