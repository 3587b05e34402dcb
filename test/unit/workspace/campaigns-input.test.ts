/** The parameters and bodies of the campaign endpoints. */
import { listParameters, readCreateInput, readEditInput, toListInput } from '../../../src/campaigns/input';
import { SERVICE_PATHS } from '../../../src/configuration/display-id';
import { readValues } from '../../../src/openapi/operation';
import { refusal } from '../../support/http/refusal';

const list = (query: string | Record<string, string>) =>
  toListInput(readValues(listParameters, new URLSearchParams(query)));
const NOTHING_TO_UPDATE =
  'At least one field (name, active, website, android_web_redirect or ios_web_redirect) is required for update!';
const INVALID_URL = 'Please enter a valid URL (e.g., https://example.com/android)';

describe('list', () => {
  test.each([
    ['', { active: null, channel: undefined, page: { page: 1, limit: 100, offset: 0 } }],
    ['filter=&page=&limit=&channel=', { active: null, channel: undefined }],
    ['filter=ALL', { active: null }],
    ['filter=ACTIVE', { active: true }],
    ['filter=INACTIVE&filter=ACTIVE', { active: false }],
    ['limit=1000&page=2', { page: { page: 2, limit: 1000, offset: 1000 } }],
    ['channel=a&domain=b&link=c', { channel: 'a', domain: 'b', link: 'c' }],
  ])('%j', (query, expected) => expect(list(query)).toMatchObject(expected));

  test.each(['x', 'ACTIV', 'ACTIVE ', 'ALL,ACTIVE', 'true', '__proto__', 'constructor', 'toString', '\0', '<b>'])(
    'the filter %j is none',
    (filter) =>
      expect(refusal(() => list({ filter }))).toEqual([
        400,
        `Invalid filter '${filter}'. Filter must be ACTIVE, INACTIVE or ALL.`,
      ]),
  );

  test.each([
    ['filter=active', 400, "Invalid filter 'active'. Filter must be ACTIVE, INACTIVE or ALL."],
    ['limit=1001', 422, 'Limit 1001 exceeds maximum allowed value of 1000.'],
    ['filter=x&page=0', 422, "Invalid page number '0'. Page must be a positive integer."],
  ])('%s is refused', (query, status, message) => expect(refusal(() => list(query))).toEqual([status, message]));
});

describe('create', () => {
  const NOTHING_ELSE = {
    name: 'Summer',
    deeplink: null,
    website: null,
    androidWebRedirect: null,
    iosWebRedirect: null,
    displayId: undefined,
    isShortlink: false,
    domain: undefined,
    storeListingIds: [],
    channelName: undefined,
  };

  test('a name is enough, and what is null or empty was not given', () => {
    expect(readCreateInput({ name: 'Summer' })).toEqual(NOTHING_ELSE);
    const empty = ['deeplink', 'link_for_desktop_users', 'custom_display_id', 'is_shortlink', 'domain'];
    for (const value of [null, ''])
      expect(readCreateInput({ name: 'Summer', ...Object.fromEntries(empty.map((field) => [field, value])) })).toEqual(
        NOTHING_ELSE,
      );
  });

  test('everything', () =>
    expect(
      readCreateInput({
        name: 'Summer',
        deeplink: 'acme://shop',
        link_for_desktop_users: 'https://acme.example',
        android_web_redirect: 'https://acme.example/android',
        ios_web_redirect: 'https://acme.example/ios',
        custom_display_id: 'AbC-1_2',
        is_shortlink: false,
        domain: 'go.acme.example',
        store_listing_ids: ['a', 'b', 'a'],
        custom_channel_names: [' Partners '],
      }),
    ).toEqual({
      name: 'Summer',
      deeplink: 'acme://shop',
      website: 'https://acme.example',
      androidWebRedirect: 'https://acme.example/android',
      iosWebRedirect: 'https://acme.example/ios',
      displayId: 'AbC-1_2',
      isShortlink: false,
      domain: 'go.acme.example',
      storeListingIds: ['a', 'b'],
      channelName: 'Partners',
    }));

  test('a short link has no website', () =>
    expect(
      readCreateInput({ name: 'x', is_shortlink: true, link_for_desktop_users: 'https://acme.example' }),
    ).toMatchObject({ isShortlink: true, website: null }));

  test.each<[Record<string, unknown>, string]>([
    [{ name: undefined }, 'Campaign name is required!'],
    [{ name: ' ' }, 'Campaign name is required!'],
    [{ name: 1 }, 'Campaign name is required!'],
    [{ name: 'x'.repeat(256) }, 'Campaign name must be at most 255 characters!'],
    [{ name: ' MAIN_DOMAIN ' }, 'The campaign name MAIN_DOMAIN is reserved.'],
    [{ deeplink: 'javascript:alert(1)' }, 'Invalid deeplink URL!'],
    [{ deeplink: `acme://${'x'.repeat(2048)}` }, 'Invalid deeplink URL!'],
    [{ link_for_desktop_users: 'acme.example' }, INVALID_URL],
    [{ android_web_redirect: 5 }, INVALID_URL],
    [{ ios_web_redirect: 'https://user@acme.example' }, INVALID_URL],
    [{ is_shortlink: 'true' }, 'is_shortlink must be a boolean!'],
    [{ domain: 7 }, "Domain '7' not found for this project!"],
    [{ store_listing_ids: 'a' }, 'store_listing_ids must be an array of non-empty strings!'],
    [{ store_listing_ids: [' '] }, 'store_listing_ids must be an array of non-empty strings!'],
    [{ custom_channel_names: 'a' }, 'custom_channel_names must be an array of strings!'],
    [{ custom_channel_names: ['a', 'b'] }, 'A campaign can have at most one custom channel'],
    [{ custom_channel_names: ['  '] }, 'Custom channel name cannot be empty'],
    [{ custom_channel_names: ['x'.repeat(80)] }, 'Custom channel name must be less than 80 characters'],
    [{ custom_channel_names: ['<b>'] }, 'Custom channel name cannot contain HTML tags or scripts'],
    [{ custom_channel_names: ['Java JavaScript: x'] }, 'Custom channel name cannot contain HTML tags or scripts'],
    [{ custom_channel_names: ['Google'] }, '"Google" is a reserved channel name'],
    [{ custom_channel_names: ['Apple Search Ads'] }, '"Apple Search Ads" is a reserved channel name'],
    [{ custom_channel_names: ['apple-search.ads'] }, '"apple-search.ads" is a reserved channel name'],
    [{ custom_channel_names: ['NONE'] }, '"NONE" is a reserved channel name'],
    [{ custom_channel_names: ['Same', 'same'] }, 'A campaign can have at most one custom channel'],
    ...['</p>', 'a > b', 'x<y', '<SCRIPT src=//x>', 'JAVASCRIPT:x', '</p\u202e>', '&lt;<'].map(
      (name): [Record<string, unknown>, string] => [
        { custom_channel_names: [name] },
        'Custom channel name cannot contain HTML tags or scripts',
      ],
    ),
    ...[5, {}, true, [5], [null], [{}], [['x']]].map((names): [Record<string, unknown>, string] => [
      { custom_channel_names: names },
      'custom_channel_names must be an array of strings!',
    ]),
  ])('%j is refused', (body, message) =>
    expect(refusal(() => readCreateInput({ name: 'Summer', ...body }))).toEqual([400, message]),
  );

  const BAD_IDS = ['x'.repeat(65), ' ', 'a b', 'ä', 'a/b', 'a.b', 'a?', 'a\n', 'a%20', '../x', '\0', '\u{1F600}'];
  test.each([...BAD_IDS, 7, true, {}, ['x'], ...SERVICE_PATHS])('display ID %j is refused', (custom_display_id) =>
    expect(refusal(() => readCreateInput({ name: 'x', custom_display_id }))[1]).toMatch(
      /^custom_display_id must be 1 to 64/,
    ),
  );

  const GOOD_IDS = ['A', 'z', '0', '-', '_', 'a-b_C-9', 'x'.repeat(64), '__proto__', 'API', 'apis', 'MAIN_DOMAIN'];
  test.each(GOOD_IDS)('display ID %j is taken', (custom_display_id) =>
    expect(readCreateInput({ name: 'x', custom_display_id }).displayId).toBe(custom_display_id),
  );

  test.each([undefined, null, '', ' ', '\t\n\u00a0', 5, true, {}, ['x']])('the name %j is missing', (name) =>
    expect(refusal(() => readCreateInput({ name }))).toEqual([400, 'Campaign name is required!']),
  );

  test.each(['sl', 5, true, {}, [''], ['a', ''], [5], [null], [['a']], { 0: 'a', length: 1 }])(
    'store listings %j are refused',
    (store_listing_ids) =>
      expect(refusal(() => readCreateInput({ name: 'x', store_listing_ids }))).toEqual([
        400,
        'store_listing_ids must be an array of non-empty strings!',
      ]),
  );

  test.each(['domain', 'is_shortlink', 'deeplink', 'name', 'custom_display_id'])('%s has its type', (field) => {
    for (const value of [5, 0, -1, 1.5, {}, [], [[]], { $gt: '' }])
      expect([value, refusal(() => readCreateInput({ name: 'x', [field]: value }))[0]]).toEqual([value, 400]);
  });

  test('as long as names may be', () => {
    expect(readCreateInput({ name: '\u{1F600}'.repeat(255) }).name).toHaveLength(510);
    // Characters count, of whatever width.
    for (const one of ['x', '\u{1D49C}']) {
      const made = (name: string, channel: string) => () => readCreateInput({ name, custom_channel_names: [channel] });
      expect(made(one.repeat(255), `a${one.repeat(78)}`)()).toMatchObject({ name: one.repeat(255) });
      expect(refusal(made(one.repeat(256), 'a'))[1]).toBe('Campaign name must be at most 255 characters!');
      expect(refusal(made('x', `a${one.repeat(79)}`))[1]).toBe('Custom channel name must be less than 80 characters');
    }
  });
});

describe('edit', () => {
  test('what is not sent stays, what is null or empty is cleared', () => {
    expect(readEditInput({ name: 'New' })).toEqual({ name: 'New' });
    expect(readEditInput({ active: false })).toEqual({ active: false });
    expect(
      readEditInput({ website: null, android_web_redirect: '', ios_web_redirect: 'https://acme.example' }),
    ).toEqual({
      website: null,
      androidWebRedirect: null,
      iosWebRedirect: 'https://acme.example',
    });
    expect(readEditInput({ name: 'New', custom_channel_names: [] })).toEqual({ name: 'New', channelName: null });
  });

  test('the website has two names, which must agree', () => {
    const website = 'https://acme.example';
    expect(readEditInput({ link_for_desktop_users: website })).toEqual({ website });
    expect(readEditInput({ website, link_for_desktop_users: website })).toEqual({ website });
    expect(refusal(() => readEditInput({ website, link_for_desktop_users: null }))).toEqual([
      400,
      'website and link_for_desktop_users refer to the same field and cannot be sent with different values!',
    ]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{}, NOTHING_TO_UPDATE],
    [{ name: '' }, 'Campaign name cannot be empty!'],
    [{ name: null }, 'Campaign name cannot be empty!'],
    [{ name: 'x'.repeat(256) }, 'Campaign name must be at most 255 characters!'],
    ...[null, 'true', '', 0, 1, [], {}].map((active): [Record<string, unknown>, string] => [
      { active },
      'Active field must be a boolean!',
    ]),
    ...[' ', '\t\n\u00a0', 5, {}, ['x'], true].map((name): [Record<string, unknown>, string] => [
      { name },
      'Campaign name cannot be empty!',
    ]),
    ...['unknown', 'deeplink', 'domain', 'store_listing_ids', 'is_shortlink', 'custom_display_id', 'Name'].map(
      (field): [Record<string, unknown>, string] => [{ [field]: 'x' }, NOTHING_TO_UPDATE],
    ),
    [{ website: 'x' }, INVALID_URL],
  ])('%j is refused', (body, message) => expect(refusal(() => readEditInput(body))).toEqual([400, message]));
});

// Which URLs are good: urls.test.ts.
describe.each([
  ['create', readCreateInput, ['link_for_desktop_users', 'android_web_redirect', 'ios_web_redirect']],
  ['edit', readEditInput, ['website', 'link_for_desktop_users', 'android_web_redirect', 'ios_web_redirect']],
] as const)('the URLs of %s', (_verb, read, fields) => {
  test.each(fields)('%s is an absolute http(s) URL of at most 2048 characters, kept as it is', (field) => {
    for (const url of ['acme://x', ' ', `https://acme.example/${'x'.repeat(2048)}`, 5, true, {}, ['https://x.example']])
      expect([url, refusal(() => read({ name: 'x', [field]: url }))]).toEqual([url, [400, INVALID_URL]]);
    for (const url of ['https://acme.example', 'HTTPS://Shop.Example:8080/a/../b?x=%7e&y#z', 'http://x.example/Ü'])
      expect(Object.values(read({ name: 'x', [field]: url }))).toContain(url);
  });
});
