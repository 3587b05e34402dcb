/** Custom channels of a project, as administration sees them (docs/contract/workspace.md). */
import { change, type Actor } from '../configuration/change';
import type { Postgres } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { ApiError } from '../errors';

export const readChannels = postgresQuery('channels.list');
const deactivate = postgresQuery('channels.deactivate');

/** Deactivates one. Campaigns keep it; nothing new gets it, and its name stays taken. */
export function deactivateChannel(postgres: Postgres, actor: Actor, projectId: number, slug: string): Promise<void> {
  return change(postgres, actor, async (db) => {
    const [row] = await deactivate(db, projectId, slug);
    if (!row) throw new ApiError(404, 'Channel not found.');
  });
}
