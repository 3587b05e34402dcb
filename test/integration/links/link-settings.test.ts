/** What links have besides their targets: state, tags, UTM, ends, previews, files (docs/contract/tracking-links.md). */
import { caughtUp } from '../../support/caught-up';
import { ANDROID, DESKTOP, eventuallyClicks, GOOGLEBOT, IPHONE, openLink, readClicks } from '../../support/links/links';
import { sharedService } from '../../support/shared-service';
import { readPostgres } from '../../support/postgres';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('link-settings');
const [KEY, OTHER, BARE] = [own('key'), own('other'), own('bare')];
const DOMAIN = 'link-settings-go.example';
const SITE = 'https://settings.example/';
let marks = 0;
const newMark = () => `link-settings-${marks++}`;

beforeAll(async () => {
  const project = (name: string, key: string, more: object = {}) => ({
    name: own(name),
    account: own('Acme'),
    timezone: 'Europe/Berlin',
    server_keys: [key],
    ...more,
  });
  await service.apply({
    accounts: [{ name: own('Acme') }],
    projects: [
      project('Shop', KEY, { website: SITE, domains: [{ name: DOMAIN, primary: true }] }),
      project('Other', OTHER),
      project('Bare', BARE, { domains: [{ name: 'link-settings-bare.example', primary: true }] }),
    ],
  });
});

/** The parts of answers that the tests look into. */
interface Body {
  readonly [name: string]: unknown;
  readonly msg?: string;
  readonly links: readonly { readonly display_id: string }[];
  readonly rows: readonly { readonly outcome: string; readonly msg: string }[];
  readonly results: readonly { readonly dimensions: readonly string[]; readonly metrics: readonly number[] }[];
  readonly used: Readonly<Record<string, readonly string[]>>;
  readonly platforms: Readonly<Record<string, object>>;
}
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type: string | null;
  readonly body: Body;
}
async function send(method: string, path: string, body?: unknown, key = KEY): Promise<Answer> {
  const isText = typeof body === 'string';
  const response = await service.request(`/api/v1${path}`, {
    method,
    headers: { 'service-key': key, 'Content-Type': isText ? 'text/csv' : 'application/json' },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type');
  return { status: response.status, text, type, body: JSON.parse(type?.includes('json') ? text : '{}') as Body };
}
const create = async (body: object, key = KEY) => {
  const answer = await send('POST', '/links', body, key);
  expect([answer.status, answer.body.msg]).toEqual([201, undefined]);
  return answer.body;
};
const open = (path: string, { ua = DESKTOP, host = DOMAIN, ...more }: Parameters<typeof openLink>[2] = {}) =>
  openLink(service, path, { ua, host, ...more });

describe('state', () => {
  test('says in words why a link does not work, and never that it works unseen', async () => {
    const made = await create({ name: 'State', custom_display_id: 'ls-state' });
    expect(made).toMatchObject({ display_id: 'ls-state', short_url: `https://${DOMAIN}/ls-state`, state: 'unchecked' });
    expect(made.reason).toContain(DOMAIN);

    const read = async () => (await send('GET', '/links/ls-state')).body;
    await send('PATCH', '/links/ls-state', { expires_at: '2026-01-01T00:00:00Z' });
    expect(await read()).toMatchObject({ state: 'expired' });
    await send('PATCH', '/campaigns/ls-state', { active: false });
    const archived = await read();
    expect([archived.state, archived.reason]).toEqual(['archived', expect.stringContaining('not active')]);
    expect((await create({ name: 'Lost' }, OTHER)).state).toBe('no_domain');
    expect((await create({ name: 'Nowhere' }, BARE)).state).toBe('nowhere');
  });

  test('is what was last seen of the domain', async () => {
    await create({ name: 'Seen', custom_display_id: 'ls-seen' });
    const postgres = readPostgres(service);
    const [{ id } = { id: 0 }] = await postgres.rows<{ id: number }>('SELECT id FROM domains WHERE name = $1', [
      DOMAIN,
    ]);
    const set = (state: string, msg: string) =>
      postgres.rows(
        `INSERT INTO domain_checks (domain_id, claimed_at, checked_at, state, msg) VALUES ($1, now(), now(), $2, $3)
        ON CONFLICT (domain_id) DO UPDATE SET claimed_at = now(), state = $2, msg = $3`,
        [id, state, msg],
      );
    for (const [found, state] of [
      ['elsewhere', 'domain_elsewhere'],
      ['no_certificate', 'no_certificate'],
      ['works', 'works'],
    ] as const) {
      await set(found, `It is ${found}.`);
      expect((await send('GET', '/links/ls-seen')).body).toMatchObject({ state, reason: `It is ${found}.` });
      expect((await send('GET', '/link-domains')).body.domains).toMatchObject([{ name: DOMAIN, state }]);
    }
    await set('unknown', '');
    await postgres.close();
    expect((await send('GET', '/links/ls-seen')).body.state).toBe('unchecked');
  });
});

test('tags filter, and are changed for many links or for none', async () => {
  for (const name of ['a', 'b', 'c'])
    await create({ name, custom_display_id: `ls-tag-${name}`, tags: name === 'a' ? ['spring', 'mail'] : [] });
  const ids = async (tag: string) =>
    (await send('GET', `/links?tag=${tag}`)).body.links.map((one) => one.display_id).sort();
  expect(await ids('mail')).toEqual(['ls-tag-a']);
  const edit = (body: object) => send('POST', '/link-edits', body);
  expect(
    (await edit({ display_ids: ['ls-tag-a', 'ls-tag-b'], add_tags: ['print'], remove_tags: ['mail'] })).body,
  ).toEqual({ changed: 2 });
  expect([await ids('print'), await ids('mail')]).toEqual([['ls-tag-a', 'ls-tag-b'], []]);
  expect((await send('GET', '/links/ls-tag-a')).body.tags).toEqual(['print', 'spring']);
  const { status, body } = await edit({ display_ids: ['ls-tag-c', 'ls-nobody'], add_tags: ['lost'] });
  expect([status, body.msg]).toEqual([404, 'display_ids: the project has no ls-nobody']);
  expect(await ids('lost')).toEqual([]);
  expect((await send('GET', '/link-tags')).body.tags).toContainEqual({ tag: 'print', links: 2 });
  const full = Array.from({ length: 20 }, (_, i) => `t${i}`);
  expect((await edit({ display_ids: ['ls-tag-a'], add_tags: full })).status).toBe(400);
  for (const tag of ['Capital', 'a,b', '', 'x'.repeat(41)])
    expect([tag, (await send('PATCH', '/links/ls-tag-a', { tags: [tag] })).status]).toEqual([tag, 400]);
  expect((await edit({ display_ids: ['ls-tag-c'], active: false })).body).toEqual({ changed: 1 });
  expect((await send('GET', '/links/ls-tag-c')).body.state).toBe('archived');
});

describe('UTM values', () => {
  test('reach web pages and clicks, except where the opened link has its own', async () => {
    const utm = { utm_source: 'news letter', utm_medium: 'email' };
    await create({ name: 'Utm', custom_display_id: 'ls-utm', utm });
    const mark = newMark();
    expect((await open(`/ls-utm?utm_medium=sms&s2=${mark}`)).location).toBe(
      `${SITE}?utm_medium=sms&utm_source=news%20letter&utm_id=ls-utm`,
    );
    expect(await eventuallyClicks(service, mark, 1)).toMatchObject([{ utm_source: 'news letter', utm_medium: 'sms' }]);
  });

  test('are written as the project says', async () => {
    const rules = {
      lower_case: true,
      separator: '-',
      required: ['utm_source'],
      allowed: { utm_medium: ['email', 'social'] },
    };
    const put = await send('PUT', '/utm-rules', rules, OTHER);
    expect([put.status, put.body.rules]).toEqual([200, rules]);
    const refused = async (utm: object) => (await send('POST', '/links', { name: 'Ruled', utm }, OTHER)).body.msg;
    expect(await refused({ utm_source: 'News' })).toBe('utm.utm_source: must be in lower case');
    expect(await refused({ utm_source: 'a_b' })).toContain('with - between words');
    expect(await refused({ utm_medium: 'email' })).toBe('utm.utm_source: is required by the project');
    expect(await refused({ utm_source: 'x', utm_medium: 'tv' })).toBe('utm.utm_medium: must be one of email, social');
    await create({ name: 'Ruled', utm: { utm_source: 'news-letter', utm_medium: 'social' } }, OTHER);
    await create({ name: 'Without' }, OTHER);
    expect((await send('GET', '/utm-rules', undefined, OTHER)).body.used.utm_source).toEqual(['news-letter']);
    expect((await send('GET', '/utm-rules')).body.rules).toEqual({});
    expect((await send('PUT', '/utm-rules', { separator: ' ' }, OTHER)).status).toBe(400);
  });
});

describe('an end', () => {
  test('leads on without a click: to its target, the website, or nowhere', async () => {
    const expires_at = '2026-01-01T00:00:00Z';
    const over = { expires_at, expired_target: 'https://over.example/x' };
    await create({ name: 'Over', custom_display_id: 'ls-over', ...over });
    await create({ name: 'Plain', custom_display_id: 'ls-plain-over', expires_at });
    await create({ name: 'Bare', custom_display_id: 'ls-bare-over', expires_at }, BARE);
    const mark = newMark();
    for (const ua of [DESKTOP, IPHONE, ANDROID, GOOGLEBOT])
      expect(await open(`/ls-over?s2=${mark}&utm_source=x`, { ua })).toMatchObject({
        status: 302,
        location: 'https://over.example/x',
      });
    expect((await open(`/ls-plain-over?s2=${mark}`)).location).toBe(SITE);
    expect(await open(`/ls-bare-over?s2=${mark}`, { host: 'link-settings-bare.example' })).toMatchObject({
      status: 410,
      headers: { 'cache-control': 'no-store' },
    });
    const preview = (await send('GET', '/links/ls-over/preview')).body;
    expect(preview.platforms.ios).toMatchObject({ location: 'https://over.example/x', from: 'expired_target' });
    // What comes after it is stored after it.
    await send('PATCH', '/links/ls-over', { expires_at: '2999-01-01T00:00:00Z' });
    expect((await open(`/ls-over?s2=${mark}`)).location).toBe(`${SITE}?utm_id=ls-over`);
    expect(await eventuallyClicks(service, mark, 1)).toHaveLength(1);
    await send('PATCH', '/links/ls-over', { expires_at: null });
    expect((await send('GET', '/links/ls-over')).body).toMatchObject({ expires_at: null, state: 'unchecked' });
    for (const wrong of [{ expires_at: 'soon' }, { expired_target: 'javascript:alert(1)' }, { unknown: 1 }, {}])
      expect((await send('PATCH', '/links/ls-over', wrong)).status).toBe(400);
  });
});

const SCRAPING = [
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.23.20.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
];

describe('a preview', () => {
  test('is a page for scrapers, whatever stands in it; none of them is a click', async () => {
    const title = `"><script>alert('x')</script>`;
    const preview = { title, description: 'a & b', image: 'https://img.example/a.png?x="1"' };
    expect((await send('POST', '/links', { name: 'Bad', preview: { title: '' } })).status).toBe(400);
    const image = { ...preview, image: 'https://img.example/a.png' };
    await create({ name: 'Card', custom_display_id: 'ls-card', preview: image });
    const mark = newMark();
    for (const ua of SCRAPING) {
      const answer = await open(`/ls-card?s2=${mark}`, { ua });
      expect([ua, answer.status, answer.headers['content-type']]).toEqual([ua, 200, 'text/html; charset=utf-8']);
      expect(answer.headers['content-security-policy']).toBe("default-src 'none'");
      expect(answer.text).not.toContain('<script');
      expect(answer.text).toContain(
        '<meta property="og:title" content="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;">',
      );
      expect(answer.text).toContain('<meta property="og:description" content="a &amp; b">');
      expect(answer.text).toContain('<meta property="og:image" content="https://img.example/a.png">');
      expect(answer.text).toContain(`<meta property="og:url" content="https://${DOMAIN}/ls-card">`);
    }
    // People, other bots, and scrapers of a link without a preview, are led on.
    expect((await open(`/ls-card?s2=${mark}`, { ua: GOOGLEBOT })).status).toBe(302);
    await create({ name: 'No card', custom_display_id: 'ls-nocard' });
    for (const ua of SCRAPING) expect((await open(`/ls-nocard?s2=${mark}`, { ua })).status).toBe(302);
    expect((await open(`/ls-card?s2=${mark}`, { ua: IPHONE })).status).toBe(302);
    const clicks = await eventuallyClicks(service, mark, 1);
    expect(clicks.map(({ ua }) => ua)).toEqual([IPHONE]);
    await send('PATCH', '/links/ls-card', { preview: null });
    expect((await open('/ls-card', { ua: SCRAPING[0] as string })).status).toBe(302);
  });
});

describe('a file', () => {
  const FILE = [
    'name;display_id;website;tags;utm_source;expires_at;title',
    'One;ls-file-1;https://file.example/1;"print, spring";poster;2999-01-01T00:00:00Z;Look',
    'Two;ls-file-2;;;;;',
    'Three;;;;;;',
  ];
  test('is tried out, then made as a whole', async () => {
    const dry = await send('POST', '/link-imports?dry_run=true', FILE.join('\n'));
    expect(dry.body).toMatchObject({ dry_run: true, created: 0, refused: 0 });
    expect(dry.body.rows[0]).toEqual({
      line: 2,
      name: 'One',
      outcome: 'would_be_created',
      display_id: 'ls-file-1',
      short_url: `https://${DOMAIN}/ls-file-1`,
      msg: '',
    });
    expect(dry.body.rows[2]).toMatchObject({ display_id: null, short_url: null });
    expect((await send('GET', '/links/ls-file-1')).status).toBe(404);

    const bad = [...FILE, 'Four;ls-file-1;;;;;', 'Five;ls-file-5;nowhere;;;;', ';;;;;;x', 'Six;a'];
    const refused = (await send('POST', '/link-imports', bad.join('\n'))).body;
    expect(refused).toMatchObject({ dry_run: false, created: 0, refused: 4 });
    expect(refused.rows.map(({ outcome, msg }) => [outcome, msg])).toEqual([
      ...Array.from({ length: 3 }, () => ['would_be_created', '']),
      ['refused', "Campaign with custom_display_id 'ls-file-1' already exists!"],
      ['refused', 'Please enter a valid URL (e.g., https://example.com/android)'],
      ['refused', 'Campaign name is required!'],
      ['refused', 'has more or fewer cells than there are columns'],
    ]);
    expect((await send('GET', '/links/ls-file-1')).status).toBe(404);

    const made = await send('POST', '/link-imports?format=csv', FILE.join('\n'));
    expect([made.status, made.type]).toEqual([200, expect.stringContaining('text/csv')]);
    const lines = made.text.trim().split('\n');
    expect(lines[0]).toBe('line,name,outcome,display_id,short_url,msg');
    expect(lines[1]).toBe(`2,One,created,ls-file-1,https://${DOMAIN}/ls-file-1,`);
    expect(lines).toHaveLength(4);
    expect((await send('GET', '/links/ls-file-1')).body).toMatchObject({
      tags: ['print', 'spring'],
      utm: { utm_source: 'poster' },
      expires_at: '2999-01-01T00:00:00.000Z',
      preview: { title: 'Look', description: null, image: null },
    });
    expect((await open('/ls-file-1')).location).toBe('https://file.example/1?utm_source=poster&utm_id=ls-file-1');
  });

  test('has its bounds', async () => {
    const rows = ['name', ...Array.from({ length: 1001 }, (_, i) => `Row ${i}`)].join('\n');
    expect((await send('POST', '/link-imports?dry_run=true', rows)).status).toBe(413);
    expect((await send('POST', '/link-imports', `name\n${'x'.repeat(1_100_000)}`)).status).toBe(413);
    expect((await send('POST', '/link-imports', 'titel\nx')).body.msg).toContain('the columns name are missing');
    expect((await send('POST', '/link-imports', 'name\n')).body.msg).toBe('Invalid CSV body: there are no rows');
    expect((await send('POST', '/link-imports?dry_run=maybe', 'name\nx')).status).toBe(400);
  });
});

test('clicks by device, system, referrer, country and day agree with analytics.clicks', async () => {
  await create({ name: 'Counted', custom_display_id: 'ls-count' });
  const mark = newMark();
  const visits = [
    [DESKTOP, 'https://www.news.example/page?secret=1'],
    [DESKTOP, 'https://news.example/'],
    [IPHONE, 'https://l.social.example/'],
    [ANDROID, 'android-app://com.mail.app/'],
    [ANDROID, `https://${DOMAIN}/ls-count`],
    [ANDROID, 'not a url'],
    [ANDROID, ''],
  ] as const;
  for (const [ua, referer] of visits)
    await open(`/ls-count?s2=${mark}`, { ua, headers: referer === '' ? {} : { Referer: referer } });
  await eventuallyClicks(service, mark, visits.length);
  await caughtUp(service);
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });
  const [from, to] = [day.format(Date.now() - 86_400_000), day.format(Date.now())];
  const ask = async (dimension: string) => {
    const question = {
      source: 'app',
      from,
      to,
      metrics: ['clicks'],
      dimensions: [dimension],
      filters: [['is', 'campaign', ['ls-count']]],
      order_by: [['clicks', 'desc']],
    };
    const { status, body } = await send('POST', '/reporting/query', question);
    expect([dimension, status, body.msg]).toEqual([dimension, 200, undefined]);
    return Object.fromEntries(
      body.results.map(({ dimensions, metrics }) => [dimensions[0] as string, metrics[0] as number]),
    );
  };
  const count = async (column: string) => {
    const rows = await service.rows<{ value: string; n: number }>(
      `SELECT toString(${column}) AS value, toUInt32(count()) AS n FROM analytics.clicks
      WHERE campaign_display_id = 'ls-count' GROUP BY value`,
    );
    return Object.fromEntries(rows.map(({ value, n }) => [value, n]));
  };
  expect(await ask('referrer')).toEqual({ '': 3, 'news.example': 2, 'l.social.example': 1, 'com.mail.app': 1 });
  expect(await ask('device')).toEqual({ desktop: 2, mobile: 5 });
  expect(await ask('os')).toEqual({ Windows: 2, iOS: 1, Android: 4 });
  for (const [dimension, column] of [
    ['referrer', 'referrer'],
    ['device', 'device_type'],
    ['os', 'os_name'],
    ['country', 'country'],
    ['day', "toDate(click_time, 'Europe/Berlin')"],
  ] as const)
    expect([dimension, await ask(dimension)]).toEqual([dimension, await count(column)]);
  expect(await readClicks(service, mark)).toHaveLength(visits.length);
});

test('the QR code comes in colours, and as PNG', async () => {
  await create({ name: 'Qr', custom_display_id: 'ls-qr' });
  const svg = await send('GET', '/links/ls-qr/qr?dark=1a1b4b&light=ffeedd');
  expect([svg.type, svg.text.includes('#1a1b4b'), svg.text.includes('#ffeedd')]).toEqual([
    expect.stringContaining('image/svg+xml'),
    true,
    true,
  ]);
  const png = await service.request('/api/v1/links/ls-qr/qr?format=png&size=300', { headers: { 'service-key': KEY } });
  const bytes = Buffer.from(await png.arrayBuffer());
  expect(png.headers.get('content-type')).toBe('image/png');
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)]).toEqual(['PNG', 300]);
  for (const wrong of ['dark=red', 'light=%23ffffff', 'size=99', 'size=2001', 'format=gif'])
    expect([wrong, (await send('GET', `/links/ls-qr/qr?${wrong}`)).status]).toEqual([wrong, 400]);
});

test('links of others are not there', async () => {
  await create({ name: 'Mine', custom_display_id: 'ls-mine', tags: ['mine'] });
  for (const [method, path, body] of [
    ['GET', '/links/ls-mine'],
    ['PATCH', '/links/ls-mine', { tags: [] }],
    ['POST', '/link-edits', { display_ids: ['ls-mine'], add_tags: ['x'] }],
  ] as const)
    expect([path, (await send(method, path, body, OTHER)).status]).toEqual([path, 404]);
  expect((await send('GET', '/links?tag=mine', undefined, OTHER)).body.links).toEqual([]);
  expect((await send('GET', '/link-tags', undefined, OTHER)).body.tags).toEqual([]);
});
