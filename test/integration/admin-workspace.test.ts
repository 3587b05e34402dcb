/** Administration over HTTP: the workspace document, token and switch routes, lists, and `adtrail apply`. */
import { execFile } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { postgresUrl } from '../support/postgres';
import {
  ADMIN_TOKEN,
  cleanEnvironment,
  eventually,
  root,
  startService,
  temporaryFolder,
  type RunningService,
} from '../support/service';

type Json = Record<string, unknown>;
type Secret = { kind: string; project?: string; partner?: string; value: string };
type Applied = { created: number; updated: number; unchanged: number; skipped: Json[]; secrets: Secret[] };

const FIXED_TOKEN = 'fixed-token-of-mobi-ads';
/** Every secret that these tests ever saw or sent: none may be in the database, the output or a list. */
const secrets: string[] = [FIXED_TOKEN];

/** The example of docs/contract.md, Workspace, with a token that is one. */
const example = () => ({
  accounts: [{ name: 'Acme', billing_status: 'active', payment_link: null as string | null }],
  partners: [{ name: 'Mobi Ads', status: 'active', tokens: [FIXED_TOKEN] }],
  exchange_rates: [{ date: '2026-01-01', currency: 'INR', usd: 0.0119 }],
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

let service: RunningService;
let db: pg.Client;
let first: Applied;

const sql = async <T extends pg.QueryResultRow = Json>(text: string, values: unknown[] = []) =>
  (await db.query<T>(text, values)).rows;

/** Applies a document and remembers the secrets in the answer. */
async function apply(document: unknown): Promise<Applied> {
  const answer = (await service.apply(document)) as unknown as Applied;
  secrets.push(...answer.secrets.map((secret) => secret.value));
  return answer;
}

/** Every row of every table, as text, but for how far ingest and derived tables have come: that moves by itself. */
async function dump(): Promise<string> {
  const tables = await sql<{ name: string }>(
    `SELECT quote_ident(table_name) AS name
     FROM information_schema.tables
     WHERE table_schema = 'public' AND table_name NOT IN ('watermarks', 'materialization_settings', 'ingest_processes')
     ORDER BY 1`,
  );
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      // When the audit log is copied elsewhere is no part of the configuration.
      const rows = await sql<{ row: string }>(
        `SELECT (to_jsonb(t) - 'copied_at')::text AS row FROM ${name} AS t ORDER BY 1`,
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

const idOf = async (table: 'partners' | 'projects', name: string) =>
  (await sql<{ id: number }>(`SELECT id FROM ${table} WHERE name = $1`, [name]))[0]?.id as number;

async function cli(
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, 'dist', 'cli.js'), ...args],
      { env: { ...cleanEnvironment(), ...env } },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

beforeAll(async () => {
  service = await startService();
  db = new pg.Client(postgresUrl(service));
  await db.connect();
  first = await apply(example());
});

afterAll(async () => {
  await db?.end();
  await service?.dispose();
});

describe('the example document', () => {
  test('creates everything, and shows each secret that it had to generate', () => {
    expect(first).toMatchObject({ updated: 0, unchanged: 0, skipped: [] });
    expect(first.created).toBeGreaterThanOrEqual(12);
    expect(first.secrets.map(({ kind, project }) => [kind, project]).sort()).toEqual([
      ['app_key', 'Acme Shop'],
      ['server_key', 'Acme Shop'],
      ['web_key', 'Acme Shop'],
    ]);
    expect(new Set(first.secrets.map(({ value }) => value)).size).toBe(3);
    for (const { value } of first.secrets) expect(value).toMatch(/^[\x21-\x7e]{24,}$/);
  });

  test('is stored as it says', async () => {
    const document = example();
    const [project] = document.projects;
    expect(await sql('SELECT name, billing_status, payment_link FROM accounts')).toEqual(document.accounts);
    expect(await sql('SELECT name, status FROM partners')).toEqual([{ name: 'Mobi Ads', status: 'active' }]);
    expect(await sql('SELECT date::text, currency, usd::float FROM exchange_rates')).toEqual(document.exchange_rates);
    const [stored] = await sql('SELECT p.*, a.name AS account FROM projects p JOIN accounts a ON a.id = p.account_id');
    expect(stored).toMatchObject({
      name: 'Acme Shop',
      account: 'Acme',
      timezone: 'Asia/Kolkata',
      currency: 'USD',
      web_campaigns: true,
      website: 'https://acme.example',
      attribution: project?.attribution,
      created_at: new Date('2025-11-01T00:00:00Z'),
    });
    expect(
      await sql(
        'SELECT platform, app_id, team_id, bundle_id, sha256_cert_fingerprints AS prints FROM apps ORDER BY app_id',
      ),
    ).toEqual([
      { platform: 'ANDROID', app_id: 'com.acme.shop', team_id: null, bundle_id: null, prints: [] },
      { platform: 'IOS', app_id: 'id1234567890', team_id: null, bundle_id: null, prints: [] },
    ]);
    expect(await sql('SELECT name, is_primary FROM domains')).toEqual([{ name: 'go.acme.example', is_primary: true }]);
    expect(await sql('SELECT store_listing_id, name, platform, url FROM store_listings')).toEqual(
      project?.store_listings,
    );
    expect(
      await sql(
        `SELECT network, external_customer_id, name, email, status, capi_configured, currency, account_name
         FROM network_accounts`,
      ),
    ).toEqual(project?.network_accounts);
    expect(
      await sql('SELECT s2s_clicks, s2s_traffic, view_through, ctv_apps, view_window_hours FROM partner_switches'),
    ).toEqual([
      { s2s_clicks: true, s2s_traffic: true, view_through: true, ctv_apps: ['com.acme.shop'], view_window_hours: 24 },
    ]);
    const [campaign] = await sql(
      `SELECT c.*, d.name AS domain, p.name AS partner,
         ARRAY(SELECT store_listing_id FROM store_listings s WHERE s.id = ANY (c.store_listing_ids)) AS listings
       FROM campaigns c
       JOIN domains d ON d.id = c.domain_id
       JOIN partners p ON p.id = c.partner_id
       WHERE display_id = 'AbC123'`,
    );
    expect(campaign).toMatchObject({
      name: 'Launch',
      domain: 'go.acme.example',
      partner: 'Mobi Ads',
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
         FROM campaigns
         WHERE is_system AND name = 'MAIN_DOMAIN'`,
      ),
    ).toEqual([{ generated: true, active: true }]);
  });

  test('its fixed token works', async () => {
    expect(await click(FIXED_TOKEN)).toBe('accepted');
  });

  test('applied again it changes nothing and shows no secret', async () => {
    const before = (await dump()).replace(/^configuration\n.*$/m, '');
    const again = await apply(example());
    expect(again).toEqual({
      created: 0,
      updated: 0,
      unchanged: first.created - first.secrets.length,
      skipped: [],
      secrets: [],
    });
    expect((await dump()).replace(/^configuration\n.*$/m, '')).toBe(before);
  });

  test('a document of part of it leaves the rest: nothing is deleted, what is omitted stays', async () => {
    const before = await sql("SELECT * FROM campaigns WHERE display_id = 'AbC123'");
    const counts = async () =>
      sql(
        `SELECT (SELECT count(*) FROM partners) AS partners, (SELECT count(*) FROM apps) AS apps,
           (SELECT count(*) FROM domains) AS domains, (SELECT count(*) FROM campaigns) AS campaigns,
           (SELECT count(*) FROM exchange_rates) AS rates`,
      );
    const countsBefore = await counts();
    const answer = await apply({
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          campaigns: [{ display_id: 'AbC123', name: 'Relaunch' }],
        },
      ],
    });
    expect(answer).toEqual({ created: 0, updated: 1, unchanged: 1, skipped: [], secrets: [] });
    const [after] = await sql("SELECT * FROM campaigns WHERE display_id = 'AbC123'");
    expect({ ...after, name: null, updated_at: null, revision: null }).toEqual({
      ...before[0],
      name: null,
      updated_at: null,
      revision: null,
    });
    expect(after?.name).toBe('Relaunch');
    expect(await counts()).toEqual(countsBefore);
    expect(await click(FIXED_TOKEN)).toBe('accepted');
  });

  test('null is a value: it empties, where leaving out would not', async () => {
    await apply({ projects: [{ name: 'Acme Shop', account: 'Acme', timezone: 'Asia/Kolkata', website: null }] });
    expect(await sql("SELECT website FROM projects WHERE name = 'Acme Shop'")).toEqual([{ website: null }]);
    await apply({
      projects: [{ name: 'Acme Shop', account: 'Acme', timezone: 'Asia/Kolkata', website: 'https://acme.example' }],
    });
  });
});

describe('what is omitted on creation', () => {
  test('has the defaults of docs/contract.md, Workspace', async () => {
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
    const [project] = await sql("SELECT * FROM projects WHERE name = 'Bare'");
    expect(project).toMatchObject({
      currency: 'USD',
      web_campaigns: false,
      website: null,
      attribution: example().projects[0]?.attribution,
    });
    expect((project?.created_at as Date).getTime()).toBeGreaterThan(Date.parse('2026-01-01'));
    expect(await sql("SELECT billing_status, payment_link FROM accounts WHERE name = 'Bare'")).toEqual([
      { billing_status: 'active', payment_link: null },
    ]);
    expect(await sql("SELECT status FROM partners WHERE name = 'Bare Ads'")).toEqual([{ status: 'active' }]);
    expect(await sql('SELECT name, is_primary FROM domains WHERE project_id = $1', [project?.id])).toEqual([
      { name: 'go.bare.example', is_primary: true },
    ]);
    expect(
      await sql(
        `SELECT s2s_clicks, s2s_traffic, view_through, ctv_apps, view_window_hours
         FROM partner_switches
         WHERE project_id = $1`,
        [project?.id],
      ),
    ).toEqual([{ s2s_clicks: false, s2s_traffic: false, view_through: false, ctv_apps: [], view_window_hours: 24 }]);
    expect((await sql("SELECT * FROM campaigns WHERE display_id = 'bare'"))[0]).toMatchObject({
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
    expect(created.secrets).toEqual([
      { kind: 'partner_token', partner: 'Generated Ads', value: expect.stringMatching(/^[\x21-\x7e]{24,}$/) as string },
    ]);
    await apply({
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          partner_switches: [{ partner: 'Generated Ads', s2s_clicks: true }],
          campaigns: [{ display_id: 'gen', name: 'Generated', partner: 'Generated Ads' }],
        },
      ],
    });
    expect(await click(created.secrets[0]?.value as string, 'c=gen')).toBe('accepted');
    expect((await apply({ partners: [{ name: 'Generated Ads' }] })).secrets).toEqual([]);
  });

  test('fixed keys are used instead of generated ones, and one can be added later', async () => {
    const document = {
      projects: [
        {
          name: 'Fixed',
          account: 'Acme',
          timezone: 'UTC',
          server_keys: ['server-key-1'],
          app_keys: ['application-key-1'],
          web_keys: ['web-key-number-1'],
        },
      ],
    };
    secrets.push('server-key-1', 'application-key-1', 'web-key-number-1', 'server-key-2');
    expect(await apply(document)).toMatchObject({ created: 4, secrets: [] });
    expect(await apply(document)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
    document.projects[0]?.server_keys.push('server-key-2');
    expect(await apply(document)).toMatchObject({ created: 1, updated: 0, unchanged: 4 });
  });

  test('attribution windows are merged one by one', async () => {
    await apply({
      projects: [
        {
          name: 'Windows',
          account: 'Acme',
          timezone: 'UTC',
          attribution: { click_window_days: { TIKTOK: 14 }, view_window_hours: 6 },
        },
      ],
    });
    await apply({
      projects: [
        {
          name: 'Windows',
          account: 'Acme',
          timezone: 'UTC',
          attribution: { click_window_days: { GOOGLE: 1 }, inactivity_days: 3 },
        },
      ],
    });
    expect(await sql("SELECT attribution FROM projects WHERE name = 'Windows'")).toEqual([
      {
        attribution: {
          click_window_days: { default: 7, GOOGLE: 1, META: 30, TIKTOK: 14 },
          ip_click_window_hours: 24,
          view_window_hours: 6,
          ctv_window_hours: 24,
          reinstall_window_days: 90,
          inactivity_days: 3,
        },
      },
    ]);
  });

  test('a project has one primary domain, which another can become', async () => {
    const domains = (...list: object[]) =>
      apply({ projects: [{ name: 'Domains', account: 'Acme', timezone: 'UTC', domains: list }] });
    const primary = async () =>
      (
        await sql(
          "SELECT d.name FROM domains d JOIN projects p ON p.id = project_id WHERE p.name = 'Domains' AND is_primary",
        )
      ).map((row) => row.name);
    await domains({ name: 'one.domains.example' }, { name: 'two.domains.example' });
    expect(await primary()).toEqual(['one.domains.example']);
    await domains({ name: 'two.domains.example', primary: true });
    expect(await primary()).toEqual(['two.domains.example']);
    await domains({ name: 'three.domains.example' });
    expect(await primary()).toEqual(['two.domains.example']);
    expect(
      await sql(
        `SELECT count(*)::int AS n
         FROM campaigns c
         JOIN projects p ON p.id = project_id
         WHERE p.name = 'Domains' AND is_system`,
      ),
    ).toEqual([{ n: 1 }]);
  });

  test('channel names that differ in case share a custom channel', async () => {
    const campaigns = [
      { display_id: 'ch1', name: 'x', custom_channel: 'News Letter' },
      { display_id: 'ch2', name: 'x', custom_channel: 'news letter' },
    ];
    await apply({ projects: [{ name: 'Acme Shop', account: 'Acme', timezone: 'Asia/Kolkata', campaigns }] });
    expect(
      await sql(
        `SELECT slug, (SELECT count(*)::int FROM campaigns WHERE custom_channel_id = custom_channels.id) AS campaigns
         FROM custom_channels
         WHERE slug = 'news_letter'`,
      ),
    ).toEqual([{ slug: 'news_letter', campaigns: 2 }]);
  });
});

describe('applying the same document twice changes nothing the second time', () => {
  const project = (more: object) => ({ projects: [{ name: 'Twice', account: 'Acme', timezone: 'UTC', ...more }] });
  test.each<[string, object]>([
    [
      'times finer than a millisecond',
      project({ campaigns: [{ display_id: 'twice-1', name: 'x', created_at: '2025-01-01T00:00:00.1236Z' }] }),
    ],
    [
      'a time with an offset',
      project({ campaigns: [{ display_id: 'twice-2', name: 'x', created_at: '2025-01-01T05:30:00+05:30' }] }),
    ],
    [
      'an only domain that is said not to be primary',
      project({ domains: [{ name: 'only.twice.example', primary: false }] }),
    ],
    ['a domain in capitals', project({ domains: [{ name: 'CAPITALS.twice.example' }] })],
    ['unordered lists', project({ campaigns: [{ display_id: 'twice-4', name: 'x', utm_ids: ['b', 'a'] }] })],
    [
      'a rate with many digits',
      { exchange_rates: [{ date: '2026-02-01', currency: 'VND', usd: 0.00003912345678901 }] },
    ],
    ['text in every script', { accounts: [{ name: 'Ünïcödé 日本 🛒 \\ " \' \u007f' }] }],
  ])('%s', async (_, document) => {
    await apply(document);
    expect(await apply(document)).toMatchObject({ created: 0, updated: 0, skipped: [], secrets: [] });
  });
});

describe('an invalid document is 400, names the field and changes nothing', () => {
  const inProject = (more: object) => ({
    projects: [{ name: 'Acme Shop', account: 'Acme', timezone: 'Asia/Kolkata', ...more }],
  });
  const inCampaign = (more: object) =>
    inProject({
      campaigns: [
        { display_id: 'valid-before', name: 'Valid' },
        { display_id: 'x1', name: 'X', ...more },
      ],
    });
  const cases: [string, object, RegExp][] = [
    ['an unknown field', { acounts: [] }, /acounts/],
    ['an unknown nested field', inCampaign({ colour: 'red' }), /projects\[0\]\.campaigns\[1\].*colour/],
    ['a missing account name', { accounts: [{ billing_status: 'active' }] }, /accounts\[1\].*name/],
    ['a blank name', { partners: [{ name: ' ' }] }, /partners\[0\]\.name/],
    ['a name that is too long', { partners: [{ name: 'x'.repeat(256) }] }, /partners\[0\]\.name/],
    ['a name that is a number', { partners: [{ name: 1 }] }, /partners\[0\]\.name/],
    ['a NUL in a name', { partners: [{ name: 'a\u0000b' }] }, /partners\[0\]\.name/],
    ['a lone surrogate in a name', { partners: [{ name: 'a\ud800b' }] }, /partners\[0\]\.name/],
    [
      'a NUL in a campaign URL field',
      inCampaign({ network_campaign_id: 'a\u0000b' }),
      /campaigns\[1\]\.network_campaign_id/,
    ],
    ['an unknown status', { partners: [{ name: 'P', status: 'gone' }] }, /partners\[0\]\.status/],
    ['a token with a space', { partners: [{ name: 'P', tokens: ['a b c d e f'] }] }, /partners\[0\]\.tokens/],
    ['an empty token', { partners: [{ name: 'P', tokens: [''] }] }, /partners\[0\]\.tokens/],
    [
      'the token of another partner',
      { partners: [{ name: 'P', tokens: [FIXED_TOKEN] }] },
      /partners\[0\]\.tokens\[0\]/,
    ],
    [
      'a rate of zero',
      { exchange_rates: [{ date: '2026-01-01', currency: 'EUR', usd: 0 }] },
      /exchange_rates\[0\]\.usd/,
    ],
    [
      'a day that does not exist',
      { exchange_rates: [{ date: '2026-02-30', currency: 'EUR', usd: 1 }] },
      /exchange_rates\[0\]\.date/,
    ],
    [
      'a day in the year 0',
      { exchange_rates: [{ date: '0000-01-01', currency: 'EUR', usd: 1 }] },
      /exchange_rates\[0\]\.date/,
    ],
    [
      'a currency in lower case',
      { exchange_rates: [{ date: '2026-01-01', currency: 'eur', usd: 1 }] },
      /exchange_rates\[0\]\.currency/,
    ],
    ['a project without timezone', { projects: [{ name: 'P', account: 'Acme' }] }, /projects\[0\].*timezone/],
    [
      'an unknown timezone',
      { projects: [{ name: 'P', account: 'Acme', timezone: 'Mars/Olympus' }] },
      /projects\[0\]\.timezone/,
    ],
    [
      'an offset as timezone',
      { projects: [{ name: 'P', account: 'Acme', timezone: '+05:30' }] },
      /projects\[0\]\.timezone/,
    ],
    ['a created_at that is no time', inProject({ created_at: 'yesterday' }), /projects\[0\]\.created_at/],
    ['a created_at in the year 0', inProject({ created_at: '0000-01-01T00:00:00Z' }), /projects\[0\]\.created_at/],
    ['a website that is no URL', inProject({ website: 'acme' }), /projects\[0\]\.website/],
    ['a website with another scheme', inProject({ website: 'javascript:alert(1)' }), /projects\[0\]\.website/],
    [
      'a negative window',
      inProject({ attribution: { view_window_hours: -1 } }),
      /projects\[0\]\.attribution\.view_window_hours/,
    ],
    [
      'a window beyond its maximum',
      inProject({ attribution: { view_window_hours: 1e9 } }),
      /projects\[0\]\.attribution\.view_window_hours/,
    ],
    [
      'a fraction of a day',
      inProject({ attribution: { click_window_days: { GOOGLE: 1.5 } } }),
      /projects\[0\]\.attribution\.click_window_days\.GOOGLE/,
    ],
    [
      'an unknown platform',
      inProject({ apps: [{ platform: 'WINDOWS', app_id: 'x' }] }),
      /projects\[0\]\.apps\[0\]\.platform/,
    ],
    [
      'an app ID with a slash',
      inProject({ apps: [{ platform: 'IOS', app_id: 'a/b' }] }),
      /projects\[0\]\.apps\[0\]\.app_id/,
    ],
    ['a domain that is none', inProject({ domains: [{ name: 'not a domain' }] }), /projects\[0\]\.domains\[0\]\.name/],
    [
      'two primary domains',
      inProject({
        domains: [
          { name: 'p1.example', primary: true },
          { name: 'p2.example', primary: true },
        ],
      }),
      /projects\[0\]\.domains.*primary/,
    ],
    ['a display_id with a space', inCampaign({ display_id: 'a b' }), /campaigns\[1\]\.display_id/],
    ['a display_id of 65 characters', inCampaign({ display_id: 'x'.repeat(65) }), /campaigns\[1\]\.display_id/],
    ['a display_id that is a path of the service', inCampaign({ display_id: 'metrics' }), /campaigns\[1\]\.display_id/],
    ['the reserved campaign name', inCampaign({ name: 'MAIN_DOMAIN' }), /campaigns\[1\]\.name/],
    ['a deeplink that runs script', inCampaign({ deeplink: 'javascript:alert(1)' }), /campaigns\[1\]\.deeplink/],
    ['a reserved channel', inCampaign({ custom_channel: 'Google' }), /campaigns\[1\]\.custom_channel/],
    ['active as text', inCampaign({ active: 'yes' }), /campaigns\[1\]\.active/],
    ['null where a switch belongs', inCampaign({ active: null }), /campaigns\[1\]\.active/],
    // References.
    [
      'an unknown account',
      { projects: [{ name: 'P', account: 'Nobody', timezone: 'UTC' }] },
      /projects\[0\]\.account.*Nobody/,
    ],
    [
      'an unknown partner of switches',
      inProject({ partner_switches: [{ partner: 'Nobody' }] }),
      /projects\[0\]\.partner_switches\[0\]\.partner.*Nobody/,
    ],
    [
      'an unknown app of switches',
      inProject({ partner_switches: [{ partner: 'Mobi Ads', ctv_apps: ['com.nobody'] }] }),
      /projects\[0\]\.partner_switches\[0\]\.ctv_apps.*com\.nobody/,
    ],
    ['an unknown partner of a campaign', inCampaign({ partner: 'Nobody' }), /campaigns\[1\]\.partner.*Nobody/],
    [
      'an unknown domain of a campaign',
      inCampaign({ domain: 'go.nobody.example' }),
      /campaigns\[1\]\.domain.*go\.nobody\.example/,
    ],
    [
      'an unknown network account',
      inCampaign({ network_account: 'act_nobody' }),
      /campaigns\[1\]\.network_account.*act_nobody/,
    ],
    [
      'an unknown store listing',
      inCampaign({ store_listings: ['sl_play', 'sl_nobody'] }),
      /campaigns\[1\]\.store_listings\[1\].*sl_nobody/,
    ],
    // Uniqueness.
    ['an account twice', { accounts: [{ name: 'Same' }, { name: 'Same' }] }, /accounts.*Same/],
    ['a partner twice', { partners: [{ name: 'Same' }, { name: 'Same' }] }, /partners.*Same/],
    [
      'a rate twice',
      {
        exchange_rates: [
          { date: '2026-01-01', currency: 'EUR', usd: 1 },
          { date: '2026-01-01', currency: 'EUR', usd: 2 },
        ],
      },
      /exchange_rates.*2026-01-01/,
    ],
    [
      'a project twice in an account',
      {
        projects: [
          { name: 'Same', account: 'Acme', timezone: 'UTC' },
          { name: 'Same', account: 'Acme', timezone: 'UTC' },
        ],
      },
      /projects.*Same/,
    ],
    [
      'an app twice',
      inProject({
        apps: [
          { platform: 'IOS', app_id: 'com.same' },
          { platform: 'IOS', app_id: 'com.same' },
        ],
      }),
      /projects\[0\]\.apps.*com\.same/,
    ],
    [
      'an App Store ID twice, with and without id',
      inProject({
        apps: [
          { platform: 'IOS', app_id: '987' },
          { platform: 'IOS', app_id: 'id987' },
        ],
      }),
      /projects\[0\]\.apps.*987/,
    ],
    [
      'a domain twice, in two spellings',
      inProject({ domains: [{ name: 'same.example' }, { name: 'SAME.example' }] }),
      /projects\[0\]\.domains.*same\.example/i,
    ],
    [
      'a domain of another project',
      { projects: [{ name: 'Thief', account: 'Acme', timezone: 'UTC', domains: [{ name: 'GO.acme.example' }] }] },
      /projects\[0\]\.domains.*go\.acme\.example/,
    ],
    [
      'a display_id of another project of the account',
      {
        projects: [
          { name: 'Thief', account: 'Acme', timezone: 'UTC', campaigns: [{ display_id: 'AbC123', name: 'x' }] },
        ],
      },
      /projects\[0\]\.campaigns\[0\]\.display_id.*AbC123/,
    ],
    [
      'a display_id twice',
      inProject({
        campaigns: [
          { display_id: 'same', name: 'x' },
          { display_id: 'same', name: 'y' },
        ],
      }),
      /projects\[0\]\.campaigns.*same/,
    ],
    [
      'a store listing twice',
      inProject({
        store_listings: [
          { store_listing_id: 's', name: 's', platform: 'IOS' },
          { store_listing_id: 's', name: 't', platform: 'IOS' },
        ],
      }),
      /projects\[0\]\.store_listings/,
    ],
    [
      'a network account twice',
      inProject({
        network_accounts: [
          { network: 'META', external_customer_id: 'same' },
          { network: 'META', external_customer_id: 'same' },
        ],
      }),
      /projects\[0\]\.network_accounts.*same/,
    ],
    [
      'switches of a partner twice',
      inProject({ partner_switches: [{ partner: 'Mobi Ads' }, { partner: 'Mobi Ads' }] }),
      /projects\[0\]\.partner_switches.*Mobi Ads/,
    ],
    [
      'a key of another kind',
      inProject({ server_keys: ['one-key-two-kinds'], web_keys: ['one-key-two-kinds'] }),
      /projects\[0\]\.web_keys\[0\]/,
    ],
  ];

  test.each(cases)('%s', async (_, document, names) => {
    const before = await dump();
    const withValidPart = {
      ...document,
      accounts: [{ name: 'Valid part before it' }, ...((document as { accounts?: object[] }).accounts ?? [])],
    };
    const { status, body } = await service.admin('PUT', '/workspace', withValidPart);
    expect({ status, msg: body.msg }).toEqual({ status: 400, msg: expect.stringMatching(names) as string });
    expect(body).toEqual({ msg: body.msg, status: 400 });
    expect(await dump()).toBe(before);
  });

  test('names may repeat: projects of two accounts, apps of two projects, display_ids of two accounts', async () => {
    const project = (account: string) => ({
      name: 'Same name',
      account,
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.repeats' }],
      campaigns: [{ display_id: 'repeats', name: 'x' }],
    });
    const answer = await apply({
      accounts: [{ name: 'Repeats A' }, { name: 'Repeats B' }],
      projects: [project('Repeats A'), project('Repeats B')],
    });
    expect(answer.skipped).toEqual([]);
    expect(await sql("SELECT count(*)::int AS n FROM campaigns WHERE display_id = 'repeats'")).toEqual([{ n: 2 }]);
  });

  test('an app in two spellings over two documents stays one app, and its clicks are not ambiguous', async () => {
    const document = (app_id: string) => ({
      projects: [
        {
          name: 'Spelling',
          account: 'Acme',
          timezone: 'UTC',
          apps: [{ platform: 'IOS', app_id }],
          partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
          campaigns: [{ display_id: 'spell', name: 'x', partner: 'Mobi Ads' }],
        },
      ],
    });
    await apply(document('4711'));
    await service.admin('PUT', '/workspace', document('id4711'));
    expect(await click(FIXED_TOKEN, 'c=spell', 'id4711')).toBe('accepted');
    expect(await click(FIXED_TOKEN, 'c=spell', '4711')).toBe('accepted');
  });
});

describe('bodies', () => {
  const put = (body: string, headers: Record<string, string> = {}) =>
    service.request('/admin/v1/workspace', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json', ...headers },
      body,
    });

  test.each([
    ['not JSON', 'accounts: []'],
    ['cut off', '{"accounts": ['],
    ['an array', '[]'],
    ['an array of documents', '[{"accounts": []}]'],
    ['null', 'null'],
    ['text', '"accounts"'],
    ['a number', '1'],
    ['empty', ''],
    ['blank', ' \n'],
    ['__proto__', '{"__proto__": {"accounts": [{"name": "Polluted"}]}}'],
    ['a nested __proto__', '{"accounts": [{"name": "Polluted", "__proto__": {"billing_status": "suspended"}}]}'],
    ['constructor', '{"constructor": {"prototype": {"polluted": true}}}'],
    ['not UTF-8 in quotes', '{"accounts": [{"name": "x"}], "\u0000": 1}'],
  ])('%s is 400 and changes nothing', async (_, body) => {
    const before = await dump();
    const response = await put(body);
    const answer = (await response.json()) as Json;
    expect({ http: response.status, ...answer }).toEqual({ http: 400, status: 400, msg: expect.any(String) as string });
    expect(await dump()).toBe(before);
  });

  test('an empty document is a document: nothing to do', async () => {
    expect(await apply({})).toEqual({ created: 0, updated: 0, unchanged: 0, skipped: [], secrets: [] });
  });

  test('whatever content type it claims, a JSON body is JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const response = await put('{"accounts": [{"name": "Acme"}]}', { 'Content-Type': type });
      expect([type, response.status, await response.json()]).toEqual([
        type,
        200,
        { created: 0, updated: 0, unchanged: 1, skipped: [], secrets: [] },
      ]);
    }
  });
});

describe('access', () => {
  const routes: [string, string][] = [
    ['PUT', '/workspace'],
    ['GET', '/accounts'],
    ['GET', '/partners'],
    ['GET', '/projects'],
    ['POST', '/partners/1/tokens'],
    ['DELETE', '/partners/1/tokens'],
    ['PUT', '/projects/1/partners/1'],
    ['GET', '/no/such/path'],
    ['PATCH', '/workspace'],
  ];
  const wrong: [string, Record<string, string>][] = [
    ['no token', {}],
    ['a wrong token', { Authorization: 'Bearer wrong-admin-token' }],
    ['an empty one', { Authorization: 'Bearer ' }],
    ['the right one as Basic', { Authorization: `Basic ${ADMIN_TOKEN}` }],
    ['a longer one', { Authorization: `Bearer ${ADMIN_TOKEN}x` }],
    ['a shorter one', { Authorization: `Bearer ${ADMIN_TOKEN.slice(0, -1)}` }],
    ['a partner token', { Authorization: `Bearer ${FIXED_TOKEN}` }],
  ];
  test.each(routes)('%s %s is 401 without the admin token', async (method, at) => {
    const before = await dump();
    for (const [what, headers] of wrong) {
      const response = await service.request(`/admin/v1${at}`, {
        method,
        headers,
        ...(method === 'PUT' ? { body: '{}' } : {}),
      });
      const body = (await response.json()) as Json;
      expect([what, response.status, body]).toEqual([what, 401, { msg: expect.any(String) as string, status: 401 }]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    expect(await dump()).toBe(before);
  });

  test('the token does not work in the address', async () => {
    expect((await service.request(`/admin/v1/projects?token=${ADMIN_TOKEN}&admin_token=${ADMIN_TOKEN}`)).status).toBe(
      401,
    );
  });

  test.each(['', '/', '/no', '/workspace/1', '/partners/1', '/partners/x/y/z', '/projects/1/nothing'])(
    'unknown path %s is 404 JSON',
    async (at) => {
      const { status, body } = await service.admin('GET', at);
      expect({ status, body }).toEqual({ status: 404, body: { msg: expect.any(String) as string, status: 404 } });
    },
  );

  test.each([
    ['GET', '/workspace', 'PUT'],
    ['DELETE', '/workspace', 'PUT'],
    ['PATCH', '/workspace', 'PUT'],
    ['PROPFIND', '/workspace', 'PUT'],
    ['PUT', '/accounts', 'GET'],
    ['DELETE', '/partners', 'GET'],
    ['PATCH', '/projects', 'GET'],
    ['PATCH', '/partners/1/tokens', 'POST'],
    ['PATCH', '/projects/1/partners/1', 'PUT'],
  ])('%s %s is 405 and allows %s', async (method, at, allowed) => {
    const response = await service.request(`/admin/v1${at}`, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect({ status: response.status, body: (await response.json()) as unknown }).toEqual({
      status: 405,
      body: { msg: expect.any(String) as string, status: 405 },
    });
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
  let partner: number;
  let original: string;

  beforeAll(async () => {
    const { secrets: shown } = await apply({ partners: [{ name: 'Rotating Ads' }] });
    original = shown[0]?.value as string;
    await apply({
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          partner_switches: [{ partner: 'Rotating Ads', s2s_clicks: true }],
          campaigns: [{ display_id: 'rot', name: 'x', partner: 'Rotating Ads' }],
        },
      ],
    });
    partner = await idOf('partners', 'Rotating Ads');
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
          crypto.createHash('sha256').update(token).digest('hex'),
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
      crypto.createHash('sha256').update(original).digest('hex'),
    ]);
    await sql('UPDATE configuration SET revision = revision + 1');
    await sql("SELECT pg_notify('adtrail_configuration', '')");
    await eventually('the former token is refused', async () =>
      (await click(original, 'c=rot')) === 'invalid_token' ? true : undefined,
    );
    expect(await click(token, 'c=rot')).toBe('accepted');
  });

  test('revoking ends all of them at once; the next one has no former', async () => {
    const { token } = await rotate(partner);
    expect((await service.admin('DELETE', `/partners/${partner}/tokens`)).status).toBe(204);
    expect(await click(token, 'c=rot')).toBe('invalid_token');
    expect(await click(original, 'c=rot')).toBe('invalid_token');
    const next = await rotate(partner);
    expect(next.former).toBeNull();
    expect(await click(next.token, 'c=rot')).toBe('accepted');
  });

  test('revoking twice is as good as once', async () => {
    expect((await service.admin('DELETE', `/partners/${partner}/tokens`)).status).toBe(204);
    expect((await service.admin('DELETE', `/partners/${partner}/tokens`)).status).toBe(204);
  });

  test('a revoked token stays revoked, and a document that names it is refused', async () => {
    secrets.push('token-to-be-revoked');
    const document = { partners: [{ name: 'Revoked Ads', tokens: ['token-to-be-revoked'] }] };
    await apply(document);
    await apply({
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          partner_switches: [{ partner: 'Revoked Ads', s2s_clicks: true }],
          campaigns: [{ display_id: 'rev', name: 'x', partner: 'Revoked Ads' }],
        },
      ],
    });
    expect(await click('token-to-be-revoked', 'c=rev')).toBe('accepted');
    await service.admin('DELETE', `/partners/${await idOf('partners', 'Revoked Ads')}/tokens`);
    const again = await apply(document);
    expect(again).toMatchObject({
      created: 0,
      updated: 0,
      secrets: [],
      skipped: [{ kind: 'partner_token', partner: 'Revoked Ads' }],
    });
    expect(JSON.stringify(again)).not.toContain('token-to-be-revoked');
    expect(await click('token-to-be-revoked', 'c=rev')).toBe('invalid_token');
  });

  test('a suspended partner’s token does not work until the partner is active again', async () => {
    await apply({ partners: [{ name: 'Mobi Ads', status: 'suspended' }] });
    expect(await click(FIXED_TOKEN)).toBe('invalid_token');
    await apply({ partners: [{ name: 'Mobi Ads', status: 'active' }] });
    expect(await click(FIXED_TOKEN)).toBe('accepted');
  });

  test.each(['0', '999999', 'x', '-1', '1.5', '99999999999999999999'])('partner %s does not exist: 404', async (id) => {
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
    secrets.push('token-of-switched-ads');
    await apply({ partners: [{ name: 'Switched Ads', tokens: ['token-of-switched-ads'] }] });
    await apply({
      projects: [
        {
          name: 'Switched',
          account: 'Acme',
          timezone: 'UTC',
          apps: [{ platform: 'ANDROID', app_id: 'com.switched' }],
          campaigns: [{ display_id: 'sw', name: 'x', partner: 'Switched Ads' }],
        },
      ],
    });
    [project, partner] = [await idOf('projects', 'Switched'), await idOf('partners', 'Switched Ads')];
  });

  test('are in force when the answer is there, and what is omitted stays', async () => {
    const shot = () => click('token-of-switched-ads', 'c=sw', 'com.switched');
    expect(await shot()).toBe('partner_not_enabled');
    expect(await set({ s2s_clicks: true })).toMatchObject({
      status: 200,
      body: { s2s_clicks: true, s2s_traffic: false, view_through: false, ctv_apps: [], view_window_hours: 24 },
    });
    expect(await shot()).toBe('accepted');
    expect(await set({ view_through: true, view_window_hours: 6, ctv_apps: ['com.switched'] })).toMatchObject({
      status: 200,
      body: { s2s_clicks: true, view_through: true, ctv_apps: ['com.switched'], view_window_hours: 6 },
    });
    expect(await set({ s2s_clicks: false })).toMatchObject({
      status: 200,
      body: { s2s_clicks: false, view_through: true, ctv_apps: ['com.switched'], view_window_hours: 6 },
    });
    expect(await shot()).toBe('partner_not_enabled');
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', {}, /./],
    ['an unknown switch', { s2s_click: true }, /s2s_click/],
    ['text', { s2s_clicks: 'true' }, /s2s_clicks/],
    ['null', { s2s_clicks: null }, /s2s_clicks/],
    ['too many hours', { view_window_hours: 1e9 }, /view_window_hours/],
    ['a fraction of an hour', { view_window_hours: 1.5 }, /view_window_hours/],
    ['an app that the project has not', { ctv_apps: ['com.other'] }, /ctv_apps.*com\.other/],
    ['an array', [], /./],
  ])('%s is 400', async (_, body, names) => {
    const answer = await set(body);
    expect(answer).toEqual({ status: 400, body: { msg: expect.stringMatching(names) as string, status: 400 } });
  });

  test('a window beyond a day is taken or refused, by name, and never an error of the service', async () => {
    const { status, body } = await set({ view_window_hours: 25 });
    expect([200, 400]).toContain(status);
    if (status === 400) expect(body.msg).toMatch(/view_window_hours/);
  });

  test('an unknown project or partner is 404', async () => {
    expect((await set({ s2s_clicks: true }, `/projects/999999/partners/${partner}`)).status).toBe(404);
    expect((await set({ s2s_clicks: true }, `/projects/${project}/partners/999999`)).status).toBe(404);
    expect((await set({ s2s_clicks: true }, `/projects/x/partners/${partner}`)).status).toBe(404);
  });
});

describe('deleted campaigns', () => {
  test('stay deleted, keep their display_id, and are named in skipped', async () => {
    const document = (name: string) => ({
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          campaigns: [
            { display_id: 'gone', name, partner: 'Mobi Ads' },
            { display_id: 'stays', name },
          ],
        },
      ],
    });
    await apply(document('Before'));
    await sql(
      `UPDATE campaigns
       SET deleted_at = now(), revision = (SELECT revision FROM configuration) + 1
       WHERE display_id = 'gone'`,
    );
    await sql('UPDATE configuration SET revision = revision + 1');
    const answer = await apply(document('After'));
    expect(answer).toMatchObject({
      created: 0,
      updated: 1,
      skipped: [{ kind: 'campaign', project: 'Acme Shop', display_id: 'gone' }],
    });
    expect(
      await sql(
        `SELECT display_id, name, deleted_at IS NOT NULL AS deleted
         FROM campaigns
         WHERE display_id IN ('gone', 'stays')
         ORDER BY 1`,
      ),
    ).toEqual([
      { display_id: 'gone', name: 'Before', deleted: true },
      { display_id: 'stays', name: 'After', deleted: false },
    ]);
    expect(await click(FIXED_TOKEN, 'c=gone')).toBe('unknown_campaign');
  });
});

test('two applies of one document at once both succeed and create everything once', async () => {
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
        campaigns: Array.from({ length: 50 }, (_, i) => ({
          display_id: `race-${i}`,
          name: 'x',
          partner: 'Race Ads',
          custom_channel: 'Race channel',
        })),
      },
    ],
  };
  const answers = await Promise.all(Array.from({ length: 4 }, () => apply(document)));
  const winners = answers.filter((answer) => answer.created > 0);
  expect(winners).toHaveLength(1);
  expect(
    answers
      .flatMap((answer) => answer.secrets)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['app_key', 'partner_token', 'server_key', 'web_key']);
  for (const answer of answers) expect(answer).toMatchObject({ updated: 0, skipped: [] });
  expect(
    await sql(
      `SELECT (SELECT count(*)::int FROM accounts WHERE name = 'Race') AS accounts,
         (SELECT count(*)::int FROM campaigns WHERE display_id LIKE 'race-%') AS campaigns,
         (SELECT count(*)::int FROM custom_channels WHERE slug = 'race_channel') AS channels`,
    ),
  ).toEqual([{ accounts: 1, campaigns: 50, channels: 1 }]);
});

describe('lists', () => {
  test('projects, partners and accounts, each with its ID and name', async () => {
    const projects = (await service.admin('GET', '/projects')).body.projects as Json[];
    expect(projects.find((project) => project.name === 'Acme Shop')).toMatchObject({
      id: await idOf('projects', 'Acme Shop'),
      account: 'Acme',
      timezone: 'Asia/Kolkata',
      currency: 'USD',
    });
    const partners = (await service.admin('GET', '/partners')).body.partners as Json[];
    expect(partners.find((partner) => partner.name === 'Mobi Ads')).toMatchObject({
      id: await idOf('partners', 'Mobi Ads'),
      status: 'active',
    });
    const accounts = (await service.admin('GET', '/accounts')).body.accounts as Json[];
    expect(accounts.find((account) => account.name === 'Acme')).toMatchObject({
      billing_status: 'active',
      payment_link: null,
    });
    for (const list of [projects, partners, accounts])
      for (const item of list)
        expect(item).toMatchObject({ id: expect.any(Number) as number, name: expect.any(String) as string });
  });
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
    const { code, stdout, stderr } = await cli(
      ['apply', file('good.json', JSON.stringify({ partners: [{ name: 'From the command line' }] }))],
      here(),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answer = JSON.parse(stdout) as Applied;
    expect(answer).toMatchObject({
      created: 2,
      secrets: [{ kind: 'partner_token', partner: 'From the command line' }],
    });
    secrets.push(...answer.secrets.map(({ value }) => value));
    expect(await idOf('partners', 'From the command line')).toEqual(expect.any(Number));
  });

  test('takes the address as an option', async () => {
    const { code, stdout } = await cli(['apply', '--url', `${service.url}/`, file('empty.json', '{}')], {
      ADMIN_TOKEN,
    });
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
    const { code, stderr } = await cli(['apply', file('readme.json', renamed)], here());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    secrets.push(token);
    const { pathname, search } = new URL(address.replace('com.acme.shop', 'com.readme.shop'));
    const response = await service.request(pathname + search, { headers: { 'X-Service-Token': token } });
    expect(await response.json()).toEqual({ status: 'accepted', click_id: expect.any(String) as string });
  });

  // Reasons that the operator can act upon are one plain sentence: no stack.
  test.each<[string, () => [string[], NodeJS.ProcessEnv], RegExp]>([
    [
      'an invalid document',
      () => [['apply', file('invalid.json', '{"accounts": [{"nam": "x"}]}')], here()],
      /accounts\[0\]/,
    ],
    ['a file that is not JSON', () => [['apply', file('broken.json', '{"accounts": [')], here()], /JSON/],
    ['a missing file', () => [['apply', path.join(folder, 'missing.json')], here()], /missing\.json/],
    [
      'a wrong token',
      () => [['apply', file('empty.json', '{}')], { ...here(), ADMIN_TOKEN: 'a-wrong-admin-token-of-mine' }],
      /Unauthorized/,
    ],
    [
      'no service at the address',
      () => [['apply', '--url', 'http://127.0.0.1:1', file('empty.json', '{}')], { ADMIN_TOKEN }],
      /127\.0\.0\.1:1/,
    ],
    [
      'no token at all',
      () => [['apply', file('empty.json', '{}')], { DATA_DIR: path.join(folder, 'nowhere') }],
      /ADMIN_TOKEN/,
    ],
  ])('%s: says so and exits 1', async (_, arrange, names) => {
    const before = await dump();
    const { code, stdout, stderr } = await cli(...arrange());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(names);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(await dump()).toBe(before);
  });
});

describe('secrets', () => {
  test('are in PostgreSQL as SHA-256 only', async () => {
    const everything = await dump();
    expect(secrets.length).toBeGreaterThan(15);
    for (const secret of secrets) {
      expect(everything).toContain(crypto.createHash('sha256').update(secret).digest('hex'));
      expect(everything).not.toContain(secret);
    }
  });

  test('are never shown again: not in a list, not in a later answer', async () => {
    const lists = await Promise.all(
      ['/projects', '/partners', '/accounts'].map(async (at) => JSON.stringify((await service.admin('GET', at)).body)),
    );
    const later = JSON.stringify(await apply(example()));
    for (const secret of secrets) for (const text of [...lists, later]) expect(text).not.toContain(secret);
    for (const hash of (
      await sql<{ sha256: string }>('SELECT sha256 FROM partner_tokens UNION ALL SELECT sha256 FROM project_keys')
    ).map((row) => row.sha256))
      for (const text of lists) expect(text).not.toContain(hash);
  });

  test('are not in what the process wrote, nor is the admin token', () => {
    expect(service.output()).toContain('Listening on');
    for (const secret of [...secrets, ADMIN_TOKEN]) expect(service.output()).not.toContain(secret);
  });

  test('no request of these tests was an error of the service', () => {
    expect(service.output()).not.toMatch(/Error:/);
  });
});
