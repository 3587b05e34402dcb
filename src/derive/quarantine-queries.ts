/** The queries behind the quarantine, one function per statement of clickhouse/queries. */
import type { ClickHouse } from '../db/clickhouse';
import { readQuery } from '../db/sql';

export type State = 'set_aside' | 'retry' | 'dismissed';

export interface QuarantinedRow extends Record<string, unknown> {
  worker: string;
  project_id: number;
  entity: string;
  state: State;
  reason: string;
  set_aside_at: string;
}

export interface MarkParams extends Readonly<Record<string, unknown>> {
  readonly worker: string;
  /** Empty for all. */
  readonly projects: readonly number[];
  readonly entity: string;
  readonly from: readonly State[];
  readonly to: State;
  readonly derived: boolean;
  /** Microseconds since 1970. */
  readonly before: number;
}

const texts = {
  list: readQuery('clickhouse', 'quarantine.list'),
  counts: readQuery('clickhouse', 'quarantine.counts'),
  ofProject: readQuery('clickhouse', 'quarantine.of-project'),
  mark: readQuery('clickhouse', 'quarantine.mark'),
};

export const readList = (db: ClickHouse, limit: number) => db.rows<QuarantinedRow>(texts.list, { limit });

/** How many entities are set aside in these projects, or in all. */
export const readCounts = (db: ClickHouse, projects?: readonly number[]) =>
  db.rows<{ worker: string; state: State; entities: number }>(texts.counts, {
    of_all: projects === undefined,
    projects: projects ?? [],
  });

export const countOfProject = async (db: ClickHouse, workers: readonly string[], projectId: number) =>
  (await db.rows<{ entities: number }>(texts.ofProject, { workers, project_id: projectId }))[0]?.entities ?? 0;

export const mark = (db: ClickHouse, params: MarkParams) => db.command(texts.mark, params);
