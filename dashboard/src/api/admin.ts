/** What the pages of administration ask (`/admin/v1`), as queries of TanStack Query. */
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapData } from './client';
import type { components } from '@adtrail/client';

type Schemas = components['schemas'];
export type ProjectSettings = Schemas['ProjectSettings'];
export type Project = Schemas['Project'];
export type ProjectKey = Schemas['ProjectKey'];
export type KeyKind = ProjectKey['kind'];
export type Setup = Schemas['Setup'];
export type SetupStep = Setup['steps'][number]['step'];
export type NetworkAccount = Schemas['NetworkAccount'];
export type App = Schemas['App'];
export type Domain = Schemas['Domain'];
export type StoreListing = Schemas['ProjectStoreListing'];
export type Channel = Schemas['ProjectChannel'];
export type UploadedRates = Schemas['UploadedRates'];
export type WorkspaceChange = Schemas['WorkspaceChange'];
export type Rate = Schemas['ExchangeRate'];
export type Receipt = Schemas['Receipt'];
export type PersonCounts = Schemas['PersonCounts'];
export type Status = Schemas['Status'];
export type Workspace = Schemas['Workspace'];
export type Applied = Schemas['AppliedWorkspace'];

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await unwrapData(api.GET('/admin/v1/projects', { signal }))).projects,
});

export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: async ({ signal }) => (await unwrapData(api.GET('/admin/v1/accounts', { signal }))).accounts,
});

export const allPartnersQuery = queryOptions({
  queryKey: ['all partners'],
  queryFn: async ({ signal }) => (await unwrapData(api.GET('/admin/v1/partners', { signal }))).partners,
});

export const ratesQuery = queryOptions({
  queryKey: ['exchange rates'],
  queryFn: async ({ signal }) => (await unwrapData(api.GET('/admin/v1/exchange_rates', { signal }))).exchange_rates,
});

/** What a project consists of: its keys begin alike, so that a change of the project asks for all of it again. */
const of = (id: number, what: string) => ['project', id, what] as const;
const at = (id: number, signal: AbortSignal) => ({ params: { path: { id } }, signal });

export const keysQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'keys'),
    queryFn: async ({ signal }) => (await unwrapData(api.GET('/admin/v1/projects/{id}/keys', at(id, signal)))).keys,
  });

export const setupQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'setup'),
    queryFn: ({ signal }) => unwrapData(api.GET('/admin/v1/projects/{id}/setup', at(id, signal))),
  });

export const networkAccountsQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'network_accounts'),
    queryFn: async ({ signal }) =>
      (await unwrapData(api.GET('/admin/v1/projects/{id}/network_accounts', at(id, signal)))).network_accounts,
  });

export const appsQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'apps'),
    queryFn: async ({ signal }) => (await unwrapData(api.GET('/admin/v1/projects/{id}/apps', at(id, signal)))).apps,
  });

export const domainsQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'domains'),
    queryFn: async ({ signal }) =>
      (await unwrapData(api.GET('/admin/v1/projects/{id}/domains', at(id, signal)))).domains,
  });

export const listingsQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'store_listings'),
    queryFn: async ({ signal }) =>
      (await unwrapData(api.GET('/admin/v1/projects/{id}/store_listings', at(id, signal)))).store_listings,
  });

export const channelsQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'channels'),
    queryFn: async ({ signal }) =>
      (await unwrapData(api.GET('/admin/v1/projects/{id}/channels', at(id, signal)))).channels,
  });

export const receiptsQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'forgotten'),
    queryFn: async ({ signal }) =>
      (await unwrapData(api.GET('/admin/v1/projects/{id}/forgotten', at(id, signal)))).forgotten,
  });

export const readersQuery = (id: number) =>
  queryOptions({
    queryKey: of(id, 'readers'),
    queryFn: ({ signal }) => unwrapData(api.GET('/admin/v1/projects/{id}/readers', at(id, signal))),
  });

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => unwrapData(api.GET('/admin/v1/status', { signal })),
});
