/** The log of postbacks and webhooks: who finds what in it, what is sent once more, and what is tried out. */
import { execFile } from 'node:child_process';
import crypto from 'node:crypto';
import path from 'node:path';
import { collectApp, appEvent, type Json } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { readOperator, findPerson, type Browser } from '../../support/people/person';
import { startReceiver, type Receiver } from '../../support/deliveries/receiver';
import { idByName } from '../../support/s2s/s2s-client';
import { cleanEnvironment, ADMIN_TOKEN, eventually, root } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { OTHER_TOKEN, TOKEN, workspace } from '../../support/workspace/workspace';

const own = ownNames('postback-log');
const KEY = own('server-key');
const SECRET = `whsec_${crypto.randomBytes(24).toString('base64')}`;
const HOUR_MS = 3_600_000;
const today = () => new Date().toISOString().slice(0, 10);
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

interface Attempt extends Json {
  attempted_at: string;
  postback_id: string;
  kind: string;
  tid: string | null;
  outcome: string;
  is_replay: boolean;
  partner: { id: number; name: string } | null;
}
interface Page extends Json {
  attempts: Attempt[];
  next_before: string | null;
}

describe('the log of postbacks', () => {
  const service = sharedService();
  /** Tests with a session: others may test with the admin token meanwhile, and each waits for one test. */
  let operator: Browser;
  let receiver: Receiver;
  let [shop, other, mobi, others] = [0, 0, 0, 0];
  let webhookId = 0;
  const url = (at: string) => `${receiver.url}${at}`;
  const host = () => `127.0.0.1:${receiver.port}`;

  const template = (event: string, at: string) => ({ event, method: 'GET', url: url(`${at}?tid={tid}&key=hidden`) });
  const click = async (tid: string, gaid: string, c: string, token: string) => {
    const query = new URLSearchParams({ c, tid, gaid, click_time: String(Date.now() - HOUR_MS) });
    const headers = { 'X-Service-Token': token };
    expect((await service.request(`/v1/click/com.acme.shop?${query}`, { headers })).status).toBe(200);
  };
  const send = async (type: string, fields: Json) => {
    const { accepted, body } = await collectApp(service, [appEvent(type, fields)], { 'service-key': KEY });
    if (accepted !== 1) throw new Error(JSON.stringify(body));
  };
  /** An install that is credited to a click; of Other Ads with its campaign and token. */
  const installed = async (tid: string, c = 'AbC123', token = own(TOKEN)) => {
    const gaid = crypto.randomUUID();
    await click(tid, gaid, c, token);
    await send('install', { install_id: `install-${tid}`, gaid });
  };

  const log = async (query = '', of = shop) =>
    (await service.admin('GET', `/projects/${of}/postbacks/log?${query}`)).body as Page;
  const listTids = async (query: string) => (await log(query)).attempts.map(({ tid }) => tid);
  const listAttempts = (query: string, count: number) =>
    eventually(`${count} attempts of ${query}`, async () => {
      const { attempts } = await log(query);
      return attempts.length >= count ? attempts : undefined;
    });
  const replay = async (body: Json) => {
    const answer = await service.admin('POST', `/projects/${shop}/postbacks/replay`, body);
    return answer.status === 200 ? answer.body : answer;
  };
  const pending = async (at: string) => (await service.admin('GET', `${at}/postbacks/pending`)).body;
  /** A message waits, and is not to be replayed, until a moment after its attempt is in the log. */
  const nothingWaits = () =>
    eventually('nothing waits', async () => ((await pending(`/projects/${shop}`)).pending === 0 ? true : undefined));
  const test_ = async (body: Json) => {
    const { status, body: answer } = await operator.send('POST', `/admin/v1/projects/${shop}/postbacks/test`, body);
    return { status, body: answer };
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    await service.apply(
      own.document({
        ...workspace,
        partners: workspace.partners.map((one) =>
          one.name === 'Mobi Ads'
            ? { ...one, postbacks: [template('install', '/mobi'), template('signup', '/signup')] }
            : one.name === 'Other Ads'
              ? { ...one, postbacks: [template('install', '/other')] }
              : one,
        ),
        projects: workspace.projects.map((project) =>
          project.name === 'Acme Shop'
            ? {
                ...project,
                server_keys: ['server-key'],
                webhooks: [{ url: url('/hook'), events: ['install'], secret: SECRET }],
              }
            : project,
        ),
      }),
    );
    shop = await idByName(service, 'projects', own('Acme Shop'));
    other = await idByName(service, 'projects', own('Shared B'));
    mobi = await idByName(service, 'partners', own('Mobi Ads'));
    others = await idByName(service, 'partners', own('Other Ads'));
    operator = await readOperator(service, own('operator@adtrail.example'));
    // Before anything was told of: what tests show then.
    const sample = await test_({ template: { method: 'GET', url: url('/sample?tid={tid}&e={event_name}') } });
    expect(sample).toMatchObject({ status: 200, body: { sample: true, answer: { status: 200, error: null } } });
    expect(receiver.at('/sample')[0]?.url).toBe('/sample?tid=click-1&e=purchase');
    receiver.answer('/signup', 404);
    await installed('one');
    await listAttempts('tid=one', 2);
    await send('signup', { install_id: 'install-one' });
    await listAttempts('tid=one', 3);
    await installed('two');
    await listAttempts('tid=two', 2);
    await installed('three', 'others', own(OTHER_TOKEN));
    await send('install', { install_id: 'organic' });
    await listAttempts('from=2026-01-01', 9);
    await nothingWaits();
  }, 360_000);
  afterAll(async () => {
    await receiver?.close();
  });

  test('an attempt is shown with what was sent, for whom, and what came of it', async () => {
    const [signup] = (await log('event=signup')).attempts;
    expect(signup).toEqual({
      attempted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      postback_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      attempt: 1,
      kind: 'postback',
      project: { id: shop, name: own('Acme Shop') },
      partner: { id: mobi, name: own('Mobi Ads') },
      webhook_id: null,
      event: 'signup',
      install_id: 'install-one',
      tid: 'one',
      host: host(),
      method: 'GET',
      // By a template of the partner: it alone sees the request.
      url: null,
      body: null,
      macros: ['tid'],
      outcome: 'dead',
      status: 404,
      latency_ms: expect.any(Number) as number,
      error: 'answered 404',
      next_attempt_at: null,
      is_replay: false,
    });
    const toPartner = await service.admin('GET', `/partners/${mobi}/postbacks/log?event=signup`);
    expect((toPartner.body as Page).attempts[0]).toMatchObject({ url: url('/signup?tid=one&key=***') });
    const [hook] = (await log('kind=webhook&tid=one')).attempts;
    expect(hook).toMatchObject({ kind: 'webhook', partner: null, webhook_id: expect.any(Number) as number });
    webhookId = hook?.webhook_id as number;
  });

  test('it is found by each filter, the latest first', async () => {
    const { attempts } = await log();
    expect(attempts).toHaveLength(9);
    expect(attempts.at(-1)).toMatchObject({ outcome: 'test', install_id: 'install-1' });
    const times = attempts.map((one) => one.attempted_at);
    expect(times).toEqual([...times].sort().reverse());
    const [{ postback_id: id }] = (await log('event=signup')).attempts as [Attempt];
    expect(await listTids('install_id=install-two')).toEqual(['two', 'two']);
    expect(await listTids('tid=three')).toEqual(['three', 'three']);
    expect(await listTids(`postback_id=${id.toUpperCase()}`)).toEqual(['one']);
    expect(await listTids(`partner_id=${others}`)).toEqual(['three']);
    expect(await listTids(`webhook_id=${webhookId}`)).toHaveLength(4);
    expect(await listTids('kind=postback&event=install&outcome=sent')).toEqual(['three', 'two', 'one']);
    expect(await listTids(`destination=${host()}`)).toHaveLength(9);
    expect(await listTids('destination=elsewhere.example')).toEqual([]);
    expect(await listTids('outcome=dead')).toEqual(['one']);
    expect(await listTids('outcome=test')).toEqual(['click-1']);
    expect(await listTids(`from=${today()}&to=${today()}`)).toHaveLength(9);
    expect(await listTids('to=2026-01-01')).toEqual([]);
    expect(await listTids(`postback_id=${UNKNOWN_ID}`)).toEqual([]);
  });

  test('pages go on where the one before ended, and end', async () => {
    const all = (await log()).attempts;
    const found: Attempt[] = [];
    let before: string | null = '';
    for (let pages = 0; before !== null && pages < 10; pages++) {
      const page: Page = await log(`limit=2${before && `&before=${before}`}`);
      expect(page.attempts.length).toBeLessThanOrEqual(2);
      found.push(...page.attempts);
      before = page.next_before;
    }
    expect(found).toEqual(all);
  });

  test('a wrong parameter is refused by name', async () => {
    const msg = 'limit: must be a whole number from 1 to 200';
    const answer = await service.admin('GET', `/projects/${shop}/postbacks/log?limit=201`);
    expect(answer).toEqual({ status: 400, body: { msg, status: 400 } });
  });

  test('a partner sees what it was told itself, with the admin token and with its own', async () => {
    const told = await service.admin('GET', `/partners/${mobi}/postbacks/log?project_id=${shop}`);
    expect((told.body as Page).attempts.map(({ tid }) => tid)).toEqual(['two', 'one', 'one']);
    const asked = async (token: string, query = '') => {
      const answer = await service.request(`/v1/postbacks/log?${query}`, { headers: { 'X-Service-Token': token } });
      return { status: answer.status, body: (await answer.json()) as Page };
    };
    expect((await asked(own(TOKEN))).body).toEqual(told.body);
    const { attempts } = (await asked(own(OTHER_TOKEN))).body;
    expect(attempts).toMatchObject([
      { tid: 'three', partner: { name: own('Other Ads') }, project: { name: own('Acme Shop') } },
    ]);
    // Nothing of others, whatever is asked for.
    expect((await asked(own(OTHER_TOKEN), `tid=one&partner_id=${mobi}`)).body.attempts).toEqual([]);
    expect((await asked(own(OTHER_TOKEN), `project_id=${other}`)).body.attempts).toEqual([]);
    expect((await asked(own(OTHER_TOKEN), 'outcome=test')).body.attempts).toEqual([]);
    expect(await asked('nonsense')).toMatchObject({ status: 401 });
    expect((await service.request('/v1/postbacks/log')).status).toBe(401);
    expect((await service.request('/v1/postbacks/log', { method: 'POST' })).status).toBe(405);
    expect((await service.request('/v1/postbacks/nothing')).status).toBe(404);
  });

  test('roles: who may look, who may send, and whose things are not there', async () => {
    const { body } = await service.admin('GET', '/accounts');
    const accounts = body.accounts as { id: number; name: string }[];
    const account = (name: string) => ({ account_id: accounts.find((one) => one.name === own(name))?.id as number });
    const analyst = await findPerson(service, operator, 'analyst', account('Acme'), own('analyst@adtrail.example'));
    const viewer = await findPerson(service, operator, 'viewer', account('Acme'), own('viewer@adtrail.example'));
    const admin = await findPerson(service, operator, 'admin', account('Acme'), own('admin@adtrail.example'));
    const stranger = await findPerson(service, operator, 'owner', account('Beta'), own('owner@adtrail.example'));
    const partner = await findPerson(
      service,
      operator,
      'partner_viewer',
      { partner_id: mobi },
      own('partner_viewer@adtrail.example'),
    );
    const partnerAdmin = await findPerson(
      service,
      operator,
      'partner_admin',
      { partner_id: mobi },
      own('partner_admin@adtrail.example'),
    );
    const statuses = async (at: string, given: readonly Browser[], send?: Json) =>
      Promise.all(given.map(async (one) => (await one.send(send ? 'POST' : 'GET', `/admin/v1${at}`, send)).status));
    const people = [analyst, viewer, admin, stranger, partner];
    expect(await statuses(`/projects/${shop}/postbacks/log`, people)).toEqual([200, 403, 200, 404, 404]);
    expect(await statuses(`/projects/${shop}/postbacks/pending`, people)).toEqual([200, 403, 200, 404, 404]);
    expect(await statuses(`/partners/${mobi}/postbacks/log`, people)).toEqual([404, 404, 404, 404, 200]);
    expect(await statuses(`/partners/${mobi}/postbacks/pending`, people)).toEqual([404, 404, 404, 404, 200]);
    expect(await statuses(`/partners/${others}/postbacks/log`, [partner])).toEqual([404]);
    const nothing = { postback_id: UNKNOWN_ID };
    expect(await statuses(`/projects/${shop}/postbacks/replay`, people, nothing)).toEqual([403, 403, 200, 404, 404]);
    const sent = { template: { method: 'GET', url: url('/role') } };
    expect(await statuses(`/projects/${shop}/postbacks/test`, people, sent)).toEqual([403, 403, 200, 404, 404]);
    const testers = [analyst, partner, partnerAdmin];
    expect(await statuses(`/partners/${mobi}/postbacks/test`, testers, sent)).toEqual([404, 403, 200]);
    expect(await statuses(`/partners/${others}/postbacks/test`, testers, sent)).toEqual([404, 404, 404]);
    expect((await service.admin('GET', '/projects/999999/postbacks/log')).status).toBe(404);
    expect((await service.admin('GET', '/partners/999999/postbacks/log')).status).toBe(404);
    expect((await service.request(`/admin/v1/projects/${shop}/postbacks/log`)).status).toBe(401);
  });

  test('one message is sent once more, under its own ID', async () => {
    const [{ postback_id }] = (await log('tid=two&kind=postback')).attempts as [Attempt];
    const count = receiver.at('/mobi').length;
    expect(await replay({ postback_id })).toEqual({ would_send: 1 });
    expect(await replay({ postback_id, dry_run: false })).toEqual({ sent: 1 });
    await receiver.waitFor('/mobi', count + 1);
    const again = await listAttempts(`postback_id=${postback_id}`, 2);
    await nothingWaits();
    expect(again[0]).toMatchObject({ is_replay: true, outcome: 'sent', tid: 'two' });
    expect(await replay({ postback_id: UNKNOWN_ID, dry_run: false })).toEqual({ sent: 0 });
  });

  test('a day, and a selection of it, are counted first and then sent', async () => {
    const days = { from: today(), to: today() };
    // Three installs to partners, four to the webhook, one sign-up.
    expect(await replay(days)).toEqual({ would_send: 8 });
    expect(await replay({ ...days, event: 'install' })).toEqual({ would_send: 7 });
    expect(await replay({ ...days, partner_id: mobi })).toEqual({ would_send: 3 });
    expect(await replay({ ...days, partner_id: mobi, event: 'install' })).toEqual({ would_send: 2 });
    expect(await replay({ ...days, webhook_id: webhookId })).toEqual({ would_send: 4 });
    expect(await replay({ ...days, install_id: 'install-one' })).toEqual({ would_send: 3 });
    // Only those messages about an event that have ended so.
    expect(await replay({ ...days, outcome: 'dead' })).toEqual({ would_send: 1 });
    expect(await replay({ ...days, outcome: 'sent' })).toEqual({ would_send: 7 });
    expect(await replay({ ...days, event: 'rejected' })).toEqual({ would_send: 0 });
    expect(await replay({ from: '2026-01-01', to: '2026-01-02' })).toEqual({ would_send: 0 });
    receiver.answer('/signup', 200);
    expect(await replay({ ...days, outcome: 'dead', dry_run: false })).toEqual({ sent: 1 });
    await listAttempts('event=signup&outcome=sent', 1);
    await nothingWaits();
    expect(await replay({ ...days, outcome: 'dead' })).toEqual({ would_send: 0 });
    expect(service.output()).toContain(`Project ${shop} sends 1 messages once more, as admin token asked`);
  });

  test('what waits is counted, and is not sent twice', async () => {
    receiver.answer('/hook', 'hang');
    const days = { from: today(), to: today(), webhook_id: webhookId };
    const { sent } = (await replay({ ...days, install_id: 'install-one', dry_run: false })) as { sent: number };
    expect(sent).toBe(1);
    expect(await pending(`/projects/${shop}`)).toEqual({
      pending: 1,
      oldest_seconds: expect.any(Number) as number,
      hosts: [{ host: host(), pending: 1, oldest_seconds: expect.any(Number) as number }],
      complete: true,
    });
    const none = { pending: 0, oldest_seconds: null, hosts: [], complete: true };
    expect(await pending(`/projects/${other}`)).toEqual(none);
    expect(await pending(`/partners/${mobi}`)).toEqual(none);
    const asked = await service.request('/v1/postbacks/pending', { headers: { 'X-Service-Token': own(TOKEN) } });
    expect(await asked.json()).toEqual(none);
    expect(await replay({ ...days, install_id: 'install-one' })).toEqual({ would_send: 0 });
    expect(await replay({ ...days, install_id: 'install-one', dry_run: false })).toEqual({ sent: 0 });
    receiver.answer('/hook', 200);
    await nothingWaits();
  });

  test('a replay of what is not one is refused', async () => {
    const msg = 'body: "postback_id", or "from" and "to", are required';
    expect(await replay({})).toEqual({ status: 400, body: { msg, status: 400 } });
  });

  test('many events are taken page by page, each once', async () => {
    await service.apply(
      own.document({
        projects: [
          {
            name: 'Shared B',
            account: 'Beta',
            timezone: 'UTC',
            webhooks: [{ url: url('/many'), events: ['*'] }],
          },
        ],
      }),
    );
    // Many at the same time, and some that two runs have found.
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.outbox_events (run_id, subject, project_id, install_id, partner_id, type, event,
          suspicious, event_time, received_at, macros)
        SELECT number % 2, reinterpretAsUUID(sipHash128(intDiv(number, 2))), ${other}, toString(intDiv(number, 14)), 0,
          if(number % 14 < 2, 'install', 'open') AS type, type, 0, toDateTime64('2026-02-01 00:00:00', 3, 'UTC')
          + intDiv(number, 7000), toDateTime64('2026-02-01 00:00:00', 3, 'UTC'), map('install_id', 'many')
        FROM numbers(24000)`,
    });
    const days = { from: '2026-02-01', to: '2026-02-01' };
    const ask = async (more: Json = {}) =>
      (await service.admin('POST', `/projects/${other}/postbacks/replay`, { ...days, ...more })).body;
    expect(await ask()).toEqual({ would_send: 12_000 });
    expect(await ask({ event: 'install' })).toEqual({ would_send: 1_715 });
    // What stands between two places is what one request after the other counts.
    const place = (time: string) =>
      Buffer.from(JSON.stringify([1, Date.parse(time), '00000000-0000-0000-0000-000000000000'])).toString('base64url');
    expect(await ask({ after: place('2026-02-01T00:00:03Z') })).toEqual({ would_send: 1_285 });
    expect(await ask({ after: place('2026-02-02T00:00:00Z') })).toEqual({ would_send: 0 });
  });

  const cli = (...args: string[]) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const env = { ...cleanEnvironment(), ADMIN_TOKEN };
      const child = execFile(
        process.execPath,
        [path.join(root, 'dist', 'cli.js'), 'replay-postbacks', '--url', service.url, ...args],
        { env },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  test('from the command line', async () => {
    const days = ['--project', own('Acme Shop'), '--from', today(), '--to', today()];
    const some = [...days, '--partner', own('Other Ads'), '--event', 'install'];
    expect((await cli(...some)).stdout).toBe('would send 1; --send sends them\n');
    const count = receiver.at('/other').length;
    expect((await cli(...some, '--send')).stdout).toBe('sent once more: 1\n');
    await receiver.waitFor('/other', count + 1);
    const { code, stderr } = await cli('--project', own('Acme Shop'));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'adtrail: body: "postback_id", or "from" and "to", are required\n',
    });
    expect((await cli(...days, '--partner', 'Nobody')).stderr).toBe('adtrail: There is no partner Nobody.\n');
  });

  test('a template is tried out with an install, marked as a test, and in the log as one', async () => {
    const headers = { Authorization: 'Bearer hidden', 'X-Sub': '{tid}' };
    const template = { method: 'POST', url: url('/try?tid={tid}&gaid={gaid}'), headers, body: { e: '{event_name}' } };
    const asked = { template, install_id: 'install-one', event: 'install', withhold: ['device_ids'] };
    receiver.answer('/try', 500);
    const { status, body } = await test_(asked);
    expect(status).toBe(200);
    expect(body).toEqual({
      postback_id: expect.any(String) as string,
      sample: false,
      request: {
        method: 'POST',
        url: url('/try?tid=one&gaid='),
        headers: {
          'user-agent': 'adtrail',
          authorization: '***',
          'x-sub': 'one',
          'content-type': 'application/json',
          'x-adtrail-test': 'true',
        },
        body: '{"e":"install"}',
      },
      answer: { status: 500, latency_ms: expect.any(Number) as number, error: null },
    });
    const [got] = receiver.at('/try');
    expect(got?.headers).toMatchObject({ authorization: 'Bearer hidden', 'x-adtrail-test': 'true' });
    const [attempt] = (await log(`postback_id=${String(body.postback_id)}`)).attempts;
    expect(attempt).toMatchObject({ outcome: 'test', status: 500, tid: 'one', event: 'install', partner: null });
    // Once, whatever came of it.
    expect(receiver.at('/try')).toHaveLength(1);
  });

  test('a request is made of what is told of an install, and not sent', async () => {
    const template = { method: 'GET', url: url('/dry?tid={tid}') };
    const { body } = await test_({ template, install_id: 'install-one', dry_run: true });
    expect(body).toMatchObject({ sample: false, request: { url: url('/dry?tid=one') }, answer: null });
    expect(receiver.at('/dry')).toEqual([]);
    expect((await log(`postback_id=${String(body.postback_id)}`)).attempts).toEqual([]);
  });

  test('a partner tries its template out with sample values, and finds that in its log', async () => {
    const template = { method: 'GET', url: url('/own?i={install_id}&e={event_name}') };
    const at = `/partners/${mobi}/postbacks`;
    const { status, body } = await service.admin('POST', `${at}/test`, { template, event: 'install' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ sample: true, answer: { status: 200 } });
    expect(receiver.at('/own')).toHaveLength(1);
    expect(receiver.at('/own')[0]?.url).not.toContain('install-one');
    const { attempts } = (await service.admin('GET', `${at}/log?outcome=test&postback_id=${String(body.postback_id)}`))
      .body;
    expect(attempts).toMatchObject([{ postback_id: body.postback_id, project: null, partner: { id: mobi } }]);
    const refused = await service.admin('POST', `${at}/test`, { template, install_id: 'install-one' });
    expect(refused.status).toBe(400);
    expect((await service.admin('POST', '/partners/999999/postbacks/test', { template })).status).toBe(404);
  });

  test('a webhook is tried out, signed', async () => {
    const count = receiver.at('/hook').length;
    const { body } = await test_({ webhook_id: webhookId, install_id: 'organic' });
    expect(body).toMatchObject({ request: { headers: { 'webhook-signature': '***' } }, answer: { status: 200 } });
    const got = receiver.at('/hook')[count];
    expect(JSON.parse(got?.body ?? '')).toMatchObject({ type: 'install', data: { install_id: 'organic' } });
    expect(got?.headers).toMatchObject({ 'webhook-id': body.postback_id, 'x-adtrail-test': 'true' });
  });

  test('a test goes to public addresses only, like everything else', async () => {
    const { body } = await test_({ template: { method: 'GET', url: 'http://127.0.0.2:9/' } });
    expect(body.answer).toMatchObject({ status: null, error: '127.0.0.2 is not a public address' });
  });

  test.each<[Json, number, string]>([
    [{}, 400, 'body: either "template" or "webhook_id" is required'],
    [{ template: { method: 'GET', url: 'https://a.example/{x}' } }, 400, 'template.url: there is no macro {x}'],
    [{ template: { method: 'GET', url: 'https://a.example' }, install_id: 'no-one' }, 404, 'Install not found.'],
    [{ webhook_id: 999_999 }, 404, 'Webhook not found.'],
  ])('a test of %j is refused', async (body, status, msg) => {
    expect(await test_(body)).toEqual({ status, body: { msg, status } });
  });

  test('who tests waits for one test before the next', async () => {
    receiver.answer('/slow', 'hang');
    const first = test_({ template: { method: 'GET', url: url('/slow') } });
    await receiver.waitFor('/slow');
    expect((await test_({ template: { method: 'GET', url: url('/slow') } })).status).toBe(429);
    expect((await first).body.answer).toMatchObject({ status: null, error: 'no answer within 10 seconds' });
  });

  test('the attempts of a day are exported', async () => {
    const get = (query: string) =>
      service.request(`/api/v1/export/postbacks?${query}`, { headers: { 'service-key': KEY } });
    const answer = await get(`from=${today()}&to=${today()}`);
    const lines = (await answer.text()).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Json);
    expect(rows.length).toBe((await log('limit=200')).attempts.length);
    expect(rows[0]).toMatchObject({ project_id: shop, kind: expect.any(String) as string });
    const age = Date.now() - Date.parse(answer.headers.get('Complete-Until') ?? '');
    expect(age).toBeGreaterThanOrEqual(5 * 60_000);
    const csv = await (await get(`from=${today()}&to=${today()}&format=csv`)).text();
    expect(csv).toMatch(/^project_id,attempted_at,postback_id,attempt,kind,/);
    expect(await (await get('from=2026-01-01&to=2026-01-02')).text()).toBe('');
  });
});
