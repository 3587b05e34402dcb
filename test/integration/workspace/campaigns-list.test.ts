/**
 * GET /api/v1/campaigns over HTTP: what each parameter chooses, and the fields of a campaign
 * (docs/contract/campaigns.md). Which values parameters take, and how links are built and read, are unit tests:
 * campaigns-input, campaign-url and page.
 */
import {
  APP_STORE,
  campaignClient,
  listCampaigns,
  campaignWorkspace,
  readData,
  expectEnvelope,
  expectError,
  expectSomeError,
  readIds,
  readKeys,
  PLAY,
  type Json,
} from '../../support/workspace/campaigns';
import { sharedService } from '../../support/shared-service';

const SUITE = 'list';
const { SHOP_KEY, SISTER_KEY, STRANGER_KEY, SUSPENDED_KEY, NO_DOMAIN_KEY, WEB_KEY } = readKeys(SUITE);
const INVALID = 'Invalid request parameters.';
/** In byte order. */
const SAME_TIME = ['-dash', '0num', 'Abc', 'Zed', '_under', 'abc', 'abd'];

const day = (n: number) => `2025-11-${String(n).padStart(2, '0')}T00:00:00.000Z`;
const campaign = (display_id: string, more: Json = {}): Json => ({
  display_id,
  name: `Campaign ${display_id}`,
  created_at: day(1),
  ...more,
});

const CAMPAIGNS: Json[] = [
  campaign('plain', { created_at: day(20) }),
  campaign('google1', {
    created_at: day(19),
    network: 'GOOGLE',
    network_campaign_id: '111',
    network_account: 'goo_1',
    web_to_app: true,
  }),
  campaign('meta1', {
    created_at: day(18),
    network: 'META',
    network_campaign_id: '222',
    network_account: 'act_1',
    web_to_app: true,
  }),
  campaign('meta2', { created_at: day(18), network: 'META' }),
  campaign('tiktok1', { created_at: day(17), network: 'TIKTOK', network_campaign_id: '333', web_to_app: true }),
  campaign('asa1', { created_at: day(16), network: 'APPLE_SEARCH_ADS', network_campaign_id: '444', active: false }),
  campaign('sandbox1', { created_at: '2025-11-15T12:00:00.000Z', network: 'SANDBOX_ADS' }),
  campaign('mobi1', { created_at: day(15), partner: 'Mobi Ads' }),
  campaign('mobi2', { created_at: day(14), partner: 'Mobi Ads', active: false }),
  campaign('mobix1', { created_at: day(13), partner: 'MobixAds' }),
  campaign('wolf1', { created_at: day(12), partner: 'Big Bad Wolf' }),
  campaign('buero1', { created_at: day(12), partner: 'Büro Élan' }),
  campaign('alt1', { created_at: day(11), domain: 'alt.list.example' }),
  campaign('alt2', { created_at: day(11), domain: 'alt.list.example', deeplink: 'acme://alt', active: false }),
  campaign('short1', { created_at: day(10), is_shortlink: true, deeplink: 'acme://short?x=1' }),
  campaign('full1', {
    created_at: day(9),
    website: 'https://shop.example/desk?x=%20',
    store_listings: ['sl_play', 'sl_app'],
    custom_channel: 'Podcasts',
  }),
  campaign('ios1', { created_at: day(8), store_listings: ['sl_app'] }),
  campaign('deep1', { created_at: day(2), deeplink: 'acme://product/1?x=1' }),
  campaign('deep2', { created_at: day(2), deeplink: 'acme://product?c=old#top' }),
  ...[...SAME_TIME].reverse().map((display_id) => campaign(display_id, { created_at: day(1) })),
];

const service = sharedService();
const shop = campaignClient(service, SHOP_KEY);

const ids = async (query: Record<string, string>) => {
  const answer = await shop.list({ limit: '1000', ...query });
  expectEnvelope(answer, 200);
  return readIds(answer);
};

beforeAll(() => service.apply(campaignWorkspace(CAMPAIGNS, {}, SUITE)));

describe('the key', () => {
  const cases: [string, Record<string, string>][] = [
    ['missing', {}],
    ['empty', { 'service-key': '' }],
    ['wrong', { 'service-key': 'nonsense' }],
    ['of another kind', { 'service-key': WEB_KEY }],
    ['longer', { 'service-key': `${SHOP_KEY}x` }],
    ['elsewhere', { Authorization: `Bearer ${SHOP_KEY}` }],
  ];
  test.each(cases)('%s is 401 with the text of this endpoint, whatever the parameters', async (_name, headers) => {
    const at = `/campaigns?page=abc&service-key=${SHOP_KEY}`;
    expectError(await shop.send('GET', at, undefined, headers), 401, 'Unauthorized access.');
  });

  test('of a suspended account still lists: 402 is for reporting', async () => {
    expectEnvelope(await campaignClient(service, SUSPENDED_KEY).list(), 200);
  });

  test('decides the project: another one of the account or of another account sees only its own', async () => {
    const own = async (key: string) =>
      (await campaignClient(service, key).all())
        .map((one) => (one.default_link ? 'MAIN_DOMAIN' : one.display_id))
        .sort();
    expect(await own(SISTER_KEY)).toEqual(['MAIN_DOMAIN', 'sister1']);
    expect(await own(STRANGER_KEY)).toEqual(['MAIN_DOMAIN', 'stranger1']);
    expect(await own(SUSPENDED_KEY)).toEqual(['MAIN_DOMAIN']);
    expect(await own(SHOP_KEY)).toEqual(['MAIN_DOMAIN', ...CAMPAIGNS.map((one) => one.display_id)].sort());
  });
});

describe('a campaign in the list', () => {
  let byId: Map<string, Json>;
  const get = (display_id: string) => byId.get(display_id) as Json;
  beforeAll(async () => {
    byId = new Map((await shop.all()).map((one) => [one.display_id as string, one]));
  });

  test('with nothing set', () => {
    expect(get('plain')).toEqual({
      display_id: 'plain',
      name: 'Campaign plain',
      created_at: expect.any(String) as string,
      update_at: expect.any(String) as string,
      google: false,
      meta: false,
      meta_campaign_id: null,
      meta_web_to_app: false,
      active: true,
      default_link: false,
      attributed_users: 0,
      link: 'https://go.list.example/?c=plain',
      shareable_link: 'https://go.list.example/?c=plain',
      website: null,
      domain: 'go.list.example',
      custom_channels: [],
      store_listings: [],
      network_account: null,
    });
    expect(new Date(get('plain').created_at as string).toISOString()).toBe(day(20));
    expect(Date.parse(get('plain').update_at as string)).toBeGreaterThanOrEqual(Date.parse(day(20)));
  });

  test('with website and store listings', () => {
    expect(get('full1')).toMatchObject({ website: 'https://shop.example/desk?x=%20' });
    expect(
      (get('full1').store_listings as Json[]).sort((a, b) => String(a.platform).localeCompare(String(b.platform))),
    ).toEqual([PLAY, APP_STORE]);
    expect(get('ios1').store_listings).toEqual([APP_STORE]);
  });

  test('of an ad network', () => {
    const flags = (id: string) => [get(id).google, get(id).meta, get(id).meta_campaign_id, get(id).meta_web_to_app];
    expect(flags('google1')).toEqual([true, false, null, false]);
    expect(flags('meta1')).toEqual([false, true, '222', true]);
    expect(flags('meta2')).toEqual([false, true, null, false]);
    expect(flags('tiktok1')).toEqual([false, false, null, false]);
    expect(flags('mobi1')).toEqual([false, false, null, false]);
  });

  test('shows its network account', () => {
    expect(get('meta1').network_account).toEqual({
      id: expect.any(Number) as number,
      name: 'Shop Meta',
      status: 'connected',
      capi_configured: true,
    });
    expect(get('google1').network_account).toEqual({
      id: expect.any(Number) as number,
      name: null,
      status: 'disconnected',
      capi_configured: false,
    });
    expect(get('tiktok1').network_account).toBeNull();
  });

  test('shows its own domain, else the primary one, in its links too', () => {
    expect(get('alt1')).toMatchObject({
      domain: 'alt.list.example',
      link: 'https://alt.list.example/?c=alt1',
      shareable_link: 'https://alt.list.example/?c=alt1',
    });
    expect(get('alt2')).toMatchObject({
      domain: 'alt.list.example',
      link: 'acme://alt?c=alt2',
      shareable_link: 'https://alt.list.example/?c=alt2',
    });
    expect(get('plain').domain).toBe('go.list.example');
  });

  test('shows its custom channel', () => {
    const id = expect.any(Number) as number;
    expect(get('full1').custom_channels).toEqual([{ id, name: 'Podcasts', slug: 'podcasts' }]);
    expect(get('plain').custom_channels).toEqual([]);
  });

  test('of a short link has the short link, whatever its deeplink', () => {
    expect(get('short1')).toMatchObject({
      link: 'https://go.list.example/?c=short1',
      shareable_link: 'https://go.list.example/?c=short1',
      website: null,
    });
  });

  test('with a deeplink has it as its link', () => {
    expect(get('deep1').link).toBe('acme://product/1?x=1&c=deep1');
    expect(get('deep2')).toMatchObject({
      link: 'acme://product?c=deep2#top',
      shareable_link: 'https://go.list.example/?c=deep2',
    });
  });

  test('that is the system one is the only default link', () => {
    const system = [...byId.values()].filter((one) => one.default_link);
    expect(system).toHaveLength(1);
    expect(system[0]).toMatchObject({
      name: 'MAIN_DOMAIN',
      default_link: true,
      active: true,
      domain: 'go.list.example',
      link: `https://go.list.example/?c=${String(system[0]?.display_id)}`,
    });
    expect([...byId.values()].filter((one) => one.name === 'MAIN_DOMAIN')).toHaveLength(1);
  });
});

test('a project without a domain has neither domain nor system campaign', async () => {
  const [one, ...rest] = await campaignClient(service, NO_DOMAIN_KEY).all();
  expect(rest).toEqual([]);
  expect(one).toMatchObject({ display_id: 'homeless1', domain: null, link: 'acme://x?c=homeless1' });
  expect(one?.shareable_link).not.toMatch(/null|undefined/);
});

describe('order and pages', () => {
  const total = CAMPAIGNS.length + 1;

  test('latest created first, then display_id in byte order', async () => {
    const all = await shop.all();
    const sorted = [...all].sort(
      (a, b) =>
        Date.parse(b.created_at as string) - Date.parse(a.created_at as string) ||
        Buffer.compare(Buffer.from(a.display_id as string), Buffer.from(b.display_id as string)),
    );
    expect(all.map((one) => one.display_id)).toEqual(sorted.map((one) => one.display_id));
    expect(all.slice(-SAME_TIME.length).map((one) => one.display_id)).toEqual(SAME_TIME);
  });

  test('by default the first hundred', async () => {
    const answer = await shop.list();
    expectEnvelope(answer, 200);
    expect(Object.keys(readData(answer)).sort()).toEqual(['campaigns', 'pagination', 'total_campaigns']);
    expect(readData(answer)).toMatchObject({
      total_campaigns: total,
      pagination: { total, pages: 1, page: 1, limit: 100 },
    });
    expect(listCampaigns(answer)).toHaveLength(total);
  });

  test('pages cut the list without gap or overlap; the text says how many and which page', async () => {
    const pages = Math.ceil(total / 7);
    const seen: string[] = [];
    for (let page = 1; page <= pages; page++) {
      const answer = await shop.list({ page: String(page), limit: '7' });
      expectEnvelope(answer, 200);
      expect(readData(answer).pagination).toEqual({ total, pages, page, limit: 7 });
      expect(readData(answer).total_campaigns).toBe(total);
      const got = readIds(answer);
      expect(got).toHaveLength(page < pages ? 7 : total - 7 * (pages - 1));
      expect(answer.body.msg).toMatch(new RegExp(`\\b${got.length}\\b.*\\b${page}\\b.*\\b${pages}\\b`));
      seen.push(...got);
    }
    expect(seen).toEqual((await shop.all()).map((one) => one.display_id));
  });

  test.each(['99', '999999999999999'])('page %s, past the last one, is empty with the right totals', async (page) => {
    const answer = await shop.list({ page, limit: '10' });
    expectEnvelope(answer, 200);
    expect(readData(answer)).toEqual({
      total_campaigns: total,
      campaigns: [],
      pagination: { total, pages: Math.ceil(total / 10), page: Number(page), limit: 10 },
    });
  });

  test('a filter that nothing matches has no page', async () => {
    const answer = await shop.list({ channel: 'GOOGLE', filter: 'INACTIVE' });
    expectEnvelope(answer, 200);
    expect(readData(answer)).toEqual({
      total_campaigns: 0,
      campaigns: [],
      pagination: { total: 0, pages: 0, page: 1, limit: 100 },
    });
  });

  test('a page or limit that is none is 422, with a text of its own for one that is too large', async () => {
    expectError(await shop.list({ page: '1.5' }), 422, "Invalid page number '1.5'. Page must be a positive integer.");
    expectError(await shop.list({ limit: '0' }), 422, "Invalid limit '0'. Limit must be between 1 and 1000.");
    expectError(await shop.list({ limit: '1001' }), 422, 'Limit 1001 exceeds maximum allowed value of 1000.');
    expectEnvelope(await shop.list({ page: '9'.repeat(30), limit: '1000' }), 200);
  });

  test('parameters sent empty count as not sent; unknown ones are ignored', async () => {
    const answer = await shop.list('filter=&channel=&domain=&link=&page=&limit=&unknown=1&__proto__=1&constructor=1');
    expectEnvelope(answer, 200);
    expect(readData(answer)).toMatchObject({
      total_campaigns: total,
      pagination: { total, pages: 1, page: 1, limit: 100 },
    });
  });

  test.each(['page=1&page=2', 'filter[a]=1', 'page=%', 'domain=%E0%A4%A'])('%s is no internal error', async (query) => {
    expect([200, 400, 422]).toContain((await shop.list(query)).status);
  });
});

describe('filter', () => {
  const inactive = CAMPAIGNS.filter((one) => one.active === false).map((one) => one.display_id);

  test('INACTIVE, ACTIVE and ALL', async () => {
    expect((await ids({ filter: 'INACTIVE' })).sort()).toEqual([...inactive].sort());
    const active = await ids({ filter: 'ACTIVE' });
    expect(active).toHaveLength(CAMPAIGNS.length + 1 - inactive.length);
    for (const id of inactive) expect(active).not.toContain(id);
    expect(await ids({ filter: 'ALL' })).toEqual(await ids({}));
  });

  test('total_campaigns and pagination are of the matching ones', async () => {
    const answer = await shop.list({ filter: 'INACTIVE', limit: '2' });
    expect(readData(answer)).toMatchObject({
      total_campaigns: inactive.length,
      pagination: { total: inactive.length, pages: Math.ceil(inactive.length / 2), page: 1, limit: 2 },
    });
  });

  test('that is none is 400', async () => {
    const message = "Invalid filter 'active'. Filter must be ACTIVE, INACTIVE or ALL.";
    expectError(await shop.list({ filter: 'active' }), 400, message);
  });
});

test.each(['filter', 'channel', 'domain', 'link', 'page', 'limit'])(
  'nonsense in the parameter %s is told so, and the answer is only text',
  async (parameter) => {
    for (const value of [
      '<script>alert(1)</script>',
      'abc\u202edef',
      "'; DROP TABLE campaigns; --",
      'x'.repeat(7_000),
    ]) {
      const answer = await shop.list({ [parameter]: value });
      expectSomeError(answer, ['page', 'limit'].includes(parameter) ? 422 : 400);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  },
);

describe('channel', () => {
  const CASES: [string, string[]][] = [
    ['GOOGLE', ['google1']],
    ['META', ['meta1', 'meta2']],
    ['TIKTOK', ['tiktok1']],
    ['APPLE_SEARCH_ADS', ['asa1']],
    ['SANDBOX_ADS', ['sandbox1']],
    ['MOBI_ADS', ['mobi1', 'mobi2']],
    ['Mobi_Ads', ['mobi1', 'mobi2']],
    ['MOBIXADS', ['mobix1']],
    ['BIG_BAD_WOLF', ['wolf1']],
    ['BÜRO_ÉLAN', ['buero1']],
  ];
  test.each(CASES)('%s, in any case', async (channel, expected) => {
    for (const one of [channel, channel.toLowerCase()]) expect(await ids({ channel: one })).toEqual(expected);
  });

  test('an ad network without a campaign in the project is known and empty', async () => {
    for (const channel of ['GOOGLE', 'META', 'TIKTOK', 'APPLE_SEARCH_ADS', 'SNAPCHAT', 'LINKEDIN']) {
      const answer = await campaignClient(service, STRANGER_KEY).list({ channel });
      expectEnvelope(answer, 200);
      expect(readData(answer)).toMatchObject({ total_campaigns: 0, campaigns: [] });
    }
  });

  test('an affiliate without a campaign in the project is unknown', async () => {
    expectError(await shop.list({ channel: 'OTHER_ADS' }), 400, "Invalid channel 'OTHER_ADS'. Channel not found.");
    expect(readIds(await campaignClient(service, SISTER_KEY).list({ channel: 'other_ads' }))).toEqual(['sister1']);
    expectError(
      await campaignClient(service, SISTER_KEY).list({ channel: 'mobi_ads' }),
      400,
      "Invalid channel 'mobi_ads'. Channel not found.",
    );
  });

  // Podcasts is a custom channel of a campaign, which docs/contract/ does not list among the values.
  test.each([...['UNKNOWN', 'MOBI', 'MOBI_ADS_', '%', '_', 'MOBI%'], 'podcasts', '__proto__', "x' OR '1'='1", '\0'])(
    '%j is 400',
    async (channel) => {
      expectError(await shop.list({ channel }), 400, `Invalid channel '${channel}'. Channel not found.`);
    },
  );

  test('and filter go together', async () => {
    expect(await ids({ channel: 'mobi_ads', filter: 'ACTIVE' })).toEqual(['mobi1']);
    expect(await ids({ channel: 'mobi_ads', filter: 'INACTIVE' })).toEqual(['mobi2']);
  });
});

describe('domain', () => {
  test('of a campaign is its own, else the primary one', async () => {
    expect(await ids({ domain: 'alt.list.example' })).toEqual(['alt1', 'alt2']);
    const primary = await ids({ domain: 'go.list.example' });
    expect(primary).toHaveLength(CAMPAIGNS.length + 1 - 2);
    expect(primary).not.toContain('alt1');
    expect(await ids({ domain: 'ALT.list.Example' })).toEqual(['alt1', 'alt2']);
  });

  test.each([
    'go.sister-list.example',
    'go.stranger-list.example',
    'unknown.example',
    'list.example',
    'https://go.list.example',
    '\0',
    '__proto__',
  ])('%j is not of the project: 400', async (domain) => {
    expectError(await shop.list({ domain }), 400, `Invalid domain '${domain}'. Domain not found for this project.`);
  });

  test('goes together with the others', async () => {
    expect(await ids({ domain: 'alt.list.example', filter: 'ACTIVE' })).toEqual(['alt1']);
    expect(await ids({ domain: 'alt.list.example', channel: 'META' })).toEqual([]);
  });
});

describe('link', () => {
  const GOOD: [string, string][] = [
    ['https://go.list.example/?c=plain', 'plain'],
    ['https://alt.list.example/?c=alt1', 'alt1'],
    ['acme://product?c=deep2#top', 'deep2'],
    ['https://elsewhere.example/app?c=meta1', 'meta1'],
    ['https://go.list.example/plain', 'plain'],
    ['https://alt.list.example/plain', 'plain'],
    ['https://GO.List.example/alt1', 'alt1'],
    ['https://go.list.example/?c=asa1', 'asa1'],
  ];
  test.each(GOOD)('%s names %s', async (link, id) => {
    expect(await ids({ link })).toEqual([id]);
  });

  test('every link and shareable_link of the list names its campaign', async () => {
    for (const one of listCampaigns(await shop.list({ domain: 'alt.list.example' })))
      for (const link of [one.link, one.shareable_link] as string[])
        expect([link, await ids({ link })]).toEqual([link, [one.display_id]]);
  });

  test.each([
    'garbage',
    'https://go.list.example/',
    'https://go.list.example/?c=unknown',
    'https://go.list.example/unknown',
    'https://go.list.example/PLAIN',
    'https://go.list.example/?c=PLAIN',
    'https://elsewhere.example/plain',
    'https://go.sister-list.example/plain',
    'https://go.sister-list.example/sister1',
    'https://go.sister-list.example/?c=sister1',
    'https://go.list.example/?c=sister1',
    'https://go.list.example/sister1',
    'https://go.stranger-list.example/?c=stranger1',
    'https://go.list.example/stranger1',
    'https://go.list.example/?c=%00',
    'https://go.list.example/?c=__proto__',
    '\0',
    'https://go.list.example/?c=plain%20',
  ])('%j is 400', async (link) => {
    expectError(await shop.list({ link }), 400, INVALID);
  });

  test('goes together with the others', async () => {
    expect(await ids({ link: 'https://go.list.example/asa1', filter: 'ACTIVE' })).toEqual([]);
    expect(
      await ids({ link: 'https://go.list.example/asa1', filter: 'INACTIVE', channel: 'apple_search_ads' }),
    ).toEqual(['asa1']);
  });
});

describe('other methods and paths', () => {
  // PATCH and DELETE there lack the display_id of edit and delete, which is 400: campaigns-manage.test.ts.
  test.each(['POST', 'PUT'])('%s /campaigns is 405 with Allow', async (method) => {
    const answer = await shop.send(method, '/campaigns', { name: 'x' });
    expectSomeError(answer, 405);
    expect(answer.headers.get('allow')).toMatch(/\bGET\b/);
  });

  test.each(['/', '/nothing', '/campaigns/plain/more', '/create-campaign/x', ''])('%j is 404', async (at) => {
    expectSomeError(await shop.send('GET', at), 404);
  });
});

test('nothing of this was an internal error', () => {
  expect(service.output()).not.toMatch(/"level":"error"|unhandled/i);
});
