/** `GET /api/v1/installs` and the explanation of one (docs/contract/attribution.md). */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { installsWith } from '../../support/attribution/attribution';
import { appEvent, collectApp, type Json } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('installs');
const KEY = own('server-key');
const OTHER = own('other-key');
const installed = installsWith(service, KEY);
const GAID = crypto.randomUUID();

const document = own.document({
  ...workspace,
  projects: workspace.projects.map((project) => {
    if (project.name === 'Nothing On') return { ...project, server_keys: ['other-key'] };
    return project.name === 'Acme Shop' ? { ...project, server_keys: ['server-key'] } : project;
  }),
});

interface Answer {
  status: number;
  body: { installs: (Json & { install_id: string })[]; next_before: string | null; msg?: string };
}
async function list(query: Record<string, string> = {}, key = KEY): Promise<Answer> {
  const response = await service.request(`/api/v1/installs?${new URLSearchParams(query).toString()}`, {
    headers: { 'service-key': key },
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
const ids = ({ body }: Answer) => body.installs.map((one) => one.install_id);
const DAY = 86_400_000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

let organic: string;
let credited: string;
let early: string;

beforeAll(async () => {
  await service.apply(document);
  early = (await installed({ time: at(-10 * DAY) })).install_id;
  organic = (await installed({ time: at(-DAY) })).install_id;
  // Less than ten seconds before the install, so that it is suspicious.
  const click = await service.request(`/v1/click/com.acme.shop?c=AbC123&tid=installs-1&gaid=${GAID}`, {
    headers: { 'X-Service-Token': own(TOKEN) },
  });
  expect(click.status).toBe(200);
  const install = await installed({ gaid: GAID, ua: 'Mozilla/5.0 (Linux; Android 14)' });
  credited = install.install_id;
  expect(install.campaign_display_id).toBe(own('AbC123').replace('installs-', ''));
  const signup = appEvent('signup', { install_id: credited, user: { id: 'User of installs' } });
  expect((await collectApp(service, [signup], { 'service-key': KEY })).accepted).toBe(1);
});

test('the latest come first, with their decisions', async () => {
  const answer = await list();
  expect(ids(answer)).toEqual([credited, organic, early]);
  expect(answer.body.next_before).toBeNull();
  expect(answer.body.installs[0]).toEqual({
    install_id: credited,
    app_id: 'com.acme.shop',
    platform: 'ANDROID',
    installed_at: expect.any(String) as string,
    received_at: expect.any(String) as string,
    decided: true,
    organic: false,
    campaign: { display_id: 'AbC123', name: 'Campaign AbC123' },
    partner: { id: expect.any(Number) as number, name: own('Mobi Ads') },
    ad_network: null,
    rule: 'device_click',
    touch_type: 'click',
    seconds_to_install: expect.any(Number) as number,
    country: null,
    os: 'Android',
    reinstall: false,
    suspicious: true,
    suspicious_reasons: ['click_injection'],
    user_id: 'User of installs',
    gaid: GAID,
    idfa: null,
  });
  expect(answer.body.installs[1]).toMatchObject({ organic: true, campaign: null, rule: 'organic', suspicious: false });
});

test('pages follow each other', async () => {
  const first = await list({ limit: '2' });
  expect(ids(first)).toEqual([credited, organic]);
  const second = await list({ limit: '2', before: first.body.next_before as string });
  expect([ids(second), second.body.next_before]).toEqual([[early], null]);
});

test('one is found by its ID, its device in any case, and its user', async () => {
  expect(ids(await list({ search: credited }))).toEqual([credited]);
  expect(ids(await list({ search: GAID.toUpperCase() }))).toEqual([credited]);
  const byUser = () => list({ search: 'User of installs' });
  await eventually('the user is known', async () => ((await byUser()).body.installs.length > 0 ? true : undefined));
  expect(ids(await byUser())).toEqual([credited]);
  expect(ids(await list({ search: 'user of installs' }))).toEqual([]);
  expect(ids(await list({ search: "' OR 1 = 1" }))).toEqual([]);
});

test.each([
  [{ organic: 'true' }, () => [organic, early]],
  [{ organic: 'false' }, () => [credited]],
  [{ suspicious: 'true' }, () => [credited]],
  [{ suspicious: 'false' }, () => [organic, early]],
  [{ display_id: 'AbC123' }, () => [credited]],
  [{ display_id: 'second' }, () => []],
  [{ partner_id: '999999' }, () => []],
  [{ to: at(-5 * DAY).slice(0, 10) }, () => [early]],
  [{ from: at(-5 * DAY).slice(0, 10) }, () => [credited, organic]],
])('filter %j', async (query, expected) => {
  expect(ids(await list(query))).toEqual(expected());
});

test('a new install is listed at once, before or after its decision', async () => {
  const install_id = `install-${crypto.randomUUID()}`;
  await collectApp(service, [appEvent('install', { install_id, time: at(-20 * DAY) })], { 'service-key': KEY });
  const answer = await list({ search: install_id });
  expect(ids(answer)).toEqual([install_id]);
  expect(answer.body.installs[0]).toMatchObject({ country: null, app_id: 'com.acme.shop' });
  await eventually('it is decided', async () =>
    (await list({ search: install_id })).body.installs[0]?.decided === true ? true : undefined,
  );
  expect(ids(await list({ search: install_id }))).toEqual([install_id]);
});

test('another project sees none of it', async () => {
  expect(ids(await list({}, OTHER))).toEqual([]);
  expect(ids(await list({ search: credited }, OTHER))).toEqual([]);
  expect((await list({ display_id: 'AbC123' }, OTHER)).status).toBe(404);
});

test('wrong parameters are refused by name', async () => {
  const [day, both] = [await list({ from: '2026-02-30' }), await list({ display_id: 'AbC123', organic: 'true' })];
  expect([day.status, day.body.msg]).toEqual([400, 'from: must be a day, written YYYY-MM-DD']);
  expect([both.status, both.body.msg]).toEqual([400, 'organic: must not be true together with display_id']);
});

test('without a key it is 401', async () => {
  expect((await list({}, 'no-key')).status).toBe(401);
});

test('the explanation says of every candidate by which window and why', async () => {
  const explain = async (id: string, key = KEY) => {
    const response = await service.request(`/api/v1/installs/${id}/explanation`, { headers: { 'service-key': key } });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const { status, body } = await explain(credited);
  expect(status).toBe(200);
  const [candidate] = body.candidates as Json[];
  const install = body.install as { install_time: string };
  expect(candidate).toMatchObject({
    verdict: 'credited',
    why: 'The install is credited to it.',
    partner: own('Mobi Ads'),
    window_to: install.install_time,
    window_from: new Date(
      Date.parse(install.install_time) - 1000 * (candidate as { window_seconds: number }).window_seconds,
    ).toISOString(),
  });
  expect(body.decision).toMatchObject({ rule: 'device_click', window_to: install.install_time });
  expect((await explain(credited, OTHER)).status).toBe(404);
  expect((await explain('nobody')).status).toBe(404);
});

test('the events of an install, the latest first', async () => {
  const events = async (id: string, query = '', key = KEY) => {
    const response = await service.request(`/api/v1/installs/${id}/events${query}`, {
      headers: { 'service-key': key },
    });
    return { status: response.status, body: (await response.json()) as Json & { events?: Json[] } };
  };
  const all = await eventually('both events are stored', async () => {
    const answer = await events(credited);
    return answer.body.total === 2 ? answer : undefined;
  });
  expect(all.body.events?.map((one) => one.type).sort()).toEqual(['install', 'signup']);
  expect(all.body.events?.find((one) => one.type === 'signup')).toMatchObject({
    user_id: 'User of installs',
    amount: null,
    name: null,
  });
  const one = await events(credited, '?limit=1');
  expect([one.body.events?.length, one.body.total]).toEqual([1, 2]);
  expect((await events(credited, '?limit=0')).body.msg).toBe('limit: must be a whole number from 1 to 1000');
  expect((await events(credited, '', OTHER)).status).toBe(404);
  expect((await events('nobody')).body).toEqual({ msg: 'Install not found.', status: 404 });
  expect((await events(credited, '', 'no-key')).status).toBe(401);
});

test('an install stays in the list while it is decided', async () => {
  const COUNT = 15;
  const lost: string[] = [];
  const look = async () => {
    const seen = new Set<string>();
    await eventually('all are listed, decided', async () => {
      const { installs } = (await list({ limit: '200' }, OTHER)).body;
      const now = new Set(installs.map((one) => one.install_id));
      lost.push(...[...seen].filter((id) => !now.has(id)));
      now.forEach((id) => seen.add(id));
      return now.size === COUNT && installs.every(({ decided }) => decided) ? true : undefined;
    });
  };
  const report = async () => {
    for (let index = 0; index < COUNT; index++) {
      const install = { install_id: `stays-${index}-${crypto.randomUUID()}`, app_id: 'com.off' };
      expect((await collectApp(service, [appEvent('install', install)], { 'service-key': OTHER })).accepted).toBe(1);
      // So that they are decided one by one, each time a moment in which one could be missed.
      await sleep(400);
    }
  };
  await Promise.all([report(), look(), look()]);
  expect(lost).toEqual([]);
});
