/** Scheduled exports of a project, as queries and as what changes them. */
import type { components, paths } from '@adtrail/client';
import { queryOptions } from '@tanstack/react-query';
import { projectApi, unwrapData } from './client';
import { queryClient } from './queries';

export type ScheduledExport = components['schemas']['ScheduledExport'];
export type ExportEntry = paths['/api/v1/exports']['post']['requestBody']['content']['application/json'];
export type ExportChanges = paths['/api/v1/exports/{id}']['patch']['requestBody']['content']['application/json'];
export type DryRun = paths['/api/v1/exports/dry-run']['post']['responses']['200']['content']['application/json'];

const SOON_MS = 2_000;
const LATER_MS = 15_000;
const key = (projectId: number) => ['exports', projectId] as const;
const isBusy = ({ enabled, state }: ScheduledExport) => enabled && (state === 'writing' || state === 'failing');

export const exportsQuery = (projectId: number) =>
  queryOptions({
    queryKey: key(projectId),
    queryFn: ({ signal }) => unwrapData(projectApi(projectId).GET('/api/v1/exports', { signal })),
    staleTime: 0,
    // They are written in the background.
    refetchInterval: ({ state }) => (state.data?.exports.some(isBusy) ? SOON_MS : LATER_MS),
  });
export const forgetExports = (projectId: number) => queryClient.invalidateQueries({ queryKey: key(projectId) });

const at = (id: number) => ({ path: { id } });
export const createExport = (projectId: number, body: ExportEntry) =>
  unwrapData(projectApi(projectId).POST('/api/v1/exports', { body }));
export const tryExport = (projectId: number, body: ExportEntry): Promise<DryRun> =>
  unwrapData(projectApi(projectId).POST('/api/v1/exports/dry-run', { body }));
export const changeExport = (projectId: number, id: number, body: ExportChanges) =>
  unwrapData(projectApi(projectId).PATCH('/api/v1/exports/{id}', { params: at(id), body }));
export const deleteExport = (projectId: number, id: number) =>
  projectApi(projectId).DELETE('/api/v1/exports/{id}', { params: at(id) });
export const backfillExport = (projectId: number, id: number, body: { from: string; to: string }) =>
  unwrapData(projectApi(projectId).POST('/api/v1/exports/{id}/backfill', { params: at(id), body }));
