/**
 * Create, edit and delete campaigns over HTTP: what is stored, what needs the project, and that refusals reach the
 * answer (docs/contract/campaigns.md). Which values each field takes: test/unit/workspace/campaigns-input.test.ts.
 */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  APP_STORE,
  campaignClient,
  campaignWorkspace,
  readData,
  expectEnvelope,
  expectError,
  expectSomeError,
  readKeys,
  PLAY,
  type Answer,
  type CampaignClient,
  type Json,
} from '../../support/workspace/campaigns';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';
import { TOKEN } from '../../support/workspace/workspace';

const SUITE = 'manage';
const { SHOP_KEY, SISTER_KEY, STRANGER_KEY, NO_DOMAIN_KEY, WEB_KEY } = readKeys(SUITE);

const BAD_URL = 'Please enter a valid URL (e.g., https://example.com/android)';
const AT_LEAST_ONE =
  'At least one field (name, active, website, android_web_redirect or ios_web_redirect) is required for update!';
const LISTINGS_FORM = 'store_listing_ids must be an array of non-empty strings!';
const ONE_CHANNEL = 'A campaign can have at most one custom channel';
const CHANNEL_HTML = 'Custom channel name cannot contain HTML tags or scripts';
const CHANNEL_DELETED = 'Channel name conflicts with a previously deleted channel - pick a different name';
const NOT_FOUND = 'Campaign not found!';
const NOT_DELETABLE =
  'Only manually-created service campaigns can be deleted. System (MAIN_DOMAIN) and ad-network campaigns cannot be ' +
  'deleted.';
const taken = (id: string) => `Campaign with custom_display_id '${id}' already exists!`;

const synced = (display_id: string, network: string, more: Json = {}) => ({
  display_id,
  name: `Synced ${display_id}`,
  network,
  network_campaign_id: `id-${display_id}`,
  created_at: '2025-11-02T00:00:00Z',
  ...more,
});
const CAMPAIGNS = [
  { display_id: 'partnered', name: 'Partnered', partner: 'Mobi Ads', created_at: '2025-11-02T00:00:00Z' },
  { display_id: 'partnered2', name: 'Partnered 2', partner: 'Mobi Ads' },
  synced('google1', 'GOOGLE'),
  synced('meta1', 'META', { web_to_app: true, network_account: 'act_1' }),
  synced('tiktok1', 'TIKTOK'),
  synced('snap1', 'SNAPCHAT'),
  { display_id: 'manual-meta', name: 'Made by hand for Meta', network: 'META' },
];
const WORKSPACE = campaignWorkspace(CAMPAIGNS, {}, SUITE);

const service = sharedService();
const db = readPostgres(service);
const shop = campaignClient(service, SHOP_KEY);
const sister = campaignClient(service, SISTER_KEY);
const stranger = campaignClient(service, STRANGER_KEY);
let projectId: number;
let main: string;

let count = 0;
/** A name or ID that no other test has. */
const fresh = (prefix = 'f') => `${prefix}-${++count}`;
const readChannel = (data: Json) => (data.custom_channels as Json[])[0] as { id: number; name: string; slug: string };
const readMain = async (client: CampaignClient) =>
  (await client.all()).find((one) => one.default_link)?.display_id as string;

beforeAll(async () => {
  await service.apply(WORKSPACE);
  projectId = await idByName(service, 'projects', `Shop ${SUITE}`);
  main = await readMain(shop);
});
afterAll(() => db.close());

/** A client without any key of its own. */
const sendWith = (headers: Record<string, string>, method: string, at: string, body?: unknown) =>
  shop.send(method, at, body, headers);

describe('the key', () => {
  const ENDPOINTS: [string, string, unknown][] = [
    ['POST', '/create-campaign', { name: 'x' }],
    ['PATCH', '/campaigns/partnered', { name: 'x' }],
    ['DELETE', '/campaigns/partnered', undefined],
  ];

  test.each(ENDPOINTS)('%s %s needs one, which is looked at first', async (method, at, body) => {
    const missing: Record<string, string>[] = [{}, { 'service-key': '' }, { Authorization: `Bearer ${SHOP_KEY}` }];
    for (const headers of missing) expectError(await sendWith(headers, method, at, body), 401, 'Server key missing!');
    const wrong = ['nonsense', WEB_KEY, SHOP_KEY.toUpperCase(), `${SHOP_KEY}x`, TOKEN, '__proto__', 'x'.repeat(10_000)];
    for (const key of wrong)
      expectError(await sendWith({ 'service-key': key }, method, at, body && 'no json'), 401, 'Server key invalid!');
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
  // Which text is a JSON object: test/unit/http/body.test.ts, and openapi.test.ts for every endpoint.
  test.each(ENDPOINTS)('%s %s: no JSON is 400, over 100 kB is 413', async (method, at) => {
    for (const body of [
      '',
      'name=x',
      '{"name":"x",}',
      `{"name":"x","filler":${'['.repeat(45_000)}${']'.repeat(45_000)}}`,
    ])
      expectError(await shop.send(method, at, body), 400, 'Invalid JSON body.');
    expectError(await shop.send(method, at), 400, 'Invalid JSON body.');
    const sized = (bytes: number) => `{"name":"Sized","filler":"${'x'.repeat(bytes - 28)}"}`;
    expect(sized(100 * 1024)).toHaveLength(100 * 1024);
    expect([200, 201]).toContain((await shop.send(method, at, sized(100 * 1024))).status);
    expectSomeError(await shop.send(method, at, sized(100 * 1024 + 1)), 413);
  });

  test('is JSON whatever content type it claims', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8']) {
      const headers = { 'service-key': SHOP_KEY, 'Content-Type': type };
      expect((await shop.send('POST', '/create-campaign', '{"name":"Typed"}', headers)).status).toBe(201);
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
    expect(readData(answer)).toMatchObject({ name: 'Extra', website: null });
    expect(readData(answer).display_id).not.toBe('not-read');
    expect(await shop.find(readData(answer).display_id as string)).toMatchObject({
      active: true,
      meta: false,
      default_link: false,
    });
  });

  test('__proto__ is refused, and never inherited; other names of Object.prototype are fields like any', async () => {
    for (const body of [
      '{"name": "x", "__proto__": {"domain": "alt.manage.example"}}',
      '{"name": "x", "filler": {"__proto__": {"domain": "alt.manage.example"}}}',
      '{"__proto__":{"name":"Inherited"}}',
    ])
      for (const [method, at] of ENDPOINTS) expectError(await shop.send(method, at, body), 400, 'Invalid JSON body.');
    const plain = '{"name": "Plain", "constructor": {"prototype": {"is_shortlink": true}}, "toString": null}';
    expect(readData(await shop.send('POST', '/create-campaign', plain))).toMatchObject({ name: 'Plain' });
    expect(await shop.made()).toMatchObject({ android_web_redirect: null, domain: 'go.manage.example' });
  });
});

describe('create', () => {
  test('with a name alone', async () => {
    const before = Date.now();
    const answer = await shop.create({ name: 'Minimal' });
    expectEnvelope(answer, 201);
    const data = readData(answer);
    expect(data.display_id).toMatch(/^[A-Za-z0-9]{10}$/);
    const link = `https://go.manage.example/?c=${String(data.display_id)}`;
    expect(data).toMatchObject({
      name: 'Minimal',
      link,
      website: null,
      android_web_redirect: null,
      ios_web_redirect: null,
      domain: 'go.manage.example',
      custom_channels: [],
      store_listings: [],
    });
    expect(Date.parse(data.created_at as string)).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(data.created_at as string)).toBeLessThanOrEqual(Date.now() + 1000);
    const listed = await shop.find(data.display_id as string);
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
      domain: 'go.manage.example',
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
      domain: 'alt.manage.example',
      store_listing_ids: ['sl_play', 'sl_app'],
      custom_channel_names: ['Full Channel'],
    });
    expectEnvelope(answer, 201);
    const data = readData(answer);
    expect(data).toMatchObject({
      name: 'Full',
      display_id: id,
      link: `acme://product/1?x=1&c=${id}#top`,
      website: 'https://shop.example/desk?q=%20#f',
      android_web_redirect: 'https://shop.example/android',
      ios_web_redirect: 'http://shop.example/ios',
      domain: 'alt.manage.example',
      custom_channels: [{ id: expect.any(Number) as number, name: 'Full Channel', slug: 'full_channel' }],
    });
    expect(
      (data.store_listings as Json[]).sort((a, b) => String(a.platform).localeCompare(String(b.platform))),
    ).toEqual([PLAY, APP_STORE]);
    expect(await shop.find(id)).toMatchObject({
      name: 'Full',
      link: data.link,
      shareable_link: `https://alt.manage.example/?c=${id}`,
      website: data.website,
      domain: 'alt.manage.example',
      created_at: data.created_at,
    });
  });

  test('a short link has a compact link and no website', async () => {
    const data = await shop.made({
      is_shortlink: true,
      deeplink: 'acme://x',
      link_for_desktop_users: 'https://shop.example/desk',
      domain: 'alt.manage.example',
    });
    expect(data).toMatchObject({ link: `https://alt.manage.example/?c=${String(data.display_id)}`, website: null });
    expect(await shop.find(data.display_id as string)).toMatchObject({
      link: data.link,
      shareable_link: data.link,
      website: null,
    });
  });

  // One of each field: which others are refused is in test/unit/workspace/campaigns-input.test.ts.
  test.each([
    [{ name: ' ' }, 'Campaign name is required!'],
    [{ deeplink: 'javascript:alert(1)' }, 'Invalid deeplink URL!'],
    [{ link_for_desktop_users: 'https://user@shop.example' }, BAD_URL],
    [{ android_web_redirect: 5 }, BAD_URL],
    [{ ios_web_redirect: 'https:/shop.example' }, BAD_URL],
    [{ is_shortlink: 'yes' }, 'is_shortlink must be a boolean!'],
    [{ store_listing_ids: [''] }, LISTINGS_FORM],
    [{ custom_channel_names: ['<b>x</b>'] }, CHANNEL_HTML],
    [{ name: 'MAIN_DOMAIN' }, 'The campaign name MAIN_DOMAIN is reserved.'],
  ] as [Json, string][])('%j is 400', async (body, message) => {
    expectError(await shop.create({ name: 'x', ...body }), 400, message);
  });

  test.each(['name', 'deeplink', 'custom_display_id', 'domain'])(
    'text in %s that no engine stores is 400',
    async (field) => {
      for (const text of ['a\0b', 'a\ud800']) expectSomeError(await shop.create({ name: 'x', [field]: text }), 400);
    },
  );

  test.each([
    ...['Ünïcödé 名前 😀', `<b>"x" & 'y'</b>`, '%s \\ $1 {}', '__proto__', "Robert'); DROP TABLE campaigns;--"],
    ...[
      'abc\u202edef\u200f',
      'e\u0301 \u00e9',
      '\u{1F468}\u200d\u{1F469}',
      '=HYPERLINK("https://evil.example")',
      '\u200b.',
    ],
    '\u{1F600}'.repeat(255),
  ])('the name %j stays as it is, on create and on edit', async (name) => {
    const { display_id, name: made } = await shop.made({ name });
    expect(made).toBe(name);
    expect((await shop.find(display_id as string))?.name).toBe(name);
    expect(readData(await shop.edit(display_id as string, { name, active: true })).name).toBe(name);
  });

  test('names may repeat', async () => {
    expect((await shop.made({ name: 'Twice' })).display_id).not.toBe((await shop.made({ name: 'Twice' })).display_id);
  });

  describe('custom_display_id', () => {
    test.each(['A', 'a-b_C-9', 'x'.repeat(64), '__proto__', 'constructor', 'MAIN_DOMAIN'])(
      '%j is taken as it is',
      async (id) => {
        const answer = await stranger.create({ name: 'x', custom_display_id: id });
        expectEnvelope(answer, 201);
        expect(readData(answer)).toMatchObject({ display_id: id, link: `https://go.stranger-manage.example/?c=${id}` });
        expect(await stranger.find(id)).toMatchObject({ display_id: id });
        expectError(await stranger.create({ name: 'x', custom_display_id: id }), 409, taken(id));
      },
    );
    test.each(['a b', 'metrics'])('%j is 400', async (id) => {
      expectSomeError(await shop.create({ name: 'x', custom_display_id: id }), 400);
    });
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
        { name: readData(made).name },
      ]);
    });
  });

  describe('domain', () => {
    test.each(['unknown.example', 'go.sister-manage.example', 'https://go.manage.example', '__proto__', "'"])(
      '%j is not of the project: 400',
      async (domain) => {
        expectError(await shop.create({ name: 'x', domain }), 400, `Domain '${domain}' not found for this project!`);
      },
    );
    test('of the project is used, in any case', async () => {
      expect(await shop.made({ domain: 'go.manage.example' })).toMatchObject({ domain: 'go.manage.example' });
      expect(await shop.made({ domain: 'ALT.Manage.example' })).toMatchObject({ domain: 'alt.manage.example' });
    });
  });

  describe('store_listing_ids', () => {
    test.each([
      [['unknown'], 'unknown'],
      [['zz', 'sl_play', 'sl_sister', 'aa'], 'zz, sl_sister, aa'],
      [['SL_PLAY'], 'SL_PLAY'],
      [['__proto__'], '__proto__'],
    ])('%j: unknown ones and those of other projects are named', async (store_listing_ids, named) => {
      const message = `Store listing(s) not found for this project: ${named}`;
      expectError(await shop.create({ name: 'x', store_listing_ids }), 400, message);
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
  });

  test('refused, leaves nothing behind', async () => {
    const counts = async () =>
      (
        await db.rows(
          `SELECT (SELECT count(*)::int FROM campaigns WHERE project_id = $1) AS campaigns,
             (SELECT count(*)::int FROM custom_channels WHERE project_id = $1) AS channels`,
          [projectId],
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
      return readChannel(readData(answer));
    };

    test('a new name makes a channel, and one whose code is there is that channel', async () => {
      const first = await given(`Pod Casts-${verb}!`);
      const id = expect.any(Number) as number;
      expect(first).toEqual({ id, name: `Pod Casts-${verb}!`, slug: `pod_casts_${verb}_` });
      for (const name of [`POD CASTS ${verb}!`, `pod-casts ${verb}?`, `Pod_Casts_${verb}_`])
        expect(await given(name)).toEqual(first);
    });

    test.each(['Q&A', "Tom's 50% off", '$1 {x} [y]', '__proto__ x', '\u{1F600}', 'abc\u202edef', 'عربي'])(
      '%s is a name like any other',
      async (name) => {
        expect((await given(name)).name).toBe(name);
      },
    );

    test('names that are none, reserved or too many are 400', async () => {
      expectError(await send(['Google']), 400, '"Google" is a reserved channel name');
      expectError(await send(['<b>x</b>']), 400, CHANNEL_HTML);
      expectError(await send(['Same', 'same']), 400, ONE_CHANNEL);
      for (const names of ['x', [5], [''], ['\0'], ['\ud800']]) expectSomeError(await send(names), 400);
    });

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
      expect(readChannel(readData(edited)).name).toBe(name);
    });
  });

  test('belong to a project', async () => {
    const [mine, theirs, foreign] = [
      await shop.made({ custom_channel_names: ['Per project'] }),
      await sister.made({ custom_channel_names: ['Per project'] }),
      await stranger.made({ custom_channel_names: ['Per project'] }),
    ];
    expect(new Set([mine, theirs, foreign].map((one) => readChannel(one).id)).size).toBe(3);
    await db.rows('UPDATE custom_channels SET active = false WHERE id = $1', [readChannel(mine).id]);
    expectError(await shop.create({ name: 'x', custom_channel_names: ['Per project'] }), 409, CHANNEL_DELETED);
    expect(readChannel(await sister.made({ custom_channel_names: ['Per project'] })).id).toBe(readChannel(theirs).id);
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
    expect(new Set(answers.map((answer) => readChannel(readData(answer)).id)).size).toBe(1);
    expect(new Set(answers.map((answer) => readData(answer).display_id)).size).toBe(20);
    expect(
      await db.rows("SELECT id FROM custom_channels WHERE slug = 'racing_channel' AND project_id = $1", [projectId]),
    ).toHaveLength(1);
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
    return readData(answer);
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
    [{ website: 'http://new.example/?x=%20#y' }, { website: 'http://new.example/?x=%20#y' }],
    [{ link_for_desktop_users: 'https://new.example' }, { website: 'https://new.example' }],
    [{ website: '' }, { website: null }],
    [{ android_web_redirect: 'https://new.example/a' }, { android_web_redirect: 'https://new.example/a' }],
    [{ ios_web_redirect: null }, { ios_web_redirect: null }],
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
      domain: 'alt.manage.example',
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
      domain: 'go.manage.example',
      store_listings: [APP_STORE],
      update_at: answer.update_at,
      created_at: created.created_at,
    });
    // What was answered is what is stored.
    expect({ ...(await edited({ active: expected.active })), update_at: '' }).toEqual({ ...answer, update_at: '' });
  });

  test('one channel name replaces the channel', async () => {
    const channel = readChannel(await edited({ custom_channel_names: ['Other Channel'] }));
    expect(channel).toEqual({ id: expect.any(Number) as number, name: 'Other Channel', slug: 'other_channel' });
    expect(channel.id).not.toBe(readChannel(created).id);
    expect(readChannel(await edited({ custom_channel_names: ['EDIT CHANNEL'] }))).toEqual(readChannel(created));
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

  // One of each rule: which values break it is in test/unit/workspace/campaigns-input.test.ts.
  test.each([
    [{ deeplink: 'acme://x' }, AT_LEAST_ONE],
    [{ name: ' ', active: false }, 'Campaign name cannot be empty!'],
    [{ name: '\u{1F600}'.repeat(256) }, 'Campaign name must be at most 255 characters!'],
    [{ active: 'true' }, 'Active field must be a boolean!'],
    [{ website: 'acme://x' }, BAD_URL],
    [{ link_for_desktop_users: 5 }, BAD_URL],
    [{ android_web_redirect: '//shop.example' }, BAD_URL],
    [{ ios_web_redirect: 'https://shop.example/\r\nX: y' }, BAD_URL],
    [
      { website: 'https://a.example', link_for_desktop_users: 'https://b.example' },
      'website and link_for_desktop_users refer to the same field and cannot be sent with different values!',
    ],
    [{ name: ' MAIN_DOMAIN\t' }, 'A campaign cannot be renamed to the reserved name MAIN_DOMAIN.'],
  ] as [Json, string][])('%j is 400', async (body, message) => {
    expectError(await shop.edit(id, body), 400, message);
    expect(await shop.find(id)).toMatchObject({ name: 'To edit', active: true, website: FULL.website });
  });

  test('text that no engine stores is 400, and what is wrong with a body is said whatever the campaign', async () => {
    for (const field of ['name', 'website'])
      expectSomeError(await shop.edit(id, { [field]: 'https://x.example/\0' }), 400);
    expectError(await shop.edit('unknown', {}), 400, AT_LEAST_ONE);
  });

  test('a short link may get a website later', async () => {
    const short = await shop.made({ is_shortlink: true });
    expect(await edited({ website: 'https://later.example' }, short.display_id as string)).toMatchObject({
      website: 'https://later.example',
    });
    expect(await shop.find(short.display_id as string)).toMatchObject({
      website: 'https://later.example',
      link: `https://go.manage.example/?c=${String(short.display_id)}`,
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

  test.each(['unknown', 'stranger1', 'sister1', 'a.b', '%00', 'x'.repeat(5000), '%F0%9F%98%80', '__proto__', "'"])(
    '%s is not found',
    async (unknown) => {
      expectError(await shop.edit(unknown, { active: false }), 404, NOT_FOUND);
    },
  );

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
    const before = readData(await shop.list()).total_campaigns as number;
    const answer = await shop.remove(id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await shop.find(id)).toBeUndefined();
    expect(readData(await shop.list())).toMatchObject({ total_campaigns: before - 1 });
    expectError(await shop.list({ link: `https://go.manage.example/?c=${id}` }), 400, 'Invalid request parameters.');
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

  test.each(['unknown', 'stranger1', 'sister1', '%00'])('%s is not found', async (id) => {
    expectError(await shop.remove(id), 404, NOT_FOUND);
  });

  test('leaves the campaigns of others', async () => {
    expect(await sister.find('sister1')).toBeDefined();
    expect(await stranger.find('stranger1')).toBeDefined();
    expectError(await shop.remove(await readMain(sister)), 404, NOT_FOUND);
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
    ['PUT', '/campaigns/partnered', ['PATCH', 'DELETE']],
  ];
  test.each(CASES)('%s %s is 405', async (method, at, allowed) => {
    const answer = await shop.send(method, at, ['GET', 'DELETE'].includes(method) ? undefined : { name: 'x' });
    expectSomeError(answer, 405);
    for (const one of allowed) expect(answer.headers.get('allow')).toMatch(new RegExp(`\\b${one}\\b`));
  });
});

test('nothing of this was an internal error', () => {
  expect(service.output()).not.toMatch(/"level":"error"|unhandled/i);
});
