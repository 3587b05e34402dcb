/** The demo workspace of a first start, and what to paste to see it work. */
import path from 'node:path';
import { secretFile } from '../embedded/secret-file';
import { askService, withAdminToken } from '../lib/ask-service';
import { newSecret } from '../lib/secrets';

/** Where the password of ClickHouse's user `reader` stands: in a file, or in CLICKHOUSE_READER_PASSWORD. */
export type ReaderPassword = { readonly file: string } | { readonly variable: string };

export interface DemoAddresses {
  /** The address of the service, without a path. */
  readonly service: string;
  readonly clickhouse: string;
  /** Where the password of ClickHouse's user `reader` is. */
  readonly readerPassword: ReaderPassword;
  readonly adminTokenFile: string;
  /** How to get to the pages, as `describePages` says it. */
  readonly pages: string;
}

/** The token of the demo's partner: kept in a file, because the service itself keeps only its hash. */
export function demoToken(dataDir: string): string {
  return secretFile(path.join(dataDir, 'demo-partner-token'), () => newSecret('partner_token'));
}

/** One advertiser with an app and a domain, one partner with its token, one campaign. */
export function demoWorkspace(token: string) {
  return {
    accounts: [{ name: 'Demo' }],
    partners: [{ name: 'Demo Ads', tokens: [token] }],
    projects: [
      {
        name: 'Demo Shop',
        account: 'Demo',
        timezone: 'Europe/Berlin',
        currency: 'EUR',
        website: 'https://shop.example',
        apps: [
          { platform: 'ANDROID', app_id: 'com.example.shop' },
          { platform: 'IOS', app_id: 'id1234567890' },
        ],
        domains: [{ name: 'go.shop.example', primary: true }],
        store_listings: [
          {
            store_listing_id: 'play',
            name: 'Google Play',
            platform: 'ANDROID',
            url: 'https://play.google.com/store/apps/details?id=com.example.shop',
          },
        ],
        partner_switches: [
          {
            partner: 'Demo Ads',
            s2s_clicks: true,
            s2s_traffic: true,
            view_through: true,
            ctv_apps: ['com.example.shop'],
          },
        ],
        campaigns: [{ display_id: 'demo', name: 'Demo launch', partner: 'Demo Ads', store_listings: ['play'] }],
      },
    ],
  };
}

/** Applies the demo workspace to a service that has no workspace yet; one that has keeps what it has. */
export async function applyDemo(service: string, adminToken: string, token: string): Promise<void> {
  const headers = withAdminToken(adminToken);
  const { accounts } = await askService<{ accounts: unknown[] }>(service, '/admin/v1/accounts', { headers });
  if (accounts.length === 0) await applyDocument(service, adminToken, demoWorkspace(token));
}

/** Applies a workspace document to a running service. */
export const applyDocument = (service: string, adminToken: string, document: unknown) =>
  askService<Record<string, unknown>>(service, '/admin/v1/workspace', {
    method: 'PUT',
    headers: withAdminToken(adminToken),
    body: document,
  });

const LATEST_CLICK = 'SELECT * FROM analytics.clicks ORDER BY received_at DESC LIMIT 1';
const clickUrl = (service: string) =>
  `${service}/v1/click/com.example.shop?c=demo&tid=click-1&gaid=38400000-8cf0-11bd-b23e-10b96e40000d&ip=203.0.113.7`;

/** How a shell gets the password, and where it is for people. */
export function readerPasswordText(password: ReaderPassword): { shell: string; place: string } {
  return 'file' in password
    ? { shell: `$(cat '${password.file}')`, place: password.file }
    : { shell: `$${password.variable}`, place: password.variable };
}

/** What `make run` prints: addresses, a click to send, and the query that shows it. */
export function welcome(at: DemoAddresses, token: string): string {
  const password = readerPasswordText(at.readerPassword);
  return `
adtrail is ready.

  service      ${at.service}         (S2S under /v1, administration under /admin/v1)
  ClickHouse   ${at.clickhouse}         (user reader, database analytics)
  its password in ${password.place}
  admin token  in ${at.adminTokenFile}

${at.pages}

Send a click:

  curl -H 'X-Service-Token: ${token}' '${clickUrl(at.service)}'

See it in ClickHouse:

  curl -u "reader:${password.shell}" '${at.clickhouse}/?default_format=Vertical' -d '${LATEST_CLICK}'

Stop with Ctrl-C.
`;
}
