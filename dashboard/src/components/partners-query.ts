/** The partners that work with a project, for who has to choose one. */
import { queryOptions } from '@tanstack/react-query';
import { unwrapData, projectApi } from '../api/client';

/** The quality of each partner, of a range of days (inclusive, in the project's zone). */
export const partnerQualityQuery = (projectId: number, from: string, to: string) =>
  queryOptions({
    queryKey: ['partner-quality', projectId, from, to],
    queryFn: ({ signal }) =>
      unwrapData(projectApi(projectId).GET('/api/v1/partner-quality', { params: { query: { from, to } }, signal })),
  });
