/** The queries behind keys and readers of projects, one function per statement of sql/queries. */
import { postgresQuery } from '../db/sql';

export const readKeys = postgresQuery('keys.list');
export const createKey = postgresQuery<{ id: number; kind: string }>('keys.create');
export const renameKey = postgresQuery('keys.rename');
export const revokeKey = postgresQuery('keys.revoke');
export const createReader = postgresQuery('keys.create-reader');
export const endReader = postgresQuery('keys.end-reader');
export const readReaders = postgresQuery<{ name: string; project_id: number; ended: boolean; suspended: boolean }>(
  'keys.readers',
);
