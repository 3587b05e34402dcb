/** What the IDs in entries of the audit log are called today (docs/contract/people.md). */
import type { Queryable } from '../db/postgres';
import { readNamesOfFields, type AuditRow } from './queries';

/** Fields of entries that hold the ID of something with a name; a list holds several. */
const FIELDS = [
  'account_id',
  'project_id',
  'partner_id',
  'campaign_id',
  'domain_id',
  'custom_channel_id',
  'network_account_id',
  'store_listing_ids',
  'user_id',
  'made_by',
] as const;

export type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The names by field and ID; what is gone is missing. */
export async function readNames(db: Queryable, entries: readonly AuditRow[]): Promise<Names> {
  const found = new Map<string, [field: string, id: number]>();
  for (const { before, after, project_id } of entries) {
    if (project_id !== null) found.set(`project_id ${project_id}`, ['project_id', project_id]);
    for (const values of [before, after])
      for (const field of FIELDS)
        for (const id of [values?.[field]].flat())
          if (typeof id === 'number' && Number.isInteger(id)) found.set(`${field} ${id}`, [field, id]);
  }
  if (found.size === 0) return {};
  const pairs = [...found.values()];
  const rows = await readNamesOfFields(
    db,
    pairs.map(([field]) => field),
    pairs.map(([, id]) => id),
  );
  const names: Record<string, Record<string, string>> = {};
  for (const { field, id, name } of rows) if (name !== null) (names[field] ??= {})[id] = name;
  return names;
}
