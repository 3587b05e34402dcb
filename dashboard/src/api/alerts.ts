/** Alerts and scheduled reports, as queries and as what changes them. */
import { queryOptions } from '@tanstack/react-query';
import { projectApi, unwrapData } from './client';
import type { components, paths } from '@adtrail/client';
import { queryClient } from './queries';

export type Alert = components['schemas']['Alert'];
export type AlertEvent = components['schemas']['AlertEvent'];
export type Condition = components['schemas']['AlertCondition'];
export type Receiver = components['schemas']['Receiver'];
export type GivenReceiver = components['schemas']['GivenReceiver'];
export type Schedule = components['schemas']['Schedule'];
type Body<P extends '/api/v1/alerts' | '/api/v1/schedules' | '/api/v1/alerts/preview'> =
  paths[P]['post']['requestBody']['content']['application/json'];
export type AlertEntry = Body<'/api/v1/alerts'>;
export type PreviewEntry = Body<'/api/v1/alerts/preview'>;
export type ScheduleEntry = Body<'/api/v1/schedules'>;

const SOON_MS = 2_000;
const LATER_MS = 30_000;
const chooseInterval = (alerts: readonly Alert[] | undefined) =>
  alerts?.some(({ state }) => state.state === 'waiting') ? SOON_MS : LATER_MS;

const key = (kind: string, projectId: number) => [kind, projectId] as const;

export const alertsQuery = (projectId: number) =>
  queryOptions({
    queryKey: key('alerts', projectId),
    queryFn: ({ signal }) => unwrapData(projectApi(projectId).GET('/api/v1/alerts', { signal })),
    staleTime: 0,
    // They are judged in the background, new ones at once.
    refetchInterval: ({ state }) => chooseInterval(state.data?.alerts),
  });
export const alertQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...key('alerts', projectId), id],
    queryFn: ({ signal }) =>
      unwrapData(projectApi(projectId).GET('/api/v1/alerts/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => chooseInterval(state.data && [state.data]),
  });
export const eventsQuery = (projectId: number, id: number, before: number | undefined) =>
  queryOptions({
    queryKey: [...key('alerts', projectId), id, 'events', before],
    queryFn: ({ signal }) =>
      unwrapData(
        projectApi(projectId).GET('/api/v1/alerts/{id}/events', {
          params: { path: { id }, query: before === undefined ? {} : { before } },
          signal,
        }),
      ),
    staleTime: 0,
  });
export type AlertHours = paths['/api/v1/alerts/{id}/hours']['get']['responses'][200]['content']['application/json'];
export const hoursQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...key('alerts', projectId), id, 'hours'],
    queryFn: ({ signal }) =>
      unwrapData(projectApi(projectId).GET('/api/v1/alerts/{id}/hours', { params: { path: { id } }, signal })),
    staleTime: LATER_MS,
    refetchInterval: LATER_MS,
  });
export const previewQuery = (projectId: number, entry: PreviewEntry | undefined) =>
  queryOptions({
    queryKey: ['alert-preview', projectId, entry],
    queryFn: ({ signal }) =>
      unwrapData(projectApi(projectId).POST('/api/v1/alerts/preview', { body: entry as PreviewEntry, signal })),
    enabled: entry !== undefined,
    retry: false,
  });

export const forgetAlerts = (projectId: number) =>
  queryClient.invalidateQueries({ queryKey: key('alerts', projectId) });

/** Makes an alert, or replaces the one of an ID. */
export const saveAlert = (projectId: number, id: number | undefined, body: AlertEntry) =>
  id === undefined
    ? unwrapData(projectApi(projectId).POST('/api/v1/alerts', { body }))
    : unwrapData(projectApi(projectId).PUT('/api/v1/alerts/{id}', { params: { path: { id } }, body }));
export const deleteAlert = (projectId: number, id: number) =>
  projectApi(projectId).DELETE('/api/v1/alerts/{id}', { params: { path: { id } } });
export const testAlert = (projectId: number, id: number) =>
  unwrapData(projectApi(projectId).POST('/api/v1/alerts/{id}/test', { params: { path: { id } } }));
export const testMessages = (projectId: number, id: number) =>
  unwrapData(projectApi(projectId).POST('/api/v1/alerts/{id}/test-message', { params: { path: { id } } }));

export const schedulesQuery = (projectId: number) =>
  queryOptions({
    queryKey: key('schedules', projectId),
    queryFn: ({ signal }) => unwrapData(projectApi(projectId).GET('/api/v1/schedules', { signal })),
    staleTime: 0,
  });
export const boardChoicesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['boards', projectId, 'choices'],
    queryFn: ({ signal }) =>
      unwrapData(projectApi(projectId).GET('/api/v1/boards', { params: { query: { limit: 200 } }, signal })),
    staleTime: 0,
  });
export const forgetSchedules = (projectId: number) =>
  queryClient.invalidateQueries({ queryKey: key('schedules', projectId) });
export const saveSchedule = (projectId: number, id: number | undefined, body: ScheduleEntry) =>
  id === undefined
    ? unwrapData(projectApi(projectId).POST('/api/v1/schedules', { body }))
    : unwrapData(projectApi(projectId).PUT('/api/v1/schedules/{id}', { params: { path: { id } }, body }));
export const deleteSchedule = (projectId: number, id: number) =>
  projectApi(projectId).DELETE('/api/v1/schedules/{id}', { params: { path: { id } } });
export const sendSchedule = (projectId: number, id: number) =>
  unwrapData(projectApi(projectId).POST('/api/v1/schedules/{id}/send', { params: { path: { id } } }));
