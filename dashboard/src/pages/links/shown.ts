/** The links of the list: campaigns, with what is known of their links and how often they were clicked lately. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReport } from '../../api/queries';
import { todayIn } from '../../period';
import { useFormats } from '../../session';
import { campaignName, channelName } from './names';
import { campaignsQuery, linksQuery, type Campaign, type Link, type State } from './queries';

/** A campaign, with what is known of its link and how often it was clicked lately; undefined until it is there. */
export interface Shown extends Campaign {
  readonly its: Link | undefined;
  readonly clicks: number | null | undefined;
}

export const matches = (campaign: Shown, search: string) =>
  [campaignName(campaign), campaign.display_id, channelName(campaign), campaign.its?.short_url]
    .join('\n')
    .toLowerCase()
    .includes(search.toLowerCase());

export const toCsvRow = ({
  display_id,
  name,
  active,
  shareable_link,
  link,
  website,
  attributed_users,
  its,
  clicks,
}: Shown) => ({
  display_id,
  name,
  active,
  state: its?.state ?? '',
  short_url: its?.short_url ?? '',
  tags: its?.tags.join(', ') ?? '',
  clicks: clicks ?? null,
  shareable_link,
  link,
  website,
  attributed_users,
});

const DAY = 86_400_000;

/** Clicks by campaign of the last 28 days, today included. */
function useClicks(projectId: number): ReadonlyMap<string, number | null> | undefined {
  const today = todayIn(useFormats().timezone);
  const from = new Date(Date.parse(today) - 27 * DAY).toISOString().slice(0, 10);
  const { data } = useReport(projectId, {
    source: 'app',
    metrics: ['clicks'],
    dimensions: ['campaign'],
    from,
    to: today,
    limit: 10_000,
  });
  return useMemo(
    () => data && new Map(data.results.map((row) => [row.dimensions[0] ?? '', row.metrics[0] ?? null])),
    [data],
  );
}

/** Campaigns with their links and clicks, as far as they are there. */
export function useShown(projectId: number, state: State) {
  const campaigns = useQuery(campaignsQuery(projectId, state));
  const links = useQuery(linksQuery(projectId));
  const clicks = useClicks(projectId);
  const rows = useMemo(() => {
    const byId = new Map((links.data ?? []).map((link) => [link.display_id, link]));
    return campaigns.data?.map((one): Shown => ({
      ...one,
      its: byId.get(one.display_id),
      clicks: clicks && (clicks.has(one.display_id) ? clicks.get(one.display_id) : 0),
    }));
  }, [campaigns.data, links.data, clicks]);
  return { ...campaigns, error: campaigns.error ?? links.error, data: rows };
}
