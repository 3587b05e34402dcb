/** What the pages of a partner ask. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrapData } from './client';
import type { components } from '@adtrail/client';

export type PartnerCampaign = components['schemas']['PartnerCampaign'];
export type Traffic = components['schemas']['PartnerTraffic'];
export type CreditedInstall = components['schemas']['CreditedInstall'];

/** The most that the API gives at once. */
const ALL = 1000;

export const campaignsQuery = (id: number, { search = '', page = 1, limit = ALL } = {}) =>
  queryOptions({
    queryKey: ['partner-campaigns', id, search, page, limit],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { page, limit, ...(search && { search }) } };
      return unwrapData(api.GET('/admin/v1/partners/{id}/campaigns', { params, signal }));
    },
    placeholderData: keepPreviousData,
  });

interface Asked {
  readonly from: string;
  readonly to: string;
  readonly granularity: 'hour' | 'day';
  /** Undefined for all. */
  readonly project_id?: number;
}

export const trafficQuery = (id: number, { from, to, granularity, project_id }: Asked) =>
  queryOptions({
    queryKey: ['partner-traffic', id, from, to, granularity, project_id],
    queryFn: ({ signal }) => {
      const query = { from, to, granularity, ...(project_id !== undefined && { project_id }) };
      return unwrapData(api.GET('/admin/v1/partners/{id}/traffic', { params: { path: { id }, query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

export const trafficByProjectQuery = (id: number, { from, to }: Pick<Asked, 'from' | 'to'>) =>
  queryOptions({
    queryKey: ['partner-traffic-by-project', id, from, to],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { from, to } };
      return unwrapData(api.GET('/admin/v1/partners/{id}/traffic/projects', { params, signal }));
    },
    placeholderData: keepPreviousData,
  });

export const trafficByCampaignQuery = (id: number, { from, to, project_id }: Omit<Asked, 'granularity'>) =>
  queryOptions({
    queryKey: ['partner-traffic-by-campaign', id, from, to, project_id],
    queryFn: ({ signal }) => {
      const query = { from, to, limit: ALL, ...(project_id !== undefined && { project_id }) };
      const params = { path: { id }, query };
      return unwrapData(api.GET('/admin/v1/partners/{id}/traffic/campaigns', { params, signal }));
    },
    placeholderData: keepPreviousData,
  });

export const creditedQuery = (id: number, { from, to, project_id }: Omit<Asked, 'granularity'>, limit: number) =>
  queryOptions({
    queryKey: ['partner-credited', id, from, to, project_id, limit],
    queryFn: ({ signal }) => {
      const query = { from, to, limit, ...(project_id !== undefined && { project_id }) };
      return unwrapData(api.GET('/admin/v1/partners/{id}/credited', { params: { path: { id }, query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

export const tokensQuery = (id: number) =>
  queryOptions({
    queryKey: ['partner-tokens', id],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/admin/v1/partners/{id}/tokens', { params: { path: { id } }, signal })),
  });

/** The projects in which a partner has campaigns, by name. */
export function listProjects(campaigns: readonly PartnerCampaign[] | undefined) {
  const names = new Map(campaigns?.map(({ project_id, project, account }) => [project_id, { project, account }]));
  return [...names]
    .map(([id, { project, account }]) => ({ id, name: project, account }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
