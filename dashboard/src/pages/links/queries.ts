/** What the pages of links ask and change. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, unwrapData, projectApi } from '../../api/client';
import type { components, paths } from '@adtrail/client';
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
export const qrQuery = (
  projectId: number,
  displayId: string,
  colours?: { readonly dark: string; readonly light: string },
) =>
  queryOptions({
    queryKey: ['campaigns', projectId, 'qr', displayId, colours],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrapData<string>(
        projectApi(projectId).GET('/api/v1/links/{display_id}/qr', {
          params: {
            path: { display_id: displayId },
            query: colours && { dark: colours.dark.slice(1), light: colours.light.slice(1) },
          },
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

export type Link = components['schemas']['Link'];
export type LinkSettings = components['schemas']['LinkSettings'];
export type NewLink = components['schemas']['NewLink'];
export type LinkEdits = components['schemas']['LinkEdits'];
export type UtmRules = Partial<components['schemas']['UtmRules']>;
export type ImportedLinks = components['schemas']['ImportedLinks'];

async function allLinks(projectId: number, signal: AbortSignal): Promise<Link[]> {
  const found: Link[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { limit: PAGE, page };
    const { links, pagination } = await unwrapData(
      projectApi(projectId).GET('/api/v1/links', { params: { query }, signal }),
    );
    found.push(...links);
    pages = pagination.pages;
  }
  return found;
}

export const linksQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['campaigns', projectId, 'all-links'],
    queryFn: ({ signal }) => allLinks(projectId, signal),
  });

export const linkQuery = (projectId: number, displayId: string) =>
  queryOptions({
    queryKey: ['campaigns', projectId, 'link', displayId],
    queryFn: ({ signal }) =>
      unwrapData(
        projectApi(projectId).GET('/api/v1/links/{display_id}', {
          params: { path: { display_id: displayId } },
          signal,
        }),
      ),
  });

/** Domains of links, each with whether its links work. */
export const linkDomainsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['campaigns', projectId, 'link-domains'],
    queryFn: async ({ signal }) =>
      (await unwrapData(projectApi(projectId).GET('/api/v1/link-domains', { signal }))).domains,
  });

export const utmRulesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['campaigns', projectId, 'utm-rules'],
    queryFn: ({ signal }) => unwrapData(projectApi(projectId).GET('/api/v1/utm-rules', { signal })),
  });

export const createLink = (projectId: number, body: NewLink) =>
  unwrapData(projectApi(projectId).POST('/api/v1/links', { body }));

export const changeLink = (projectId: number, displayId: string, body: LinkSettings) =>
  unwrapData(
    projectApi(projectId).PATCH('/api/v1/links/{display_id}', { params: { path: { display_id: displayId } }, body }),
  );

export const editLinks = (projectId: number, body: LinkEdits) =>
  unwrapData(projectApi(projectId).POST('/api/v1/link-edits', { body }));

export const putUtmRules = (projectId: number, { lower_case = false, ...rules }: UtmRules) =>
  unwrapData(projectApi(projectId).PUT('/api/v1/utm-rules', { body: { lower_case, ...rules } }));

/** Makes the links of a file, or says what would become of them. */
export const importLinks = (projectId: number, file: string, dryRun: boolean): Promise<ImportedLinks> =>
  unwrapData(
    projectApi(projectId).POST('/api/v1/link-imports', {
      params: { query: { dry_run: dryRun } },
      body: file,
      bodySerializer: (body: string) => body,
      headers: { 'Content-Type': 'text/csv' },
    }),
  );
