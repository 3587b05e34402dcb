/**
 * Create, edit and delete campaigns over HTTP: every field, rule, status and message of docs/contract.md, Campaigns.
 */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from '../../src/db/postgres';
import {
  APP_STORE,
  campaignClient,
  campaignWorkspace,
  dataOf,
  DEEPLINKS,
  expectCreated,
  expectEdited,
  expectEnvelope,
  expectError,
  expectListed,
  expectSomeError,
  LIMITS_OFF,
  NO_DOMAIN_KEY,
  PLAY,
  SHOP_KEY,
  SISTER_KEY,
  STRANGER_KEY,
  WEB_KEY,
  type Answer,
  type CampaignClient,
  type Json,
} from '../support/campaigns';
import { postgresOf } from '../support/postgres';
import { startService, type RunningService } from '../support/service';
import { TOKEN } from '../support/workspace';

const BAD_URL = 'Please enter a valid URL (e.g., https://example.com/android)';
const AT_LEAST_ONE =
  'At least one field (name, active, website, android_web_redirect or ios_web_redirect) is required for update!';
const NAME_REQUIRED = 'Campaign name is required!';
const NAME_EMPTY = 'Campaign name cannot be empty!';
const NAME_LONG = 'Campaign name must be at most 255 characters!';
const LISTINGS_FORM = 'store_listing_ids must be an array of non-empty strings!';
const ONE_CHANNEL = 'A campaign can have at most one custom channel';
const CHANNEL_LONG = 'Custom channel name must be less than 80 characters';
const CHANNEL_HTML = 'Custom channel name cannot contain HTML tags or scripts';
const CHANNEL_DELETED = 'Channel name conflicts with a previously deleted channel - pick a different name';
const NOT_FOUND = 'Campaign not found!';
const NOT_DELETABLE =
  'Only manually-created service campaigns can be deleted. System (MAIN_DOMAIN) and ad-network campaigns cannot be ' +
  'deleted.';
const taken = (id: string) => `Campaign with custom_display_id '${id}' already exists!`;

/** No absolute http(s) URL with which a browser, or a Location header, could be trusted. */
const BAD_URLS = [
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://shop.example',
  'acme://x',
  '/path',
  'shop.example',
  '//shop.example',
  'https://',
  'https:// x',
  'not a url',
  'mailto:a@b.example',
  'https://user:password@shop.example',
  'https://user@shop.example',
  // A browser takes these for relative ones.
  'https:shop.example',
  'https:/shop.example',
  'https:///shop.example',
  'https:\\\\shop.example',
  // URL parsers strip these, headers break on them.
  'https://shop.example/\r\nX: y',
  'https://shop.example/a\tb',
  'java\nscript:alert(1)',
  ' https://shop.example',
  'https://shop.example ',
  '\nhttps://shop.example',
  'https://shop.example/\u0001',
];

const FOUR_BYTES = '\u{1F600}';
/** Letters outside the basic plane: one character each, two UTF-16 units. */
const SCRIPT_A = '\u{1D49C}';

const synced = (display_id: string, network: string, more: Json = {}) => ({
  display_id,
  name: `Synced ${display_id}`,
  network,
  network_campaign_id: `id-${display_id}`,
  created_at: '2025-11-02T00:00:00Z',
  ...more,
});
const WORKSPACE = campaignWorkspace([
  { display_id: 'partnered', name: 'Partnered', partner: 'Mobi Ads', created_at: '2025-11-02T00:00:00Z' },
  { display_id: 'partnered2', name: 'Partnered 2', partner: 'Mobi Ads' },
  synced('google1', 'GOOGLE'),
  synced('meta1', 'META', { web_to_app: true, network_account: 'act_1' }),
  synced('tiktok1', 'TIKTOK'),
  synced('snap1', 'SNAPCHAT'),
  { display_id: 'manual-meta', name: 'Made by hand for Meta', network: 'META' },
]);

let service: RunningService;
let db: Postgres;
let shop: CampaignClient;
let sister: CampaignClient;
let stranger: CampaignClient;
let main: string;

let count = 0;
/** A name or ID that no other test has. */
const fresh = (prefix = 'f') => `${prefix}-${++count}`;
const channelOf = (data: Json) => (data.custom_channels as Json[])[0] as { id: number; name: string; slug: string };
const mainOf = async (client: CampaignClient) =>
  (await client.all()).find((one) => one.default_link)?.display_id as string;

beforeAll(async () => {
  service = await startService(LIMITS_OFF);
  await service.apply(WORKSPACE);
  db = postgresOf(service);
  shop = campaignClient(service);
  sister = campaignClient(service, SISTER_KEY);
  stranger = campaignClient(service, STRANGER_KEY);
  main = await mainOf(shop);
});

afterAll(async () => {
  await db?.close();
  await service?.dispose();
});

/** A client without any key of its own. */
const sendWith = (headers: Record<string, string>, method: string, at: string, body?: unknown) =>
  shop.send(method, at, body, headers);

describe('the key', () => {
  const ENDPOINTS: [string, string, unknown][] = [
    ['POST', '/create-campaign', { name: 'x' }],
    ['PATCH', '/campaigns/partnered', { name: 'x' }],
    ['DELETE', '/campaigns/partnered', undefined],
  ];

  test.each(ENDPOINTS)('%s %s without one, or with an empty one', async (method, at, body) => {
    expectError(await sendWith({}, method, at, body), 401, 'Server key missing!');
    expectError(await sendWith({ 'service-key': '' }, method, at, body), 401, 'Server key missing!');
    expectError(await sendWith({ Authorization: `Bearer ${SHOP_KEY}` }, method, at, body), 401, 'Server key missing!');
  });

  test.each(ENDPOINTS)('%s %s with a wrong one or one of another kind', async (method, at, body) => {
    for (const key of ['nonsense', WEB_KEY, SHOP_KEY.toUpperCase(), `${SHOP_KEY}x`, TOKEN, '__proto__'])
      expectError(await sendWith({ 'service-key': key }, method, at, body), 401, 'Server key invalid!');
  });

  test('comes before the body and before the campaign', async () => {
    expectError(await sendWith({}, 'POST', '/create-campaign', 'not json'), 401, 'Server key missing!');
    expectError(await sendWith({ 'service-key': 'x' }, 'POST', '/create-campaign', {}), 401, 'Server key invalid!');
    expectError(await sendWith({}, 'PATCH', '/campaigns/unknown', {}), 401, 'Server key missing!');
    expectError(await sendWith({ 'service-key': 'x' }, 'DELETE', '/campaigns/unknown'), 401, 'Server key invalid!');
  });

  test('refused, nothing has changed', async () => {
    expect(await shop.find('partnered')).toMatchObject({ name: 'Partnered' });
  });
});

describe('the body', () => {
  const ENDPOINTS: [string, string][] = [
    ['POST', '/create-campaign'],
    ['PATCH', '/campaigns/partnered'],
  ];
  const BROKEN = [
    '',
    'not json',
    '{',
    '{"name":"x"',
    '[]',
    '[{"name":"x"}]',
    'null',
    '"x"',
    '5',
    'true',
    'name=x',
    "{'name':'x'}",
    '{"name":"x",}',
    '\ufeff',
    '{"name":NaN}',
    '{"name":"\u0001"}',
  ];

  test.each(ENDPOINTS)('%s %s: not JSON or no object is 400', async (method, at) => {
    for (const body of BROKEN) expectError(await shop.send(method, at, body), 400, 'Invalid JSON body.');
    const none = await shop.send(method, at);
    expectError(none, 400, 'Invalid JSON body.');
  });

  test.each(ENDPOINTS)('%s %s: a body nested without end is 400', async (method, at) => {
    const response = await service.request(`/api/v1${at}`, {
      method,
      headers: { 'service-key': SHOP_KEY },
      body: `{"name":"x","filler":${'['.repeat(45_000)}${']'.repeat(45_000)}}`,
    });
    expect([response.status, await response.json()]).toEqual([400, { msg: 'Invalid JSON body.', status: 400 }]);
  });

  test.each(ENDPOINTS)('%s %s: over 100 kB is 413', async (method, at) => {
    expectSomeError(await shop.send(method, at, { name: 'x', filler: 'y'.repeat(110_000) }), 413);
    expect([200, 201]).toContain(
      (await shop.send(method, at, { name: 'Below the limit', filler: 'y'.repeat(99_000) })).status,
    );
  });

  test('is JSON whatever content type it claims', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8']) {
      expect(
        (
          await shop.send('POST', '/create-campaign', JSON.stringify({ name: 'Typed' }), {
            'service-key': SHOP_KEY,
            'Content-Type': type,
          })
        ).status,
      ).toBe(201);
    }
  });

  test('unknown fields are ignored', async () => {
    const answer = await shop.create({
      name: 'Extra',
      id: 1,
      active: false,
      partner: 'Mobi Ads',
      network: 'META',
      website: 'https://not.read.example',
      display_id: 'not-read',
      project_id: 2,
      constructor: 1,
      toString: 2,
    });
    expectEnvelope(answer, 201);
    expect(dataOf(answer)).toMatchObject({ name: 'Extra', website: null });
    expect(dataOf(answer).display_id).not.toBe('not-read');
    expect(await shop.find(dataOf(answer).display_id as string)).toMatchObject({
      active: true,
      meta: false,
      default_link: false,
    });
  });

  test('__proto__ is no way in', async () => {
    const answer = await shop.send(
      'POST',
      '/create-campaign',
      '{"name":"Proto","__proto__":{"is_shortlink":true,"android_web_redirect":"https://evil.example"},' +
        '"constructor":{"prototype":{"domain":"alt.shop.example"}}}',
    );
    if (answer.status === 201)
      expect(dataOf(answer)).toMatchObject({ name: 'Proto', android_web_redirect: null, domain: 'go.shop.example' });
    else expectSomeError(answer, 400);
    expect([400]).toContain((await shop.send('POST', '/create-campaign', '{"__proto__":{"name":"Inherited"}}')).status);
    expect([400]).toContain(
      (await shop.send('PATCH', '/campaigns/partnered', '{"__proto__":{"name":"Inherited"}}')).status,
    );
    const after = await shop.made();
    expectCreated(after);
    expect(after).toMatchObject({ android_web_redirect: null, domain: 'go.shop.example' });
  });
});

describe('create', () => {
  test('with a name alone', async () => {
    const before = Date.now();
    const answer = await shop.create({ name: 'Minimal' });
    expectEnvelope(answer, 201);
    const data = dataOf(answer);
    expectCreated(data);
    expect(data.display_id).toMatch(/^[A-Za-z0-9]{10}$/);
    const link = `https://go.shop.example/?c=${String(data.display_id)}`;
    expect(data).toMatchObject({
      name: 'Minimal',
      link,
      website: null,
      android_web_redirect: null,
      ios_web_redirect: null,
      domain: 'go.shop.example',
      custom_channels: [],
      store_listings: [],
    });
    expect(Date.parse(data.created_at as string)).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(data.created_at as string)).toBeLessThanOrEqual(Date.now() + 1000);
    const listed = await shop.find(data.display_id as string);
    expectListed(listed as Json);
    expect(listed).toEqual({
      display_id: data.display_id,
      name: 'Minimal',
      created_at: data.created_at,
      update_at: expect.any(String) as string,
      google: false,
      meta: false,
      meta_campaign_id: null,
      meta_web_to_app: false,
      active: true,
      default_link: false,
      attributed_users: 0,
      link,
      shareable_link: link,
      website: null,
      domain: 'go.shop.example',
      custom_channels: [],
      store_listings: [],
      network_account: null,
    });
  });

  test('with everything', async () => {
    const id = fresh('full');
    const answer = await shop.create({
      name: 'Full',
      deeplink: 'acme://product/1?x=1#top',
      link_for_desktop_users: 'https://shop.example/desk?q=%20#f',
      android_web_redirect: 'https://shop.example/android',
      ios_web_redirect: 'http://shop.example/ios',
      custom_display_id: id,
      is_shortlink: false,
      domain: 'alt.shop.example',
      store_listing_ids: ['sl_play', 'sl_app'],
      custom_channel_names: ['Full Channel'],
    });
    expectEnvelope(answer, 201);
    const data = dataOf(answer);
    expectCreated(data);
    expect(data).toMatchObject({
      name: 'Full',
      display_id: id,
      link: `acme://product/1?x=1&c=${id}#top`,
      website: 'https://shop.example/desk?q=%20#f',
      android_web_redirect: 'https://shop.example/android',
      ios_web_redirect: 'http://shop.example/ios',
      domain: 'alt.shop.example',
      custom_channels: [{ id: expect.any(Number) as number, name: 'Full Channel', slug: 'full_channel' }],
    });
    expect(
      (data.store_listings as Json[]).sort((a, b) => String(a.platform).localeCompare(String(b.platform))),
    ).toEqual([PLAY, APP_STORE]);
    expect(await shop.find(id)).toMatchObject({
      name: 'Full',
      link: data.link,
      shareable_link: `https://alt.shop.example/?c=${id}`,
      website: data.website,
      domain: 'alt.shop.example',
      created_at: data.created_at,
    });
  });

  test('a short link has a compact link and no website', async () => {
    const data = await shop.made({
      is_shortlink: true,
      deeplink: 'acme://x',
      link_for_desktop_users: 'https://shop.example/desk',
      domain: 'alt.shop.example',
    });
    expectCreated(data);
    expect(data).toMatchObject({ link: `https://alt.shop.example/?c=${String(data.display_id)}`, website: null });
    expect(await shop.find(data.display_id as string)).toMatchObject({
      link: data.link,
      shareable_link: data.link,
      website: null,
    });
  });

  test.each(DEEPLINKS)('deeplink %s makes link %s', async (deeplink, link) => {
    const data = await shop.made({ deeplink });
    expect(data.link).toBe(link.replace('c=ID', `c=${String(data.display_id)}`));
    expect((await shop.find(data.display_id as string))?.link).toBe(data.link);
  });

  describe('name', () => {
    test.each([[undefined], [null], [''], [' '], ['\t\n\u00a0']])('%j is missing', async (name) => {
      expectError(await shop.create({ name, custom_display_id: fresh() }), 400, NAME_REQUIRED);
    });
    test.each([[5], [true], [{}], [['x']]])('%j is no text', async (name) => {
      expectSomeError(await shop.create({ name }), 400);
    });
    test('is at most 255 code points long', async () => {
      for (const one of ['x', FOUR_BYTES, '\u0301']) {
        expect((await shop.made({ name: one.repeat(255) })).name).toBe(one.repeat(255));
        expectError(await shop.create({ name: one.repeat(256) }), 400, NAME_LONG);
      }
    });
    test.each(['Ünïcödé 名前 😀', `<b>"x" & 'y'</b>`, '%s \\ $1 {}', '__proto__', "Robert'); DROP TABLE campaigns;--"])(
      '%j stays as it is',
      async (name) => {
        const data = await shop.made({ name });
        expect(data.name).toBe(name);
        expect((await shop.find(data.display_id as string))?.name).toBe(name);
      },
    );
    test.each(['a\0b', 'a\ud800', '\udc00'])('%j, which no engine stores, is 400', async (name) => {
      expectSomeError(await shop.create({ name }), 400);
    });
    test('may be that of another campaign', async () => {
      expect((await shop.made({ name: 'Twice' })).display_id).not.toBe((await shop.made({ name: 'Twice' })).display_id);
    });
  });

  describe('deeplink', () => {
    test.each([
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,<b>',
      'vbscript:x',
      '/product/1',
      'product/1',
      '?x=1',
      '#x',
      '//shop.example/x',
      'shop.example',
      ' ',
      'https://',
      '://x',
      'https://user:password@shop.example/',
      'https://user@shop.example/',
      'acme://user:password@x',
      'acme://x\r\nX: y',
      'acme://x y',
      ' acme://x',
      'acme://x\u0001',
      'acme://x\0',
    ])('%j is 400', async (deeplink) => {
      const answer = await shop.create({ name: 'x', deeplink });
      if (deeplink.includes('\0')) expectSomeError(answer, 400);
      else expectError(answer, 400, 'Invalid deeplink URL!');
    });
    test.each([[5], [{}], [['acme://x']], [true]])('%j is no text', async (deeplink) => {
      expectSomeError(await shop.create({ name: 'x', deeplink }), 400);
    });
  });

  describe.each(['android_web_redirect', 'ios_web_redirect', 'link_for_desktop_users'])('%s', (field) => {
    test.each(BAD_URLS)('%j is 400', async (url) => {
      expectError(await shop.create({ name: 'x', [field]: url }), 400, BAD_URL);
    });
    test.each([[5], [{}], [['https://shop.example']], [true]])('%j is no text', async (url) => {
      expectSomeError(await shop.create({ name: 'x', [field]: url }), 400);
    });
    test.each(['https://shop.example', 'http://shop.example:8080/a/../b?x=%7e&y#z', 'HTTPS://Shop.Example/Ü'])(
      '%j stays as it is',
      async (url) => {
        const data = await shop.made({ [field]: url });
        expect(data[field === 'link_for_desktop_users' ? 'website' : field]).toBe(url);
      },
    );
  });

  describe('custom_display_id', () => {
    test.each([
      'A',
      'z',
      '0',
      '-',
      '_',
      'a-b_C-9',
      'x'.repeat(64),
      '__proto__',
      'constructor',
      'API',
      'apis',
      'MAIN_DOMAIN',
    ])('%j is taken as it is', async (id) => {
      const answer = await stranger.create({ name: 'x', custom_display_id: id });
      expectEnvelope(answer, 201);
      expect(dataOf(answer)).toMatchObject({ display_id: id, link: `https://go.stranger.example/?c=${id}` });
      expect(await stranger.find(id)).toMatchObject({ display_id: id });
      expectError(await stranger.create({ name: 'x', custom_display_id: id }), 409, taken(id));
    });
    test.each([
      [' '],
      ['a b'],
      ['a/b'],
      ['a.b'],
      ['ä'],
      ['a?'],
      ['a\n'],
      ['a%20'],
      ['x'.repeat(65)],
      ['\0'],
      [FOUR_BYTES],
      ['../x'],
      [5],
      [true],
      [{}],
      [['x']],
    ])('%j is 400', async (id) => {
      expectSomeError(await shop.create({ name: 'x', custom_display_id: id }), 400);
    });
    test.each(['admin', 'api', 'collect', 'docs', 'healthz', 'metrics', 'readyz', 'v1'])(
      '%s is a path of the service: 400',
      async (id) => {
        expectSomeError(await shop.create({ name: 'x', custom_display_id: id }), 400);
      },
    );
    test('is unique within the account, for good', async () => {
      const id = fresh('unique');
      await shop.made({ custom_display_id: id });
      expectError(await shop.create({ name: 'x', custom_display_id: id }), 409, taken(id));
      expectError(await sister.create({ name: 'x', custom_display_id: id }), 409, taken(id));
      expect((await shop.made({ custom_display_id: id.toUpperCase() })).display_id).toBe(id.toUpperCase());
      expect((await stranger.made({ custom_display_id: id })).display_id).toBe(id);
      expect((await shop.remove(id)).status).toBe(204);
      expectError(await shop.create({ name: 'x', custom_display_id: id }), 409, taken(id));
      expectError(await sister.create({ name: 'x', custom_display_id: id }), 409, taken(id));
      expect(await stranger.find(id)).toMatchObject({ display_id: id });
    });
    test('of the system campaign, a synced one or one of the workspace is taken too', async () => {
      for (const id of [main, 'meta1', 'sister1'])
        expectError(await shop.create({ name: 'x', custom_display_id: id }), 409, taken(id));
    });
    test('created twenty times at once makes one campaign', async () => {
      const id = fresh('race');
      const answers = await Promise.all(
        Array.from(
          { length: 20 },
          (_, i) => [shop, sister][i % 2]?.create({ name: `Race ${i}`, custom_display_id: id }) as Promise<Answer>,
        ),
      );
      const [made, ...rest] = answers.sort((a, b) => a.status - b.status) as [Answer, ...Answer[]];
      expectEnvelope(made, 201);
      for (const answer of rest) expectError(answer, 409, taken(id));
      expect([...(await shop.all()), ...(await sister.all())].filter((one) => one.display_id === id)).toMatchObject([
        { name: dataOf(made).name },
      ]);
    });
  });

  describe('domain', () => {
    test.each([
      'unknown.example',
      'go.sister.example',
      'go.stranger.example',
      'https://go.shop.example',
      'x',
      '__proto__',
      "'",
    ])('%j is not of the project: 400', async (domain) => {
      expectError(await shop.create({ name: 'x', domain }), 400, `Domain '${domain}' not found for this project!`);
    });
    test('of the project is used, in any case', async () => {
      expect(await shop.made({ domain: 'go.shop.example' })).toMatchObject({ domain: 'go.shop.example' });
      expect(await shop.made({ domain: 'ALT.Shop.example' })).toMatchObject({ domain: 'alt.shop.example' });
    });
    test.each([[5], [{}], [['go.shop.example']], ['\0']])('%j is 400', async (domain) => {
      expectSomeError(await shop.create({ name: 'x', domain }), 400);
    });
  });

  describe('store_listing_ids', () => {
    test.each([
      ['sl_play'],
      [5],
      [true],
      [{}],
      [['']],
      [['sl_play', '']],
      [[5]],
      [[null]],
      [[['sl_play']]],
      [{ 0: 'sl_play', length: 1 }],
    ])('%j is 400', async (ids) => {
      expectError(await shop.create({ name: 'x', store_listing_ids: ids }), 400, LISTINGS_FORM);
    });
    test('unknown ones and those of other projects are named', async () => {
      expectError(
        await shop.create({ name: 'x', store_listing_ids: ['unknown'] }),
        400,
        'Store listing(s) not found for this project: unknown',
      );
      expectError(
        await shop.create({ name: 'x', store_listing_ids: ['sl_sister'] }),
        400,
        'Store listing(s) not found for this project: sl_sister',
      );
      expectError(
        await shop.create({ name: 'x', store_listing_ids: ['zz', 'sl_play', 'sl_sister', 'aa'] }),
        400,
        'Store listing(s) not found for this project: zz, sl_sister, aa',
      );
      expectError(
        await shop.create({ name: 'x', store_listing_ids: ['SL_PLAY'] }),
        400,
        'Store listing(s) not found for this project: SL_PLAY',
      );
      expectError(
        await shop.create({ name: 'x', store_listing_ids: ['__proto__'] }),
        400,
        'Store listing(s) not found for this project: __proto__',
      );
    });
    test('of one platform are too many', async () => {
      const text = 'Cannot assign multiple store listings with the same platform to a campaign!';
      expectError(await shop.create({ name: 'x', store_listing_ids: ['sl_play', 'sl_play2'] }), 400, text);
      expectError(await shop.create({ name: 'x', store_listing_ids: ['sl_app', 'sl_play', 'sl_play2'] }), 400, text);
    });
    test('none, one or one per platform', async () => {
      expect((await shop.made({ store_listing_ids: [] })).store_listings).toEqual([]);
      expect((await shop.made({ store_listing_ids: ['sl_app'] })).store_listings).toEqual([APP_STORE]);
      expect((await shop.made({ store_listing_ids: ['sl_app', 'sl_play'] })).store_listings).toHaveLength(2);
    });
    test('with a NUL is 400', async () => {
      expectSomeError(await shop.create({ name: 'x', store_listing_ids: ['\0'] }), 400);
    });
  });

  test('refused, leaves nothing behind', async () => {
    const counts = async () =>
      (
        await db.rows(
          `SELECT (SELECT count(*)::int FROM campaigns) AS campaigns,
             (SELECT count(*)::int FROM custom_channels) AS channels`,
        )
      )[0];
    const before = await counts();
    await shop.create({ name: 'x', custom_channel_names: ['Left behind'], domain: 'unknown.example' });
    await shop.create({ name: 'x', custom_channel_names: ['Left behind'], store_listing_ids: ['unknown'] });
    await shop.create({ name: 'x', custom_channel_names: ['Left behind'], custom_display_id: 'partnered' });
    await shop.create({ name: ' ', custom_channel_names: ['Left behind'] });
    expect(await counts()).toEqual(before);
  });

  test('in a project without a domain', async () => {
    const homeless = campaignClient(service, NO_DOMAIN_KEY);
    const data = await homeless.made({ deeplink: 'acme://x' });
    expectCreated(data);
    expect(data).toMatchObject({ domain: null, link: `acme://x?c=${String(data.display_id)}` });
    for (const body of [{}, { is_shortlink: true }]) {
      const answer = await homeless.create({ name: 'x', ...body });
      expect([201, 400]).toContain(answer.status);
      expect(String((answer.body.data as Json | undefined)?.link)).not.toMatch(/\/\/(null|undefined)/);
    }
  });

  test('generated display IDs differ', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => shop.made()));
    expect(new Set(made.map((one) => one.display_id)).size).toBe(20);
    expect(new Set(made.map((one) => one.id)).size).toBe(20);
  });
});

describe('custom channels', () => {
  let campaign: string;
  beforeAll(async () => {
    campaign = (await shop.made()).display_id as string;
  });
  /** The rules are those of create, and edit has them too. */
  const BOTH: [string, (names: unknown) => Promise<Answer>, number][] = [
    ['create', (names) => shop.create({ name: 'x', custom_channel_names: names }), 201],
    ['edit', (names) => shop.edit(campaign, { custom_channel_names: names }), 200],
  ];

  describe.each(BOTH)('in %s', (verb, send, success) => {
    const given = async (name: string) => {
      const answer = await send([name]);
      expectEnvelope(answer, success);
      return channelOf(dataOf(answer));
    };

    test('a new name makes a channel; its code is shown', async () => {
      for (const [name, slug] of [
        [`Pod Casts-${verb}!`, `pod_casts_${verb}_`],
        [`ÜBER 名前 9 ${verb}`, `über_名前_9_${verb}`],
        [`a.b/c+${verb}`, `a_b_c_${verb}`],
      ] as const) {
        expect(await given(name)).toEqual({ id: expect.any(Number) as number, name, slug });
      }
    });

    test('a name whose code is there is that channel', async () => {
      const first = await given(`Influencers ${verb}`);
      for (const name of [`Influencers ${verb}`, `INFLUENCERS ${verb}`, `influencers_${verb}`, `Influencers-${verb}`])
        expect(await given(name)).toEqual(first);
    });

    test.each([
      'google',
      'Google',
      'META',
      'TikTok',
      'apple_search_ads',
      'Apple Search Ads',
      'apple-search.ads',
      'Snapchat',
      'LinkedIn',
      'Organic',
      'adtrail_links',
      'AdTrail Links',
      'None',
      'none',
      'NONE',
    ])('%s is reserved', async (name) => {
      expectError(await send([name]), 400, `"${name}" is a reserved channel name`);
    });

    test.each([
      '<b>x</b>',
      '<script>alert(1)</script>',
      'x<img src=x onerror=alert(1)>',
      '</p>',
      '<SCRIPT src=//x>',
      '<svg/onload=x>',
    ])('%s is HTML', async (name) => {
      expectError(await send([name]), 400, CHANNEL_HTML);
    });

    test('a name is under 80 code points long', async () => {
      for (const one of ['x', SCRIPT_A]) {
        const name = verb[0] + one.repeat(78);
        expect((await given(name)).name).toBe(name);
        expectError(await send([`${name}${one}`]), 400, CHANNEL_LONG);
        expectError(await send([one.repeat(300)]), 400, CHANNEL_LONG);
      }
    });

    test.each(['Q&A', 'Buy one=get one', "Tom's 50% off", 'a.b@c', 'Online = best', '$1 {x} [y]', '__proto__ x'])(
      '%s is a name like any other',
      async (name) => {
        expect((await given(name)).name).toBe(name);
      },
    );

    test('two names are too many, even of one code', async () => {
      expectError(await send(['One', 'Two']), 400, ONE_CHANNEL);
      expectError(await send(['Same', 'same']), 400, ONE_CHANNEL);
      expectError(await send(['One', 'Two', 'Three']), 400, ONE_CHANNEL);
    });

    test.each([['x'], [5], [{}], [true], [[5]], [[null]], [[{}]], [[['x']]], [['']], [['  ']], [['\0']], [['\ud800']]])(
      '%j is 400',
      async (names) => {
        expectSomeError(await send(names), 400);
      },
    );

    test('the code of an inactive channel is not given out again', async () => {
      const { id } = await given(`Gone ${verb}`);
      await db.rows('UPDATE custom_channels SET active = false WHERE id = $1', [id]);
      for (const name of [`Gone ${verb}`, `GONE-${verb}`]) expectError(await send([name]), 409, CHANNEL_DELETED);
    });

    test('refused names change nothing', async () => {
      const name = `Kept ${verb}`;
      const kept = await shop.made({ custom_channel_names: [name] });
      await shop.edit(kept.display_id as string, { name: 'Not taken', custom_channel_names: ['google'] });
      expect((await shop.find(kept.display_id as string))?.name).toBe('Made');
      const edited = await shop.edit(kept.display_id as string, { active: true });
      expect(channelOf(dataOf(edited)).name).toBe(name);
    });
  });

  test('belong to a project', async () => {
    const [mine, theirs, foreign] = [
      await shop.made({ custom_channel_names: ['Per project'] }),
      await sister.made({ custom_channel_names: ['Per project'] }),
      await stranger.made({ custom_channel_names: ['Per project'] }),
    ];
    expect(new Set([mine, theirs, foreign].map((one) => channelOf(one).id)).size).toBe(3);
    await db.rows('UPDATE custom_channels SET active = false WHERE id = $1', [channelOf(mine).id]);
    expectError(await shop.create({ name: 'x', custom_channel_names: ['Per project'] }), 409, CHANNEL_DELETED);
    expect(channelOf(await sister.made({ custom_channel_names: ['Per project'] })).id).toBe(channelOf(theirs).id);
  });

  test('an empty list is none', async () => {
    expect((await shop.made({ custom_channel_names: [] })).custom_channels).toEqual([]);
  });

  test('created twenty times at once are one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        shop.create({ name: `Race ${i}`, custom_channel_names: [i % 2 ? 'Racing Channel' : 'RACING-CHANNEL'] }),
      ),
    );
    for (const answer of answers) expectEnvelope(answer, 201);
    expect(new Set(answers.map((answer) => channelOf(dataOf(answer)).id)).size).toBe(1);
    expect(new Set(answers.map((answer) => dataOf(answer).display_id)).size).toBe(20);
    expect(await db.rows("SELECT count(*)::int AS n FROM custom_channels WHERE slug = 'racing_channel'")).toEqual([
      { n: 1 },
    ]);
  });
});

describe('edit', () => {
  let id: string;
  let created: Json;
  const FULL = {
    website: 'https://shop.example/desk',
    android_web_redirect: 'https://shop.example/android',
    ios_web_redirect: 'https://shop.example/ios',
  };
  const edited = async (body: Json, of = id) => {
    const answer = await shop.edit(of, body);
    expectEnvelope(answer, 200);
    expectEdited(dataOf(answer));
    return dataOf(answer);
  };

  beforeEach(async () => {
    const { website, ...redirects } = FULL;
    created = await shop.made({
      name: 'To edit',
      deeplink: 'acme://x?a=1',
      link_for_desktop_users: website,
      ...redirects,
      store_listing_ids: ['sl_app'],
      custom_channel_names: ['Edit Channel'],
    });
    id = created.display_id as string;
  });

  test('answers with the edited campaign', async () => {
    expect(await edited({ name: 'Edited' })).toEqual({
      display_id: id,
      name: 'Edited',
      created_at: created.created_at,
      update_at: expect.any(String) as string,
      google: false,
      meta: false,
      meta_campaign_id: null,
      meta_web_to_app: false,
      active: true,
      default_link: false,
      ...FULL,
      attributed_users: 0,
      custom_channels: created.custom_channels,
    });
  });

  test.each([
    [{ name: 'New name' }, { name: 'New name' }],
    [{ active: false }, { active: false }],
    [{ active: true }, { active: true }],
    [{ website: 'http://new.example/?x=%20#y' }, { website: 'http://new.example/?x=%20#y' }],
    [{ link_for_desktop_users: 'https://new.example' }, { website: 'https://new.example' }],
    [
      { website: 'https://new.example', link_for_desktop_users: 'https://new.example' },
      { website: 'https://new.example' },
    ],
    [{ android_web_redirect: 'https://new.example/a' }, { android_web_redirect: 'https://new.example/a' }],
    [{ ios_web_redirect: 'https://new.example/i' }, { ios_web_redirect: 'https://new.example/i' }],
    [{ website: null }, { website: null }],
    [{ website: '' }, { website: null }],
    [{ link_for_desktop_users: null }, { website: null }],
    [{ link_for_desktop_users: '' }, { website: null }],
    [{ website: null, link_for_desktop_users: null }, { website: null }],
    [{ android_web_redirect: null }, { android_web_redirect: null }],
    [{ android_web_redirect: '' }, { android_web_redirect: null }],
    [{ ios_web_redirect: null }, { ios_web_redirect: null }],
    [{ ios_web_redirect: '' }, { ios_web_redirect: null }],
    [{ custom_channel_names: [] }, { custom_channels: [] }],
    [
      {
        name: 'All',
        active: false,
        website: null,
        android_web_redirect: 'https://n.example',
        ios_web_redirect: '',
        custom_channel_names: [],
      },
      {
        name: 'All',
        active: false,
        website: null,
        android_web_redirect: 'https://n.example',
        ios_web_redirect: null,
        custom_channels: [],
      },
    ],
  ] as [Json, Json][])('%j sets this and leaves the rest', async (body, changed) => {
    const answer = await edited({
      ...body,
      deeplink: 'acme://ignored',
      display_id: 'ignored',
      domain: 'alt.shop.example',
      is_shortlink: true,
      store_listing_ids: [],
    });
    const expected = { name: 'To edit', active: true, ...FULL, custom_channels: created.custom_channels, ...changed };
    expect(answer).toMatchObject({ display_id: id, created_at: created.created_at, ...expected });
    expect(await shop.find(id)).toMatchObject({
      name: expected.name,
      active: expected.active,
      website: expected.website,
      link: `acme://x?a=1&c=${id}`,
      domain: 'go.shop.example',
      store_listings: [APP_STORE],
      update_at: answer.update_at,
      created_at: created.created_at,
    });
    // What was answered is what is stored.
    expect({ ...(await edited({ active: expected.active })), update_at: '' }).toEqual({ ...answer, update_at: '' });
  });

  test('one channel name replaces the channel', async () => {
    const channel = channelOf(await edited({ custom_channel_names: ['Other Channel'] }));
    expect(channel).toEqual({ id: expect.any(Number) as number, name: 'Other Channel', slug: 'other_channel' });
    expect(channel.id).not.toBe(channelOf(created).id);
    expect(channelOf(await edited({ custom_channel_names: ['EDIT CHANNEL'] }))).toEqual(channelOf(created));
  });

  test('counts update_at up', async () => {
    let last = Date.parse(created.created_at as string);
    for (const body of [
      { name: 'One' },
      { active: false },
      { active: true },
      { website: null },
      { custom_channel_names: [] },
    ]) {
      await sleep(5);
      const { update_at, created_at } = await edited(body);
      expect(created_at).toBe(created.created_at);
      expect(Date.parse(update_at as string)).toBeGreaterThan(last);
      last = Date.parse(update_at as string);
    }
  });

  test.each([
    {},
    { unknown: 1 },
    { deeplink: 'acme://x' },
    { domain: 'alt.shop.example' },
    { store_listing_ids: [] },
    { is_shortlink: true },
    { custom_display_id: 'x' },
    { Name: 'x' },
  ])('%j has no supported field', async (body) => {
    expectError(await shop.edit(id, body), 400, AT_LEAST_ONE);
  });

  test('a body that is wrong is so whatever the campaign', async () => {
    expectError(await shop.edit('unknown', {}), 400, AT_LEAST_ONE);
    expectError(await shop.edit('unknown', { name: ' ' }), 400, NAME_EMPTY);
  });

  describe('name', () => {
    test.each(['', ' ', '\t\n\u00a0'])('%j is empty', async (name) => {
      expectError(await shop.edit(id, { name }), 400, NAME_EMPTY);
      expectError(await shop.edit(id, { name, active: false }), 400, NAME_EMPTY);
      expect(await shop.find(id)).toMatchObject({ name: 'To edit', active: true });
    });
    test.each([[null], [5], [{}], [['x']], [true], ['a\0'], ['\ud800']])('%j is 400', async (name) => {
      expectSomeError(await shop.edit(id, { name }), 400);
    });
    test('is at most 255 code points long', async () => {
      expect((await edited({ name: FOUR_BYTES.repeat(255) })).name).toBe(FOUR_BYTES.repeat(255));
      expectError(await shop.edit(id, { name: FOUR_BYTES.repeat(256) }), 400, NAME_LONG);
      expectError(await shop.edit(id, { name: 'x'.repeat(256) }), 400, NAME_LONG);
    });
    test('MAIN_DOMAIN is reserved', async () => {
      for (const name of ['MAIN_DOMAIN', ' MAIN_DOMAIN\t']) {
        expectError(
          await shop.edit(id, { name }),
          400,
          'A campaign cannot be renamed to the reserved name MAIN_DOMAIN.',
        );
        expectError(
          await shop.send('POST', '/create-campaign', { name }),
          400,
          'The campaign name MAIN_DOMAIN is reserved.',
        );
      }
      expect((await shop.find(id))?.name).toBe('To edit');
    });
  });

  test.each([[null], ['true'], [''], [0], [1], [[]], [{}]])('active=%j is no boolean', async (active) => {
    expectError(await shop.edit(id, { active }), 400, 'Active field must be a boolean!');
  });

  test.each(['android_web_redirect', 'ios_web_redirect', 'website', 'link_for_desktop_users'])(
    '%s must be an absolute http(s) URL',
    async (field) => {
      for (const url of [...BAD_URLS, ' ']) {
        expectError(await shop.edit(id, { [field]: url }), 400, BAD_URL);
      }
      for (const url of [5, {}, ['https://shop.example'], true, 'https://shop.example/\0'])
        expectSomeError(await shop.edit(id, { [field]: url }), 400);
      expect(await shop.find(id)).toMatchObject({ website: FULL.website });
    },
  );

  test.each([
    ['https://a.example', 'https://b.example'],
    ['https://a.example', null],
    [null, 'https://a.example'],
    ['', 'https://a.example'],
    ['https://a.example', ''],
  ])('website %j and link_for_desktop_users %j are different', async (website, link_for_desktop_users) => {
    expectError(
      await shop.edit(id, { website, link_for_desktop_users }),
      400,
      'website and link_for_desktop_users refer to the same field and cannot be sent with different values!',
    );
  });

  test('a short link may get a website later', async () => {
    const short = await shop.made({ is_shortlink: true });
    expect(await edited({ website: 'https://later.example' }, short.display_id as string)).toMatchObject({
      website: 'https://later.example',
    });
    expect(await shop.find(short.display_id as string)).toMatchObject({
      website: 'https://later.example',
      link: `https://go.shop.example/?c=${String(short.display_id)}`,
    });
  });

  test('the system campaign keeps its name; the rest of it can be set', async () => {
    expectError(await shop.edit(main, { name: 'Renamed' }), 400, 'The system MAIN_DOMAIN campaign cannot be renamed.');
    expectError(
      await shop.edit(main, { name: 'Renamed', website: 'https://not.taken.example' }),
      400,
      'The system MAIN_DOMAIN campaign cannot be renamed.',
    );
    expect(await edited({ website: 'https://main.example' }, main)).toMatchObject({
      display_id: main,
      name: 'MAIN_DOMAIN',
      default_link: true,
      website: 'https://main.example',
    });
    await edited({ website: null }, main);
  });

  test('synced campaigns can be edited', async () => {
    expect(await edited({ active: false }, 'meta1')).toMatchObject({
      display_id: 'meta1',
      google: false,
      meta: true,
      meta_campaign_id: 'id-meta1',
      meta_web_to_app: true,
      active: false,
      created_at: expect.stringContaining('2025-11-02T00:00:00') as string,
    });
    expect(await edited({ active: true }, 'google1')).toMatchObject({
      google: true,
      meta: false,
      meta_campaign_id: null,
      meta_web_to_app: false,
    });
  });

  test.each([
    'unknown',
    'stranger1',
    'sister1',
    'a.b',
    'a%20b',
    '%00',
    'x'.repeat(65),
    'x'.repeat(5000),
    '%F0%9F%98%80',
    '__proto__',
    'constructor',
    "'",
    '%2e%2e%2fx',
    '1',
  ])('%s is not found', async (unknown) => {
    expectError(await shop.edit(unknown, { active: false }), 404, NOT_FOUND);
  });

  test('a campaign of another project stays as it is', async () => {
    expect((await sister.find('sister1'))?.active).toBe(true);
    expect((await stranger.find('stranger1'))?.active).toBe(true);
    expectError(await sister.edit(id, { active: false }), 404, NOT_FOUND);
    expect(await shop.find(id)).toMatchObject({ active: true });
  });

  test('display_id is case-sensitive, and may be percent-encoded', async () => {
    await shop.made({ custom_display_id: 'CaseD-1' });
    expectError(await shop.edit('cased-1', { active: false }), 404, NOT_FOUND);
    expect((await edited({ active: false }, 'Case%44%2D1')).display_id).toBe('CaseD-1');
  });

  test('a path that cannot be decoded is no internal error', async () => {
    expect([400, 404]).toContain((await shop.edit('%E0%A4%A', { active: false })).status);
    expect([400, 404]).toContain((await shop.remove('%E0%A4%A')).status);
  });

  test('without a display_id is 400', async () => {
    for (const at of ['/campaigns/', '/campaigns'])
      expectError(await shop.send('PATCH', at, { active: false }), 400, 'Campaign display ID is required!');
  });

  test('twenty at once are all taken', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        shop.edit(id, { name: `Name ${i}`, custom_channel_names: [`Edit race ${i % 3}`] }),
      ),
    );
    for (const answer of answers) expectEnvelope(answer, 200);
    expect((await shop.find(id))?.name).toMatch(/^Name \d+$/);
  });
});

describe('delete', () => {
  test('answers 204 without a body, and the campaign is deleted', async () => {
    const { display_id } = await shop.made({ custom_channel_names: ['Delete Channel'] });
    const id = display_id as string;
    const before = dataOf(await shop.list()).total_campaigns as number;
    const answer = await shop.remove(id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await shop.find(id)).toBeUndefined();
    expect(dataOf(await shop.list())).toMatchObject({ total_campaigns: before - 1 });
    expectError(await shop.list({ link: `https://go.shop.example/?c=${id}` }), 400, 'Invalid request parameters.');
    expectError(await shop.remove(id), 404, NOT_FOUND);
    expectError(await shop.edit(id, { active: true }), 404, NOT_FOUND);
    expectError(await shop.create({ name: 'x', custom_display_id: id }), 409, taken(id));
    expectError(await sister.create({ name: 'x', custom_display_id: id }), 409, taken(id));
  });

  test('takes inactive campaigns, and those of an ad network that no sync owns', async () => {
    const { display_id } = await shop.made();
    await shop.edit(display_id as string, { active: false });
    expect((await shop.remove(display_id as string)).status).toBe(204);
    expect((await shop.remove('manual-meta')).status).toBe(204);
  });

  test('does not take the system campaign or synced ones', async () => {
    for (const id of [main, 'google1', 'meta1', 'tiktok1', 'snap1']) {
      expectError(await shop.remove(id), 400, NOT_DELETABLE);
      expect(await shop.find(id)).toBeDefined();
    }
  });

  test.each(['unknown', 'stranger1', 'sister1', '%00', 'a%20b', 'x'.repeat(5000), '__proto__', "'"])(
    '%s is not found',
    async (id) => {
      expectError(await shop.remove(id), 404, NOT_FOUND);
    },
  );

  test('leaves the campaigns of others', async () => {
    expect(await sister.find('sister1')).toBeDefined();
    expect(await stranger.find('stranger1')).toBeDefined();
    expectError(await shop.remove(await mainOf(sister)), 404, NOT_FOUND);
  });

  test('without a display_id is 400', async () => {
    for (const at of ['/campaigns/', '/campaigns'])
      expectError(await shop.send('DELETE', at), 400, 'Campaign display ID is required!');
  });

  test('twenty times at once deletes once', async () => {
    const { display_id } = await shop.made();
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.remove(display_id as string)));
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status !== 204)) expectError(answer, 404, NOT_FOUND);
  });

  test('a deleted campaign stays deleted when the workspace names it again', async () => {
    const { skipped } = (await service.apply(WORKSPACE)) as { skipped: Json[] };
    expect(skipped).toMatchObject([{ kind: 'campaign', display_id: 'manual-meta' }]);
    expect(await shop.find('manual-meta')).toBeUndefined();
  });
});

describe('what is in force at once', () => {
  /** The reason that S2S gives for a click on this campaign, or `accepted`. */
  async function click(c: string): Promise<string> {
    const response = await service.request(`/v1/click/com.shop?c=${c}&tid=${crypto.randomUUID()}&ip=203.0.113.7`, {
      headers: { 'X-Service-Token': TOKEN },
    });
    const { status, reason } = (await response.json()) as { status: string; reason?: string };
    return reason ?? status;
  }

  test('a campaign that is edited', async () => {
    for (let i = 0; i < 5; i++) {
      expect(await click('partnered')).toBe('accepted');
      expect((await shop.edit('partnered', { active: false })).status).toBe(200);
      expect(await click('partnered')).toBe('unknown_campaign');
      expect((await shop.edit('partnered', { active: true })).status).toBe(200);
    }
    expect(await click('partnered')).toBe('accepted');
  });

  test('a campaign that is deleted', async () => {
    expect(await click('partnered2')).toBe('accepted');
    expect((await shop.remove('partnered2')).status).toBe(204);
    expect(await click('partnered2')).toBe('unknown_campaign');
  });

  test('a campaign that is created has no partner, so S2S does not know it', async () => {
    expect(await click((await shop.made()).display_id as string)).toBe('unknown_campaign');
  });
});

describe('other methods', () => {
  const CASES: [string, string, string[]][] = [
    ['GET', '/create-campaign', ['POST']],
    ['PUT', '/create-campaign', ['POST']],
    ['PATCH', '/create-campaign', ['POST']],
    ['DELETE', '/create-campaign', ['POST']],
    ['GET', '/campaigns/partnered', ['PATCH', 'DELETE']],
    ['POST', '/campaigns/partnered', ['PATCH', 'DELETE']],
    ['PUT', '/campaigns/partnered', ['PATCH', 'DELETE']],
  ];
  test.each(CASES)('%s %s is 405', async (method, at, allowed) => {
    const answer = await shop.send(method, at, ['GET', 'DELETE'].includes(method) ? undefined : { name: 'x' });
    expectSomeError(answer, 405);
    for (const one of allowed) expect(answer.headers.get('allow')).toMatch(new RegExp(`\\b${one}\\b`));
  });

  test.each([
    ['POST', '/nothing'],
    ['PATCH', '/campaigns/partnered/more'],
    ['DELETE', '/campaigns/partnered/more'],
    ['POST', '/create-campaign/x'],
  ])('%s %s is 404', async (method, at) => {
    expectSomeError(await shop.send(method, at, method === 'DELETE' ? undefined : { name: 'x' }), 404);
  });
});

test('nothing of this was an internal error', () => {
  expect(service.output()).not.toMatch(/"level":"error"|unhandled/i);
});
