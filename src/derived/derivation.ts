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
/** Without anything new that is noted so seldom. */
const IDLE_MS = 30_000;

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
   * what is done is noted only while it still is.
   */
  async turn(db: Queryable): Promise<void> {
    const now = (await queries.readNow(this.clickhouse))[0]?.now as number;
    const since = await derivedFrom(db, NAME);
    const settings = await readProjectSettings(db);
    const [events, installs, clicks] = [await this.events.read(since), await this.installs.read(since), await this.clicks.read(since)];
    const isIdle = events.rows + installs.rows + clicks.rows + settings.changed.length === 0;
    if (isIdle && now - since < IDLE_MS) return;
    if (!isIdle) {
      const turn = (await queries.readTurn(db))[0]?.turn as number;
      await deriveClickDays(this.clickhouse, turn, clicks, settings);
      await deriveJourneys(this.clickhouse, turn, { events, installs }, settings);
    }
    await settings.done(db);
    await setDerivedUntil(db, NAME, now);
    for (const one of [events, installs, clicks]) one.done();
  }
}
