/** What draining the log is given, and what it tells. */
import type { ClickHouse } from '../../db/clickhouse';
import type { Deduplicator } from '../deduplicator';

export interface Pace {
  /** How long the first rows after a pause wait for company, in milliseconds. */
  readonly firstMs: number;
  /** The least time between the starts of two rounds of inserts into one table. */
  readonly roundMs: number;
}

/** What the drainer tells of. `folder` is the name of a process's folder. */
export interface DrainEvents {
  readonly onDrained: (drained: {
    folder: string;
    segment: string;
    table: string;
    end: number;
    rows: number;
    bytes: number;
    repeats: number;
    seconds: number;
  }) => void;
  readonly onRemoved: (removed: { folder: string; segment: string; table: string }) => void;
  /** Rows that ClickHouse refuses for good, or a segment (0 rows) that cannot be read, stand in `file` now. */
  readonly onSetAside: (aside: { table: string; rows: number; file: string; reason: string }) => void;
  /** All rows that the table had when it was looked at are stored. */
  readonly onIdle: (table: string) => void;
  /** Rows of a folder that was taken over, before they are drained. */
  readonly onBacklog: (backlog: {
    folder: string;
    table: string;
    rows: number;
    bytes: number;
    /** When its segment was begun, in milliseconds. */
    since: number;
  }) => void;
  /** Nothing is left of a folder that was taken over. */
  readonly onEmptied: (folder: string) => void;
  /** Inserts fail, or succeed again. */
  readonly onTrouble: (table: string, failure: string | undefined) => void;
}

export interface DrainerOptions {
  /** Holds a folder for each process, and REJECTED. */
  readonly root: string;
  readonly db: ClickHouse;
  readonly findDeduplicator: (table: string) => Deduplicator | undefined;
  readonly pace: Pace;
  readonly sync: boolean;
  readonly events: DrainEvents;
}
