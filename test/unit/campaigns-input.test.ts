/** The parameters and bodies of the campaign endpoints. */
import { readCreateInput, readEditInput, readListInput } from '../../src/campaigns/input';
import { refusal } from '../support/refusal';

const list = (query: string) => readListInput(new URLSearchParams(query));
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
  ])('%j is refused', (body, message) =>
    expect(refusal(() => readCreateInput({ name: 'Summer', ...body }))).toEqual([400, message]),
  );

  test.each(['x'.repeat(65), 'a b', 'ä', 'a/b', 'admin', 7])('display ID %j is refused', (custom_display_id) =>
    expect(refusal(() => readCreateInput({ name: 'x', custom_display_id }))[1]).toMatch(
      /^custom_display_id must be 1 to 64/,
    ),
  );

  test('as long as names may be', () => {
    expect(readCreateInput({ name: '\u{1F600}'.repeat(255) }).name).toHaveLength(510);
    expect(readCreateInput({ name: 'x', custom_channel_names: ['x'.repeat(79)] }).channelName).toHaveLength(79);
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
    [
      {},
      'At least one field (name, active, website, android_web_redirect or ios_web_redirect) is required for update!',
    ],
    [{ name: '' }, 'Campaign name cannot be empty!'],
    [{ name: null }, 'Campaign name cannot be empty!'],
    [{ name: 'x'.repeat(256) }, 'Campaign name must be at most 255 characters!'],
    [{ active: 'true' }, 'Active field must be a boolean!'],
    [{ active: null }, 'Active field must be a boolean!'],
    [{ website: 'x' }, INVALID_URL],
  ])('%j is refused', (body, message) => expect(refusal(() => readEditInput(body))).toEqual([400, message]));
});
