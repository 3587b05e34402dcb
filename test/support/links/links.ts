/** Opens tracking links as browsers do, and a workspace with a campaign for every kind of target. */
import http from 'node:http';
import { checkAnswer } from '../http/openapi';
import { eventually, type Service } from '../service';

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 ' +
  'Mobile/15E148 Safari/604.1';
export const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile ' +
  'Safari/537.36';
export const DESKTOP =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

export const DOMAIN = 'go.acme.example';
export const PROJECT_WEBSITE = 'https://acme.example/home';
export const PLAY = 'https://play.google.com/store/apps/details?id=com.acme.shop';
export const APP_STORE = 'https://apps.apple.com/app/id1234567890';
export const LINKS_KEY = 'server-key-of-links';

const campaign = (display_id: string, more: object = {}) => ({ display_id, name: `Campaign ${display_id}`, ...more });
const listings = ['play', 'appstore'];
const FINGERPRINT = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, '0')).join(':');

/** Project Links has a website; Bare has neither website nor anything else; Theirs belongs to somebody else. */
export const linksWorkspace = {
  accounts: [{ name: 'Acme' }, { name: 'Other' }],
  partners: [{ name: 'Mobi Ads', tokens: ['token-of-mobi-ads'] }],
  projects: [
    {
      name: 'Links',
      account: 'Acme',
      timezone: 'UTC',
      website: PROJECT_WEBSITE,
      server_keys: [LINKS_KEY],
      apps: [
        { platform: 'ANDROID', app_id: 'com.acme.shop', sha256_cert_fingerprints: [FINGERPRINT] },
        { platform: 'ANDROID', app_id: 'com.acme.unsigned' },
        { platform: 'IOS', app_id: 'id1234567890', team_id: 'TEAM123456', bundle_id: 'example.acme.shop' },
        { platform: 'IOS', app_id: 'id999', team_id: 'TEAM123456' },
      ],
      domains: [{ name: DOMAIN, primary: true }, { name: 'alt.acme.example' }],
      store_listings: [
        { store_listing_id: 'play', name: 'Play', platform: 'ANDROID', url: PLAY },
        { store_listing_id: 'appstore', name: 'App Store', platform: 'IOS', url: APP_STORE },
        { store_listing_id: 'nowhere', name: 'Nowhere', platform: 'ANDROID', url: null },
        {
          store_listing_id: 'odd',
          name: 'Odd',
          platform: 'ANDROID',
          url: 'https://play.google.com/store/apps/details?id=com.acme.shop&referrer=utm_source%3Dx&hl=de#top',
        },
      ],
      partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
      campaigns: [
        campaign('all', {
          partner: 'Mobi Ads',
          website: 'https://acme.example/campaign',
          ios_web_redirect: 'https://acme.example/ios',
          android_web_redirect: 'https://acme.example/android',
          store_listings: listings,
        }),
        campaign('stores', { website: 'https://acme.example/campaign', store_listings: listings }),
        campaign('onlystores', { store_listings: listings }),
        campaign('website', { website: 'https://acme.example/campaign' }),
        campaign('plain'),
        campaign('urlless', { store_listings: ['nowhere'] }),
        campaign('odd', { store_listings: ['odd'] }),
        campaign('utm', { website: 'https://acme.example/sale?utm_source=fixed&x=1#part' }),
        campaign('ownid', { website: 'https://acme.example/sale?utm_id=own' }),
        campaign('cased', { website: 'https://acme.example/sale?UTM_Source=fixed&gclid=own#part' }),
        campaign('umlaut', { website: 'https://bücher.example/straße?q=größe' }),
        campaign('ios-only', { ios_web_redirect: 'https://acme.example/ios' }),
        campaign('alt', { domain: 'alt.acme.example' }),
        campaign('inactive', { active: false, website: 'https://acme.example/campaign' }),
        campaign('deep', { deeplink: 'acme://product/1', website: 'https://acme.example/campaign' }),
        campaign('edited', { website: 'https://acme.example/before' }),
      ],
    },
    {
      name: 'Bare',
      account: 'Acme',
      timezone: 'UTC',
      domains: [{ name: 'go.bare.example' }],
      store_listings: [
        { store_listing_id: 'play', name: 'Play', platform: 'ANDROID', url: PLAY },
        { store_listing_id: 'appstore', name: 'App Store', platform: 'IOS', url: APP_STORE },
      ],
      campaigns: [
        campaign('bare'),
        campaign('bareplay', { store_listings: ['play'] }),
        campaign('barestores', { store_listings: ['appstore', 'play'] }),
      ],
    },
    {
      name: 'Theirs',
      account: 'Other',
      timezone: 'UTC',
      domains: [{ name: 'go.theirs.example' }],
      campaigns: [campaign('theirs', { website: 'https://theirs.example/' })],
    },
  ],
};

export interface LinkAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly location: string | undefined;
  readonly text: string;
}

export interface Opening {
  readonly host?: string;
  readonly method?: string;
  readonly ua?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly agent?: http.Agent;
}

/**
 * Sends a request with the Host of a tracking domain, an Android browser's unless it says otherwise. An answer that is
 * not as documented fails the test.
 */
export async function openLink(
  service: Pick<Service, 'url'>,
  path: string,
  { host = DOMAIN, method = 'GET', ua = ANDROID, headers = {}, agent }: Opening = {},
): Promise<LinkAnswer> {
  const { hostname, port } = new URL(service.url);
  const answer = await new Promise<LinkAnswer>((resolve, reject) => {
    const sent = { Host: host, ...(ua === '' ? {} : { 'User-Agent': ua }), ...headers };
    const request = http.request(
      { hostname, port, path, method, headers: sent, ...(agent ? { agent } : {}) },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            location: response.headers.location,
            text,
          }),
        );
      },
    );
    request.once('error', reject).end();
  });
  checkAnswer(
    { ...answer, method, path, header: (name) => answer.headers[name.toLowerCase()]?.toString() ?? null },
    /\.example\.?(:\d+)?$/i.test(host),
  );
  return answer;
}

/** The click ID that a Play listing was given; undefined when the location has none. */
export function readClickId(location: string | undefined): string | undefined {
  const referrer = location === undefined ? null : new URL(location).searchParams.get('referrer');
  return referrer === null ? undefined : (new URLSearchParams(referrer).get('svc_ia_id') ?? undefined);
}

export type ClickRow = Record<string, unknown>;

/** The clicks whose s2 is `mark`, as data engineers see them. */
export const readClicks = (service: Service, mark: string) =>
  service.rows<ClickRow>(`SELECT * FROM analytics.clicks WHERE s2 = '${mark}' ORDER BY received_at, click_id`);

/** Campaigns are copied into ClickHouse a little later than their first clicks. */
const isNamed = ({ campaign_id, campaign_display_id }: ClickRow) => campaign_id === 0 || campaign_display_id !== '';

export const eventuallyClicks = (service: Service, mark: string, n: number) =>
  eventually(
    `${n} clicks of ${mark}`,
    async () => {
      const rows = await readClicks(service, mark).catch(() => []);
      return rows.length >= n && rows.every(isNamed) ? rows : undefined;
    },
    30_000,
  );
