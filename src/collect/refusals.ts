/**
 * What the collectors refused, by minute, project, reason and field: counted in memory and stored every few seconds. A
 * process that is killed loses what it counted since then; what was refused has been said in the answers.
 *
 * Each process stores how often it has counted something in a minute so far, in place of what it stored before: what
 * is stored again counts nothing twice.
 */
import { randomUUID } from 'node:crypto';
import type { Queryable } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import type { FieldError } from '../ingest/batch';
import { HOUR_MS, MINUTE_MS } from '../lib/time';

const store = postgresQuery('collect.store-refusals');
const forget = postgresQuery('collect.forget-refusals');

export type Source = 'app' | 'web' | 'spend';

/** Counts that are held; beyond them what is new is counted without its field. */
const MAX_COUNTS = 2_000;
const MAX_FIELD = 64;
const KEPT_MS = 2 * HOUR_MS;

interface Count {
  readonly minute: number;
  readonly projectId: number;
  readonly source: Source;
  readonly reason: string;
  readonly field: string;
  refused: number;
  stored: number;
}

export class RefusalCounts {
  private readonly counts = new Map<string, Count>();
  private readonly process = randomUUID();

  constructor(
    private readonly postgres: Queryable,
    private readonly now: () => number,
    private readonly maxCounts = MAX_COUNTS,
  ) {}

  /** Counts the rows of one request that were refused. */
  add(projectId: number, source: Source, rejected: readonly FieldError[]): void {
    const minute = Math.floor(this.now() / MINUTE_MS) * MINUTE_MS;
    for (const { reason, field } of rejected) this.count({ minute, projectId, source, reason, field: cut(field) });
  }

  private count(what: Omit<Count, 'refused' | 'stored'>): void {
    const key = Object.values(what).join('\n');
    const known = this.counts.get(key);
    if (known) known.refused += 1;
    else if (this.counts.size >= this.maxCounts && what.field !== '') this.count({ ...what, field: '' });
    else this.counts.set(key, { ...what, refused: 1, stored: 0 });
  }

  /** Stores what has changed, and lets go of what is over. Throws where PostgreSQL does not take it. */
  async flush(): Promise<void> {
    const changed = [...this.counts.values()].filter(({ refused, stored }) => refused > stored);
    if (changed.length > 0) {
      const rows = changed.map(({ minute, projectId, source, reason, field, refused }) => ({
        minute: new Date(minute),
        project_id: projectId,
        source,
        reason,
        field,
        process: this.process,
        refused,
      }));
      await store(this.postgres, JSON.stringify(rows));
      changed.forEach((count, i) => (count.stored = rows[i]?.refused ?? 0));
      await forget(this.postgres, new Date(this.now() - KEPT_MS));
    }
    const minute = Math.floor(this.now() / MINUTE_MS) * MINUTE_MS;
    for (const [key, { minute: at, refused, stored }] of this.counts)
      if (at < minute && refused === stored) this.counts.delete(key);
  }
}

/** Without half of a surrogate pair at its end, and without NUL, which PostgreSQL does not store. */
const cut = (field: string) => field.slice(0, MAX_FIELD).replaceAll('\0', '\uFFFD').toWellFormed();
