/** Every table of ClickHouse that the migrations make, and what the service does with its rows. */
import { DERIVING_LOCKS, LANE_LOCKS, type LockId } from '../db/advisory-lock';
import { APP_TABLES } from './apps';
import { ATTRIBUTION_TABLES } from './attribution';
import { DERIVATIONS } from './derivations';
import { MESSAGE_TABLES } from './messages';
import { declareTables, NOTHING, type Table } from './table';
import { TOUCH_TABLES } from './touches';
import { WEB_TABLES } from './web';

const OTHER_TABLES = declareTables({
  campaigns: { holds: 'copies', erasure: NOTHING },
  projects: { holds: 'copies', erasure: NOTHING },
  partner_switches: { holds: 'copies', erasure: NOTHING },
  exchange_rates: { holds: 'copies', erasure: NOTHING },
  project_readers: { holds: 'copies', erasure: NOTHING },
  audit_log: { holds: 'copies', erasure: NOTHING },
  ad_spend: { holds: 'records', erasure: NOTHING },
  spend_replaced: { holds: 'records', erasure: NOTHING },
  s2s_requests: { holds: 'notes', erasure: NOTHING },
  quarantine: {
    holds: 'notes',
    erasure: {
      does: 'remove',
      when: 'moved',
      kinds: ['install', 'visitor'],
      where: ({ values }) => `(entity IN ${values('install')} OR entity IN ${values('visitor')})`,
      written: 'set_aside_at',
    },
  },
  erasure_subjects: { holds: 'notes', erasure: { does: 'drop-request' } },
  applied_migrations: { holds: 'notes', erasure: NOTHING },
});

/** In the order in which rows of a forgotten person move: an install before its events, or it is decided again. */
export const TABLES = {
  ...ATTRIBUTION_TABLES,
  ...APP_TABLES,
  ...WEB_TABLES,
  ...TOUCH_TABLES,
  ...MESSAGE_TABLES,
  ...OTHER_TABLES,
};
export type TableName = keyof typeof TABLES;

/** All tables, by name. */
export const listTables = () => Object.entries<Table>(TABLES) as (readonly [TableName, Table])[];

/** How a table is declared, whose name comes from ClickHouse: on a cluster each node has the local part of it. */
export function readTable(name: string): Table | undefined {
  const logical = name.replace(/_local$/, '');
  return Object.hasOwn(TABLES, logical) ? TABLES[logical as TableName] : undefined;
}

/** The locks under which such tables are derived, in the order in which they are taken, lanes of attribution too. */
export function listLocks(isWanted: (table: Table) => boolean): LockId[] {
  const locks = new Set<LockId>();
  for (const [, table] of listTables()) {
    if (!table.derivedBy || !isWanted(table)) continue;
    locks.add(DERIVATIONS[table.derivedBy].lock);
    if (table.derivedBy === 'attribution') for (const lock of LANE_LOCKS) locks.add(lock);
  }
  return DERIVING_LOCKS.filter((lock) => locks.has(lock));
}
