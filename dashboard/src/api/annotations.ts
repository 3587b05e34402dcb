/** Dated notes of a project. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { projectApi, unwrapData } from './client';
import type { components, paths } from '@adtrail/client';
import { queryClient } from './queries';

export type Annotation = components['schemas']['Annotation'];
export type AnnotationEntry = paths['/api/v1/annotations']['post']['requestBody']['content']['application/json'];

interface Days {
  readonly from: string;
  readonly to: string;
}

const annotationsQuery = (projectId: number, { from, to }: Days) =>
  queryOptions({
    queryKey: ['annotations', projectId, from, to],
    queryFn: async ({ signal }) => {
      const params = { query: { from, to } };
      const answer = await unwrapData(projectApi(projectId).GET('/api/v1/annotations', { params, signal }));
      return answer.annotations;
    },
  });

/** Those of these days; undefined while they are not known. */
export const useAnnotations = (projectId: number, { from, to }: Days): readonly Annotation[] | undefined =>
  useQuery(annotationsQuery(projectId, { from, to })).data;

const forget = (projectId: number) => queryClient.invalidateQueries({ queryKey: ['annotations', projectId] });

/** Writes a note, or changes the one of that ID. */
export async function saveAnnotation(projectId: number, id: number | undefined, body: AnnotationEntry): Promise<void> {
  await (id === undefined
    ? unwrapData(projectApi(projectId).POST('/api/v1/annotations', { body }))
    : unwrapData(projectApi(projectId).PUT('/api/v1/annotations/{id}', { params: { path: { id } }, body })));
  await forget(projectId);
}

export async function deleteAnnotation(projectId: number, id: number): Promise<void> {
  await projectApi(projectId).DELETE('/api/v1/annotations/{id}', { params: { path: { id } } });
  await forget(projectId);
}
