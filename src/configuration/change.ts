/** How the configuration is changed: one change after the other, noted in the audit log, and every process told. */
import type { Postgres, Queryable } from '../db/postgres';

/** Who changes something, as the audit log shows it. */
export interface Actor {
  readonly kind: 'user' | 'admin_token' | 'server_key' | 'service';
  /** The person, where it is one. */
  readonly userId?: number;
  readonly name: string;
  /** The address that the request came from. */
  readonly address?: string;
}

/** The service itself, for example when an ad network first names a campaign. */
export const SERVICE: Actor = { kind: 'service', name: 'adtrail' };

/** Runs `work` in one transaction whose changes the audit log ascribes to `actor`; all processes are notified of it. */
export function changeAs<T>(postgres: Postgres, actor: Actor, work: (db: Queryable) => Promise<T>): Promise<T> {
  const { kind, userId, name, address } = actor;
  return postgres.tx(async (db) => {
    const setting = JSON.stringify({ kind, user_id: userId, name, address });
    await db.rows("SELECT set_config('adtrail.actor', $1, true)", [setting]);
    const result = await work(db);
    await db.rows("SELECT pg_notify('adtrail_configuration', '')");
    return result;
  });
}

/**
 * Runs `work` as one change of the configuration, alone among all processes.
 */
export async function change<T>(
  postgres: Postgres,
  actor: Actor,
  work: (db: Queryable, revision: number) => Promise<T>,
): Promise<T> {
  return changeAs(postgres, actor, async (db) => {
    const [row] = await db.rows<{ revision: number }>(
      'UPDATE configuration SET revision = revision + 1 RETURNING revision',
    );
    return work(db, row?.revision as number);
  });
}
