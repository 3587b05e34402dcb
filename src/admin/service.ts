/** Single changes of the configuration: partner tokens and switches (decisions.md §2). */
import type { Postgres, Queryable, Row } from '../db/postgres';
import { ApiError } from '../errors';
import { newSecret, sha256 } from '../secrets';
import { retireTokens, revokeTokens } from './queries';
import { change } from '../projects/change';
import { putSwitches } from './workspace';
import type { Switches } from './workspace-schema';

/** How long a token still works after a newer one has replaced it (spec.md, Limits). */
const FORMER_TOKEN_MS = 24 * 3_600_000;

async function mustExist(db: Queryable, table: 'partners' | 'projects', id: number): Promise<void> {
  const [row] = await db.rows(`SELECT id FROM ${table} WHERE id = $1`, [id]);
  if (!row) throw new ApiError(404, table === 'partners' ? 'Partner not found.' : 'Project not found.');
}

/** Creates a token. Those before it work for another 24 hours, each counted from its own replacement. */
export function rotateToken(postgres: Postgres, partnerId: number, now: number): Promise<{ token: string; former_valid_until: string | null }> {
  return change(postgres, async (db) => {
    await mustExist(db, 'partners', partnerId);
    const [former] = await retireTokens(db, partnerId, new Date(now + FORMER_TOKEN_MS));
    const token = newSecret('partner_token');
    await db.rows('INSERT INTO partner_tokens (partner_id, sha256) VALUES ($1, $2)', [partnerId, sha256(token)]);
    return { token, former_valid_until: former?.valid_until.toISOString() ?? null };
  });
}

/** Revokes every token of a partner, former ones too, at once. */
export function revokePartnerTokens(postgres: Postgres, partnerId: number): Promise<void> {
  return change(postgres, async (db) => {
    await mustExist(db, 'partners', partnerId);
    await revokeTokens(db, partnerId);
  });
}

/** Sets switches of a partner in a project and answers with all of them. */
export function setSwitches(postgres: Postgres, projectId: number, partnerId: number, wanted: Switches): Promise<Row> {
  return change(postgres, async (db) => {
    await mustExist(db, 'projects', projectId);
    await mustExist(db, 'partners', partnerId);
    return putSwitches(db, { created: 0, updated: 0, unchanged: 0 }, projectId, partnerId, wanted, 'body');
  });
}
