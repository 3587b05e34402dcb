/** What the pages for engineers ask: the schema, statements, saved queries. */
import { queryOptions } from '@tanstack/react-query';
import { unwrapData, projectApi } from './client';
import type { components, paths } from '@adtrail/client';

type Schemas = components['schemas'];
export type SqlTable = Schemas['SqlTable'];
export type SqlResult = Schemas['SqlResult'];
export type SqlSchema = paths['/api/v1/schema']['get']['responses']['200']['content']['application/json'];
export type SavedQuery = Schemas['SavedQuery'];

export const schemaQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['schema', projectId],
    queryFn: ({ signal }) => unwrapData(projectApi(projectId).GET('/api/v1/schema', { signal })),
  });

export const savedQueriesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['saved queries', projectId],
    queryFn: async ({ signal }) =>
      (await unwrapData(projectApi(projectId).GET('/api/v1/saved-queries', { signal }))).saved_queries,
  });

/** The rows of a statement; asked once, until it is run again. Giving it up ends the statement in ClickHouse, too. */
export const sqlQuery = (projectId: number, query: string | undefined) =>
  queryOptions({
    queryKey: ['sql', projectId, query],
    queryFn: ({ signal }): Promise<SqlResult> =>
      unwrapData(projectApi(projectId).POST('/api/v1/sql', { body: { query: query ?? '' }, signal })),
    enabled: query !== undefined,
    staleTime: Infinity,
    retry: false,
  });
