/** What every change of a partner or a project needs to be there. */
import type { Queryable } from '../db/postgres';
import { ApiError } from '../errors';

const WHAT = { partners: 'Partner', projects: 'Project' } as const;

/** @throws ApiError 404 when there is no such partner or project. */
export async function mustExist(db: Queryable, table: keyof typeof WHAT, id: number): Promise<void> {
  const [row] = await db.rows(`SELECT id FROM ${table} WHERE id = $1`, [id]);
  if (!row) throw new ApiError(404, `${WHAT[table]} not found.`);
}
