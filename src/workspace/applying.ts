/** What the parts of one application of a workspace document share. */
import type { ExportPlaces } from '../configuration/exports';
import type { ResolveTimezone } from '../configuration/timezones';
import type { Kind, Tally } from '../configuration/upsert';
import type { Queryable, Row } from '../db/postgres';
import type { Seals } from '../lib/seal';

export interface ApplyResult extends Tally {
  /** What the document asks for and stays away: deleted campaigns, revoked secrets. */
  skipped: Row[];
  /** Every secret that had to be generated; shown this once. */
  secrets: Row[];
}

export interface Applying {
  readonly db: Queryable;
  readonly now: string;
  readonly revision: number;
  /** Whether an operator applies it: such a one confirms domains, and may give an app ID to several accounts. */
  readonly isOperator: boolean;
  /** What has been done so far; parts add to it. */
  readonly result: ApplyResult;
  readonly accounts: ReadonlyMap<string, Row>;
  readonly upsert: (kind: Kind, existing: readonly Row[], desired: readonly Row[]) => Promise<Row[]>;
  /** The ID of the partner of that name. */
  readonly partner: (name: string, field: string) => number;
  readonly resolveTimezone: ResolveTimezone;
  /** What secrets are sealed with that are read again. */
  readonly seals: Seals;
  /** Where scheduled exports may go. */
  readonly exportPlaces: ExportPlaces;
}

/** What an application is given from outside. */
export type Given = Pick<Applying, 'resolveTimezone' | 'seals' | 'exportPlaces'>;
