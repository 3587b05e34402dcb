/** Secrets of postbacks: who sets them, that they are sent, and that nobody is shown them, on either side. */
import crypto from 'node:crypto';
import { collectApp, appEvent } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { readOperator, findPerson, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { startReceiver, type Receiver } from '../../support/deliveries/receiver';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { TOKEN, workspaceWithServerKey } from '../../support/workspace/workspace';

const own = ownNames('postback-secrets');
const KEY = own('server-key');
/** What no answer, log or export may have. */
const HIDDEN = {
  path: 'hidden-path-2f7c',
  query: 'hidden-query-9a1d',
  header: 'hidden-header-41be',
  body: 'hidden-body-c07e',
  plain: 'plain-path-77aa',
  override: 'hidden-override-5d5d',
  later: 'hidden-later-1212',
};
const HOUR_MS = 3_600_000;

const service = sharedService();
let receiver: Receiver;
let operator: Browser;
const who: Record<string, Browser> = {};
let [shop, mobi, acme] = [0, 0, 0];
const url = (at: string) => `${receiver.url}${at}`;

/** The partner's: secrets in every place, and one that stands in the path as text, as before there was a place. */
const template = () => ({
  method: 'POST',
  url: url(`/${HIDDEN.plain}/{secret:in_path}/pb?k={secret:in_query}&t={tid}`),
  headers: { Authorization: 'Bearer {secret:in_header}', 'X-Plain': 'plain-header-6e6e' },
  body: { auth: '{secret:in_body}', event: '{event_name}', install: '{install_id}' },
});
const override = () => ({ method: 'GET', url: url('/own?k={secret:own}&i={install_id}') });

beforeAll(async () => {
  receiver = await startReceiver();
  await service.apply(own.document(workspaceWithServerKey('server-key')));
  operator = await readOperator(service, own('operator@adtrail.example'));
  [shop, mobi] = [
    await idByName(service, 'projects', own('Acme Shop')),
    await idByName(service, 'partners', own('Mobi Ads')),
  ];
  const { accounts } = (await service.admin('GET', '/accounts')).body as { accounts: { id: number; name: string }[] };
  acme = accounts.find(({ name }) => name === own('Acme'))?.id as number;
  for (const role of ['owner', 'admin', 'analyst', 'engineer'])
    who[role] = await findPerson(service, operator, role, { account_id: acme }, own(`${role}@adtrail.example`));
  for (const role of ['partner_admin', 'partner_viewer'])
    who[role] = await findPerson(service, operator, role, { partner_id: mobi }, own(`${role}@adtrail.example`));
}, 180_000);
afterAll(async () => {
  await receiver?.close();
});

const as = (role: string) => who[role] as Browser;
const ofPartner = (end = '') => `/admin/v1/partners/${mobi}${end}`;
const ofProject = (end = '') => `/admin/v1/projects/${shop}${end}`;
const hasNone = (text: string, except: readonly string[] = []) => {
  for (const hidden of Object.values(HIDDEN)) if (!except.includes(hidden)) expect(text).not.toContain(hidden);
};
/** The text of an answer, in which nothing is that nobody is shown. */
const readText = async (browser: Browser, path: string, headers: Record<string, string> = {}) => {
  const response = await service.request(path, {
    headers: { Cookie: browser.cookie, Origin: service.url, ...headers },
  });
  expect(response.status).toBe(200);
  return response.text();
};
const installed = async (tid: string) => {
  const gaid = crypto.randomUUID();
  const query = new URLSearchParams({ c: 'AbC123', tid, gaid, click_time: String(Date.now() - HOUR_MS) });
  const clicked = await service.request(`/v1/click/com.acme.shop?${query}`, {
    headers: { 'X-Service-Token': own(TOKEN) },
  });
  expect(clicked.status).toBe(200);
  const event = appEvent('install', { install_id: `install-${tid}`, gaid });
  expect((await collectApp(service, [event], { 'service-key': KEY })).accepted).toBe(1);
};
const findAttempt = (browser: Browser, path: string, tid: string) =>
  eventually(`an attempt of ${tid}`, async () => {
    const { body } = await browser.send('GET', `${path}?tid=${tid}`);
    return (body.attempts as Record<string, unknown>[])[0];
  });

describe('who sets them', () => {
  const put = (browser: Browser, name: string, value: unknown, at = ofPartner) =>
    browser.send('PUT', at(`/postback_secrets/${name}`), { value });

  test('of a partner, those who change its templates; names are all that is shown', async () => {
    const first = await put(as('partner_admin'), 'in_path', HIDDEN.later);
    expect(first).toMatchObject({ status: 200, body: { name: 'in_path' } });
    for (const [name, value] of [
      ['in_path', HIDDEN.path],
      ['in_query', HIDDEN.query],
      ['in_header', HIDDEN.header],
      ['in_body', HIDDEN.body],
    ] as const) {
      const { status, body } = await put(as('partner_admin'), name, value);
      expect([status, Object.keys(body)]).toEqual([200, ['name', 'created_at', 'changed_at']]);
    }
    expect((await put(as('partner_viewer'), 'in_path', 'x')).status).toBe(403);
    for (const role of ['owner', 'admin', 'analyst', 'engineer']) {
      expect((await put(as(role), 'in_path', 'x')).status).toBe(404);
      expect((await as(role).send('GET', ofPartner('/postback_secrets'))).status).toBe(404);
    }
    for (const role of ['partner_admin', 'partner_viewer']) {
      const text = await readText(as(role), ofPartner('/postback_secrets'));
      hasNone(text);
      const { postback_secrets: list } = JSON.parse(text) as { postback_secrets: { name: string }[] };
      expect(list.map(({ name }) => name)).toEqual(['in_body', 'in_header', 'in_path', 'in_query']);
    }
  });

  test('of a project, those who change its overrides', async () => {
    expect((await put(as('admin'), 'own', HIDDEN.override, ofProject)).status).toBe(200);
    for (const role of ['analyst', 'engineer']) expect((await put(as(role), 'own', 'x', ofProject)).status).toBe(403);
    for (const role of ['partner_admin', 'partner_viewer'])
      expect((await put(as(role), 'own', 'x', ofProject)).status).toBe(404);
  });

  test.each([
    ['A', 'x', 'name: must have 1 to 64 lower-case letters, digits and underscores'],
    ['a', '', 'value: must match'],
    ['a', 'é', 'value: must match'],
    ['a', ' x', 'value: must match'],
    ['a', 'x'.repeat(1025), 'value: must'],
    ['a', 7, 'value: must be string'],
  ])('%s = %j is refused by its field', async (name, value, msg) => {
    const { status, body } = await put(operator, name, value);
    expect([status, body.msg]).toEqual([400, expect.stringContaining(msg.split(':')[0] as string)]);
  });
});

describe('a template that names them', () => {
  test('is refused where it names one that its owner does not have', async () => {
    const wrong = { method: 'GET', url: url('/pb?k={secret:nope}') };
    const msg = 'url: there is no secret {secret:nope}';
    for (const path of [ofPartner('/postbacks/install'), ofProject('/postback_overrides/install')])
      expect(await operator.send('PUT', path, wrong)).toMatchObject({ status: 400, body: { msg } });
    // Nobody sends the other side's secrets anywhere.
    const theirs = { method: 'GET', url: url('/pb?k={secret:in_query}') };
    expect((await as('admin').send('PUT', ofProject('/postback_overrides/install'), theirs)).status).toBe(400);
    const test = await as('admin').send('POST', ofProject('/postbacks/test'), { template: theirs });
    expect(test).toMatchObject({ status: 400, body: { msg: 'template.url: there is no secret {secret:in_query}' } });
    expect(
      (
        await service.admin('PUT', '/workspace', {
          partners: [{ name: own('Mobi Ads'), postbacks: [{ event: 'install', ...wrong }] }],
        })
      ).body.msg,
    ).toBe('partners[0].postbacks[0].url: there is no secret {secret:nope}');
  });

  test('is kept as it is written, previewed and tried out with blanks, and a used secret stays', async () => {
    const kept = await as('partner_admin').send('PUT', ofPartner('/postbacks/install'), template());
    expect(kept).toMatchObject({ status: 200, body: { url: template().url, headers: template().headers } });
    for (const [path, body] of [
      ['/postbacks/preview', template()],
      ['/postbacks/test', { template: template(), dry_run: true }],
    ] as const) {
      const { status, body: answer } = await as('partner_admin').send('POST', ofPartner(path), body);
      expect(status).toBe(200);
      const text = JSON.stringify(answer);
      hasNone(text, [HIDDEN.plain]);
      expect(text).toContain(`/${HIDDEN.plain}/***/pb?k=***&t=`);
    }
    expect(await as('partner_admin').send('DELETE', ofPartner('/postback_secrets/in_body'))).toMatchObject({
      status: 409,
      body: { msg: 'The template of install uses it.' },
    });
    expect((await as('partner_admin').send('DELETE', ofPartner('/postback_secrets/nothing'))).status).toBe(404);
  });

  test('is sent with them, and a test too, whose answer has blanks', async () => {
    await installed('one');
    const at = `/${HIDDEN.plain}/${HIDDEN.path}/pb`;
    const [sent] = await receiver.waitFor(at);
    expect(sent?.query.get('k')).toBe(HIDDEN.query);
    expect(sent?.headers.authorization).toBe(`Bearer ${HIDDEN.header}`);
    expect(JSON.parse(sent?.body ?? '')).toEqual({ auth: HIDDEN.body, event: 'install', install: 'install-one' });
    const tested = await as('partner_admin').send('POST', ofPartner('/postbacks/test'), { template: template() });
    expect(tested).toMatchObject({ status: 200, body: { answer: { status: 200 } } });
    hasNone(JSON.stringify(tested.body), [HIDDEN.plain]);
    expect(receiver.at(at)).toHaveLength(2);
  });
});

describe('what each side is shown', () => {
  const macros = ['tid', 'event_name', 'install_id'];

  test('of what a partner has set: to it the request with blanks, to an account host, status and macros', async () => {
    for (const role of ['owner', 'admin', 'analyst', 'engineer']) {
      const shown = await findAttempt(as(role), ofProject('/postbacks/log'), 'one');
      expect(shown).toMatchObject({ host: `127.0.0.1:${receiver.port}`, status: 200, url: null, body: null, macros });
      hasNone(JSON.stringify(shown));
    }
    for (const role of ['partner_admin', 'partner_viewer']) {
      const shown = await findAttempt(as(role), ofPartner('/postbacks/log'), 'one');
      expect(shown).toMatchObject({ url: url(`/${HIDDEN.plain}/***/pb?k=***&t=one`), macros });
      hasNone(JSON.stringify(shown), [HIDDEN.plain]);
    }
    const log = await service.request('/v1/postbacks/log', { headers: { 'X-Service-Token': own(TOKEN) } });
    hasNone(await log.text(), [HIDDEN.plain]);
  });

  test('of what a project overrides: the same the other way round', async () => {
    expect((await as('admin').send('PUT', ofProject('/postback_overrides/install'), override())).status).toBe(200);
    await installed('two');
    const [sent] = await receiver.waitFor('/own');
    expect(sent?.query.get('k')).toBe(HIDDEN.override);
    const toProject = await findAttempt(as('analyst'), ofProject('/postbacks/log'), 'two');
    expect(toProject).toMatchObject({ url: url('/own?k=***&i=install-two'), macros: ['install_id'] });
    for (const role of ['partner_admin', 'partner_viewer']) {
      const toPartner = await findAttempt(as(role), ofPartner('/postbacks/log'), 'two');
      expect(toPartner).toMatchObject({ url: null, body: null, status: 200, macros: ['install_id'] });
    }
  });

  test('values of headers only to those who change the templates', async () => {
    const headersFor = async (role: string) =>
      ((await as(role).send('GET', ofPartner('/postbacks'))).body.postbacks as { headers: object }[])[0]?.headers;
    expect(await headersFor('partner_admin')).toEqual(template().headers);
    expect(await headersFor('partner_viewer')).toEqual({ Authorization: '***', 'X-Plain': '***' });
  });

  test('nothing by SQL, exports, the audit log and what the service writes', async () => {
    const rows = await service.rows<{ url: string; body: string }>('SELECT url, body FROM analytics.postbacks');
    hasNone(JSON.stringify(rows));
    const stored = await service.rows('SELECT * FROM adtrail.postbacks');
    hasNone(JSON.stringify(stored), [HIDDEN.plain]);
    const today = new Date().toISOString().slice(0, 10);
    const exported = await service.request(`/api/v1/export/postbacks?from=${today}&to=${today}&format=ndjson`, {
      headers: { 'service-key': KEY },
    });
    const file = await exported.text();
    expect([exported.status, file.includes('install-one')]).toEqual([200, true]);
    hasNone(file);
    hasNone(await readText(as('owner'), `/auth/v1/audit-log?account_id=${acme}`));
    const audit = await readText(operator, '/auth/v1/audit-log?subject=postback_secrets&limit=1000');
    expect(audit).toContain('postback_secrets');
    hasNone(audit, [HIDDEN.plain]);
    hasNone(service.output());
    const postgres = readPostgres(service);
    const tables = ['postback_secrets', 'postback_templates', 'audit_log', 'outbox'];
    for (const table of tables) {
      const text = JSON.stringify(await postgres.rows(`SELECT * FROM ${table}`));
      hasNone(text, [HIDDEN.plain]);
      expect(text).not.toContain('plain-header-6e6e');
    }
    await postgres.close();
  });

  test('a secret set anew counts at once, one by the workspace too, and a free one can be deleted', async () => {
    await as('admin').send('DELETE', ofProject('/postback_overrides/install'));
    const given = {
      partners: [{ name: own('Mobi Ads'), postback_secrets: [{ name: 'in_path', value: HIDDEN.later }] }],
    };
    expect(await service.apply(given)).toMatchObject({ updated: 1, created: 0 });
    expect(await service.apply(given)).toMatchObject({ updated: 0, created: 0 });
    await installed('three');
    await receiver.waitFor(`/${HIDDEN.plain}/${HIDDEN.later}/pb`);
    expect((await as('admin').send('DELETE', ofProject('/postback_secrets/own'))).status).toBe(204);
    expect((await as('admin').send('GET', ofProject('/postback_secrets'))).body).toEqual({ postback_secrets: [] });
  });
});
