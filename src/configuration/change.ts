/** How the configuration is changed: one change after the other, and every process told. */
import type { Postgres, Queryable } from '../db/postgres';

/**
 * Runs `work` as one change of the configuration, alone among all processes; other processes are told when it
 * commits.
 */
export async function change<T>(postgres: Postgres, work: (db: Queryable, revision: number) => Promise<T>): Promise<T> {
  return postgres.tx(async (db) => {
    const [row] = await db.rows<{ revision: number }>(
      'UPDATE configuration SET revision = revision + 1 RETURNING revision',
    );
    const result = await work(db, row?.revision as number);
    await db.rows("SELECT pg_notify('adtrail_configuration', '')");
    return result;
  });
}
