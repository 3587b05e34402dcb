/** The system campaign of a project, which comes with its primary domain. */
import type { Queryable } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { newDisplayId } from './display-id';

const add = postgresQuery('configuration.system-campaign');

/** Makes it, at that revision, where the project has a primary domain and no system campaign yet. */
export async function addSystemCampaign(db: Queryable, projectId: number, revision: number): Promise<void> {
  await add(db, projectId, newDisplayId(), revision);
}
