/** The queries behind spend, one function per statement of sql/queries. */
import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';

const texts = {
  accounts: readQuery('sql', 'collect.network-accounts'),
  campaigns: readQuery('sql', 'collect.campaigns'),
  receipt: readQuery('sql', 'collect.spend-receipt'),
};

/** Our IDs of a project's accounts by their external_customer_id. */
export async function readAccounts(db: Queryable, projectId: number): Promise<Map<string, number>> {
  return new Map(
    (await db.rows<{ external_customer_id: string; id: number }>(texts.accounts, [projectId])).map((row) => [
      row.external_customer_id,
      row.id,
    ]),
  );
}

/** Our IDs of a project's campaigns of these display_ids. */
export async function readCampaigns(
  db: Queryable,
  projectId: number,
  displayIds: readonly string[],
): Promise<Map<string, number>> {
  if (displayIds.length === 0) return new Map();
  return new Map(
    (await db.rows<{ display_id: string; id: number }>(texts.campaigns, [projectId, displayIds])).map((row) => [
      row.display_id,
      row.id,
    ]),
  );
}

/** The number of a receipt, greater than that of every earlier one. */
export async function nextReceipt(db: Queryable): Promise<number> {
  return (await db.rows<{ receipt: number }>(texts.receipt))[0]?.receipt as number;
}
