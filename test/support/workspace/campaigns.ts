/**
 * Speaks to the campaign endpoints of the main API (docs/contract/campaigns.md) and knows the forms of their answers.
 */
import type { Service } from '../service';
import { TOKEN } from './workspace';

export type Json = Record<string, unknown>;
export interface Answer {
  readonly status: number;
  /** The parsed answer; an empty object where there was no body. */
  readonly body: Json;
  readonly text: string;
  readonly headers: Headers;
}

export const SHOP_KEY = 'server-key-of-the-shop';
/** Another project of the shop's account. */
export const SISTER_KEY = 'server-key-of-the-sister';
/** A project of another account. */
export const STRANGER_KEY = 'server-key-of-a-stranger';
/** A project whose account's billing is suspended, which concerns reporting only. */
export const SUSPENDED_KEY = 'server-key-of-the-suspended';
/** A project without any domain. */
export const NO_DOMAIN_KEY = 'server-key-without-domain';
/** A key of the shop, but of another kind. */
export const WEB_KEY = 'web-key-of-the-shop';

export const LIMITS_OFF = { LIMIT_DATA: 'off', LIMIT_MANAGEMENT: 'off', LIMIT_IP: 'off' };

const listing = (store_listing_id: string, platform: string) => ({
  store_listing_id,
  name: `Listing ${store_listing_id}`,
  platform,
  url: `https://store.example/${store_listing_id}`,
});
export const PLAY = { store_listing_id: 'sl_play', name: 'Listing sl_play', platform: 'ANDROID' };
export const APP_STORE = { store_listing_id: 'sl_app', name: 'Listing sl_app', platform: 'IOS' };

const objectKey = (key: string, suite: string) => `${key}-${suite}`;

/** The keys of the workspace of a suite that shares its service. */
export const readKeys = (suite: string) => ({
  SHOP_KEY: objectKey(SHOP_KEY, suite),
  SISTER_KEY: objectKey(SISTER_KEY, suite),
  STRANGER_KEY: objectKey(STRANGER_KEY, suite),
  SUSPENDED_KEY: objectKey(SUSPENDED_KEY, suite),
  NO_DOMAIN_KEY: objectKey(NO_DOMAIN_KEY, suite),
  WEB_KEY: objectKey(WEB_KEY, suite),
});

/**
 * Five projects of three accounts; `campaigns` go to the shop, whose domains are go.shop.example (primary) and
 * alt.shop.example. A suite that shares its service gives its name: accounts, projects and keys end in it, and it takes
 * the place of `shop` in domains.
 */
export const campaignWorkspace = (
  campaigns: readonly Json[] = [],
  more: { sister?: readonly Json[]; stranger?: readonly Json[] } = {},
  suite?: string,
) => {
  if (suite === undefined) return makeWorkspace(campaigns, more);
  const domain = (name: string) =>
    name.includes('.shop.') ? name.replace('.shop.', `.${suite}.`) : name.replace('.example', `-${suite}.example`);
  const document = makeWorkspace(campaigns, more);
  return {
    ...document,
    accounts: document.accounts.map((account) => ({ ...account, name: `${account.name} ${suite}` })),
    projects: document.projects.map((project) => ({
      ...project,
      name: `${project.name} ${suite}`,
      account: `${project.account} ${suite}`,
      server_keys: project.server_keys.map((key) => objectKey(key, suite)),
      ...('web_keys' in project ? { web_keys: project.web_keys?.map((key) => objectKey(key, suite)) } : {}),
      ...('domains' in project ? { domains: project.domains?.map((one) => ({ ...one, name: domain(one.name) })) } : {}),
    })),
  };
};

const makeWorkspace = (campaigns: readonly Json[], more: { sister?: readonly Json[]; stranger?: readonly Json[] }) => ({
  accounts: [
    { name: 'Acme' },
    { name: 'Beta' },
    { name: 'Late Payers', billing_status: 'suspended', payment_link: 'https://pay.example' },
  ],
  partners: [
    { name: 'Mobi Ads', tokens: [TOKEN] },
    { name: 'MobixAds' },
    { name: 'Big Bad Wolf' },
    { name: 'Büro Élan' },
    { name: 'Other Ads' },
  ],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'Asia/Kolkata',
      website: 'https://shop.example',
      server_keys: [SHOP_KEY],
      web_keys: [WEB_KEY],
      apps: [{ platform: 'ANDROID', app_id: 'com.shop' }],
      domains: [{ name: 'go.shop.example', primary: true }, { name: 'alt.shop.example' }],
      store_listings: [listing('sl_play', 'ANDROID'), listing('sl_play2', 'ANDROID'), listing('sl_app', 'IOS')],
      network_accounts: [
        {
          network: 'META',
          external_customer_id: 'act_1',
          name: 'Shop Meta',
          email: 'ads@shop.example',
          status: 'connected',
          capi_configured: true,
        },
        { network: 'GOOGLE', external_customer_id: 'goo_1', status: 'disconnected' },
      ],
      partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
      campaigns,
    },
    {
      name: 'Sister',
      account: 'Acme',
      timezone: 'UTC',
      server_keys: [SISTER_KEY],
      domains: [{ name: 'go.sister.example' }],
      store_listings: [listing('sl_sister', 'IOS')],
      campaigns: [{ display_id: 'sister1', name: 'Sister one', partner: 'Other Ads' }, ...(more.sister ?? [])],
    },
    {
      name: 'Stranger',
      account: 'Beta',
      timezone: 'UTC',
      server_keys: [STRANGER_KEY],
      domains: [{ name: 'go.stranger.example' }],
      campaigns: [{ display_id: 'stranger1', name: 'Stranger one' }, ...(more.stranger ?? [])],
    },
    {
      name: 'Suspended',
      account: 'Late Payers',
      timezone: 'UTC',
      server_keys: [SUSPENDED_KEY],
      domains: [{ name: 'go.late.example' }],
    },
    {
      name: 'No Domain',
      account: 'Beta',
      timezone: 'UTC',
      server_keys: [NO_DOMAIN_KEY],
      campaigns: [{ display_id: 'homeless1', name: 'Homeless one', deeplink: 'acme://x' }],
    },
  ],
});

export interface CampaignClient {
  /** Any request under /api/v1; `body` is sent as JSON, or as it is when it is text. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  list(query?: Record<string, string> | string): Promise<Answer>;
  create(body: unknown): Promise<Answer>;
  edit(displayId: string, body: unknown): Promise<Answer>;
  remove(displayId: string): Promise<Answer>;
  /** Every campaign of the project, as the list shows it. */
  all(): Promise<Json[]>;
  /** The campaign of this display_id as the list shows it; undefined when it is not there. */
  find(displayId: string): Promise<Json | undefined>;
  /** Creates a campaign that must be accepted; resolves with `data`. */
  made(body?: Json): Promise<Json>;
}

/** A client with a project's key; undefined sends no key at all. */
export function campaignClient(service: Service, key: string | undefined = SHOP_KEY): CampaignClient {
  const client: CampaignClient = {
    async send(method, path, body, headers = key === undefined ? {} : { 'service-key': key }) {
      const response = await service.request(`/api/v1${path}`, {
        method,
        headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text ? JSON.parse(text) : {}) as Json, text, headers: response.headers };
    },
    list: (query = '') =>
      client.send('GET', `/campaigns?${typeof query === 'string' ? query : new URLSearchParams(query).toString()}`),
    create: (body) => client.send('POST', '/create-campaign', body),
    edit: (displayId, body) => client.send('PATCH', `/campaigns/${displayId}`, body),
    remove: (displayId) => client.send('DELETE', `/campaigns/${displayId}`),
    all: async () => listCampaigns(await client.list({ limit: '1000' })),
    find: async (displayId) => (await client.all()).find((campaign) => campaign.display_id === displayId),
    async made(body = {}) {
      const answer = await client.create({ name: 'Made', ...body });
      if (answer.status !== 201) throw new Error(`create answered ${answer.status}: ${answer.text}`);
      return readData(answer);
    },
  };
  return client;
}

export const readData = (answer: Answer) => answer.body.data as Json;
export const listCampaigns = (answer: Answer) => readData(answer).campaigns as Json[];
export const readIds = (answer: Answer) => listCampaigns(answer).map((campaign) => campaign.display_id as string);

/** The error body of docs/contract/main-api.md and nothing else. */
export function expectError(answer: Answer, status: number, msg: string): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { msg, status } });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
}

/** An error of this status in the right form, where docs/contract/ does not give the text. */
export function expectSomeError(answer: Answer, status: number): void {
  expectError(answer, status, expect.stringMatching(/\S/) as string);
  // Nothing internal is ever in it.
  expect(answer.text).not.toMatch(
    /select |insert |update |syntax|\.ts:|\.js:|node_modules|violates|constraint|ajv|undefined/i,
  );
}

/** The answers to a request that was taken: status mirrored, some text, and data. */
export function expectEnvelope(answer: Answer, status: number): void {
  expect({ status: answer.status, text: answer.status === status ? '' : answer.text }).toEqual({ status, text: '' });
  expect(answer.body).toEqual({
    msg: expect.stringMatching(/\S/) as string,
    status,
    data: expect.any(Object) as object,
  });
}

/** Deep links and the links that they make for the campaign `ID` (docs/contract/main-api.md). */
export const DEEPLINKS: readonly (readonly [deeplink: string, link: string])[] = [
  ['acme://product', 'acme://product?c=ID'],
  ['acme://product/1?x=1', 'acme://product/1?x=1&c=ID'],
  ['acme://product#top', 'acme://product?c=ID#top'],
  ['acme://product?x=1#top?c=keep&c=keep', 'acme://product?x=1&c=ID#top?c=keep&c=keep'],
  ['acme://product#a?c=keep', 'acme://product?c=ID#a?c=keep'],
  ['acme://product?c=old', 'acme://product?c=ID'],
  ['acme://product?c=old&x=1', 'acme://product?c=ID&x=1'],
  ['acme://product?a=1&c=old&z=2#f', 'acme://product?a=1&c=ID&z=2#f'],
  ['acme://product?c=', 'acme://product?c=ID'],
  ['acme://product?', 'acme://product?c=ID'],
  // Who reads the link decodes this name to c, and takes the first.
  ['acme://product?%63=old&x=1', 'acme://product?c=ID&x=1'],
  ['acme://product?cc=1&abc=2&C=3&xc=4', 'acme://product?cc=1&abc=2&C=3&xc=4&c=ID'],
  ['acme://p?q=%20%7e+x%C3%A9&empty&k=a=b', 'acme://p?q=%20%7e+x%C3%A9&empty&k=a=b&c=ID'],
  ['https://Shop.example:443/A/../b?x=%2F', 'https://Shop.example:443/A/../b?x=%2F&c=ID'],
  ['https://shop.example', 'https://shop.example?c=ID'],
  ['acme:', 'acme:?c=ID'],
  ['acme:product/1', 'acme:product/1?c=ID'],
  ['com.acme.shop://open?u=https://x.example/?c=1', 'com.acme.shop://open?u=https://x.example/?c=1&c=ID'],
];
