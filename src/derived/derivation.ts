/** Keeps what is derived from the facts up with them: one turn takes in what has been stored since the one before. */
import type { ClickHouse } from '../db/clickhouse';
import type { Queryable } from '../db/postgres';
import { derivedFrom, setDerivedUntil } from '../derivations';
import { Arrivals } from './arrivals';
import { deriveClickDays } from './click-days';
import { deriveJourneys } from './journeys';
import * as queries from './queries';
import { readProjectSettings } from './settings';

/** What all derived tables of reports are called together. */
const NAME = 'reports';
/** An insert that takes longer than others, because it decides many installs or the machine is busy, is waited for so much longer. */
const LATE_MS = 50_000;
/** Without anything new what is done is noted this seldom. */
const IDLE_MS = 2 * LATE_MS;
/** A turn that took longer is followed by another at once: as much has come meanwhile. */
const LONG_MS = 1_000;

export class Derivation {
  private readonly events: Arrivals;
  private readonly installs: Arrivals;
  private readonly clicks: Arrivals;

  constructor(private readonly clickhouse: ClickHouse) {
    this.events = new Arrivals(clickhouse, 'app_events');
    this.installs = new Arrivals(clickhouse, 'installs');
    this.clicks = new Arrivals(clickhouse, 'clicks');
  }

  /**
   * Takes one turn; to be called again and again by one process at a time. `db` is the connection that makes it the one:
   * what is done is noted only while it still is. Resolves with whether there is more to do at once.
   */
  async turn(db: Queryable): Promise<boolean> {
    const started = performance.now();
    const now = (await queries.readNow(this.clickhouse))[0]?.now as number;
    const since = Math.max(0, (await derivedFrom(db, NAME)) - LATE_MS);
    const settings = await readProjectSettings(db);
    const [events, installs, clicks] = [
      await this.events.read(since),
      await this.installs.read(since),
      await this.clicks.read(since),
    ];
    const isIdle = events.rows + installs.rows + clicks.rows + settings.changed.length === 0;
    if (isIdle && now - since < IDLE_MS) return false;
    if (!isIdle) {
      const runId = (await queries.readRunId(db))[0]?.run_id as number;
      await deriveClickDays(this.clickhouse, runId, clicks, settings);
      await deriveJourneys(this.clickhouse, runId, { events, installs }, settings);
    }
    await settings.done(db);
    await setDerivedUntil(db, NAME, now);
    for (const one of [events, installs, clicks]) one.done();
    return performance.now() - started > LONG_MS;
  }
}
