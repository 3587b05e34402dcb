/**
 * How a table of ClickHouse is declared. Its columns, and the kind of data of each, stand in the DDL
 * (clickhouse/migrations); what the service does with its rows stands here, once. The build refuses a table without a
 * declaration, and a personal or pseudonymous column that erasure would leave alone (src/tables/check.ts).
 */
import type { DerivationName } from './derivations';

export type SubjectKind = 'device' | 'install' | 'touch' | 'visitor';

/** What conditions are written with: each is text of SQL. */
export interface ConditionParts {
  /** The identifiers of a kind that a request is about, as a subquery. */
  readonly values: (kind: SubjectKind) => string;
  /** The hash by which advertising IDs are noted. */
  readonly hash: (text: string) => string;
  readonly project: number;
}

/** The rows of a table that are of a person. */
interface PersonRows {
  /** The kinds of identifiers that they are found by: where a request has none of them there is nothing to do. */
  readonly kinds: readonly [SubjectKind, ...SubjectKind[]];
  readonly where: (parts: ConditionParts) => string;
  /**
   * When a row was received, or else written: what comes after the request is new. Without it a row is of the person
   * whenever it was derived.
   */
  readonly written?: 'received_at' | 'noted_at' | 'started_at' | 'set_aside_at' | 'attempted_at';
  /**
   * Pseudonymous columns that stay: IDs of records, by which a repeat is recognised for good. They are hashes of what a
   * sender called the record, or random, and lead to nothing but the blanked record.
   */
  readonly keeps?: readonly string[];
  /** Personal columns that still connect records: each becomes this text of SQL, and not empty. */
  readonly replaces?: Readonly<Record<string, (column: string, replace: (text: string) => string) => string>>;
}

/**
 * How rows move whose key names a device or a browser: they are blanked in place, copied under a random ID, each with a
 * row that hides it, and removed. Texts of SQL see the row as `held`; `salt` is thrown away with the request, so that
 * what is hashed with it leads back to nothing.
 */
interface Move {
  /** What identifies a row beside its request, by the name that texts see it under. */
  readonly joins: Readonly<Record<string, string>>;
  /** What columns become in the copy: all pseudonymous ones that do not stay. */
  readonly copy: Readonly<Record<string, string>>;
  /** What columns of the row that hides it are, where that is not what they are in most tables. */
  readonly tombstone?: Readonly<Record<string, string>>;
  /** Whether that row has nothing but its key. */
  readonly isEmptied?: true;
  /** Which rows are no such rows: run again, a copy takes none up where FINAL does not drop it. */
  readonly alive?: string;
}

/** What erasing a person does to a table. */
export type Erasure =
  /** It holds nothing of persons. */
  | { readonly does: 'nothing' }
  /** The identifiers of requests themselves: dropped when a request is done. */
  | { readonly does: 'drop-request' }
  /** Personal columns are blanked in place. */
  | ({ readonly does: 'blank' } & PersonRows)
  | ({ readonly does: 'move' } & PersonRows & Move)
  /**
   * Rows are there to find a person by, and go: as the person is hidden, or with what is moved. `goesLast` says which
   * of them are the last to go as the person is hidden; the others go with what is moved.
   */
  | ({ readonly does: 'remove'; readonly when: 'hidden' | 'moved'; readonly goesLast?: string } & PersonRows);

/** What becomes of personal values CLICKHOUSE_TTL_DAYS after the time in a column. */
export type Expiry =
  /** They are blanked. */
  | { readonly blanksAfter: string }
  /** The rows are personal as a whole, and go; in any case after `days`. */
  | { readonly dropsAfter: string; readonly days?: number };

export interface Table {
  /**
   * `records` come from outside, `derived` rows from other tables, `copies` from PostgreSQL; `working` rows are of one
   * run of a worker, gone within hours and of no use after a crash, so that no insert waits for the disk.
   */
  readonly holds: 'records' | 'derived' | 'copies' | 'notes' | 'working';
  /** What derives it; undefined for what an insert or a view of ClickHouse fills. */
  readonly derivedBy?: DerivationName;
  /**
   * Whether nothing is derived into it while a person is being hidden: persons are found by it, or it would name them
   * once more.
   */
  readonly waitsForHiding?: true;
  /** Whether nothing is derived into it while installs are made unfindable by their devices: it puts them together. */
  readonly waitsForUnlinking?: true;
  /** Whether a record is matched by its address: with STORE_IP=hash it has the hash of it. */
  readonly isMatchedByIp?: true;
  /** When a backup keeps it, where the order matters (src/backup/take.ts). */
  readonly backup?: 'first' | 'last';
  /** Undefined where nothing in it is personal, or all of it is gone soon. */
  readonly expiry?: Expiry;
  readonly erasure: Erasure;
}

/** Names keep their types: what is not a table is a compile error where one is named. */
export const declareTables = <Name extends string>(tables: Readonly<Record<Name, Table>>) => tables;

/** Among the copies of an event the one under the random ID counts as the first. */
export const COUNTS_FIRST = 'held.version + 1';

export const NOTHING = { does: 'nothing' } as const;

/** Rows of the install that they name. */
export const byInstall = ({ values }: ConditionParts) => `install_id IN ${values('install')}`;
/** Rows of a browser. */
export const byVisitor = ({ values }: ConditionParts) => `visitor_id IN ${values('visitor')}`;
/** Rows of a touch. */
export const byTouch = ({ values }: ConditionParts) => `toString(touch_id) IN ${values('touch')}`;
