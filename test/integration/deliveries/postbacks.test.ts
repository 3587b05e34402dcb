/**
 * What partners and advertisers are told of installs and events: by real receivers, from the click to the request. Each
 * test has a project and a partner of its own, and all wait together.
 */
import crypto from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { collectApp, appEvent, type Json } from '../../support/collect/collect-client';
import { decided } from '../../support/attribution/attribution';
import { ownNames } from '../../support/workspace/own-names';
import { startReceiver, type Received, type Receiver } from '../../support/deliveries/receiver';
import { ADMIN_TOKEN, eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { idByName } from '../../support/s2s/s2s-client';

const own = ownNames('postbacks');
const SECRET = `whsec_${crypto.randomBytes(24).toString('base64')}`;
const MACROS = [
  ...['tid', 's2', 's3', 's4', 'click_id', 'impression_id', 'c', 'campaign_name', 'app_id', 'platform', 'gaid', 'idfa'],
  ...['ip', 'ua', 'country', 'touch_type', 'rule', 'click_time', 'click_time_unix', 'click_time_ms', 'install_time'],
  ...['install_time_unix', 'install_time_ms', 'event_time', 'event_time_unix', 'event_time_ms', 'event_name'],
  ...['event_id', 'install_id', 'amount', 'currency', 'amount_usd', 'user_id', 'postback_id', 'is_view_through'],
  ...['is_reinstall', 'reject_reason'],
];
const ALL_MACROS = MACROS.map((name) => `${name}={${name}}`).join('&');
const HOUR_MS = 3_600_000;

interface Attempted extends Json {
  postback_id: string;
  attempt: number;
  outcome: string;
  status: number;
  error: string;
  url: string;
  next_attempt_at: string | null;
}

const service = sharedService();
let receiver: Receiver;
const url = (path: string) => `${receiver.url}${path}`;
beforeAll(async () => {
  receiver = await startReceiver();
  // A rate for a currency that no other suite has.
  await service.apply({ exchange_rates: [{ date: '2020-01-01', currency: 'NZD', usd: 1.25 }] });
});
afterAll(() => receiver?.close());

/** A project `name` with a partner, their campaigns, and what the test adds to both. */
async function scene(name: string, partner: Json, project: Json = {}) {
  const [ads, app_id] = [`Ads of ${name}`, `com.postbacks.${name}`];
  const apply = (moreOfPartner: Json, moreOfProject: Json = {}) =>
    service.apply(
      own.document({
        accounts: [{ name }],
        partners: [{ name: ads, tokens: [`token-of-${name}`], ...moreOfPartner }],
        projects: [
          {
            name,
            account: name,
            timezone: 'UTC',
            server_keys: [`key-of-${name}`],
            apps: [{ platform: 'ANDROID', app_id }],
            domains: [{ name: `go.${name}.example` }],
            partner_switches: [{ partner: ads, s2s_clicks: true }],
            campaigns: ['AbC123', 'second'].map((id) => ({ display_id: id, name: `Campaign ${id}`, partner: ads })),
            ...moreOfProject,
          },
        ],
      }),
    );
  await apply(partner, project);
  const shop = await idByName(service, 'projects', own(name));
  const click = async (tid: string, more: Record<string, string>) => {
    const query = new URLSearchParams({ c: 'AbC123', tid, ...more });
    const answer = await service.request(`/v1/click/${app_id}?${query}`, {
      headers: { 'X-Service-Token': own(`token-of-${name}`) },
    });
    expect(answer.status).toBe(200);
  };
  const send = async (type: string, fields: Json) => {
    const event = appEvent(type, { app_id, ...fields });
    const { accepted, body } = await collectApp(service, [event], { 'service-key': own(`key-of-${name}`) });
    if (accepted !== 1) throw new Error(JSON.stringify(body));
    return event as { event_id: string };
  };
  /** An install that the click `tid` of a device of its own is credited with; nothing of it is suspicious. */
  const installed = async (tid: string, more: Record<string, string> = {}) => {
    const gaid = crypto.randomUUID();
    await click(tid, { gaid, click_time: String(Date.now() - HOUR_MS), ...more });
    const install_id = own(`install-${tid}`);
    await send('install', { install_id, gaid });
    return { install_id, gaid };
  };
  const attempts = (where: string) =>
    service.rows<Attempted>(
      `SELECT * FROM analytics.postbacks WHERE project_id = ${shop} AND ${where} ORDER BY attempted_at`,
    );
  const listOutcomes = (tid: string, count: number) =>
    eventually(`${count} attempts for ${tid}`, async () => {
      const rows = await attempts(`tid = '${tid}' AND kind = 'postback'`);
      return rows.length >= count ? rows : undefined;
    });
  return { shop, ads, app_id, apply, click, send, installed, attempts, listOutcomes };
}

/** What came for a path about the touch `tid`: waits for so many. */
const listNotified = (path: string, tid: string, count: number) =>
  eventually(`${count} requests for ${path} about ${tid}`, () => {
    const got = receiver.at(path).map(({ query }) => Object.fromEntries(query));
    const about = got.filter((query) => query.tid === tid);
    return about.length >= count ? about : undefined;
  });

test.concurrent(
  'an install is told to its partner once, with every macro, within a second of its decision',
  async () => {
    const postbacks = [{ event: 'install', method: 'GET', url: url(`/all?${ALL_MACROS}`) }];
    const { app_id, installed, send, listOutcomes } = await scene('all', { postbacks });
    const clickTime = Date.now() - HOUR_MS;
    const more = { s2: 'a b&c=d', s3: 'ünï/?', s4: '😀', click_time: String(clickTime) };
    const { install_id, gaid } = await installed('all-1', more);
    const [got] = (await receiver.waitFor('/all')) as [Received];
    const values = Object.fromEntries(MACROS.map((name) => [name, got.query.get(name)]));
    const install = (await decided(service, [install_id])).get(install_id) as unknown as Json;
    const at = (value: unknown) => new Date(`${String(value).replace(' ', 'T').replace('Z', '')}Z`).toISOString();
    const [installTime, time] = [at(install.install_time), new Date(clickTime).toISOString()];
    const forms = (name: string, iso: string) => ({
      [name]: iso,
      [`${name}_unix`]: String(Math.floor(Date.parse(iso) / 1000)),
      [`${name}_ms`]: String(Date.parse(iso)),
    });
    expect(values).toEqual({
      ...{ tid: 'all-1', s2: 'a b&c=d', s3: 'ünï/?', s4: '😀', click_id: 'all-1', impression_id: '' },
      ...{ c: 'AbC123', campaign_name: 'Campaign AbC123', app_id, platform: 'ANDROID' },
      ...{ gaid, idfa: '', ip: '', ua: '', country: '', touch_type: 'click', rule: 'device_click' },
      ...forms('click_time', time),
      ...forms('install_time', installTime),
      ...forms('event_time', installTime),
      ...{ event_name: 'install', event_id: install.event_id, install_id, amount: '', currency: '', amount_usd: '' },
      ...{ user_id: '', postback_id: values.postback_id, is_view_through: 'false', is_reinstall: 'false' },
      reject_reason: '',
    });
    expect(values.postback_id).toMatch(/^[0-9a-f-]{36}$/);
    const took = got.at - Date.parse(at(install.decided_at));
    expect(took).toBeLessThan(10_000);
    const [attempt] = await listOutcomes('all-1', 1);
    expect(attempt).toMatchObject({ outcome: 'sent', status: 200, postback_id: values.postback_id, attempt: 1 });
    // The same install again, and an event that nobody wants to be told of.
    await send('install', { install_id, gaid });
    await send('open', { install_id });
    const { install_id: next } = await installed('all-2');
    await receiver.waitFor('/all', 2);
    expect(receiver.at('/all').map(({ query }) => query.get('install_id'))).toEqual([install_id, next]);
  },
);

test.concurrent('attempts are counted by destination; so are those given up, before there is one', async () => {
  const { installed } = await scene('counted', {
    postbacks: [{ event: 'install', method: 'GET', url: url('/counted') }],
  });
  await installed('counted-1');
  await receiver.waitFor('/counted');
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const metrics = async () => (await service.request('/metrics', { headers })).text();
  const of = (outcome: string) =>
    new RegExp(
      `^adtrail_outbox_attempts_total\\{destination="127\\.0\\.0\\.1:${receiver.port}",outcome="${outcome}"\\} \\d+$`,
      'm',
    );
  const text = await eventually('it is counted', async () => {
    const now = await metrics();
    return of('sent').test(now) ? now : undefined;
  });
  expect(text).toMatch(of('dead'));
});

test.concurrent(
  'events go to the partner of their install, in their order, with their amounts in US dollars',
  async () => {
    const events = ['install', 'signup', 'payment', 'refund', 'event:level_up'];
    const template = (event: string) => ({
      event,
      method: 'POST',
      url: url('/events'),
      body: { name: '{event_name}', amount: '{amount} {currency} {amount_usd}', user: '{user_id}' },
    });
    const { installed, send } = await scene('events', { postbacks: events.map(template) });
    const { install_id } = await installed('events-1');
    const [first] = await receiver.waitFor('/events');
    expect(first?.headers['content-type']).toMatch(/^application\/json/);
    await send('signup', { install_id, user: { id: 'user-1' } });
    await receiver.waitFor('/events', 2);
    await send('payment', { install_id, amount: 12.5, currency: 'NZD' });
    await receiver.waitFor('/events', 3);
    await send('refund', { install_id, amount: 2, currency: 'USD' });
    await send('event', { install_id, name: 'level_up' });
    await send('event', { install_id, name: 'other' });
    const got = (await receiver.waitFor('/events', 5)).map(({ body }) => JSON.parse(body) as Json);
    expect(got.slice(0, 3)).toEqual([
      { name: 'install', amount: '  ', user: '' },
      { name: 'signup', amount: '  ', user: 'user-1' },
      { name: 'payment', amount: '12.5 NZD 15.625', user: '' },
    ]);
    expect(got.slice(3).sort((a, b) => String(a.name).localeCompare(String(b.name)))).toEqual([
      { name: 'level_up', amount: '  ', user: '' },
      { name: 'refund', amount: '2 USD 2', user: '' },
    ]);
  },
);

test.concurrent('an event that comes before its install waits for it', async () => {
  const postbacks = [{ event: 'signup', method: 'GET', url: url('/early?i={install_id}') }];
  const { installed, click, send } = await scene('early', { postbacks });
  const gaid = crypto.randomUUID();
  await click('early-1', { gaid, click_time: String(Date.now() - HOUR_MS) });
  await send('signup', { install_id: own('early-1') });
  await installed('early-2').then(({ install_id }) => send('signup', { install_id }));
  await receiver.waitFor('/early');
  expect(receiver.at('/early').map(({ query }) => query.get('i'))).toEqual([own('install-early-2')]);
  await send('install', { install_id: own('early-1'), gaid });
  const got = await receiver.waitFor('/early', 2);
  expect(got[1]?.query.get('i')).toBe(own('early-1'));
});

test.concurrent('webhooks tell of every event, organic ones too, and are signed', async () => {
  const webhooks = [{ url: url('/hook'), events: ['*'], secret: SECRET }];
  const { send } = await scene('hooks', {}, { webhooks });
  await send('install', { install_id: own('organic-1') });
  await receiver.waitFor('/hook');
  await send('uninstall', { install_id: own('organic-1') });
  const got = await receiver.waitFor('/hook', 2);
  const verified = got.map(({ body, headers }) => {
    return new Webhook(SECRET).verify(body, headers as Record<string, string>) as Json;
  });
  expect(verified.map(({ type }) => type)).toEqual(['install', 'uninstall']);
  expect(verified[0]).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    data: { install_id: own('organic-1'), rule: 'organic', is_reinstall: false, is_view_through: false },
  });
  expect(() => new Webhook(SECRET).verify(`${got[0]?.body} `, got[0]?.headers as Record<string, string>)).toThrow();
});

test.concurrent('what fails for now is tried again under the same ID, in the order of its install', async () => {
  const template = (event: string) => ({ event, method: 'GET', url: url('/again?id={postback_id}&e={event_name}') });
  const postbacks = ['install', 'signup'].map(template);
  const { installed, send, listOutcomes } = await scene('again', { postbacks });
  receiver.answer('/again', 503, { status: 429, headers: { 'Retry-After': '2' } }, 200);
  const { install_id } = await installed('again-1');
  await receiver.waitFor('/again');
  await send('signup', { install_id });
  const got = await receiver.waitFor('/again', 4, 25_000);
  expect(got.map(({ query }) => query.get('e'))).toEqual(['install', 'install', 'install', 'signup']);
  expect(new Set(got.slice(0, 3).map(({ query }) => query.get('id'))).size).toBe(1);
  expect((got[2]?.at ?? 0) - (got[1]?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
  const rows = await listOutcomes('again-1', 4);
  expect(rows.map(({ outcome, status, attempt }) => ({ outcome, status, attempt }))).toEqual([
    { outcome: 'retry', status: 503, attempt: 1 },
    { outcome: 'retry', status: 429, attempt: 2 },
    { outcome: 'sent', status: 200, attempt: 3 },
    { outcome: 'sent', status: 200, attempt: 1 },
  ]);
  expect(rows[0]?.next_attempt_at).not.toBeNull();
});

/** When the first template of the partner was switched off. */
const switchedOff = (ads: string) =>
  eventually('the template is switched off', async () => {
    const id = await idByName(service, 'partners', own(ads));
    const list = (await service.admin('GET', `/partners/${id}/postbacks`)).body.postbacks as Json[];
    return list.find(({ event }) => event === 'install')?.switched_off_at ?? undefined;
  });

test.concurrent(
  'what is refused, or fails for good, is not tried again; 410 switches the destination off',
  async () => {
    const postbacks = [{ event: 'install', method: 'GET', url: url('/refused') }];
    const { ads, installed, attempts, listOutcomes } = await scene('refused', { postbacks });
    receiver.answer('/refused', 404);
    await installed('refused-1');
    const [refused] = await listOutcomes('refused-1', 1);
    expect(refused).toMatchObject({ outcome: 'dead', error: 'answered 404', next_attempt_at: null });
    receiver.answer('/refused', 500);
    await installed('refused-2');
    const given = await listOutcomes('refused-2', 3);
    expect(given.map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'dead']);
    expect(given[2]?.error).toBe('answered 500; given up');
    receiver.answer('/refused', 410);
    await installed('refused-3');
    await listOutcomes('refused-3', 1);
    const count = receiver.at('/refused').length;
    const { install_id } = await installed('refused-4');
    await decided(service, [install_id]);
    expect(await switchedOff(ads)).toEqual(expect.any(String));
    expect(receiver.at('/refused')).toHaveLength(count);
    expect(await attempts("tid = 'refused-4' AND kind = 'postback'")).toEqual([]);
  },
);

test.concurrent('a redirect is not followed', async () => {
  const other = await startReceiver();
  try {
    const postbacks = [{ event: 'install', method: 'GET', url: url('/redirect') }];
    const { installed, listOutcomes } = await scene('redirect', { postbacks });
    receiver.answer('/redirect', { status: 302, headers: { Location: `${other.url}/secret` } });
    await installed('redirect-1');
    expect((await listOutcomes('redirect-1', 1))[0]).toMatchObject({ outcome: 'dead', error: 'answered 302' });
    expect(other.received).toEqual([]);
  } finally {
    await other.close();
  }
});

test.concurrent('nothing is sent to addresses that are not public, by whatever name they go', async () => {
  const inner = await startReceiver('127.0.0.2');
  // More of them are in test/unit/deliveries/outbox.test.ts.
  const hosts = ['127.0.0.2', '0x7f000002'];
  try {
    for (const [i, host] of hosts.entries()) {
      const target = `http://${host}:${inner.port}/inner`;
      const postbacks = [{ event: 'install', method: 'GET', url: target }];
      const { installed, listOutcomes } = await scene(`inner-${i}`, { postbacks });
      await installed(`inner-${i}`);
      const [attempt] = await listOutcomes(`inner-${i}`, 1);
      expect(attempt).toMatchObject({ outcome: 'retry', status: 0 });
      expect(attempt?.error).toMatch(/ is not a public address$/);
    }
    expect(inner.received).toEqual([]);
  } finally {
    await inner.close();
  }
});

test.concurrent('a receiver that hangs is left after ten seconds, and another one does not wait for it', async () => {
  const hanging = await startReceiver();
  try {
    hanging.answer('/hang', 'hang');
    const post = { method: 'GET', url: `${hanging.url}/hang` };
    const webhooks = [{ url: url('/beside'), events: ['install'] }];
    const { installed, attempts } = await scene('hang', { postbacks: [{ event: 'install', ...post }] }, { webhooks });
    const sent = receiver.at('/beside').length;
    for (let i = 0; i < 5; i++) await installed(`hang-${i}`);
    await receiver.waitFor('/beside', sent + 5);
    const [attempt] = await eventually('an attempt has ended', async () => {
      const rows = await attempts("tid LIKE 'hang-%' AND kind = 'postback'");
      return rows.length > 0 ? rows : undefined;
    });
    expect(attempt).toMatchObject({ outcome: 'retry', status: 0, error: 'no answer within 10 seconds' });
    expect(attempt?.latency_ms).toBeGreaterThanOrEqual(9_900);
  } finally {
    await hanging.close();
  }
});

test.concurrent('what the advertiser withholds is not told', async () => {
  const postbacks = ['install', 'payment', 'signup'].map((event) => ({
    event,
    method: 'GET',
    url: url(`/less?e={event_name}&amount={amount}&currency={currency}&gaid={gaid}&tid={tid}`),
  }));
  const postback_overrides = [
    { event: 'install', withhold: ['device_ids'] },
    { event: 'payment', partner: 'Ads of less', withhold: ['amounts'] },
    { event: 'signup', enabled: false },
  ];
  const { installed, send } = await scene('less', { postbacks }, { postback_overrides });
  const { install_id } = await installed('less-1');
  await listNotified('/less', 'less-1', 1);
  await send('signup', { install_id });
  await send('payment', { install_id, amount: 5, currency: 'USD' });
  const got = await listNotified('/less', 'less-1', 2);
  expect(got).toEqual([
    { e: 'install', amount: '', currency: '', gaid: '', tid: 'less-1' },
    expect.objectContaining({ e: 'payment', amount: '', currency: '', tid: 'less-1' }),
  ]);
});

test.concurrent('a suspicious install is told as rejected where the project rejects them', async () => {
  const template = (event: string) => ({
    event,
    method: 'GET',
    url: url(`/rejected?as=${event}&why={reject_reason}&tid={tid}`),
  });
  const webhooks = [{ url: url('/paid'), events: ['payment'] }];
  const postbacks = ['install', 'rejected', 'payment'].map(template);
  const { apply, installed, send } = await scene('rejected', { postbacks }, { reject_suspicious: true, webhooks });
  const injected = { click_time: String(Date.now()) };
  const { install_id } = await installed('rejected-1', injected);
  expect(await listNotified('/rejected', 'rejected-1', 1)).toEqual([
    { as: 'rejected', why: 'click_injection', tid: 'rejected-1' },
  ]);
  await send('payment', { install_id, amount: 5, currency: 'USD' });
  // The advertiser is told of it all the same.
  await receiver.waitFor('/paid');
  await apply({}, { reject_suspicious: false });
  await installed('rejected-2', { click_time: String(Date.now()) });
  expect(await listNotified('/rejected', 'rejected-2', 1)).toEqual([
    { as: 'install', why: 'click_injection', tid: 'rejected-2' },
  ]);
  expect(await listNotified('/rejected', 'rejected-1', 1)).toHaveLength(1);
});

test.concurrent('reinstalls and re-engagements are told as such', async () => {
  const template = (event: string) => ({ event, method: 'GET', url: url(`/kind?as=${event}&i={install_id}&c={c}`) });
  const postbacks = ['install', 'reinstall', 'reengagement'].map(template);
  const { installed, send } = await scene('kind', { postbacks });
  const { install_id, gaid } = await installed('kind-1');
  await receiver.waitFor('/kind');
  await send('install', { install_id: own('kind-again'), gaid });
  await receiver.waitFor('/kind', 2);
  const old = new Date(Date.now() - 25 * HOUR_MS).toISOString();
  await send('install', { install_id: own('kind-old'), time: old });
  await decided(service, [own('kind-old')]);
  const link = `https://${own('go.kind.example')}/second`;
  await send('open', { install_id, link });
  await send('open', { install_id: own('kind-old'), link });
  await receiver.waitFor('/kind', 3);
  expect(receiver.at('/kind').map(({ query }) => Object.fromEntries(query))).toEqual([
    { as: 'install', i: install_id, c: 'AbC123' },
    { as: 'reinstall', i: own('kind-again'), c: 'AbC123' },
    { as: 'reengagement', i: own('kind-old'), c: 'second' },
  ]);
});

test.concurrent('the log holds no secrets', async () => {
  const headers = { Authorization: 'Bearer do-not-tell' };
  const target = url('/quiet?token=do-not-tell&tid={tid}');
  const body = { tid: '{tid}', api_key: 'do-not-tell' };
  const postbacks = [{ event: 'install', method: 'POST', url: target, headers, body }];
  const { shop, installed, listOutcomes } = await scene('quiet', { postbacks });
  await installed('quiet-1');
  const [got] = await receiver.waitFor('/quiet');
  expect(got?.headers.authorization).toBe('Bearer do-not-tell');
  expect(got?.query.get('token')).toBe('do-not-tell');
  const [attempt] = await listOutcomes('quiet-1', 1);
  expect(JSON.stringify(attempt)).not.toContain('do-not-tell');
  // By a template of the partner: the request is shown to the partner alone.
  expect(attempt).toMatchObject({ url: '', body: '', method: 'POST' });
  const [kept] = await service.rows(
    `SELECT partner_url, partner_body FROM adtrail.postbacks WHERE project_id = ${shop} AND tid = 'quiet-1'`,
  );
  expect(kept).toMatchObject({ partner_url: url('/quiet?token=***&tid=quiet-1') });
  expect(JSON.stringify(kept)).not.toContain('do-not-tell');
  expect(service.output()).not.toContain('do-not-tell');
});

test.concurrent('who is forgotten leaves the log and what waits, on the disk too', async () => {
  const postbacks = [{ event: 'install', method: 'GET', url: url('/forget?i={install_id}&gaid={gaid}&tid={tid}') }];
  const webhooks = [{ url: url('/forget-hook'), events: ['install'] }];
  const { shop, installed, attempts } = await scene('forget', { postbacks }, { webhooks });
  // One message arrives; the other one waits for two minutes.
  receiver.answer('/forget-hook', { status: 503, headers: { 'Retry-After': '120' } });
  const { gaid } = await installed('forget-1');
  await receiver.waitFor('/forget');
  await eventually('a message is delivered, another one waits', async () => {
    const outcomes = new Set((await attempts("tid = 'forget-1'")).map(({ outcome }) => outcome));
    return outcomes.has('sent') && outcomes.has('retry') ? true : undefined;
  });
  const asked = await service.admin('DELETE', `/projects/${shop}/devices/gaid/${gaid}`);
  const receipt = asked.body.id as number;
  await eventually(
    'the person is removed',
    async () => {
      const { body: state } = await service.admin('GET', `/projects/${shop}/forgotten/${receipt}`);
      if (state.failure) throw new Error(JSON.stringify(state.failure));
      return state.removed_at ?? undefined;
    },
    110_000,
  );
  const left = await service.rows<{ table: string; rows: number }>(
    `SELECT 'log' AS table, count() AS rows FROM adtrail.postbacks WHERE install_id = '${own('install-forget-1')}'
     UNION ALL
     SELECT 'events', count() FROM adtrail.outbox_events WHERE install_id = '${own('install-forget-1')}'
     UNION ALL
     SELECT 'batches', count() FROM adtrail.outbox_batches WHERE install_id = '${own('install-forget-1')}'`,
  );
  expect(left.filter(({ rows }) => Number(rows) > 0)).toEqual([]);
  // Nothing is told again because its records stand under a random ID now.
  const [before, hooks] = [receiver.at('/forget').length, receiver.at('/forget-hook').length];
  await installed('forget-2');
  await listNotified('/forget', 'forget-2', 1);
  await receiver.waitFor('/forget-hook', hooks + 1);
  expect([receiver.at('/forget').length - before, receiver.at('/forget-hook').length - hooks]).toEqual([1, 1]);
});
