/** What partners and advertisers are told of installs and events: by real receivers, from the click to the request. */
import crypto from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { collectApp, appEvent, type Json } from '../support/collect-client';
import { decided } from '../support/attribution';
import { startReceiver, type Received, type Receiver } from '../support/receiver';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../support/service';
import { TOKEN, workspace } from '../support/workspace';

const KEY = 'server-key-of-postbacks';
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

describe('postbacks and webhooks', () => {
  let service: RunningService;
  let receiver: Receiver;
  const url = (path: string) => `${receiver.url}${path}`;

  /** A document for the project, with what the test adds. */
  const apply = (more: Json, partner: Json = {}) =>
    service.apply({
      ...workspace,
      exchange_rates: [{ date: '2020-01-01', currency: 'EUR', usd: 1.25 }],
      partners: workspace.partners.map((one) => (one.name === 'Mobi Ads' ? { ...one, ...partner } : one)),
      projects: workspace.projects.map((project) =>
        project.name === 'Acme Shop' ? { ...project, server_keys: [KEY], ...more } : project,
      ),
    });

  const click = async (tid: string, more: Record<string, string>) => {
    const query = new URLSearchParams({ c: 'AbC123', tid, ...more });
    const answer = await service.request(`/v1/click/com.acme.shop?${query}`, { headers: { 'X-Service-Token': TOKEN } });
    expect(answer.status).toBe(200);
  };
  const send = async (type: string, fields: Json) => {
    const event = appEvent(type, fields);
    const { accepted, body } = await collectApp(service, [event], { 'service-key': KEY });
    if (accepted !== 1) throw new Error(JSON.stringify(body));
    return event as { event_id: string };
  };
  /** An install that the click `tid` of a device of its own is credited with; nothing of it is suspicious. */
  const installed = async (tid: string, more: Record<string, string> = {}) => {
    const gaid = crypto.randomUUID();
    await click(tid, { gaid, click_time: String(Date.now() - HOUR_MS), ...more });
    const install_id = `install-${tid}`;
    await send('install', { install_id, gaid });
    return { install_id, gaid };
  };
  const attempts = (where: string) =>
    service.rows<Attempted>(`SELECT * FROM analytics.postbacks WHERE ${where} ORDER BY attempted_at`);
  const outcomesOf = (tid: string, count: number) =>
    eventually(`${count} attempts for ${tid}`, async () => {
      const rows = await attempts(`tid = '${tid}' AND kind = 'postback'`);
      return rows.length >= count ? rows : undefined;
    });

  /** What came for a path about the touch `tid`: waits for so many. */
  const toldOf = (path: string, tid: string, count: number) =>
    eventually(`${count} requests for ${path} about ${tid}`, () => {
      const got = receiver.at(path).map(({ query }) => Object.fromEntries(query));
      const about = got.filter((query) => query.tid === tid);
      return about.length >= count ? about : undefined;
    });

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService({ OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32', OUTBOX_RETRIES: '1,1' });
  }, 360_000);
  afterAll(async () => {
    await service?.dispose();
    await receiver?.close();
  });

  test('an install is told to its partner once, with every macro, within a second of its decision', async () => {
    await apply({}, { postbacks: [{ event: 'install', method: 'GET', url: url(`/all?${ALL_MACROS}`) }] });
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
      ...{ c: 'AbC123', campaign_name: 'Campaign AbC123', app_id: 'com.acme.shop', platform: 'ANDROID' },
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
    const [attempt] = await outcomesOf('all-1', 1);
    expect(attempt).toMatchObject({ outcome: 'sent', status: 200, postback_id: values.postback_id, attempt: 1 });
    // The same install again, and an event that nobody wants to be told of.
    await send('install', { install_id, gaid });
    await send('open', { install_id });
    const { install_id: next } = await installed('all-2');
    await receiver.waitFor('/all', 2);
    expect(receiver.at('/all').map(({ query }) => query.get('install_id'))).toEqual([install_id, next]);
  }, 120_000);

  test('attempts are counted by destination; so are those given up, before there is one', async () => {
    await apply({}, { postbacks: [{ event: 'install', method: 'GET', url: url('/counted') }] });
    await installed('counted-1');
    await receiver.waitFor('/counted');
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const metrics = async () => (await service.request('/metrics', { headers })).text();
    const of = (outcome: string) =>
      new RegExp(
        `^adtrail_outbox_attempts_total\\{destination="127\\.0\\.0\\.1[^"]*",outcome="${outcome}"\\} \\d+$`,
        'm',
      );
    const text = await eventually('it is counted', async () => {
      const now = await metrics();
      return of('sent').test(now) ? now : undefined;
    });
    expect(text).toMatch(of('dead'));
  });

  test('events go to the partner of their install, in their order, with their amounts in US dollars', async () => {
    const events = ['install', 'signup', 'payment', 'refund', 'event:level_up'];
    const template = (event: string) => ({
      event,
      method: 'POST',
      url: url('/events'),
      body: { name: '{event_name}', amount: '{amount} {currency} {amount_usd}', user: '{user_id}' },
    });
    await apply({}, { postbacks: events.map(template) });
    const { install_id } = await installed('events-1');
    const [first] = await receiver.waitFor('/events');
    expect(first?.headers['content-type']).toMatch(/^application\/json/);
    await send('signup', { install_id, user: { id: 'user-1' } });
    await receiver.waitFor('/events', 2);
    await send('payment', { install_id, amount: 12.5, currency: 'EUR' });
    await receiver.waitFor('/events', 3);
    await send('refund', { install_id, amount: 2, currency: 'USD' });
    await send('event', { install_id, name: 'level_up' });
    await send('event', { install_id, name: 'other' });
    const got = (await receiver.waitFor('/events', 5)).map(({ body }) => JSON.parse(body) as Json);
    expect(got.slice(0, 3)).toEqual([
      { name: 'install', amount: '  ', user: '' },
      { name: 'signup', amount: '  ', user: 'user-1' },
      { name: 'payment', amount: '12.5 EUR 15.625', user: '' },
    ]);
    expect(got.slice(3).sort((a, b) => String(a.name).localeCompare(String(b.name)))).toEqual([
      { name: 'level_up', amount: '  ', user: '' },
      { name: 'refund', amount: '2 USD 2', user: '' },
    ]);
  }, 120_000);

  test('an event that comes before its install waits for it', async () => {
    await apply({}, { postbacks: [{ event: 'signup', method: 'GET', url: url('/early?i={install_id}') }] });
    const gaid = crypto.randomUUID();
    await click('early-1', { gaid, click_time: String(Date.now() - HOUR_MS) });
    await send('signup', { install_id: 'early-1' });
    await installed('early-2').then(({ install_id }) => send('signup', { install_id }));
    await receiver.waitFor('/early');
    expect(receiver.at('/early').map(({ query }) => query.get('i'))).toEqual(['install-early-2']);
    await send('install', { install_id: 'early-1', gaid });
    const got = await receiver.waitFor('/early', 2);
    expect(got[1]?.query.get('i')).toBe('early-1');
  }, 120_000);

  test('webhooks tell of every event, organic ones too, and are signed', async () => {
    await apply({ webhooks: [{ url: url('/hook'), events: ['*'], secret: SECRET }] });
    await send('install', { install_id: 'organic-1' });
    await receiver.waitFor('/hook');
    await send('uninstall', { install_id: 'organic-1' });
    const got = await receiver.waitFor('/hook', 2);
    const verified = got.map(({ body, headers }) => {
      return new Webhook(SECRET).verify(body, headers as Record<string, string>) as Json;
    });
    expect(verified.map(({ type }) => type)).toEqual(['install', 'uninstall']);
    expect(verified[0]).toMatchObject({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      data: { install_id: 'organic-1', rule: 'organic', is_reinstall: false, is_view_through: false },
    });
    expect(() => new Webhook(SECRET).verify(`${got[0]?.body} `, got[0]?.headers as Record<string, string>)).toThrow();
  }, 120_000);

  test('what fails for now is tried again under the same ID, in the order of its install', async () => {
    const template = (event: string) => ({ event, method: 'GET', url: url('/again?id={postback_id}&e={event_name}') });
    await apply({}, { postbacks: ['install', 'signup'].map(template) });
    receiver.answer('/again', 503, { status: 429, headers: { 'Retry-After': '2' } }, 200);
    const { install_id } = await installed('again-1');
    await receiver.waitFor('/again');
    await send('signup', { install_id });
    const got = await receiver.waitFor('/again', 4, 25_000);
    expect(got.map(({ query }) => query.get('e'))).toEqual(['install', 'install', 'install', 'signup']);
    expect(new Set(got.slice(0, 3).map(({ query }) => query.get('id'))).size).toBe(1);
    expect((got[2]?.at ?? 0) - (got[1]?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
    const rows = await outcomesOf('again-1', 4);
    expect(rows.map(({ outcome, status, attempt }) => ({ outcome, status, attempt }))).toEqual([
      { outcome: 'retry', status: 503, attempt: 1 },
      { outcome: 'retry', status: 429, attempt: 2 },
      { outcome: 'sent', status: 200, attempt: 3 },
      { outcome: 'sent', status: 200, attempt: 1 },
    ]);
    expect(rows[0]?.next_attempt_at).not.toBeNull();
  }, 120_000);

  test('what is refused, or fails for good, is not tried again; 410 switches the destination off', async () => {
    await apply({}, { postbacks: [{ event: 'install', method: 'GET', url: url('/refused') }] });
    receiver.answer('/refused', 404);
    await installed('refused-1');
    const [refused] = await outcomesOf('refused-1', 1);
    expect(refused).toMatchObject({ outcome: 'dead', error: 'answered 404', next_attempt_at: null });
    receiver.answer('/refused', 500);
    await installed('refused-2');
    const given = await outcomesOf('refused-2', 3);
    expect(given.map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'dead']);
    expect(given[2]?.error).toBe('answered 500; given up');
    receiver.answer('/refused', 410);
    await installed('refused-3');
    await outcomesOf('refused-3', 1);
    const count = receiver.at('/refused').length;
    await installed('refused-4');
    expect(await switchedOff()).toEqual(expect.any(String));
    expect(receiver.at('/refused')).toHaveLength(count);
    expect(await attempts("tid = 'refused-4' AND kind = 'postback'")).toEqual([]);
  }, 120_000);

  /** When the first template of the partner was switched off. */
  const switchedOff = () =>
    eventually('the template is switched off', async () => {
      const { body } = await service.admin('GET', '/partners');
      const partners = body.partners as { name: string; id: number }[];
      const id = partners.find(({ name }) => name === 'Mobi Ads')?.id;
      const list = (await service.admin('GET', `/partners/${id}/postbacks`)).body.postbacks as Json[];
      return list.find(({ event }) => event === 'install')?.switched_off_at ?? undefined;
    });

  test('a redirect is not followed', async () => {
    const other = await startReceiver();
    try {
      await apply({}, { postbacks: [{ event: 'install', method: 'GET', url: url('/redirect') }] });
      receiver.answer('/redirect', { status: 302, headers: { Location: `${other.url}/secret` } });
      await installed('redirect-1');
      expect((await outcomesOf('redirect-1', 1))[0]).toMatchObject({ outcome: 'dead', error: 'answered 302' });
      expect(other.received).toEqual([]);
    } finally {
      await other.close();
    }
  }, 120_000);

  test('nothing is sent to addresses that are not public, by whatever name they go', async () => {
    const inner = await startReceiver('127.0.0.2');
    const hosts = ['127.0.0.2', '0x7f000002', '2130706434', '[::ffff:127.0.0.2]', '169.254.169.254'];
    try {
      for (const [i, host] of hosts.entries()) {
        const target = `http://${host}:${inner.port}/inner`;
        await apply({}, { postbacks: [{ event: 'install', method: 'GET', url: target }] });
        await installed(`inner-${i}`);
        const [attempt] = await outcomesOf(`inner-${i}`, 1);
        expect(attempt).toMatchObject({ outcome: 'retry', status: 0 });
        expect(attempt?.error).toMatch(/ is not a public address$/);
      }
      expect(inner.received).toEqual([]);
    } finally {
      await inner.close();
    }
  }, 240_000);

  test('a receiver that hangs is left after ten seconds, and another one does not wait for it', async () => {
    const hanging = await startReceiver();
    try {
      hanging.answer('/hang', 'hang');
      const post = { method: 'GET', url: `${hanging.url}/hang` };
      await apply(
        { webhooks: [{ url: url('/beside'), events: ['install'] }] },
        { postbacks: [{ event: 'install', ...post }] },
      );
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
  }, 120_000);

  test('what the advertiser withholds is not told', async () => {
    const postbacks = ['install', 'payment', 'signup'].map((event) => ({
      event,
      method: 'GET',
      url: url(`/less?e={event_name}&amount={amount}&currency={currency}&gaid={gaid}&tid={tid}`),
    }));
    const postback_overrides = [
      { event: 'install', withhold: ['device_ids'] },
      { event: 'payment', partner: 'Mobi Ads', withhold: ['amounts'] },
      { event: 'signup', enabled: false },
    ];
    await apply({ postback_overrides }, { postbacks });
    const { install_id } = await installed('less-1');
    await toldOf('/less', 'less-1', 1);
    await send('signup', { install_id });
    await send('payment', { install_id, amount: 5, currency: 'USD' });
    const got = await toldOf('/less', 'less-1', 2);
    expect(got).toEqual([
      { e: 'install', amount: '', currency: '', gaid: '', tid: 'less-1' },
      expect.objectContaining({ e: 'payment', amount: '', currency: '', tid: 'less-1' }),
    ]);
    await apply({
      postback_overrides: postback_overrides.map(({ event }) => ({ event, withhold: [], enabled: true })),
    });
  }, 120_000);

  test('a suspicious install is told as rejected where the project rejects them', async () => {
    const template = (event: string) => ({
      event,
      method: 'GET',
      url: url(`/rejected?as=${event}&why={reject_reason}&tid={tid}`),
    });
    const webhooks = [{ url: url('/paid'), events: ['payment'] }];
    await apply({ reject_suspicious: true, webhooks }, { postbacks: ['install', 'rejected', 'payment'].map(template) });
    const injected = { click_time: String(Date.now()) };
    const { install_id } = await installed('rejected-1', injected);
    expect(await toldOf('/rejected', 'rejected-1', 1)).toEqual([
      { as: 'rejected', why: 'click_injection', tid: 'rejected-1' },
    ]);
    await send('payment', { install_id, amount: 5, currency: 'USD' });
    // The advertiser is told of it all the same.
    await receiver.waitFor('/paid');
    await apply({ reject_suspicious: false });
    await installed('rejected-2', { click_time: String(Date.now()) });
    expect(await toldOf('/rejected', 'rejected-2', 1)).toEqual([
      { as: 'install', why: 'click_injection', tid: 'rejected-2' },
    ]);
    expect(await toldOf('/rejected', 'rejected-1', 1)).toHaveLength(1);
  }, 120_000);

  test('reinstalls and re-engagements are told as such', async () => {
    const template = (event: string) => ({ event, method: 'GET', url: url(`/kind?as=${event}&i={install_id}&c={c}`) });
    await apply({}, { postbacks: ['install', 'reinstall', 'reengagement'].map(template) });
    const { install_id, gaid } = await installed('kind-1');
    await receiver.waitFor('/kind');
    await send('install', { install_id: 'kind-again', gaid });
    await receiver.waitFor('/kind', 2);
    const old = new Date(Date.now() - 3 * 24 * HOUR_MS).toISOString();
    await send('install', { install_id: 'kind-old', time: old });
    await decided(service, ['kind-old']);
    const link = 'https://go.acme.example/second';
    await send('open', { install_id, link });
    await send('open', { install_id: 'kind-old', link });
    await receiver.waitFor('/kind', 3);
    expect(receiver.at('/kind').map(({ query }) => Object.fromEntries(query))).toEqual([
      { as: 'install', i: install_id, c: 'AbC123' },
      { as: 'reinstall', i: 'kind-again', c: 'AbC123' },
      { as: 'reengagement', i: 'kind-old', c: 'second' },
    ]);
  }, 120_000);

  test('the log holds no secrets', async () => {
    const headers = { Authorization: 'Bearer do-not-tell' };
    const target = url('/quiet?token=do-not-tell&tid={tid}');
    const body = { tid: '{tid}', api_key: 'do-not-tell' };
    await apply({}, { postbacks: [{ event: 'install', method: 'POST', url: target, headers, body }] });
    await installed('quiet-1');
    const [got] = await receiver.waitFor('/quiet');
    expect(got?.headers.authorization).toBe('Bearer do-not-tell');
    expect(got?.query.get('token')).toBe('do-not-tell');
    const [attempt] = await outcomesOf('quiet-1', 1);
    expect(JSON.stringify(attempt)).not.toContain('do-not-tell');
    expect(attempt).toMatchObject({ url: url('/quiet?token=***&tid=quiet-1'), method: 'POST' });
    expect(service.output()).not.toContain('do-not-tell');
  }, 120_000);

  test('who is forgotten leaves the log and what waits, on the disk too', async () => {
    const postbacks = [{ event: 'install', method: 'GET', url: url('/forget?i={install_id}&gaid={gaid}&tid={tid}') }];
    await apply({ webhooks: [{ url: url('/forget-hook'), events: ['install'] }] }, { postbacks });
    // One message arrives; the other one waits for two minutes.
    receiver.answer('/forget-hook', { status: 503, headers: { 'Retry-After': '120' } });
    const { gaid } = await installed('forget-1');
    await receiver.waitFor('/forget');
    await eventually('a message is delivered, another one waits', async () => {
      const outcomes = new Set((await attempts("tid = 'forget-1'")).map(({ outcome }) => outcome));
      return outcomes.has('sent') && outcomes.has('retry') ? true : undefined;
    });
    const { body } = await service.admin('GET', '/projects');
    const projects = body.projects as { id: number; name: string }[];
    const id = projects.find(({ name }) => name === 'Acme Shop')?.id;
    const asked = await service.admin('DELETE', `/projects/${id}/devices/gaid/${gaid}`);
    const receipt = asked.body.id as number;
    await eventually(
      'the person is removed',
      async () => {
        const { body: state } = await service.admin('GET', `/projects/${id}/forgotten/${receipt}`);
        if (state.failure) throw new Error(JSON.stringify(state.failure));
        return state.removed_at ?? undefined;
      },
      110_000,
    );
    const left = await service.rows<{ table: string; rows: number }>(
      `SELECT 'log' AS table, count() AS rows FROM adtrail.postbacks WHERE install_id = 'install-forget-1'
       UNION ALL
       SELECT 'events', count() FROM adtrail.outbox_events WHERE install_id = 'install-forget-1'
       UNION ALL
       SELECT 'batches', count() FROM adtrail.outbox_batches WHERE install_id = 'install-forget-1'`,
    );
    expect(left.filter(({ rows }) => Number(rows) > 0)).toEqual([]);
    // Nothing is told again because its records stand under a random ID now.
    const [before, hooks] = [receiver.at('/forget').length, receiver.at('/forget-hook').length];
    await installed('forget-2');
    await toldOf('/forget', 'forget-2', 1);
    expect([receiver.at('/forget').length - before, receiver.at('/forget-hook').length - hooks]).toEqual([1, 1]);
  }, 500_000);
});
