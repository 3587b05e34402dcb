/** Statements that a project keeps (docs/contract/sql.md). */
import type { Postgres } from '../db/postgres';
import { refuseTaken } from '../db/violations';
import { ApiError } from '../errors';
import type { SavedInput } from './input';
import * as queries from './queries';
import { MAX_SAVED } from './schema';

export const { listSaved, deleteSaved } = queries;
const throwTaken = refuseTaken('saved query');

/** @throws ApiError 409 for a name that is taken, or when the project has as many as it may. */
export async function createSaved(postgres: Postgres, projectId: number, wanted: SavedInput, createdBy: string) {
  const row = await queries.createSaved(postgres, projectId, wanted, createdBy, MAX_SAVED).catch(throwTaken);
  if (!row) throw new ApiError(409, `A project has at most ${MAX_SAVED} saved queries.`);
  return row;
}

/** @throws ApiError 404 when the project has none of that ID, 409 for a name that is taken. */
export async function changeSaved(postgres: Postgres, projectId: number, id: number, wanted: SavedInput) {
  const row = await queries.changeSaved(postgres, projectId, id, wanted).catch(throwTaken);
  if (!row) throw new ApiError(404, 'Saved query not found.');
  return row;
}
