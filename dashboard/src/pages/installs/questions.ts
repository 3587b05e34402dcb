/** What the list of installs asks. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapData, projectApi } from '../../api/client';
import type { components, paths } from '@adtrail/client';
import type { Static } from '../../search';
import type { installsSearch } from './search';
import { curlCall } from '../../shell';

export type Install = components['schemas']['Install'];
export type View = Static<typeof installsSearch>;
type Parameters = NonNullable<paths['/api/v1/installs']['get']['parameters']['query']>;

const LIVE_MS = 2_000;
const MAX_CAMPAIGNS = 1_000;

/** The parameters of the API for a view. */
export function buildParameters({ search, show, suspicious, campaign, partner, from, to, before }: View): Parameters {
  return {
    ...(search !== undefined && { search }),
    ...(show !== 'all' && !(campaign !== undefined && show === 'organic') && { organic: show === 'organic' }),
    ...(suspicious && { suspicious }),
    ...(campaign !== undefined && { display_id: campaign }),
    ...(partner !== undefined && { partner_id: partner }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && (from === undefined || from <= to) && { to }),
    ...(before !== undefined && { before }),
  };
}

/** Only the latest installs are live: what is older stays as it is. */
export const isLive = (view: View) => !view.paused && view.before === undefined;

/** Asked again every two seconds, as long as the page is visible. */
export const installsQuery = (projectId: number, view: View) =>
  queryOptions({
    queryKey: ['installs', projectId, buildParameters(view)],
    queryFn: ({ signal }) =>
      unwrapData(projectApi(projectId).GET('/api/v1/installs', { params: { query: buildParameters(view) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: isLive(view) ? LIVE_MS : false,
  });

export const campaignNamesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['campaign-names', projectId],
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_CAMPAIGNS };
      const { data } = await unwrapData(
        projectApi(projectId).GET('/api/v1/campaigns', { params: { query }, signal }),
      ).then((answer) => ({ data: answer?.data }));
      return (data?.campaigns ?? []).map(({ display_id, name }) => ({ value: display_id, label: name || display_id }));
    },
  });

/** The call as somebody with a key of the project makes it. */
export const buildCurl = (view: View, key: string): string => {
  const query = new URLSearchParams(
    Object.entries(buildParameters(view)).map(([name, value]) => [name, String(value)]),
  );
  const address = `${window.location.origin}/api/v1/installs?${query.toString()}`;
  return curlCall(address, { headers: [`service-key: ${key}`] });
};

/** A row of the list as a file has it. */
export const toCsvRow = ({ campaign, partner, suspicious_reasons: reasons, ...row }: Install) => ({
  ...row,
  display_id: campaign?.display_id ?? null,
  campaign: campaign?.name ?? null,
  partner: partner?.name ?? null,
  suspicious_reasons: reasons.join(' '),
});
