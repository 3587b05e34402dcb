/**
 * What became of one click, and samples of what was refused: for the partner its own alone, for the advertiser those of
 * its project (docs/contract/partners.md).
 */
import { randomUUID } from 'node:crypto';
import { decided } from '../../support/attribution/attribution';
import { appEvent, collectApp, type Json } from '../../support/collect/collect-client';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('touches');
const APP = 'com.touches.shop';
const KEY = own('key');
const MINUTE_MS = 60_000;
const TOKEN = own('token-of-mobi');
const on = { s2s_clicks: true, s2s_traffic: true, view_through: true };

const document = own.document({
  accounts: [{ name: 'Acme' }, { name: 'Beta' }],
  partners: [
    { name: 'Mobi', tokens: ['token-of-mobi'] },
    { name: 'Rival', tokens: ['token-of-rival'] },
    { name: 'Stranger', tokens: ['token-of-stranger'] },
  ],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'UTC',
      server_keys: ['key'],
      apps: [{ platform: 'ANDROID', app_id: APP }],
      partner_switches: [
        { partner: 'Mobi', ...on },
        { partner: 'Rival', ...on },
      ],
      campaigns: [
        { display_id: 'mine', name: 'Mine', partner: 'Mobi' },
        { display_id: 'theirs', name: 'Secret rival', partner: 'Rival' },
      ],
    },
    {
      name: 'Elsewhere',
      account: 'Beta',
      timezone: 'UTC',
      server_keys: ['other-key'],
      apps: [{ platform: 'ANDROID', app_id: 'com.touches.elsewhere' }],
    },
  ],
});

async function click(params: Record<string, string>, token = TOKEN, header = true): Promise<string> {
  const query = new URLSearchParams({ app_id: APP, c: 'mine', ...params, ...(header ? {} : { svc_token: token }) });
  const headers = header ? { 'X-Service-Token': token } : undefined;
  const response = await service.request(`/v1/click?${query.toString()}`, headers && { headers });
  const body = (await response.json()) as { click_id?: string; reason?: string };
  return body.click_id ?? body.reason ?? '';
}

interface Found {
  touches: (Json & { installs: Json[] })[];
  refused: Json[];
}

let mobi: number;
let rival: number;
let stranger: number;
const devices = { credited: randomUUID(), late: randomUUID(), alone: randomUUID() };
let creditedId: string;

const ask = async (path: string) => (await service.admin('GET', path)).body;
const find = async (search: string, partner = mobi) =>
  (await ask(`/partners/${partner}/touches?search=${encodeURIComponent(search)}`)) as unknown as Found;
const findOfProject = async (search: string, key = KEY) => {
  const headers = { 'service-key': key };
  const response = await service.request(`/api/v1/touches?search=${encodeURIComponent(search)}`, { headers });
  return (await response.json()) as Found;
};
const listRefused = async (query: string, partner = mobi) =>
  (await ask(`/partners/${partner}/refused-requests?${query}`)).requests as Json[];

beforeAll(async () => {
  await service.apply(document);
  mobi = await idByName(service, 'partners', own('Mobi'));
  rival = await idByName(service, 'partners', own('Rival'));
  stranger = await idByName(service, 'partners', own('Stranger'));
  const now = Date.now();
  const before = (minutes: number) => String(now - minutes * MINUTE_MS);
  creditedId = await click({ tid: 'touch-won', gaid: devices.credited, click_time: before(10), s2: 'two' });
  await click({ tid: 'touch-lost', gaid: devices.late, click_time: before(20) });
  await click({ tid: 'touch-rival', gaid: devices.late, click_time: before(5), c: 'theirs' }, own('token-of-rival'));
  await click({ tid: 'touch-alone', gaid: devices.alone });
  const install = (id: string, gaid: string) =>
    appEvent('install', { install_id: id, app_id: APP, gaid, time: new Date(now).toISOString() });
  const { accepted } = await collectApp(
    service,
    [install('touches-1', devices.credited), install('touches-2', devices.late)],
    { 'service-key': KEY },
  );
  expect(accepted).toBe(2);
  await decided(service, ['touches-1', 'touches-2']);
  const gaid = randomUUID();
  expect(await click({ tid: 'touch-bad', gaid: gaid.replaceAll('-', '') })).toBe('invalid_device_id');
  expect(await click({ tid: '{click_id}', gaid, ip: '8.8.4.4' })).toBe('unreplaced_macro');
  expect(await click({ tid: `has ${TOKEN} in it`, gaid, c: 'nothing', extra: 'ignored-value' }, TOKEN, false)).toBe(
    'unknown_campaign',
  );
  const batch = await service.request('/v1/batch', {
    method: 'POST',
    headers: { 'X-Service-Token': TOKEN },
    body: JSON.stringify({ kind: 'click', app_id: APP, gaid, c: 'nothing', tid: 'batch', s2: `has ${TOKEN} in it` }),
  });
  expect(await batch.json()).toMatchObject({ rejected: 1 });
  expect(await click({ tid: 'touch-stranger', gaid, c: 'x' }, own('token-of-stranger'))).toBe('unknown_campaign');
  expect(await click({ tid: 'touch-long', gaid, other: 'y'.repeat(300) })).toBe('value_too_long');
  await eventually('the samples are stored', async () =>
    (await listRefused('')).length >= 5 && (await listRefused('', stranger)).length >= 1 ? true : undefined,
  );
}, 120_000);

describe('what became of a click', () => {
  test('by its tid and by its ID: credited, with the rule, and nothing of the device or the install', async () => {
    const found = await eventually('the click is known', async () => {
      const one = await find('touch-won');
      return one.touches[0]?.state === 'credited' ? one : undefined;
    });
    expect(found.touches).toHaveLength(1);
    expect(found.touches[0]).toMatchObject({
      touch_type: 'click',
      touch_id: creditedId,
      source: 's2s',
      tid: 'touch-won',
      s2: 'two',
      campaign: { display_id: 'mine', name: 'Mine' },
      app_id: APP,
      matches_by: ['gaid'],
      installs: [{ kind: 'install', verdict: 'credited', rule: 'device_click', install_id: null, credited_to: null }],
    });
    expect(await find(creditedId.toUpperCase())).toEqual(found);
    expect(JSON.stringify(found)).not.toMatch(new RegExp(`${devices.credited}|touches-1`));
  });

  test('why it is not credited, without a word of who is; the advertiser is told', async () => {
    const { touches } = await find('touch-lost');
    expect(touches[0]).toMatchObject({
      state: 'not_credited',
      installs: [{ verdict: 'older_than_winner', rule: null, install_id: null, credited_to: null }],
    });
    expect(touches[0]?.installs[0]?.why).toMatch(/is later/);
    expect(JSON.stringify(touches)).not.toMatch(/rival/i);
    expect((await findOfProject('touch-lost')).touches[0]?.installs).toMatchObject([
      { install_id: 'touches-2', credited_to: { display_id: 'theirs', name: 'Secret rival' } },
    ]);
  });

  test('one that no install has considered waits; what was never received is nothing', async () => {
    const [touch] = await eventually('the click is stored', async () => {
      const { touches } = await find('touch-alone');
      return touches.length > 0 ? touches : undefined;
    });
    expect(touch).toMatchObject({ state: 'waiting', installs: [] });
    expect(await find('touch-nowhere')).toEqual({ touches: [], refused: [] });
  });

  test('a refused one is told with its reason', async () => {
    const { touches, refused } = await find('touch-bad');
    expect(touches).toEqual([]);
    expect(refused).toMatchObject([{ reason: 'invalid_device_id', kind: 'click', tid: 'touch-bad' }]);
  });

  test('nobody finds what is not theirs', async () => {
    for (const search of ['touch-won', creditedId, 'touch-bad'])
      expect(await find(search, rival)).toEqual({ touches: [], refused: [] });
    expect(await findOfProject('touch-won', own('other-key'))).toEqual({ touches: [], refused: [] });
    expect((await service.request('/api/v1/touches?search=x')).status).toBe(401);
    expect((await service.admin('GET', '/partners/999999/touches?search=x')).status).toBe(404);
  });

  test.each([
    ['touches', 'search: is required'],
    ['touches?search=%00', 'search: must be text without NUL characters and lone surrogates'],
    [`touches?search=${'x'.repeat(513)}`, 'search: must have at most 512 characters'],
    ['refused-requests?limit=101', 'limit: must be a whole number from 1 to 100'],
    ['refused-requests?kind=link', 'kind: must be one of click, impression, ctv_impression'],
  ])('%s is refused', async (path, msg) => {
    expect(await service.admin('GET', `/partners/${mobi}/${path}`)).toEqual({
      status: 400,
      body: { msg, status: 400 },
    });
  });
});

describe('samples of refused requests', () => {
  test('have no token, no whole device and no whole address, and are refused again for the same reason', async () => {
    const samples = await listRefused('limit=100');
    const text = JSON.stringify(samples);
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('ignored-value');
    expect(text).not.toContain('8.8.4.4');
    expect(text).toContain('8.8.4.0');
    for (const { reason, query } of samples) {
      const response = await service.request(`/v1/validate/click?${String(query)}`, {
        method: 'POST',
        headers: { 'X-Service-Token': TOKEN },
      });
      expect(((await response.json()) as Json).reason).toBe(reason);
    }
    expect(samples.map(({ reason }) => reason)).toEqual([
      'value_too_long',
      'unknown_campaign',
      'unknown_campaign',
      'unreplaced_macro',
      'invalid_device_id',
    ]);
  });

  test('by reason, kind, tid and number, in pages', async () => {
    expect(await listRefused('reason=unreplaced_macro')).toMatchObject([{ tid: '{click_id}' }]);
    expect(await listRefused('kind=impression')).toEqual([]);
    const [first] = await listRefused('tid=touch-long');
    expect(await listRefused(`id=${String(first?.id)}`)).toEqual([first]);
    const page = (await ask(`/partners/${mobi}/refused-requests?limit=4`)) as { requests: Json[]; next_before: number };
    expect(page.requests).toHaveLength(4);
    expect(await listRefused(`before=${page.next_before}`)).toMatchObject([{ reason: 'invalid_device_id' }]);
  });

  test('a partner sees its own, and no project that it has nothing to do with', async () => {
    expect(await listRefused('', rival)).toEqual([]);
    expect(await listRefused('', stranger)).toMatchObject([{ tid: 'touch-stranger', project: null }]);
    expect(await listRefused('tid=touch-bad')).toMatchObject([{ project: { name: own('Shop') } }]);
  });

  test('an advertiser sees those of partners that work with it, which named its project', async () => {
    const headers = { 'service-key': KEY };
    const response = await service.request('/api/v1/refused-requests', { headers });
    const { requests } = (await response.json()) as { requests: Json[] };
    expect(requests.map(({ partner }) => (partner as Json).name)).toEqual(Array(5).fill(own('Mobi')));
    const elsewhere = await service.request('/api/v1/refused-requests', {
      headers: { 'service-key': own('other-key') },
    });
    expect(((await elsewhere.json()) as { requests: Json[] }).requests).toEqual([]);
  });
});
