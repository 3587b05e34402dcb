/** Single changes of partners: their tokens and switches (docs/contract/workspace.md). */
import { change, type Actor } from '../configuration/change';
import { mustExist } from '../configuration/must-exist';
import { putSwitches, type Switches } from '../configuration/partner-switches';
import { noTally } from '../configuration/upsert';
import type { Postgres, Row } from '../db/postgres';
import { newSecret, sha256 } from '../lib/secrets';
import { DAY_MS } from '../lib/time';
import * as queries from './queries';

/** How long a token still works after a newer one has replaced it (docs/contract/main-api.md). */
const FORMER_TOKEN_MS = DAY_MS;

/** Creates a token. Those before it work for another 24 hours, each counted from its own replacement. */
export function rotateToken(
  postgres: Postgres,
  actor: Actor,
  partnerId: number,
  now: number,
): Promise<{ token: string; former_valid_until: string | null }> {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'partners', partnerId);
    const [former] = await queries.retireTokens(db, partnerId, new Date(now + FORMER_TOKEN_MS));
    const token = newSecret('partner_token');
    await db.rows('INSERT INTO partner_tokens (partner_id, sha256) VALUES ($1, $2)', [partnerId, sha256(token)]);
    return { token, former_valid_until: former?.valid_until.toISOString() ?? null };
  });
}

/** Revokes every token of a partner, former ones too, at once. */
export function revokeTokens(postgres: Postgres, actor: Actor, partnerId: number): Promise<void> {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'partners', partnerId);
    await queries.revokeTokens(db, partnerId);
  });
}

/** Sets switches of a partner in a project and answers with all of them. */
export function setSwitches(
  postgres: Postgres,
  actor: Actor,
  projectId: number,
  partnerId: number,
  wanted: Switches,
): Promise<Row> {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'projects', projectId);
    await mustExist(db, 'partners', partnerId);
    return putSwitches(db, noTally(), projectId, partnerId, wanted, 'body');
  });
}
