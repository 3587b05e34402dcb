/** What the pages of links ask and change. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, unwrapData, projectApi } from '../../api/client';
import type { components, paths } from '../../api/generated';
import { queryClient } from '../../api/queries';

export type Campaign = components['schemas']['Campaign'];
export type NewCampaign = components['schemas']['NewCampaign'];
export type CampaignChanges = components['schemas']['CampaignChanges'];
export type Preview =
  paths['/api/v1/links/{display_id}/preview']['get']['responses'][200]['content']['application/json'];
export type State = 'ALL' | 'ACTIVE' | 'INACTIVE';

/** As many as a page of the list has. */
const PAGE = 1000;

async function allCampaigns(projectId: number, filter: State, signal: AbortSignal): Promise<Campaign[]> {
  const found: Campaign[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { filter, limit: PAGE, page };
    const { data } = await unwrapData(projectApi(projectId).GET('/api/v1/campaigns', { params: { query }, signal }));
    found.push(...data.campaigns);
    pages = data.pagination.pages;
  }
  return found;
}

export const campaignsQuery = (projectId: number, filter: State) =>
  queryOptions({
    queryKey: ['campaigns', projectId, 'links', filter],
    queryFn: ({ signal }) => allCampaigns(projectId, filter, signal),
    placeholderData: keepPreviousData,
  });

export const previewQuery = (projectId: number, displayId: string) =>
  queryOptions({
    queryKey: ['campaigns', projectId, 'preview', displayId],
    queryFn: ({ signal }) =>
      unwrapData(
        projectApi(projectId).GET('/api/v1/links/{display_id}/preview', {
          params: { path: { display_id: displayId } },
          signal,
        }),
      ),
  });

/** The code as SVG; null where the link does not work. */
export const qrQuery = (projectId: number, displayId: string) =>
  queryOptions({
    queryKey: ['campaigns', projectId, 'qr', displayId],
    queryFn: ({ signal }) =>
      unwrapData<string>(
        projectApi(projectId).GET('/api/v1/links/{display_id}/qr', {
          params: { path: { display_id: displayId } },
          parseAs: 'text',
          signal,
        }),
      ).catch((error: unknown) => {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }),
  });

const ofProject = (id: number) => ({ params: { path: { id } } });

/** What a new link can choose from. */
export const choicesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['link-choices', projectId],
    queryFn: async () => {
      const [{ domains }, { store_listings: stores }, { channels }] = await Promise.all([
        unwrapData(api.GET('/admin/v1/projects/{id}/domains', ofProject(projectId))),
        unwrapData(api.GET('/admin/v1/projects/{id}/store_listings', ofProject(projectId))),
        unwrapData(api.GET('/admin/v1/projects/{id}/channels', ofProject(projectId))),
      ]);
      return { domains, stores, channels };
    },
  });

export const createCampaign = async (projectId: number, body: NewCampaign) =>
  (await unwrapData(projectApi(projectId).POST('/api/v1/create-campaign', { body }))).data;

export const editCampaign = (projectId: number, displayId: string, body: CampaignChanges) =>
  projectApi(projectId).PATCH('/api/v1/campaigns/{display_id}', {
    params: { path: { display_id: displayId } },
    body,
  });

export const deleteCampaign = (projectId: number, displayId: string) =>
  projectApi(projectId).DELETE('/api/v1/campaigns/{display_id}', { params: { path: { display_id: displayId } } });

/** Everything about the campaigns of a project is asked for again. */
export const forget = (projectId: number) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['campaigns', projectId] }),
    queryClient.invalidateQueries({ queryKey: ['link-choices', projectId] }),
  ]);
