/**
 * Input that means harm or makes no sense, over every field that takes it: refused by name, or kept exactly as it is.
 */
import {
  campaignClient,
  campaignWorkspace,
  dataOf,
  expectEnvelope,
  expectError,
  expectSomeError,
  keysOf,
  type CampaignClient,
} from '../support/campaigns';
import { ADMIN_TOKEN } from '../support/service';
import { sharedService } from '../support/shared-service';

const BAD_URL = 'Please enter a valid URL (e.g., https://example.com/android)';
/** Refused wherever a web URL is taken. */
const NO_WEB_URLS = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:x',
  'blob:https://shop.example/x',
  'file:///etc/passwd',
  'about:blank',
  'https://user:password@shop.example/',
  'https://user@shop.example/',
  'https://:password@shop.example/',
  'https://shop.example%00.evil.example',
  `https://shop.example/${'x'.repeat(10_000)}`,
  '\u{1F600}',
  '<b>https://shop.example</b>',
];
/** Refused where an app's own scheme is taken too. */
const NO_DEEPLINKS = NO_WEB_URLS.filter((url) => !/^(about|https:\/\/shop\.example%)/.test(url));
/** Text that is only text: shown as it was sent. */
const ONLY_TEXT = [
  '\u{1F600}\u{1F468}\u200d\u{1F469}\u200d\u{1F467}',
  'abc\u202edef\u200f',
  '\u2066x\u2069 عربي עברית',
  'e\u0301 \u00e9',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '__proto__',
  '{{7*7}} ${7*7} %s',
  "'; DROP TABLE campaigns; --",
  '=HYPERLINK("https://evil.example")',
  '\u200b.',
];
const NO_TEXT = [5, 0, -1, 1.5, true, false, {}, [], [[]], { $gt: '' }];

const service = sharedService();
const SUITE = 'bad-input';
const PROJECT = `Shop ${SUITE}`;
const ACCOUNT = `Acme ${SUITE}`;
const { SHOP_KEY } = keysOf(SUITE);
let shop: CampaignClient;
beforeAll(async () => {
  await service.apply(campaignWorkspace([{ display_id: 'edited', name: 'Edited' }], {}, SUITE));
  shop = campaignClient(service, SHOP_KEY);
});

const WEB_FIELDS = {
  create: ['link_for_desktop_users', 'android_web_redirect', 'ios_web_redirect'],
  edit: ['website', 'link_for_desktop_users', 'android_web_redirect', 'ios_web_redirect'],
};

describe('URLs', () => {
  test.each(NO_WEB_URLS)('%j is no web URL, on create and on edit', async (url) => {
    for (const field of WEB_FIELDS.create) expectError(await shop.create({ name: 'x', [field]: url }), 400, BAD_URL);
    for (const field of WEB_FIELDS.edit) expectError(await shop.edit('edited', { [field]: url }), 400, BAD_URL);
  });

  test.each(NO_DEEPLINKS)('%j is no deeplink', async (deeplink) => {
    expectError(await shop.create({ name: 'x', deeplink }), 400, 'Invalid deeplink URL!');
  });

  test.each(NO_WEB_URLS)('%j is refused everywhere in the workspace', async (url) => {
    const project = { name: PROJECT, account: ACCOUNT, timezone: 'UTC' };
    const inCampaign = (field: string) => ({
      projects: [{ ...project, campaigns: [{ display_id: 'edited', name: 'Edited', [field]: url }] }],
    });
    const documents: [string, object][] = [
      ['accounts[0].payment_link', { accounts: [{ name: ACCOUNT, payment_link: url }] }],
      ['projects[0].website', { projects: [{ ...project, website: url }] }],
      [
        'projects[0].store_listings[0].url',
        {
          projects: [
            { ...project, store_listings: [{ store_listing_id: 'sl_play', name: 'Play', platform: 'ANDROID', url }] },
          ],
        },
      ],
      ...[
        'website',
        'android_web_redirect',
        'ios_web_redirect',
        ...(NO_DEEPLINKS.includes(url) ? ['deeplink'] : []),
      ].map((field): [string, object] => [`projects[0].campaigns[0].${field}`, inCampaign(field)]),
    ];
    for (const [field, document] of documents) {
      const { status, body } = await service.admin('PUT', '/workspace', document);
      expect({ field, status, msg: body.msg }).toEqual({
        field,
        status: 400,
        msg: expect.stringContaining(field) as string,
      });
    }
  });

  test('nothing of this was kept', async () => {
    expect(await shop.find('edited')).toMatchObject({ website: null, name: 'Edited' });
    const { body } = await service.admin('GET', '/projects');
    expect((body.projects as { name: string; website: string }[]).find(({ name }) => name === PROJECT)?.website).toBe(
      'https://shop.example',
    );
  });
});

describe('text', () => {
  test.each(ONLY_TEXT)('%j stays as it is in a name', async (name) => {
    const created = await shop.made({ name });
    expect(created.name).toBe(name);
    expect((await shop.find(created.display_id as string))?.name).toBe(name);
    expectEnvelope(await shop.edit(created.display_id as string, { name: `${name}!` }), 200);
    expect((await shop.find(created.display_id as string))?.name).toBe(`${name}!`);
    const { body } = await service.admin('PUT', '/workspace', { partners: [{ name }] });
    expect(body).toMatchObject({ created: 2 });
  });

  test.each([255, 256, 10_000])('a name of %i characters, each of two units', async (length) => {
    const name = '\u{1F600}'.repeat(length);
    const answers = [await shop.create({ name }), await shop.edit('edited', { name })];
    for (const answer of answers) {
      if (length === 255) expect(dataOf(answer).name).toBe(name);
      else expectError(answer, 400, 'Campaign name must be at most 255 characters!');
    }
    const { status } = await service.admin('PUT', '/workspace', {
      projects: [
        {
          name: PROJECT,
          account: ACCOUNT,
          timezone: 'Asia/Kolkata',
          campaigns: [{ display_id: `long${length}`, name }],
        },
      ],
    });
    expect(status).toBe(length === 255 ? 200 : 400);
  });

  test.each([
    'custom_display_id',
    'domain',
    'store_listing_ids',
    'custom_channel_names',
    'deeplink',
    ...WEB_FIELDS.create,
  ])('10,000 characters in %s are 400', async (field) => {
    const long = 'x'.repeat(10_000);
    const value = field.endsWith('s') && field !== 'link_for_desktop_users' ? [long] : long;
    expectSomeError(await shop.create({ name: 'x', [field]: value }), 400);
  });

  test.each([
    '<b>',
    '<script>alert(1)</script>',
    'a > b',
    'x<y',
    'javascript:alert(1)',
    'JAVASCRIPT:x',
    '</p\u202e>',
    '&lt;<',
  ])('%j is no channel name, on create, on edit and in the workspace', async (name) => {
    const message = 'Custom channel name cannot contain HTML tags or scripts';
    expectError(await shop.create({ name: 'x', custom_channel_names: [name] }), 400, message);
    expectError(await shop.edit('edited', { custom_channel_names: [name] }), 400, message);
    const { status, body } = await service.admin('PUT', '/workspace', {
      projects: [
        {
          name: PROJECT,
          account: ACCOUNT,
          timezone: 'Asia/Kolkata',
          campaigns: [{ display_id: 'edited', name: 'Edited', custom_channel: name }],
        },
      ],
    });
    expect({ status, msg: body.msg }).toEqual({
      status: 400,
      msg: expect.stringContaining('projects[0].campaigns[0].custom_channel') as string,
    });
  });

  test.each(['\u{1F600}', 'abc\u202edef', 'عربي'])('%j is a channel name like any other', async (name) => {
    const created = await shop.made({ custom_channel_names: [name] });
    expect(created.custom_channels).toEqual([expect.objectContaining({ name })]);
  });

  test.each(['filter', 'channel', 'domain', 'link', 'page', 'limit'])(
    'nonsense in the parameter %s is told so, and the answer is only text',
    async (parameter) => {
      for (const value of [...ONLY_TEXT, 'x'.repeat(10_000), 'javascript:alert(1)']) {
        const answer = await shop.list({ [parameter]: value });
        expectSomeError(answer, ['page', 'limit'].includes(parameter) ? 422 : 400);
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      }
    },
  );
});

describe('types', () => {
  test.each(['name', 'deeplink', 'custom_display_id', 'domain', ...WEB_FIELDS.create])(
    'what is no text is 400 in %s',
    async (field) => {
      for (const value of NO_TEXT) expectSomeError(await shop.create({ name: 'x', [field]: value }), 400);
    },
  );

  test.each(WEB_FIELDS.edit)('what is no text is 400 in an edit of %s', async (field) => {
    for (const value of NO_TEXT) expectError(await shop.edit('edited', { [field]: value }), 400, BAD_URL);
  });
});

describe('bodies', () => {
  /** A create request of exactly so many bytes. */
  const ofSize = (bytes: number) => {
    const rest = JSON.stringify({ name: 'Sized', filler: '' });
    return rest.replace('""', `"${'x'.repeat(bytes - rest.length)}"`);
  };
  test.each([
    [100 * 1024, 201],
    [100 * 1024 + 1, 413],
  ])('of %i bytes are %i', async (bytes, status) => {
    const body = ofSize(bytes);
    expect(Buffer.byteLength(body)).toBe(bytes);
    expect((await shop.send('POST', '/create-campaign', body)).status).toBe(status);
  });

  test('names of Object.prototype are fields like any other; __proto__ is refused, and never inherited', async () => {
    expect(
      dataOf(
        await shop.send(
          'POST',
          '/create-campaign',
          '{"name": "Plain", "constructor": {"prototype": {"is_shortlink": true}}, "prototype": 1, ' +
            '"hasOwnProperty": 1, "toString": null}',
        ),
      ),
    ).toMatchObject({ name: 'Plain' });
    for (const body of [
      '{"name": "x", "__proto__": {"domain": "alt.bad-input.example"}}',
      '{"name": "x", "filler": {"__proto__": {"domain": "alt.bad-input.example"}}}',
    ])
      expectError(await shop.send('POST', '/create-campaign', body), 400, 'Invalid JSON body.');
    expect(dataOf(await shop.create({ name: 'After' }))).toMatchObject({
      domain: 'go.bad-input.example',
      link: expect.stringContaining('go.bad-input.example') as string,
    });
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    for (const document of [
      '{"__proto__": {"accounts": []}}',
      '{"constructor": {}}',
      '{"accounts": [{"name": "A", "__proto__": {"billing_status": "suspended"}}]}',
    ]) {
      expect((await service.request('/admin/v1/workspace', { method: 'PUT', headers, body: document })).status).toBe(
        400,
      );
    }
  });

  test('a key of nonsense is 401, not an error', async () => {
    for (const key of ['x'.repeat(10_000), '__proto__', 'constructor', `${SHOP_KEY}x`, `"${SHOP_KEY}"`])
      expect((await shop.send('GET', '/campaigns', undefined, { 'service-key': key })).status).toBe(401);
  });
});

test('nothing of this was an internal error', () => expect(service.output()).not.toMatch(/Error:/));
