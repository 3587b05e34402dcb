/** What to paste into a shell or a page: whole requests, with what the project has. */
import { curlCall, shellWord } from './shell';

const readOrigin = () => window.location.origin;
const JSON_BODY = 'Content-Type: application/json';

/** A first install. Each one that is shown is another one: what is pasted later is not taken for a repeat. */
export function buildInstall(header: 'app-key' | 'service-key', key: string, appId: string, at: Date): string {
  const id = `test-${at.getTime()}`;
  const event = { event_id: id, type: 'install', time: at.toISOString(), app_id: appId, install_id: id };
  return curlCall(`${readOrigin()}/collect/v1/app`, {
    headers: [`${header}: ${key}`, JSON_BODY],
    body: JSON.stringify({ events: [event] }, null, 2),
  });
}

export const buildScript = (key: string): string =>
  `<script defer src="${readOrigin()}/adtrail.js" data-key="${key}"></script>`;

/** A first page view, for a website that has no script yet. */
export function buildPageView(key: string, site: string, at: Date): string {
  const id = `test-${at.getTime()}`;
  const event = {
    event_id: id,
    type: 'page_view',
    time: at.toISOString(),
    visitor_id: id,
    session_id: id,
    url: `${site}?utm_source=test&utm_medium=cpc&utm_campaign=first`,
  };
  return curlCall(`${readOrigin()}/collect/v1/web`, {
    headers: [`web-key: ${key}`, JSON_BODY],
    body: JSON.stringify({ events: [event] }, null, 2),
  });
}

export const buildCampaignList = (key: string): string =>
  curlCall(`${readOrigin()}/api/v1/campaigns`, { headers: [`service-key: ${key}`] });

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';

/**
 * A click on a tracking link, sent to the service itself: it counts before DNS leads the domain here. What names itself
 * curl would be taken for a robot.
 */
export const buildClick = (domain: string, displayId: string): string =>
  curlCall(`${readOrigin()}/?c=${encodeURIComponent(displayId)}`, {
    headers: [`Host: ${domain}`],
    options: `-i -A ${shellWord(PHONE)} `,
  });

/** What a campaign of an ad network cost on one day. */
export function buildSpend(key: string, network: string, account: string, currency: string, day: string): string {
  const row = {
    date: day,
    network,
    account,
    campaign_id: 'test-1',
    campaign_name: 'Test campaign',
    spend: '12.50',
    currency,
  };
  return curlCall(`${readOrigin()}/collect/v1/spend`, {
    headers: [`service-key: ${key}`, JSON_BODY],
    options: '-X PUT ',
    body: JSON.stringify({ rows: [row] }, null, 2),
  });
}
