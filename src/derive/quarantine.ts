/**
 * What cannot be derived is set aside, one install or visitor at a time: the others continue, and only the reports of
 * its own project wait for it (docs/contract/derived-tables.md).
 */
import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouse } from '../db/clickhouse';
import { UnavailableError } from '../errors';
import { hasName, type ErrorName } from '../lib/clickhouse-codes';
import type { Log } from '../lib/log';
import type { WithQuarantine } from '../tables/derivations';
import * as queries from './quarantine-queries';

export interface Entity {
  readonly project_id: number;
  readonly entity: string;
}

/** How often it is looked whether something is to be tried again, in this and other processes. */
const REFRESH_MS = 10_000;
/** Longer than a run may still take that began before a change of the configuration. */
const RETRY_FOR_MS = 40_000;
/** What is set aside is tried again after this time: the cause may have been a busy machine. */
const RETRY_AFTER_MS = 3_600_000;

/** A statement was too much, or did not fit its data. Everything else is about the server. */
const ABOUT_DATA: ReadonlySet<ErrorName> = new Set([
  // Not enough time or memory.
  'TIMEOUT_EXCEEDED',
  'TOO_SLOW',
  'MEMORY_LIMIT_EXCEEDED',
  'CANNOT_ALLOCATE_MEMORY',
  // Too many rows, bytes or elements.
  'TOO_LARGE_ARRAY_SIZE',
  'TOO_LARGE_STRING_SIZE',
  'TOO_MANY_ROWS',
  'SET_SIZE_LIMIT_EXCEEDED',
  'TOO_MANY_BYTES',
  'TOO_MANY_ROWS_OR_BYTES',
  // Numbers or texts that cannot be worked with.
  'CANNOT_PARSE_TEXT',
  'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
  'BAD_ARGUMENTS',
  'CANNOT_PARSE_DATETIME',
  'ILLEGAL_TYPE_OF_ARGUMENT',
  'TYPE_MISMATCH',
  'ARGUMENT_OUT_OF_BOUND',
  'CANNOT_CONVERT_TYPE',
  'CANNOT_PARSE_NUMBER',
  'INCORRECT_DATA',
  'ILLEGAL_DIVISION',
  'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
  'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
  'DECIMAL_OVERFLOW',
]);

/** Everything in the quarantine. */
const ALL = { worker: '', projects: [], entity: '' } as const;

/** Whether a statement failed by what it worked on, so that it may succeed on less. */
export const isAboutData = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && hasName(error, ABOUT_DATA);

export class Quarantine {
  private known = new Map<string, number>();
  private refreshedAt = -Infinity;
  /** Projects whose configuration has changed, and until when what is set aside of them is tried again at each look. */
  private readonly changed = new Map<number, number>();

  constructor(
    private readonly db: ClickHouse,
    private readonly log: Log,
    private readonly now: () => number,
  ) {}

  /** Sets entities aside, with what made them fail. */
  async setAside(worker: WithQuarantine, entities: readonly Entity[], error: ClickHouseError): Promise<void> {
    // Not the message, which may repeat values of the data.
    const reason = `${error.type ?? 'Error'} (${error.code})`;
    const lines = entities.map(({ project_id, entity }) =>
      JSON.stringify([worker, project_id, entity, 'set_aside', reason, this.now()]),
    );
    const columns = ['worker', 'project_id', 'entity', 'state', 'reason', 'set_aside_at'];
    await this.db.insert('adtrail.quarantine', columns, lines);
    this.refreshedAt = -Infinity;
    const named = entities.slice(0, 3).map(({ project_id, entity }) => `${entity} of project ${project_id}`);
    this.log.error(`Set aside by ${worker}: ${named.join(', ')}: ${reason}`);
  }

  /** Whether something of the worker is to be tried again. */
  async hasRetries(worker: WithQuarantine): Promise<boolean> {
    await this.refresh();
    return (this.known.get(`${worker} retry`) ?? 0) > 0;
  }

  /**
   * What the worker was to try again at `startedAt` (milliseconds of ClickHouse's clock) is derived, unless it was set
   * aside since.
   */
  async release(worker: WithQuarantine, startedAt: number): Promise<void> {
    if (!(await this.hasRetries(worker))) return;
    await queries.mark(this.db, {
      ...ALL,
      worker,
      from: ['retry'],
      to: 'retry',
      derived: true,
      before: startedAt * 1000,
    });
    this.refreshedAt = -Infinity;
  }

  /** Tries again what is set aside, or leaves it out for good: everything, or what the choice names. */
  async mark(choice: { worker?: string; project_id?: number; entity?: string }, to: 'retry' | 'dismissed') {
    const { worker = '', project_id, entity = '' } = choice;
    const from = to === 'retry' ? (['set_aside', 'dismissed'] as const) : (['set_aside', 'retry'] as const);
    const before = Number.MAX_SAFE_INTEGER;
    const projects = project_id === undefined ? [] : [project_id];
    await queries.mark(this.db, { worker, projects, entity, from, to, derived: false, before });
    this.refreshedAt = -Infinity;
  }

  /**
   * Tries again what is set aside of projects whose configuration has changed: it may have been the cause. For a while
   * more is set aside by runs that began before the change.
   */
  async retryProjects(projects: readonly number[]): Promise<void> {
    for (const project of projects) this.changed.set(project, this.now() + RETRY_FOR_MS);
    this.refreshedAt = -Infinity;
    await this.refresh();
  }

  list(limit: number): Promise<queries.QuarantinedRow[]> {
    return queries.readList(this.db, limit);
  }

  /** How much is in which state, by worker. */
  counts(projects?: readonly number[]) {
    return queries.readCounts(this.db, projects);
  }

  /** How much is set aside now, as of the last look. */
  get setAsideCount(): number {
    return [...this.known].reduce((sum, [key, entities]) => (key.endsWith(' dismissed') ? sum : sum + entities), 0);
  }

  /** @throws UnavailableError when the tables of these workers lack something of the project. */
  async mustBeComplete(workers: readonly WithQuarantine[], projectId: number): Promise<void> {
    const missing = await queries.countOfProject(this.db, workers, projectId);
    if (missing > 0) throw new UnavailableError(`${missing} entities of project ${projectId} are set aside`);
  }

  /** Looks, if it is time to, at what is set aside. */
  async refresh(): Promise<void> {
    if (this.now() - this.refreshedAt < REFRESH_MS) return;
    this.refreshedAt = this.now();
    for (const [project, until] of this.changed) if (until < this.now()) this.changed.delete(project);
    await this.readKnown();
    if (this.setAsideCount === 0) return;
    const retry = { ...ALL, from: ['set_aside'], to: 'retry', derived: false } as const;
    await queries.mark(this.db, { ...retry, before: (this.now() - RETRY_AFTER_MS) * 1000 });
    const projects = [...this.changed.keys()];
    if (projects.length > 0) await queries.mark(this.db, { ...retry, projects, before: Number.MAX_SAFE_INTEGER });
    await this.readKnown();
  }

  private async readKnown(): Promise<void> {
    const rows = await queries.readCounts(this.db);
    this.known = new Map(rows.map(({ worker, state, entities }) => [`${worker} ${state}`, entities]));
  }
}
