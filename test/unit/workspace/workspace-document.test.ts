/** What a workspace document may say, by itself: its form, its one form, and what it must not say twice. */
import { RESERVED_CHANNELS, channelSlug } from '../../../src/configuration/channels';
import { SERVICE_PATHS } from '../../../src/configuration/display-id';
import { switchesSchema } from '../../../src/configuration/partner-switches';
import { validator } from '../../../src/lib/validate';
import { refuseDomains } from '../../../src/workspace/apply';
import { projectSettingsSchema, workspaceSchema, type WorkspaceDocument } from '../../../src/workspace/document';
import { readCreatedAt } from '../../../src/workspace/fields';
import { unifyWorkspace } from '../../../src/workspace/form';
import { refuseRepeats, refuseRepeatsInProject } from '../../../src/workspace/repeats';
import { refusal } from '../../support/http/refusal';

const parse = validator(workspaceSchema);
const project = (more: object) => ({ projects: [{ name: 'Shop', account: 'Acme', timezone: 'UTC', ...more }] });
const campaign = (more: object) => project({ campaigns: [{ display_id: 'one', name: 'One', ...more }] });
const app = (more: object) => project({ apps: [{ platform: 'IOS', app_id: 'id1', ...more }] });
const partner = (more: object) => ({ partners: [{ name: 'Ads', ...more }] });
const rate = (more: object) => ({ exchange_rates: [{ date: '2026-01-01', currency: 'EUR', usd: 1, ...more }] });

/** A place in a document, its values that are taken, and those that are refused there. */
const RULES: readonly [field: string, make: (value: unknown) => object, good: unknown[], bad: unknown[]][] = [
  [
    'partners[0].name',
    (name) => partner({ name }),
    ['x', 'x'.repeat(255), 'Ünïcödé 日本 🛒 \\ " \' \u007f'],
    ['', ' ', 'x'.repeat(256), 1, null],
  ],
  ['partners[0].status', (status) => partner({ status }), ['active', 'suspended'], ['gone', null]],
  [
    'partners[0].tokens',
    (token) => partner({ tokens: [token] }),
    ['a', '!~'.repeat(128)],
    ['', 'a b c', 'ä', 'x'.repeat(257)],
  ],
  ['partners[0].tokens', (tokens) => partner({ tokens }), [[]], [['a', 'a'], 'a', null]],
  [
    'exchange_rates[0].usd',
    (usd) => rate({ usd }),
    [1e-9, 0.00003912345678901, 1e9],
    [0, -1, 1e-10, 1e9 + 1, 1e300, Infinity, '1'],
  ],
  [
    'exchange_rates[0].date',
    (date) => rate({ date }),
    ['2024-02-29'],
    ['2026-02-30', '0000-01-01', '2026-1-1', 'today'],
  ],
  ['exchange_rates[0].currency', (currency) => rate({ currency }), ['EUR', 'eur'], ['€', 'EURO', '']],
  [
    'accounts[0].payment_link',
    (payment_link) => ({ accounts: [{ name: 'Acme', payment_link }] }),
    ['https://pay.example', null],
    ['pay.example'],
  ],
  [
    'projects[0].created_at',
    (created_at) => project({ created_at }),
    ['2025-11-01T00:00:00Z', '2025-01-01T05:30:00+05:30', '2025-01-01T00:00:00.1236Z', '1970-01-01T00:00:00Z'],
    ['yesterday', '2025-11-01', '0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z'],
  ],
  [
    'projects[0].website',
    (website) => project({ website }),
    ['https://acme.example', null],
    ['acme', 'javascript:alert(1)', `https://acme.example/${'x'.repeat(2048)}`],
  ],
  [
    'projects[0].attribution.view_window_hours',
    (view_window_hours) => project({ attribution: { view_window_hours } }),
    [0, 25, 100_000],
    [-1, 1.5, 100_001, '24', null],
  ],
  [
    'projects[0].attribution.click_window_days.GOOGLE',
    (GOOGLE) => project({ attribution: { click_window_days: { GOOGLE } } }),
    [0, 30],
    [1.5, -1],
  ],
  ['projects[0].apps[0].platform', (platform) => app({ platform }), ['IOS', 'ANDROID'], ['WINDOWS', 'ios']],
  [
    'projects[0].apps[0].app_id',
    (app_id) => app({ app_id }),
    ['com.acme.shop', 'id987', '987', 'ID', 'IDEA1'],
    ['a/b', '', 'ID1', 'Id1', 'iD1', 'x'.repeat(256)],
  ],
  // As Apple writes them: a team in capitals, and a bundle without the team before it.
  [
    'projects[0].apps[0].team_id',
    (team_id) => app({ team_id }),
    ['TEAM123456', null],
    ['team123456', 'TEAM12345', 'TEAM1234567', 'TEAM-12345', ' TEAM123456', ''],
  ],
  [
    'projects[0].apps[0].bundle_id',
    (bundle_id) => app({ bundle_id }),
    ['com.acme.shop', null],
    ['TEAM123456.com.acme.shop', 'com.acme shop', 'com.acme.*', 'com/acme', ''],
  ],
  [
    'projects[0].apps[0].sha256_cert_fingerprints[0]',
    (print) => app({ sha256_cert_fingerprints: [print] }),
    ['ab'.repeat(32), Array(32).fill('AB').join(':')],
    ['ab'.repeat(20), Array(20).fill('AB').join(':'), `SHA256: ${Array(32).fill('AB').join(':')}`, 'zz'.repeat(32)],
  ],
  [
    'projects[0].domains[0].name',
    (name) => project({ domains: [{ name }] }),
    ['go.acme.example', 'GO.Acme.example.', 'bücher.example'],
    [
      ...[
        'https://go.p.example',
        'go.p.example:443',
        'go.p.example/',
        '*.p.example',
        'go..p.example',
        '.',
        'not a one',
      ],
      ...['localhost', 'LOCALHOST', 'localhost.', 'shop.localhost', '127.0.0.1', '10.0.0.1', '1', '0x7f.1'],
      ...['2130706433', '\uff11\uff12\uff17.0.0.1', `${'x.'.repeat(127)}x`],
    ],
  ],
  [
    'projects[0].network_accounts[0].external_customer_id',
    (id) => project({ network_accounts: [{ network: 'META', external_customer_id: id }] }),
    ['act_1', 'act 1'],
    [' act_1', 'act_1 ', ''],
  ],
  [
    'projects[0].campaigns[0].display_id',
    (display_id) => campaign({ display_id }),
    ['AbC-1_2', 'x'.repeat(64), 'API', 'MAIN_DOMAIN'],
    ['a b', '', 'x'.repeat(65), 'ä', 'a/b', ...SERVICE_PATHS],
  ],
  [
    'projects[0].campaigns[0].deeplink',
    (deeplink) => campaign({ deeplink }),
    ['acme://x', null],
    ['javascript:alert(1)', '/x'],
  ],
  ...['website', 'android_web_redirect', 'ios_web_redirect'].map((field): (typeof RULES)[number] => [
    `projects[0].campaigns[0].${field}`,
    (url) => campaign({ [field]: url }),
    ['https://acme.example', null],
    ['acme://x', 'https://user@acme.example'],
  ]),
  [
    'projects[0].store_listings[0].url',
    (url) => project({ store_listings: [{ store_listing_id: 'play', name: 'Play', platform: 'ANDROID', url }] }),
    ['https://play.example', null],
    ['market://details', 'data:text/html,x'],
  ],
  ['projects[0].campaigns[0].utm_ids[0]', (id) => campaign({ utm_ids: [id] }), ['123', '1 2'], ['123 ', ' 123', '']],
  [
    'projects[0].campaigns[0].custom_channel',
    (custom_channel) => campaign({ custom_channel }),
    ['Q&A', '\u{1F600}', 'x'.repeat(79), null],
    ['<b>', 'a > b', 'x<y', 'javascript:x', 'JAVASCRIPT:x', '</p\u202e>', '&lt;<', 'x'.repeat(80), ''],
  ],
  ['projects[0].campaigns[0].active', (active) => campaign({ active }), [true, false], ['yes', 1, null]],
];

describe('the form of a document', () => {
  test.each(RULES.flatMap(([field, make, good]) => good.map((value) => [field, value, make(value)] as const)))(
    '%s takes %j',
    (_field, _value, document) => expect(parse(document)).toBe(document),
  );

  test.each(RULES.flatMap(([field, make, , bad]) => bad.map((value) => [field, value, make(value)] as const)))(
    '%s refuses %j, by its name',
    (field, _value, document) => {
      const [status, message] = refusal(() => parse(document));
      expect([status, message.slice(0, field.length)]).toEqual([400, field]);
    },
  );

  test.each<[object, string]>([
    [{ acounts: [] }, 'body: unknown field "acounts"'],
    [campaign({ colour: 'red' }), 'projects[0].campaigns[0]: unknown field "colour"'],
    [{ accounts: [{ billing_status: 'active' }] }, 'accounts[0]: "name" is required'],
    [{ projects: [{ name: 'Shop', account: 'Acme' }] }, 'projects[0]: "timezone" is required'],
    [partner({ status: 'gone' }), 'partners[0].status: must be one of active, suspended'],
    [campaign({ display_id: 'metrics' }), 'projects[0].campaigns[0].display_id: this value is reserved'],
    [campaign({ active: 'yes' }), 'projects[0].campaigns[0].active: must be boolean'],
    [project({ attribution: { click_window_days: { 'a b': 1 } } }), 'projects[0].attribution.click_window_days: '],
    [[], 'body: must be object'],
  ])('%j: %s', (document, message) => {
    const [status, text] = refusal(() => parse(document));
    expect([status, text.slice(0, message.length)]).toEqual([400, message]);
  });

  test('an empty document is one; an empty change of one project is none', () => {
    expect(parse({})).toEqual({});
    expect(refusal(() => validator(projectSettingsSchema)({}))[0]).toBe(400);
  });

  test.each<[unknown, string]>([
    [{}, 'body: '],
    [[], 'body: '],
    [{ s2s_click: true }, 'body: unknown field "s2s_click"'],
    [{ s2s_clicks: 'true' }, 's2s_clicks: must be boolean'],
    [{ s2s_clicks: null }, 's2s_clicks: '],
    [{ view_window_hours: 1e9 }, 'view_window_hours: '],
    [{ view_window_hours: 1.5 }, 'view_window_hours: '],
  ])('switches %j: %s', (switches, message) => {
    const [status, text] = refusal(() => validator(switchesSchema)(switches));
    expect([status, text.slice(0, message.length)]).toEqual([400, message]);
  });
});

describe('what is there twice', () => {
  const listing = { store_listing_id: 's', name: 's', platform: 'IOS' } as const;
  const domains = (...names: string[]) => ({ domains: names.map((name) => ({ name })) });
  test.each<[string, WorkspaceDocument, string]>([
    ['accounts', { accounts: [{ name: 'Same' }, { name: 'Same' }] }, 'Same'],
    ['partners', { partners: [{ name: 'Same' }, { name: 'Same' }] }, 'Same'],
    [
      'exchange_rates',
      { exchange_rates: [1, 2].map((usd) => ({ date: '2026-01-01', currency: 'EUR', usd })) },
      '2026-01-01 EUR',
    ],
    ['projects', { projects: [...project({}).projects, ...project({}).projects] }, 'Acme / Shop'],
    ['projects[0].apps', project({ apps: ['x', 'x'].map((app_id) => ({ platform: 'IOS', app_id })) }), 'x'],
    ['projects[0].apps', project({ apps: ['987', 'id987'].map((app_id) => ({ platform: 'IOS', app_id })) }), 'id987'],
    ['projects[0].domains', project(domains('same.example', 'SAME.example.')), 'same.example'],
    ['projects[0].store_listings', project({ store_listings: [listing, { ...listing, name: 't' }] }), 's'],
    [
      'projects[0].network_accounts',
      project({ network_accounts: ['META', 'GOOGLE'].map((network) => ({ network, external_customer_id: 'a' })) }),
      'a',
    ],
    ['projects[0].partner_switches', project({ partner_switches: [{ partner: 'Ads' }, { partner: 'Ads' }] }), 'Ads'],
    ['projects[0].campaigns', project({ campaigns: ['x', 'y'].map((name) => ({ display_id: 'one', name })) }), 'one'],
  ])('%s', (list, document, name) =>
    expect(refusal(() => refuseRepeats(document))).toEqual([400, `${list}: ${JSON.stringify(name)} is there twice`]),
  );

  test('one name in two accounts, two projects or two lists is two things', () => {
    const both = project({ apps: [{ platform: 'IOS', app_id: 'x' }], campaigns: [{ display_id: 'x', name: 'x' }] });
    const [one] = both.projects;
    expect(() => refuseRepeats({ projects: [one, { ...one, account: 'Beta' }] as never })).not.toThrow();
  });

  test('a project has one primary domain', () =>
    expect(
      refusal(() => refuseRepeatsInProject({ domains: ['a', 'b'].map((name) => ({ name, primary: true })) }, 'body')),
    ).toEqual([400, 'body.domains: only one domain can be primary']));
});

test('the host of the service itself is no domain of a project', () => {
  const projects = [{}, { domains: [{ name: 'go.acme.example' }, { name: 'Adtrail.example.' }] }];
  expect(refusal(() => refuseDomains(projects, new Set(['adtrail.example'])))).toEqual([
    400,
    'projects[1].domains[1].name: this service itself is reached at Adtrail.example.',
  ]);
  expect(() => refuseDomains(projects, new Set(['acme.example']))).not.toThrow();
});

describe('when something was created', () => {
  const NOW = '2026-03-01T12:00:00.000Z';
  test.each([
    [undefined, undefined],
    ['1970-01-01T00:00:00Z', undefined],
    ['2025-01-01T05:30:00+05:30', '2025-01-01T00:00:00.000Z'],
    ['2025-01-01T00:00:00.1236Z', '2025-01-01T00:00:00.123Z'],
    ['2026-03-02T12:00:00Z', '2026-03-02T12:00:00.000Z'],
  ])('%s is %s', (text, expected) => expect(readCreatedAt(text, 'x', NOW)).toBe(expected));

  test.each(['2026-03-02T12:00:00.001Z', '2300-01-01T00:00:00Z'])('%s is too far ahead', (text) =>
    expect(refusal(() => readCreatedAt(text, 'projects[0]', NOW))).toEqual([
      400,
      'projects[0].created_at: must not be in the future',
    ]),
  );
});

test('codes come in any case and names in any form: the document has one', () => {
  const document = {
    exchange_rates: [{ date: '2026-01-09', currency: 'chf', usd: 1.1 }],
    ...project({
      currency: 'eur',
      attribution: { click_window_days: { Meta: 9, DEFAULT: 8 } },
      network_accounts: [{ network: 'meta', external_customer_id: 'a', currency: 'chf' }],
      campaigns: [{ display_id: 'one', name: ' One', network: 'Meta', custom_channel: ' Cafe\u0301\u200b ' }],
    }),
  };
  const { exchange_rates, projects } = unifyWorkspace(document);
  expect(exchange_rates?.[0]?.currency).toBe('CHF');
  expect(projects?.[0]).toMatchObject({
    currency: 'EUR',
    attribution: { click_window_days: { META: 9, default: 8 } },
    network_accounts: [{ network: 'META', currency: 'CHF' }],
    campaigns: [{ name: ' One', network: 'META', custom_channel: 'Caf\u00e9' }],
  });
});

describe('the code of a custom channel', () => {
  test.each([
    ['Pod Casts-x!', 'pod_casts_x_'],
    ['ÜBER 名前 9', 'über_名前_9'],
    ['a.b/c+d', 'a_b_c_d'],
    ['INFLUENCERS', 'influencers'],
    ['Apple-Search.Ads', 'apple_search_ads'],
    [' Cafe\u0301 ', 'caf\u00e9'],
  ])('%s is %s', (name, slug) => expect(channelSlug(name)).toBe(slug));

  test('those of the default channels are reserved', () => {
    const names = ['Google', 'META', 'TikTok', 'Apple Search Ads', 'Snapchat', 'LinkedIn', 'Organic', 'AdTrail Links'];
    for (const name of [...names, 'None'])
      expect([name, RESERVED_CHANNELS.has(channelSlug(name))]).toEqual([name, true]);
    expect(RESERVED_CHANNELS.size).toBe(names.length + 1);
  });
});
