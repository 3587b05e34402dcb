/** The campaigns of a project as they are configured, with or without figures. */
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { unwrapData, projectApi } from './client';
import type { paths } from '@adtrail/client';
import { queryClient } from './queries';

type List = paths['/api/v1/campaigns']['get']['responses']['200']['content']['application/json'];
export type Campaign = List['data']['campaigns'][number];

const PAGE = 1_000;
/** Beyond these the reports alone say which campaigns there are. */
const MAX_PAGES = 10;

async function allCampaigns(projectId: number, signal: AbortSignal): Promise<Campaign[]> {
  const found: Campaign[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { page, limit: PAGE };
    const { data } = await unwrapData(projectApi(projectId).GET('/api/v1/campaigns', { params: { query }, signal }));
    found.push(...data.campaigns);
    if (page >= data.pagination.pages) break;
  }
  return found;
}

const campaignsKey = (projectId: number) => ['campaigns', projectId];

export const useCampaigns = (projectId: number) =>
  useQuery(
    queryOptions({ queryKey: campaignsKey(projectId), queryFn: ({ signal }) => allCampaigns(projectId, signal) }),
  );

/** Pauses a campaign or makes it active again. */
export const useSetActive = (projectId: number) =>
  useMutation({
    mutationFn: ({ displayId, active }: { displayId: string; active: boolean }) =>
      unwrapData(
        projectApi(projectId).PATCH('/api/v1/campaigns/{display_id}', {
          params: { path: { display_id: displayId } },
          body: { active },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: campaignsKey(projectId) }),
  });
