/**
 * Install events that were hidden as repeats of an event of another install. An install event is stored under a key
 * that is the same for all of its install and sender, so that it counts once; behind a hidden one the next would be
 * hidden too. So it gets the next key of its sender.
 */
import type { ClickHouse } from '../db/clickhouse';
import * as queries from './queries';

/** An insert carries the time at which it began: what is read again must be longer than any insert takes. */
const OVERLAP_MS = 60_000;
/** Keys of install events are small numbers, even ones of apps and odd ones of servers. */
export const INSTALL_KEY_PREFIX = '00000000-0000-0000-0000-';
const SENDERS = 2;

const nextKey = (key: string) =>
  INSTALL_KEY_PREFIX +
  (parseInt(key.slice(INSTALL_KEY_PREFIX.length), 16) + SENDERS)
    .toString(16)
    .padStart(36 - INSTALL_KEY_PREFIX.length, '0');
const encodeKey = (...key: readonly unknown[]) => JSON.stringify(key);

export class HiddenInstalls {
  private readonly hidden = new Set<string>();
  private loadedAt: number | undefined;

  constructor(private readonly db: ClickHouse) {}

  /** Whether there are any; loads them where that was not done yet. */
  async areThere(): Promise<boolean> {
    if (this.loadedAt === undefined) await this.load(Date.now());
    return this.hidden.size > 0;
  }

  /** Loads what was hidden since the last call, at the first one everything; `now` in milliseconds. */
  async load(now: number): Promise<void> {
    const since = this.loadedAt === undefined ? 0 : this.loadedAt - OVERLAP_MS;
    for (const { project_id, install_id, event_key } of await queries.readHiddenInstalls(this.db, since))
      this.hidden.add(encodeKey(project_id, install_id, event_key));
    this.loadedAt = now;
  }

  /** The row of an install event, of these columns, under the first key that no hidden event has. */
  move(row: readonly unknown[], columns: readonly string[]): readonly unknown[] {
    const at = columns.indexOf('event_key');
    const [project, install] = [row[columns.indexOf('project_id')], row[columns.indexOf('install_id')]];
    let key = row[at];
    while (typeof key === 'string' && this.hidden.has(encodeKey(project, install, key))) key = nextKey(key);
    return row.map((value, i) => (i === at ? key : value));
  }
}
