/**
 * The workspace that the simulated traffic belongs to: the demo project with campaigns of networks, web campaigns and a
 * key.
 */
import { DAY_MS } from '../lib/time';
import { DAYS } from './calendar';
import { CAMPAIGNS } from './market';

interface Document {
  readonly projects: readonly Readonly<Record<string, unknown>>[];
}

/** Display_id of the partner's campaign in the demo workspace. */
export const PARTNER_CAMPAIGN = 'demo';

/** The demo workspace with what the traffic needs; it exists since the day before the first event. */
export function trafficWorkspace(demo: Document, serverKey: string, until: number): object {
  const createdAt = new Date(until - (DAYS + 1) * DAY_MS).toISOString();
  const accounts = new Map(
    CAMPAIGNS.map(({ network, account }) => [
      account,
      { network, external_customer_id: account, name: `Demo ${network}`, currency: 'EUR' },
    ]),
  );
  const networkCampaigns = CAMPAIGNS.map(({ displayId, name, network, account, id }) => ({
    display_id: displayId,
    name,
    network,
    network_campaign_id: id,
    network_account: account,
    created_at: createdAt,
  }));
  const projects = demo.projects.map((project) => ({
    ...project,
    created_at: createdAt,
    web_campaigns: true,
    server_keys: [serverKey],
    network_accounts: [...accounts.values()],
    campaigns: [...(project.campaigns as object[]), ...networkCampaigns],
  }));
  return { ...demo, projects };
}
