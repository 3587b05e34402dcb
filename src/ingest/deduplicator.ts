/**
 * First write wins, for good: finds the records that are stored already, and hides what was received later than a
 * record that is stored only now (docs/contract/s2s.md).
 */
import type { ClickHouse } from '../db/clickhouse';
import type { HiddenInstalls } from './hidden-installs';
import { halvesOfId } from './id-filter';
import { IdsOfOtherDays, IdsOfTable, type KnownIds } from './known-ids';
import * as queries from './queries';
import type { RecordTable } from './queries';

/** IDs that are looked up by one statement. */
const LOOKUP_SIZE = 1_000;
/** IDs of which later deliveries are hidden by one statement. */
const HIDE_SIZE = 10_000;

/** A record that may be stored already. */
export interface Suspect {
  readonly id: string;
  /** UTC day of its receipt; empty for events, whose key holds none. */
  readonly day: string;
  readonly version: number;
}

export interface LookUp {
  /** IDs of those that an earlier receipt has stored: they are not stored again. */
  readonly known: ReadonlySet<string>;
  /** IDs of those that a later receipt has stored, in a row of another key: it has to be hidden. */
  readonly overtaken: readonly string[];
}

/** Knows which records a table holds. */
export abstract class Deduplicator {
  constructor(
    protected readonly db: ClickHouse,
    protected readonly of: RecordTable,
    private readonly ids: KnownIds,
    /** For app events: the hidden ones behind which an install event would be hidden too. */
    readonly hiddenInstalls?: HiddenInstalls,
  ) {}

  /**
   * Whether no stored row has this ID that the record, received on `day`, would not meet in the table's key. False
   * means that it has to be looked up.
   */
  isDefinitelyNew(id: string, day: string): boolean {
    return !this.ids.mayHold(...halvesOfId(id), day);
  }

  /** What the table holds of the suspects. */
  async lookUp(suspects: readonly Suspect[]): Promise<LookUp> {
    const known = new Set<string>();
    const overtaken: string[] = [];
    for (let i = 0; i < suspects.length; i += LOOKUP_SIZE)
      await this.compare(suspects.slice(i, i + LOOKUP_SIZE), known, overtaken);
    return { known, overtaken };
  }

  /** Hides all rows of these records but the first received of each. Killed anywhere, the same IDs again do no harm. */
  async hideLater(ids: readonly string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += HIDE_SIZE) await this.hide(ids.slice(i, i + HIDE_SIZE));
  }

  /** To be called for every record that this process has stored. */
  stored(id: string, day: string): void {
    this.ids.add(...halvesOfId(id), day);
  }

  /** Loads what is missing as of `now`; to be called again and again. */
  async keepLoaded(now: number): Promise<void> {
    await this.hiddenInstalls?.load(now);
    await this.ids.load(now);
  }

  protected abstract compare(suspects: readonly Suspect[], known: Set<string>, overtaken: string[]): Promise<void>;
  protected abstract hide(ids: readonly string[]): Promise<void>;
}

/**
 * For clicks and impressions, whose key holds the UTC day of receipt: repeats on one day meet in the table, those on
 * another day are looked up.
 */
export class TouchDeduplicator extends Deduplicator {
  constructor(db: ClickHouse, of: RecordTable) {
    super(db, of, new IdsOfOtherDays(db, of));
  }

  protected async compare(suspects: readonly Suspect[], known: Set<string>, overtaken: string[]): Promise<void> {
    const stored = await queries.readDaysOfTouches(
      this.db,
      this.of,
      suspects.map(({ id }) => id),
    );
    for (const { id, day } of suspects) {
      const days = stored.get(id);
      if (!days) continue;
      if (days.first < day) known.add(id);
      else if (days.last > day) overtaken.push(id);
    }
  }

  protected hide(ids: readonly string[]): Promise<void> {
    return queries.hideLaterTouches(this.db, this.of, ids);
  }
}

/** A table of events, and how repeats in it that name another install or visitor are found and hidden. */
export interface EventTable extends RecordTable {
  readonly findRepeats: (db: ClickHouse, since: number) => Promise<string[]>;
  readonly hide: (db: ClickHouse, ids: readonly string[]) => Promise<void>;
}

export const APP_EVENTS: EventTable = {
  table: 'app_events',
  idColumn: 'id',
  findRepeats: queries.readRepeatedAppEvents,
  hide: queries.sweepAppEvents,
};
export const WEB_EVENTS: EventTable = {
  table: 'web_events',
  idColumn: 'id',
  findRepeats: queries.readRepeatedWebEvents,
  hide: queries.sweepWebEvents,
};

/** For events, whose key does not make every repeat meet: a repeat may name another install or visitor. */
export class EventDeduplicator extends Deduplicator {
  constructor(
    db: ClickHouse,
    private readonly events: EventTable,
    hiddenInstalls?: HiddenInstalls,
  ) {
    super(db, events, new IdsOfTable(db, events), hiddenInstalls);
  }

  protected async compare(suspects: readonly Suspect[], known: Set<string>, overtaken: string[]): Promise<void> {
    const stored = await queries.readVersionsOfEvents(
      this.db,
      this.of,
      suspects.map(({ id }) => id),
    );
    for (const { id, version } of suspects) {
      const versions = stored.get(id);
      if (!versions) continue;
      // Greater is earlier. Only hidden rows: the event was removed.
      if (versions.first === 0 || versions.first >= version) known.add(id);
      if (versions.first !== 0 && versions.last < Math.max(version, versions.first)) overtaken.push(id);
    }
  }

  protected hide(ids: readonly string[]): Promise<void> {
    return this.events.hide(this.db, ids);
  }
}
