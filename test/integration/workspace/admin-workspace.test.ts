/** Administration over HTTP: the workspace document, token and switch routes, lists, and `adtrail apply`. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { adtrail } from '../../support/operations/command';
import { ownNames } from '../../support/workspace/own-names';
import { readPostgres } from '../../support/postgres';
import { ADMIN_TOKEN, eventually, root, temporaryFolder } from '../../support/service';
import { sharedService } from '../../support/shared-service';

type Json = Record<string, unknown>;
type Secret = { kind: string; project?: string; partner?: string; value: string };
type Applied = { created: number; updated: number; unchanged: number; skipped: Json[]; secrets: Secret[] };

const own = ownNames('workspace');
const FIXED_TOKEN = 'fixed-token-of-mobi-ads';
/** Every secret that these tests ever saw or sent: none may be in the database, the output or a list. */
const secrets: string[] = [own(FIXED_TOKEN)];

/** The example of docs/contract/workspace.md, with a token that is one and a currency of its own. */
const example = () => ({
  accounts: [{ name: 'Acme', billing_status: 'active', payment_link: null as string | null, analyst_sql: false }],
  partners: [{ name: 'Mobi Ads', status: 'active', tokens: [FIXED_TOKEN] }],
  exchange_rates: [{ date: '2026-01-01', currency: 'QWS', usd: 0.0119 }],
  projects: [
    {
      name: 'Acme Shop',
      account: 'Acme',
      timezone: 'Asia/Kolkata',
      currency: 'USD',
      created_at: '2025-11-01T00:00:00Z',
      web_campaigns: true,
      website: 'https://acme.example',
      server_keys: [],
      app_keys: [],
      web_keys: [],
      attribution: {
        click_window_days: { default: 7, GOOGLE: 30, META: 30 },
        ip_click_window_hours: 24,
        view_window_hours: 24,
        ctv_window_hours: 24,
        reinstall_window_days: 90,
        inactivity_days: 0,
      },
      apps: [
        { platform: 'ANDROID', app_id: 'com.acme.shop', sha256_cert_fingerprints: [] },
        { platform: 'IOS', app_id: 'id1234567890', team_id: null, bundle_id: null },
      ],
      domains: [{ name: 'go.acme.example', primary: true }],
      store_listings: [
        {
          store_listing_id: 'sl_play',
          name: 'Play',
          platform: 'ANDROID',
          url: 'https://play.google.com/store/apps/details?id=com.acme.shop',
        },
      ],
      network_accounts: [
        {
          network: 'META',
          external_customer_id: 'act_1',
          name: 'Acme Meta',
          email: 'ads@acme.example',
          status: 'connected',
          capi_configured: true,
          currency: 'USD',
          account_name: null,
        },
      ],
      partner_switches: [
        {
          partner: 'Mobi Ads',
          s2s_clicks: true,
          s2s_traffic: true,
          view_through: true,
          ctv_apps: ['com.acme.shop'],
          view_window_hours: 24,
        },
      ],
      campaigns: [
        {
          display_id: 'AbC123',
          name: 'Launch',
          partner: 'Mobi Ads',
          network: null,
          network_campaign_id: null,
          network_account: null,
          web_to_app: false,
          utm_ids: [] as string[],
          deeplink: null as string | null,
          domain: 'go.acme.example',
          is_shortlink: false,
          website: null as string | null,
          android_web_redirect: null,
          ios_web_redirect: null,
          custom_channel: null as string | null,
          store_listings: ['sl_play'],
          active: true,
          created_at: '2025-11-02T00:00:00Z',
        },
      ],
    },
  ],
});

const service = sharedService();
const db = readPostgres(service);
let first: Applied;
let shop: number;
afterAll(() => db.close());

const sql = <T extends Json = Json>(text: string, values: unknown[] = []) => db.rows<T>(text, values);

/** Applies a document, whose names become the suite's own, and remembers the secrets in the answer. */
async function apply(document: object): Promise<Applied> {
  const answer = (await service.apply(own.document(document))) as unknown as Applied;
  secrets.push(...answer.secrets.map((secret) => secret.value));
  return answer;
}
const inShop = (more: object) => ({
  projects: [{ name: 'Acme Shop', account: 'Acme', timezone: 'Asia/Kolkata', ...more }],
});
const inProject = (name: string, more: object = {}) => ({
  projects: [{ name, account: 'Acme', timezone: 'UTC', ...more }],
});

/** Every row that is of a project, its part of the audit log too, as text. */
async function dump(project = shop): Promise<string> {
  const tables = await sql<{ name: string }>(
    `SELECT DISTINCT quote_ident(c.table_name) AS name
     FROM information_schema.columns AS c
     JOIN information_schema.tables AS t USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'project_id'
       -- What is derived by now is no part of the configuration.
       AND table_name != 'materialization_settings'
     ORDER BY 1`,
  );
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      // When the audit log is copied elsewhere is no part of the configuration.
      const rows = await sql<{ row: string }>(
        `SELECT (to_jsonb(t) - 'copied_at')::text AS row FROM ${name} AS t WHERE project_id = $1 ORDER BY 1`,
        [project],
      );
      return [name, ...rows.map(({ row }) => row)].join('\n');
    }),
  );
  return contents.join('\n\n');
}

/** The reason that S2S gives for a click with this token, or `accepted`. */
async function click(token: string, query = 'c=AbC123', app = 'com.acme.shop'): Promise<string> {
  const response = await service.request(`/v1/click/${app}?${query}&tid=${crypto.randomUUID()}&ip=203.0.113.7`, {
    headers: { 'X-Service-Token': token },
  });
  const { status, reason } = (await response.json()) as { status: string; reason?: string };
  return reason ?? status;
}
const fixed = (query?: string, app?: string) => click(own(FIXED_TOKEN), query, app);

const readId = async (table: 'partners' | 'projects', name: string) =>
  (await sql<{ id: number }>(`SELECT id FROM ${table} WHERE name = $1`, [own(name)]))[0]?.id as number;
/** The rows of a table that are of a project of that name. */
const readRows = async (columns: string, table: string, project = 'Acme Shop') =>
  sql(`SELECT ${columns} FROM ${table} WHERE project_id = $1 ORDER BY id`, [await readId('projects', project)]);
/** The rows of a list of administration, by the last part of its path. */
const listed = async (at: string) => (await service.admin('GET', at)).body[at.split('/').at(-1) as string] as Json[];
const projectNamed = async (name: string) => (await sql('SELECT * FROM projects WHERE name = $1', [own(name)]))[0];

beforeAll(async () => {
  first = await apply(example());
  shop = await readId('projects', 'Acme Shop');
});

describe('the example document', () => {
  test('creates everything, and shows each secret that it had to generate', () => {
    expect(first).toMatchObject({ updated: 0, unchanged: 0, skipped: [] });
    expect(first.created).toBeGreaterThanOrEqual(12);
    expect(first.secrets.map(({ kind, project }) => [kind, project]).sort()).toEqual(
      ['app_key', 'server_key', 'web_key'].map((kind) => [kind, own('Acme Shop')]),
    );
    expect(new Set(first.secrets.map(({ value }) => value)).size).toBe(3);
    for (const { value } of first.secrets) expect(value).toMatch(/^[\x21-\x7e]{24,}$/);
  });

  test('is stored as it says', async () => {
    const { accounts, partners, exchange_rates, projects } = own.document(example());
    expect(await listed('/accounts')).toContainEqual(expect.objectContaining(accounts[0] as object));
    const partner = { name: partners[0]?.name, status: 'active', tokens: 1 };
    expect(await listed('/partners')).toContainEqual(expect.objectContaining(partner));
    expect(await listed('/exchange_rates')).toContainEqual(exchange_rates[0]);
    const [project] = projects as [(typeof projects)[number]];
    const { timezone, currency, web_campaigns, website, attribution } = project;
    expect(await projectNamed('Acme Shop')).toMatchObject({
      ...{ timezone, currency, web_campaigns, website, attribution },
      created_at: new Date('2025-11-01T00:00:00Z'),
    });
    for (const list of ['apps', 'domains', 'store_listings', 'network_accounts'] as const)
      expect(await listed(`/projects/${shop}/${list}`)).toMatchObject(project[list]);
    expect(await listed(`/projects/${shop}/partners`)).toMatchObject(project.partner_switches);
    const [campaign] = await sql(
      `SELECT c.*, d.name AS domain, p.name AS partner,
         ARRAY(SELECT store_listing_id FROM store_listings s WHERE s.id = ANY (c.store_listing_ids)) AS listings
       FROM campaigns c
       JOIN domains d ON d.id = c.domain_id
       JOIN partners p ON p.id = c.partner_id
       WHERE display_id = 'AbC123' AND c.project_id = $1`,
      [shop],
    );
    expect(campaign).toMatchObject({
      name: 'Launch',
      domain: own('go.acme.example'),
      partner: own('Mobi Ads'),
      listings: ['sl_play'],
      utm_ids: [],
      active: true,
      is_system: false,
      deleted_at: null,
      created_at: new Date('2025-11-02T00:00:00Z'),
    });
  });

  test('brings one system campaign with the primary domain', async () => {
    expect(
      await sql(
        `SELECT display_id ~ '^[A-Za-z0-9]{10}$' AS generated, active
         FROM campaigns WHERE is_system AND name = 'MAIN_DOMAIN' AND project_id = $1`,
        [shop],
      ),
    ).toEqual([{ generated: true, active: true }]);
  });

  test('applied again it changes nothing and shows no secret', async () => {
    const before = await dump();
    const unchanged = first.created - first.secrets.length;
    expect(await apply(example())).toEqual({ created: 0, updated: 0, unchanged, skipped: [], secrets: [] });
    expect(await dump()).toBe(before);
  });

  test('a document of part of it leaves the rest: nothing is deleted, what is omitted stays', async () => {
    const campaign = async () => {
      const [row] = await sql("SELECT * FROM campaigns WHERE display_id = 'AbC123' AND project_id = $1", [shop]);
      return { ...row, updated_at: null, revision: null };
    };
    const ids = async () =>
      Promise.all(
        ['apps', 'domains', 'campaigns', 'store_listings', 'network_accounts'].map((table) => readRows('id', table)),
      );
    const [before, idsBefore] = [await campaign(), await ids()];
    const answer = await apply(inShop({ campaigns: [{ display_id: 'AbC123', name: 'Relaunch' }] }));
    expect(answer).toEqual({ created: 0, updated: 1, unchanged: 1, skipped: [], secrets: [] });
    expect(await campaign()).toEqual({ ...before, name: 'Relaunch' });
    expect(await ids()).toEqual(idsBefore);
    expect(await fixed()).toBe('accepted');
  });

  test('null is a value: it empties, where leaving out would not', async () => {
    await apply(inShop({ website: null }));
    expect(await projectNamed('Acme Shop')).toMatchObject({ website: null });
    await apply(inShop({ website: 'https://acme.example' }));
  });
});

describe('what is omitted on creation', () => {
  test('has the defaults of docs/contract/workspace.md', async () => {
    await apply({
      accounts: [{ name: 'Bare' }],
      partners: [{ name: 'Bare Ads' }],
      projects: [
        {
          name: 'Bare',
          account: 'Bare',
          timezone: 'UTC',
          apps: [{ platform: 'ANDROID', app_id: 'com.bare' }],
          domains: [{ name: 'GO.Bare.example' }],
          partner_switches: [{ partner: 'Bare Ads' }],
          store_listings: [{ store_listing_id: 's', name: 's', platform: 'IOS' }],
          network_accounts: [{ network: 'META', external_customer_id: 'x' }],
          campaigns: [{ display_id: 'bare', name: 'Bare' }],
        },
      ],
    });
    const project = await projectNamed('Bare');
    expect(project).toMatchObject({
      currency: 'USD',
      web_campaigns: false,
      website: null,
      attribution: example().projects[0]?.attribution,
    });
    expect((project?.created_at as Date).getTime()).toBeGreaterThan(Date.parse('2026-01-01'));
    const account = (await listed('/accounts')).find((one) => one.name === own('Bare'));
    expect(account).toMatchObject({ billing_status: 'active', payment_link: null });
    expect((await listed('/partners')).find((one) => one.name === own('Bare Ads'))).toMatchObject({ status: 'active' });
    const at = `/projects/${String(project?.id)}`;
    expect(await listed(`${at}/domains`)).toEqual([
      expect.objectContaining({ name: own('go.bare.example'), primary: true }),
    ]);
    expect(await listed(`${at}/partners`)).toMatchObject([
      { s2s_clicks: false, s2s_traffic: false, view_through: false, ctv_apps: [], view_window_hours: 24 },
    ]);
    expect((await readRows('*', 'campaigns', 'Bare')).find((row) => row.display_id === 'bare')).toMatchObject({
      partner_id: null,
      network: null,
      web_to_app: false,
      utm_ids: [],
      deeplink: null,
      domain_id: null,
      is_shortlink: false,
      website: null,
      custom_channel_id: null,
      store_listing_ids: [],
      active: true,
    });
  });

  test('a partner without tokens gets one that works, and keeps it', async () => {
    const created = await apply({ partners: [{ name: 'Generated Ads' }] });
    const value = expect.stringMatching(/^[\x21-\x7e]{24,}$/) as string;
    expect(created.secrets).toEqual([{ kind: 'partner_token', partner: own('Generated Ads'), value }]);
    await apply(
      inShop({
        partner_switches: [{ partner: 'Generated Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'gen', name: 'Generated', partner: 'Generated Ads' }],
      }),
    );
    expect(await click(created.secrets[0]?.value as string, 'c=gen')).toBe('accepted');
    expect((await apply({ partners: [{ name: 'Generated Ads' }] })).secrets).toEqual([]);
  });

  test('fixed keys are used instead of generated ones, and one can be added later', async () => {
    const keys = { app_keys: ['application-key-1'], web_keys: ['web-key-number-1'] };
    const document = (...server_keys: string[]) => inProject('Fixed', { server_keys, ...keys });
    secrets.push(...['server-key-1', 'application-key-1', 'web-key-number-1', 'server-key-2'].map(own));
    expect(await apply(document('server-key-1'))).toMatchObject({ created: 4, secrets: [] });
    expect(await apply(document('server-key-1'))).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
    expect(await apply(document('server-key-1', 'server-key-2'))).toMatchObject({ created: 1, unchanged: 4 });
  });

  test('attribution windows are merged one by one', async () => {
    const set = (attribution: object) => apply(inProject('Windows', { attribution }));
    await set({ click_window_days: { TIKTOK: 14 }, view_window_hours: 6 });
    await set({ click_window_days: { GOOGLE: 1 }, inactivity_days: 3 });
    expect(await projectNamed('Windows')).toMatchObject({
      attribution: {
        click_window_days: { default: 7, GOOGLE: 1, META: 30, TIKTOK: 14 },
        ip_click_window_hours: 24,
        view_window_hours: 6,
        ctv_window_hours: 24,
        reinstall_window_days: 90,
        inactivity_days: 3,
      },
    });
  });

  test('a project has one primary domain, which another can become', async () => {
    const domains = (...list: object[]) => apply(inProject('Domains', { domains: list }));
    const primary = async () =>
      (await readRows('name, is_primary', 'domains', 'Domains')).filter((row) => row.is_primary).map((row) => row.name);
    await domains({ name: 'one.domains.example' }, { name: 'two.domains.example' });
    expect(await primary()).toEqual([own('one.domains.example')]);
    await domains({ name: 'two.domains.example', primary: true });
    expect(await primary()).toEqual([own('two.domains.example')]);
    await domains({ name: 'three.domains.example' });
    expect(await primary()).toEqual([own('two.domains.example')]);
    expect((await readRows('is_system', 'campaigns', 'Domains')).filter((row) => row.is_system)).toHaveLength(1);
  });

  test('channel names that differ in case share a custom channel', async () => {
    const names = ['News Letter', 'news letter'];
    const campaigns = names.map((custom_channel, i) => ({ display_id: `ch${i}`, name: 'x', custom_channel }));
    await apply(inShop({ campaigns }));
    expect(
      await sql(
        `SELECT (SELECT count(*)::int FROM campaigns WHERE custom_channel_id = custom_channels.id) AS campaigns
         FROM custom_channels
         WHERE slug = 'news_letter' AND project_id = $1`,
        [shop],
      ),
    ).toEqual([{ campaigns: 2 }]);
  });
});

test.each<[string, object, object?]>([
  [
    'times finer than a millisecond',
    inProject('Twice', {
      campaigns: [{ display_id: 'twice-1', name: 'x', created_at: '2025-01-01T00:00:00.1236Z' }],
    }),
  ],
  [
    'an only domain that is said not to be primary',
    inProject('Twice', { domains: [{ name: 'only.twice.example', primary: false }] }),
  ],
  ['a domain in capitals', inProject('Twice', { domains: [{ name: 'CAPITALS.twice.example' }] })],
  ['unordered lists', inProject('Twice', { campaigns: [{ display_id: 'twice-4', name: 'x', utm_ids: ['b', 'a'] }] })],
  ['a rate with many digits', { exchange_rates: [{ date: '2026-02-01', currency: 'QWT', usd: 0.00003912345678901 }] }],
  ['text in every script', { accounts: [{ name: 'Ünïcödé 日本 🛒 \\ " \' \u007f' }] }],
  [
    'codes in any case, and a name in two forms',
    inProject('Codes', {
      currency: 'eur',
      network_accounts: [{ network: 'meta', external_customer_id: 'codes_1', currency: 'chf' }],
      campaigns: [{ display_id: 'codes1', name: 'x', network: 'meta', custom_channel: ' Cafe\u0301\u200b ' }],
    }),
    inProject('Codes', {
      currency: 'EUR',
      network_accounts: [{ network: 'META', external_customer_id: 'codes_1', currency: 'CHF' }],
      campaigns: [{ display_id: 'codes1', name: 'x', network: 'Meta', custom_channel: 'Caf\u00e9' }],
    }),
  ],
])('applied twice, the second time nothing changes: %s', async (_, document, again = document) => {
  await apply(document);
  expect(await apply(again)).toMatchObject({ created: 0, updated: 0, skipped: [], secrets: [] });
});

// What a document may say by itself: test/unit/workspace/workspace-document.test.ts.
describe('a document that cannot be applied is 400, names the field and changes nothing', () => {
  const inCampaign = (more: object) =>
    inShop({
      campaigns: [
        { display_id: 'valid-before', name: 'Valid' },
        { display_id: 'x1', name: 'X', ...more },
      ],
    });
  const switches = (more: object) => inShop({ partner_switches: [{ partner: 'Mobi Ads', ...more }] });
  const cases: [string, object, RegExp][] = [
    ['what has not its form', inCampaign({ colour: 'red' }), /projects\[0\]\.campaigns\[1\].*colour/],
    ['a NUL in a name', { partners: [{ name: 'a\u0000b' }] }, /partners\[0\]\.name/],
    ['a lone surrogate', inCampaign({ network_campaign_id: 'a\ud800b' }), /campaigns\[1\]\.network_campaign_id/],
    ['what is there twice', { partners: [{ name: 'Same' }, { name: 'Same' }] }, /partners.*Same/],
    ['an unknown timezone', inShop({ timezone: 'Mars/Olympus' }), /projects\[0\]\.timezone/],
    ['an offset as timezone', inShop({ timezone: '+05:30' }), /projects\[0\]\.timezone/],
    ['a timezone that is none of ClickHouse', inShop({ timezone: 'America/Coyhaique' }), /projects\[0\]\.timezone/],
    [
      'a campaign of the future',
      inCampaign({ created_at: '2300-01-01T00:00:00Z' }),
      /projects\[0\]\.campaigns\[1\]\.created_at/,
    ],
    ['a project of the future', inShop({ created_at: '2300-01-01T00:00:00Z' }), /projects\[0\]\.created_at/],
    ['the reserved campaign name', inCampaign({ name: 'MAIN_DOMAIN' }), /campaigns\[1\]\.name/],
    ['a reserved channel', inCampaign({ custom_channel: 'Google' }), /campaigns\[1\]\.custom_channel/],
    // References.
    ['an unknown account', { projects: [{ name: 'P', account: 'Nobody', timezone: 'UTC' }] }, /\.account.*Nobody/],
    [
      'an unknown partner of switches',
      inShop({ partner_switches: [{ partner: 'Nobody' }] }),
      /projects\[0\]\.partner_switches\[0\]\.partner.*Nobody/,
    ],
    ['an unknown app of switches', switches({ ctv_apps: ['com.nobody'] }), /switches\[0\]\.ctv_apps.*com\.nobody/],
    ['an unknown partner of a campaign', inCampaign({ partner: 'Nobody' }), /campaigns\[1\]\.partner.*Nobody/],
    ['an unknown domain', inCampaign({ domain: 'go.nobody.example' }), /campaigns\[1\]\.domain.*go\.nobody\.example/],
    ['an unknown network account', inCampaign({ network_account: 'act_x' }), /campaigns\[1\]\.network_account.*act_x/],
    [
      'an unknown store listing',
      inCampaign({ store_listings: ['sl_play', 'sl_nobody'] }),
      /campaigns\[1\]\.store_listings\[1\].*sl_nobody/,
    ],
    // What is somebody else's.
    [
      'the token of another partner',
      { partners: [{ name: 'P', tokens: [FIXED_TOKEN] }] },
      /partners\[0\]\.tokens\[0\]/,
    ],
    [
      'a key of another kind',
      inShop({ server_keys: ['one-key-two-kinds'], web_keys: ['one-key-two-kinds'] }),
      /projects\[0\]\.web_keys\[0\]/,
    ],
    [
      'a domain of another project',
      inProject('Thief', { domains: [{ name: 'GO.acme.example' }] }),
      /projects\[0\]\.domains.*go\.acme\.example/,
    ],
    [
      'a display_id of another project of the account',
      inProject('Thief', { campaigns: [{ display_id: 'AbC123', name: 'x' }] }),
      /projects\[0\]\.campaigns\[0\]\.display_id.*AbC123/,
    ],
  ];

  test.each(cases)('%s', async (_, document, names) => {
    const before = await dump();
    const withValidPart = { accounts: [{ name: 'Valid part before it' }], ...document };
    // What is to be refused by its form is sent as it is.
    const { status, body } = await service.admin('PUT', '/workspace', own.document(withValidPart));
    expect({ status, body }).toEqual({ status: 400, body: { msg: expect.stringMatching(names) as string, status } });
    expect(await dump()).toBe(before);
    expect(await sql('SELECT id FROM accounts WHERE name = $1', [own('Valid part before it')])).toEqual([]);
  });

  test('names may repeat: projects of two accounts, apps of two projects, display_ids of two accounts', async () => {
    const project = (account: string) => ({
      name: `Same name of ${account}`,
      account,
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.repeats' }],
      campaigns: [{ display_id: 'repeats', name: 'x' }],
    });
    const accounts = ['Repeats A', 'Repeats B'];
    const document = own.document({
      accounts: accounts.map((name) => ({ name })),
      projects: accounts.map(project),
    });
    const projects = document.projects.map((one) => ({ ...one, name: own('Same name') }));
    expect(await service.apply({ ...document, projects })).toMatchObject({ skipped: [], updated: 0, unchanged: 0 });
    expect(await sql('SELECT id FROM projects WHERE name = $1', [own('Same name')])).toHaveLength(2);
  });

  test('an app in two spellings over two documents stays one app, and its clicks are not ambiguous', async () => {
    const document = (app_id: string) =>
      inProject('Spelling', {
        apps: [{ platform: 'IOS', app_id }],
        partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'spell', name: 'x', partner: 'Mobi Ads' }],
      });
    await apply(document('4711'));
    await apply(document('id4711'));
    for (const app of ['id4711', '4711']) expect(await fixed('c=spell', app)).toBe('accepted');
  });
});

test('whatever content type it claims, a JSON body is JSON', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const response = await service.request('/admin/v1/workspace', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': type },
      body: JSON.stringify({ accounts: [{ name: own('Acme') }] }),
    });
    expect([type, response.status, await response.json()]).toEqual([
      type,
      200,
      { created: 0, updated: 0, unchanged: 1, skipped: [], secrets: [] },
    ]);
  }
});

// That each operation asks for a token: openapi.test.ts and people.test.ts.
describe('access', () => {
  test.each<[string, Record<string, string>]>([
    ['a wrong token', { Authorization: 'Bearer wrong-admin-token' }],
    ['an empty one', { Authorization: 'Bearer ' }],
    ['the right one as Basic', { Authorization: `Basic ${ADMIN_TOKEN}` }],
    ['a longer one', { Authorization: `Bearer ${ADMIN_TOKEN}x` }],
    ['a shorter one', { Authorization: `Bearer ${ADMIN_TOKEN.slice(0, -1)}` }],
    ['a partner token', { Authorization: `Bearer ${own(FIXED_TOKEN)}` }],
  ])('%s is 401, at a path that there is not too', async (_, headers) => {
    for (const [method, at] of [
      ['PUT', '/workspace'],
      ['GET', '/no/such/path'],
      ['PATCH', '/workspace'],
      ['GET', `/projects?token=${ADMIN_TOKEN}&admin_token=${ADMIN_TOKEN}`],
    ] as const) {
      const body = method === 'PUT' ? { body: '{}' } : {};
      const response = await service.request(`/admin/v1${at}`, { method, headers, ...body });
      expect([response.status, await response.json()]).toEqual([
        401,
        { msg: expect.any(String) as string, status: 401 },
      ]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test.each(['', '/no', '/workspace/1', '/partners/x/y/z'])('unknown path %s is 404 JSON', async (at) => {
    const { status, body } = await service.admin('GET', at);
    expect({ status, body }).toEqual({ status: 404, body: { msg: expect.any(String) as string, status: 404 } });
  });

  test.each([
    ['GET', '/workspace', 'PUT'],
    ['PROPFIND', '/workspace', 'PUT'],
    ['DELETE', '/partners', 'GET'],
    ['PATCH', '/projects/1/partners/1', 'PUT'],
  ])('%s %s is 405 and allows %s', async (method, at, allowed) => {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const response = await service.request(`/admin/v1${at}`, { method, headers });
    expect([response.status, await response.json()]).toEqual([405, { msg: expect.any(String) as string, status: 405 }]);
    expect((response.headers.get('allow') ?? '').split(/, */)).toContain(allowed);
  });
});

describe('partner tokens', () => {
  const rotate = async (id: number) => {
    const { status, body } = await service.admin('POST', `/partners/${id}/tokens`);
    expect(status).toBe(201);
    const { token, former_valid_until } = body as unknown as { token: string; former_valid_until: string | null };
    secrets.push(token);
    return { token, former: former_valid_until };
  };
  const hash = (token: string) => crypto.createHash('sha256').update(token).digest('hex');
  /** A partner whose clicks of the campaign `display_id` count. */
  const enable = (name: string, display_id: string) =>
    apply(
      inShop({
        partner_switches: [{ partner: name, s2s_clicks: true }],
        campaigns: [{ display_id, name: 'x', partner: name }],
      }),
    );
  let partner: number;
  let original: string;

  beforeAll(async () => {
    const { secrets: shown } = await apply({ partners: [{ name: 'Rotating Ads' }] });
    original = shown[0]?.value as string;
    await enable('Rotating Ads', 'rot');
    partner = await readId('partners', 'Rotating Ads');
  });

  test('a new token works at once, the former for 24 hours from its own rotation', async () => {
    const from = Date.now();
    const second = await rotate(partner);
    expect(Date.parse(second.former as string)).toBeGreaterThanOrEqual(from + 24 * 3_600_000);
    expect(Date.parse(second.former as string)).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000);
    expect(second.former).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const third = await rotate(partner);
    expect(Date.parse(third.former as string)).toBeGreaterThanOrEqual(Date.parse(second.former as string));
    for (const token of [original, second.token, third.token]) expect(await click(token, 'c=rot')).toBe('accepted');
    const until = async (token: string) =>
      (
        await sql<{ valid_until: Date | null }>('SELECT valid_until FROM partner_tokens WHERE sha256 = $1', [
          hash(token),
        ])
      )[0]?.valid_until?.toISOString() ?? null;
    expect([await until(original), await until(second.token), await until(third.token)]).toEqual([
      second.former,
      third.former,
      null,
    ]);
  });

  test('a former token whose time is over no longer works, the others do', async () => {
    const { token } = await rotate(partner);
    await sql("UPDATE partner_tokens SET valid_until = now() - interval '1 millisecond' WHERE sha256 = $1", [
      hash(original),
    ]);
    await sql('UPDATE configuration SET revision = revision + 1');
    await sql("SELECT pg_notify('adtrail_configuration', '')");
    await eventually('the former token is refused', async () =>
      (await click(original, 'c=rot')) === 'invalid_token' ? true : undefined,
    );
    expect(await click(token, 'c=rot')).toBe('accepted');
  });

  test('revoking ends all of them at once, twice is as good as once, and the next one has no former', async () => {
    const { token } = await rotate(partner);
    for (let i = 0; i < 2; i++) expect((await service.admin('DELETE', `/partners/${partner}/tokens`)).status).toBe(204);
    for (const one of [token, original]) expect(await click(one, 'c=rot')).toBe('invalid_token');
    const next = await rotate(partner);
    expect(next.former).toBeNull();
    expect(await click(next.token, 'c=rot')).toBe('accepted');
  });

  test('a revoked token stays revoked, and a document that names it is told so', async () => {
    const token = own('token-to-be-revoked');
    secrets.push(token);
    const document = { partners: [{ name: 'Revoked Ads', tokens: ['token-to-be-revoked'] }] };
    await apply(document);
    await enable('Revoked Ads', 'rev');
    expect(await click(token, 'c=rev')).toBe('accepted');
    await service.admin('DELETE', `/partners/${await readId('partners', 'Revoked Ads')}/tokens`);
    const again = await apply(document);
    expect(again).toMatchObject({
      created: 0,
      updated: 0,
      secrets: [],
      skipped: [{ kind: 'partner_token', partner: own('Revoked Ads') }],
    });
    expect(JSON.stringify(again)).not.toContain(token);
    expect(await click(token, 'c=rev')).toBe('invalid_token');
  });

  test('a suspended partner’s token does not work until the partner is active again', async () => {
    for (const [status, outcome] of [
      ['suspended', 'invalid_token'],
      ['active', 'accepted'],
    ]) {
      await apply({ partners: [{ name: 'Mobi Ads', status }] });
      expect(await fixed()).toBe(outcome);
    }
  });

  test.each(['0', '999999999', 'x', '-1', '1.5', '99999999999999999999'])('partner %s is 404', async (id) => {
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await service.admin(method, `/partners/${id}/tokens`);
      expect({ status, body }).toEqual({ status: 404, body: { msg: expect.any(String) as string, status: 404 } });
    }
  });
});

describe('switches', () => {
  let project: number;
  let partner: number;
  const set = (body: unknown, at = `/projects/${project}/partners/${partner}`) => service.admin('PUT', at, body);

  beforeAll(async () => {
    secrets.push(own('token-of-switched-ads'));
    await apply({ partners: [{ name: 'Switched Ads', tokens: ['token-of-switched-ads'] }] });
    await apply(
      inProject('Switched', {
        apps: [{ platform: 'ANDROID', app_id: 'com.switched' }],
        campaigns: [{ display_id: 'sw', name: 'x', partner: 'Switched Ads' }],
      }),
    );
    [project, partner] = [await readId('projects', 'Switched'), await readId('partners', 'Switched Ads')];
  });

  test('are in force when the answer is there, and what is omitted stays', async () => {
    const shot = () => click(own('token-of-switched-ads'), 'c=sw', 'com.switched');
    expect(await shot()).toBe('partner_not_enabled');
    expect(await set({ s2s_clicks: true })).toMatchObject({
      status: 200,
      body: { s2s_clicks: true, s2s_traffic: false, view_through: false, ctv_apps: [], view_window_hours: 24 },
    });
    expect(await shot()).toBe('accepted');
    const more = { view_through: true, ctv_apps: ['com.switched'], view_window_hours: 25 };
    expect(await set(more)).toMatchObject({ status: 200, body: { s2s_clicks: true, ...more } });
    expect(await set({ s2s_clicks: false })).toMatchObject({ status: 200, body: { s2s_clicks: false, ...more } });
    expect(await shot()).toBe('partner_not_enabled');
  });

  test.each<[string, unknown, RegExp]>([
    ['what has not its form', { view_window_hours: 1.5 }, /view_window_hours/],
    ['an app that the project has not', { ctv_apps: ['com.other'] }, /ctv_apps.*com\.other/],
  ])('%s is 400', async (_, body, names) => {
    const answer = await set(body);
    expect(answer).toEqual({ status: 400, body: { msg: expect.stringMatching(names) as string, status: 400 } });
  });

  test('an unknown project or partner is 404', async () => {
    for (const at of [`999999999/partners/${partner}`, `${project}/partners/999999999`, `x/partners/${partner}`])
      expect((await set({ s2s_clicks: true }, `/projects/${at}`)).status).toBe(404);
  });
});

test('deleted campaigns stay deleted, keep their display_id, and are named in skipped', async () => {
  const document = (name: string) =>
    inShop({
      campaigns: [
        { display_id: 'gone', name, partner: 'Mobi Ads' },
        { display_id: 'stays', name },
      ],
    });
  await apply(document('Before'));
  await sql(
    `UPDATE campaigns
     SET deleted_at = now(), revision = (SELECT revision FROM configuration) + 1
     WHERE display_id = 'gone' AND project_id = $1`,
    [shop],
  );
  await sql('UPDATE configuration SET revision = revision + 1');
  expect(await apply(document('After'))).toMatchObject({
    created: 0,
    updated: 1,
    skipped: [{ kind: 'campaign', project: own('Acme Shop'), display_id: 'gone' }],
  });
  expect(
    await sql(
      `SELECT display_id, name, deleted_at IS NOT NULL AS deleted
       FROM campaigns
       WHERE display_id IN ('gone', 'stays') AND project_id = $1
       ORDER BY 1`,
      [shop],
    ),
  ).toEqual([
    { display_id: 'gone', name: 'Before', deleted: true },
    { display_id: 'stays', name: 'After', deleted: false },
  ]);
  expect(await fixed('c=gone')).toBe('unknown_campaign');
});

test('four applies of one document at once all succeed and create everything once', async () => {
  const campaigns = Array.from({ length: 50 }, (_, i) => ({
    ...{ display_id: `race-${i}`, name: 'x', partner: 'Race Ads' },
    custom_channel: 'Race channel',
  }));
  const document = {
    accounts: [{ name: 'Race' }],
    partners: [{ name: 'Race Ads' }],
    projects: [
      {
        name: 'Race',
        account: 'Race',
        timezone: 'UTC',
        apps: [{ platform: 'ANDROID', app_id: 'com.race' }],
        domains: [{ name: 'go.race.example' }],
        partner_switches: [{ partner: 'Race Ads', s2s_clicks: true }],
        campaigns,
      },
    ],
  };
  const answers = await Promise.all(Array.from({ length: 4 }, () => apply(document)));
  expect(answers.filter((answer) => answer.created > 0)).toHaveLength(1);
  const kinds = answers.flatMap((answer) => answer.secrets).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['app_key', 'partner_token', 'server_key', 'web_key']);
  for (const answer of answers) expect(answer).toMatchObject({ updated: 0, skipped: [] });
  expect(await readRows('slug', 'custom_channels', 'Race')).toEqual([{ slug: 'race_channel' }]);
  // With the system campaign of its domain.
  expect(await readRows('id', 'campaigns', 'Race')).toHaveLength(51);
});

test('projects, partners and accounts are listed, each with its ID and name', async () => {
  const [projects, partners, accounts] = [
    await listed('/projects'),
    await listed('/partners'),
    await listed('/accounts'),
  ];
  const named = (rows: Json[], name: string) => rows.find((row) => row.name === own(name));
  expect(named(projects, 'Acme Shop')).toMatchObject({
    id: shop,
    account: own('Acme'),
    timezone: 'Asia/Kolkata',
    currency: 'USD',
  });
  expect(named(partners, 'Mobi Ads')).toMatchObject({ id: await readId('partners', 'Mobi Ads'), status: 'active' });
  expect(named(accounts, 'Acme')).toMatchObject({ billing_status: 'active', payment_link: null });
  for (const item of [...projects, ...partners, ...accounts])
    expect(item).toMatchObject({ id: expect.any(Number) as number, name: expect.any(String) as string });
});

describe('adtrail apply', () => {
  const folder = temporaryFolder();
  const file = (name: string, text: string) => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const here = () => ({ PORT: new URL(service.url).port, ADMIN_TOKEN });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('applies a file to the running service and prints the answer', async () => {
    const document = JSON.stringify({ partners: [{ name: own('From the command line') }] });
    const { code, stdout, stderr } = await adtrail(['apply', file('good.json', document)], here());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answer = JSON.parse(stdout) as Applied;
    expect(answer).toMatchObject({
      created: 2,
      secrets: [{ kind: 'partner_token', partner: own('From the command line') }],
    });
    secrets.push(...answer.secrets.map(({ value }) => value));
    expect(await readId('partners', 'From the command line')).toEqual(expect.any(Number));
  });

  test('takes the address as an option', async () => {
    const args = ['apply', '--url', `${service.url}/`, file('empty.json', '{}')];
    const { code, stdout } = await adtrail(args, { ADMIN_TOKEN });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ created: 0, updated: 0, unchanged: 0, skipped: [], secrets: [] });
  });

  test('the document of the README applies, and its click is accepted', async () => {
    const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
    const document = /cat > workspace\.json <<'END'\n([\s\S]*?)\nEND\n/.exec(readme)?.[1] as string;
    const [, token = '', address = ''] = /X-Service-Token: ([^']+)' \\\n {2}'(http[^']+)'/.exec(readme) ?? [];
    // In an account of its own: this service has an Acme already.
    const renamed = document
      .replaceAll('Acme', 'Readme')
      .replaceAll('com.acme.shop', 'com.readme.shop')
      .replaceAll('Mobi Ads', 'Readme Ads');
    const { code, stderr } = await adtrail(['apply', file('readme.json', renamed)], here());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    secrets.push(token);
    const { pathname, search } = new URL(address.replace('com.acme.shop', 'com.readme.shop'));
    const response = await service.request(pathname + search, { headers: { 'X-Service-Token': token } });
    expect(await response.json()).toEqual({ status: 'accepted', click_id: expect.any(String) as string });
  });

  // Reasons that the operator can act upon are one plain sentence: no stack.
  test.each<[string, () => [string[], NodeJS.ProcessEnv], RegExp]>([
    ['an invalid document', () => [[file('invalid.json', '{"accounts": [{"nam": "x"}]}')], here()], /accounts\[0\]/],
    ['a file that is not JSON', () => [[file('broken.json', '{"accounts": [')], here()], /JSON/],
    ['a missing file', () => [[path.join(folder, 'missing.json')], here()], /missing\.json/],
    [
      'a wrong token',
      () => [[file('empty.json', '{}')], { ...here(), ADMIN_TOKEN: 'a-wrong-admin-token-of-mine' }],
      /Unauthorized/,
    ],
    [
      'no service at the address',
      () => [['--url', 'http://127.0.0.1:1', file('empty.json', '{}')], { ADMIN_TOKEN }],
      /127\.0\.0\.1:1/,
    ],
    [
      'no token at all',
      () => [[file('empty.json', '{}')], { DATA_DIR: path.join(folder, 'nowhere'), ADMIN_TOKEN: undefined }],
      /ADMIN_TOKEN/,
    ],
  ])('%s: says so and exits 1', async (_, arrange, names) => {
    const [args, env] = arrange();
    const { code, stdout, stderr } = await adtrail(['apply', ...args], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(names);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('secrets', () => {
  test('are in PostgreSQL as SHA-256 only', async () => {
    const tables = await sql<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    let everything = '';
    for (const { name } of tables)
      for (const { row } of await sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} AS t`))
        everything += row;
    expect(secrets.length).toBeGreaterThan(15);
    for (const secret of secrets) {
      expect(everything.includes(crypto.createHash('sha256').update(secret).digest('hex'))).toBe(true);
      expect([secret, everything.includes(secret)]).toEqual([secret, false]);
    }
  });

  test('are never shown again: not in a list, not in a later answer, and not in what the process wrote', async () => {
    const lists = await Promise.all(
      ['/projects', '/partners', '/accounts'].map(async (at) => JSON.stringify((await service.admin('GET', at)).body)),
    );
    const later = JSON.stringify(await apply(example()));
    for (const secret of [...secrets, ADMIN_TOKEN])
      for (const text of [...lists, later, service.output()]) expect(text).not.toContain(secret);
    const hashes = await sql<{ sha256: string }>(
      'SELECT sha256 FROM partner_tokens UNION ALL SELECT sha256 FROM project_keys',
    );
    for (const { sha256 } of hashes) for (const text of lists) expect(text).not.toContain(sha256);
  });
});
