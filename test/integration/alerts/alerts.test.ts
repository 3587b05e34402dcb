/** Alerts: judged on complete days, told once; mails, webhooks, Slack; who may (docs/contract/alerts.md). */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { addDays } from '../../../src/lib/time';
import { caughtUp } from '../../support/caught-up';
import { startReceiver, type Receiver } from '../../support/deliveries/receiver';
import { startSmtp, type SmtpReceiver } from '../../support/deliveries/smtp';
import { readBrowser, findPerson, readOperator, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { postEvents } from '../../support/reports/app-report';
import { eventually, freePort, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';
import { scheduledReports } from './schedules.scenario';

const shared = sharedService();
const own = ownNames('alerts');
const TODAY = new Date().toISOString().slice(0, 10);
const YESTERDAY = addDays(TODAY, -1);
const postgres = readPostgres(shared);
let service: RunningService;
let second: RunningService;
let smtp: SmtpReceiver;
let receiver: Receiver;
let analyst: Browser;
let viewer: Browser;
let stranger: Browser;
let project: number;
let other: number;
let partner: number;

type Json = Record<string, unknown>;
interface Alert extends Json {
  id: number;
  receivers: { id: number; kind: string; to: string; unsubscribed_at: string | null }[];
  state: { state: string; reason: string | null; range?: { from: string; to: string }; firing: { value: string }[] };
}
interface Event {
  kind: string;
  why: string[];
  details: { range: Json; values: Json[]; count: number };
  messages: { to: string; state: string; error: string; attempts: number }[];
}

beforeAll(async () => {
  [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { SMTP_URL: smtp.url, SMTP_FROM: 'adtrail@adtrail.example', LIMIT_IP: 'off', LIMIT_MANAGEMENT: 'off' };
  const roles = { ROLES: 'api,attribution,links' };
  [service, second] = await Promise.all([
    startBeside(shared, { ...env, ...roles, PORT: String(port), PUBLIC_URL: url }),
    startBeside(shared, { ...env, ...roles, PUBLIC_URL: url }),
  ]);
  const app = (name: string) => ({ platform: 'ANDROID', app_id: `com.alerts.${name}` });
  await shared.apply(
    own.document({
      accounts: [{ name: 'Acme' }, { name: 'Beta' }],
      partners: [{ name: 'Mobi Ads', tokens: ['token'] }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          created_at: '2025-01-01T00:00:00Z',
          server_keys: ['key'],
          apps: [app('shop')],
          partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
          campaigns: [{ display_id: 'spring', name: 'Spring', partner: 'Mobi Ads' }],
        },
        { name: 'Other', account: 'Beta', timezone: 'UTC', server_keys: ['other'], apps: [app('other')] },
      ],
    }),
  );
  const list = async (kind: string) =>
    (await shared.admin('GET', `/${kind}`)).body[kind] as { id: number; name: string }[];
  const find = async (kind: string, name: string) => (await list(kind)).find((one) => one.name === own(name))?.id ?? 0;
  [project, other, partner] = await Promise.all([
    find('projects', 'Shop'),
    find('projects', 'Other'),
    find('partners', 'Mobi Ads'),
  ]);
  const [acme, beta] = await Promise.all([find('accounts', 'Acme'), find('accounts', 'Beta')]);
  // Whom the shared service invites is shown the link: it sends no mails.
  const inviter = await readOperator(shared, 'oleg@alerts.example');
  const people = await Promise.all([
    findPerson(shared, inviter, 'analyst', { account_id: acme }, 'ana@alerts.example'),
    findPerson(shared, inviter, 'viewer', { account_id: acme }, 'vera@alerts.example'),
    findPerson(shared, inviter, 'owner', { account_id: beta }, 'bob@alerts.example'),
  ]);
  [analyst, viewer, stranger] = people.map((person) =>
    Object.assign(readBrowser(service), { cookie: person.cookie }),
  ) as [Browser, Browser, Browser];
}, 240_000);

afterAll(async () => {
  await Promise.all([service.dispose(), second.dispose()]);
  await Promise.all([smtp.close(), receiver.close(), postgres.close()]);
});

const as = (browser: Browser, method: string, path: string, body?: unknown, at = project) =>
  browser.send(method, `/api/v1${path}`, body, { 'project-id': String(at) });
async function make(entry: Json): Promise<{ alert: Alert; secrets: { receiver_id: number; secret: string }[] }> {
  const { status, body } = await as(analyst, 'POST', '/alerts', entry);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as never;
}
const read = async (id: number) => (await as(viewer, 'GET', `/alerts/${id}`)).body as Alert;
const events = async (id: number) => (await as(viewer, 'GET', `/alerts/${id}/events`)).body.events as Event[];
/** Judges what is complete once more, as if nobody had. */
async function judgeAgain(id: number): Promise<void> {
  const [row] = await postgres.rows<{ judged_at: Date | null }>('SELECT judged_at FROM alerts WHERE id = $1', [id]);
  await postgres.rows('UPDATE alerts SET judged = NULL, due_at = now() WHERE id = $1', [id]);
  await eventually('the alert is judged again', async () => {
    const sql = 'SELECT judged IS NOT NULL AS done, judged_at FROM alerts WHERE id = $1';
    const [now] = await postgres.rows<{ done: boolean; judged_at: Date }>(sql, [id]);
    return now?.done && now.judged_at.getTime() !== row?.judged_at?.getTime() ? true : undefined;
  });
}
const inState = (id: number, state: string) =>
  eventually(`alert ${id} is ${state}`, async () => {
    const alert = await read(id);
    return alert.state.state === state ? alert : undefined;
  });
const sent = (id: number, count: number) =>
  eventually(`${count} events are told`, async () => {
    const all = await events(id);
    const isDone =
      all.length >= count && all.every(({ messages }) => messages.every(({ state }) => state !== 'waiting'));
    return isDone ? all : undefined;
  });
async function install(count: number, day = YESTERDAY): Promise<void> {
  const made = Array.from({ length: count }, () => ({
    type: 'install',
    event_id: randomUUID(),
    install_id: randomUUID(),
    app_id: 'com.alerts.shop',
    platform: 'ANDROID',
    time: `${day}T12:00:00Z`,
  }));
  await postEvents(shared, own('key'), made);
  await caughtUp(shared);
}
const installs = { source: 'app', metrics: ['installs'], range: 'today' };
const email = (address: string) => ({ kind: 'email', address });

test('on a complete day it fires once in three processes, tells everybody, and says when it is over', async () => {
  await install(3);
  const { alert, secrets } = await make({
    name: 'Few installs',
    question: installs,
    condition: { type: 'threshold', direction: 'below', value: 5 },
    receivers: [
      email('boss@alerts.example'),
      { kind: 'webhook', url: `${receiver.url}/hook` },
      { kind: 'slack', url: `${receiver.url}/slack/secret-path` },
    ],
  });
  expect(secrets).toHaveLength(1);
  const fired = await inState(alert.id, 'firing');
  // Today is not over.
  expect(fired.state.range).toMatchObject({ from: YESTERDAY, to: YESTERDAY });
  expect(fired.receivers.map(({ to }) => to)).toEqual([
    'boss@alerts.example',
    `127.0.0.1:${receiver.port}/…`,
    `127.0.0.1:${receiver.port}/…`,
  ]);
  const [event] = await sent(alert.id, 1);
  expect(event).toMatchObject({
    kind: 'fired',
    details: { count: 1, values: [{ value: '', figure: 3, expected: 5 }] },
    messages: [{ state: 'sent' }, { state: 'sent' }, { state: 'sent' }],
  });
  expect(event?.why.join('\n')).toContain('3 (limit: below 5)');
  const [mail] = await smtp.waitFor('boss@alerts.example');
  expect(mail?.header('Subject')).toBe(`[${own('Shop')}] Few installs: fired`);
  expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(mail?.raw).toContain(`${service.url}/projects/${project}/alerts/${alert.id}`);
  const [hook] = await receiver.waitFor('/hook');
  const payload = new Webhook(secrets[0]?.secret as string).verify(
    hook?.body as string,
    hook?.headers as Record<string, string>,
  );
  expect(payload).toMatchObject({ type: 'alert.fired', data: { alert_id: alert.id, project_id: project } });
  const [slack] = await receiver.waitFor('/slack/secret-path');
  expect(JSON.parse(slack?.body as string)).toEqual({ text: expect.stringContaining('Few installs') as string });

  await judgeAgain(alert.id);
  await judgeAgain(alert.id);
  expect(await events(alert.id)).toHaveLength(1);

  await install(3);
  await judgeAgain(alert.id);
  const [over] = await sent(alert.id, 2);
  expect(over).toMatchObject({ kind: 'over', details: { values: [{ figure: 6, expected: 5 }] } });
  await inState(alert.id, 'fine');
  expect(smtp.to('boss@alerts.example')).toHaveLength(2);
  expect(receiver.at('/hook')).toHaveLength(2);
});

test('a link unsubscribes without signing in: a page asks, a POST does it, and it stays so', async () => {
  const entry = {
    name: 'Unsubscribed',
    question: installs,
    condition: { type: 'threshold', direction: 'above', value: 0 },
    receivers: [email('gone@alerts.example'), email('stays@alerts.example')],
  };
  const { alert } = await make(entry);
  const [mail] = await smtp.waitFor('gone@alerts.example');
  const url = /<(.+)>/.exec(mail?.header('List-Unsubscribe') ?? '')?.[1] as string;
  const path = url.slice(service.url.length);
  const page = await service.request(path);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form method="post">')]);
  expect((await read(alert.id)).receivers[0]?.unsubscribed_at).toBeNull();
  const once = { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  const body = 'List-Unsubscribe=One-Click';
  expect((await service.request(path, { ...once, body })).status).toBe(200);
  expect((await service.request(path, { ...once, body })).status).toBe(200);
  expect((await service.request(path.replace(/.{9}$/, 'AAAAAAAAA'), { ...once, body })).status).toBe(404);
  expect((await service.request('/unsubscribe/WzEsbnVsbCwiYSJd')).status).toBe(404);
  // Taken off the list and put on it again, it is still unsubscribed.
  await as(analyst, 'PUT', `/alerts/${alert.id}`, { ...entry, receivers: [email('stays@alerts.example')] });
  const put = await as(analyst, 'PUT', `/alerts/${alert.id}`, entry);
  const receivers = (put.body.alert as Alert).receivers;
  expect(receivers.map(({ to, unsubscribed_at }) => [to, unsubscribed_at !== null])).toEqual([
    ['gone@alerts.example', true],
    ['stays@alerts.example', false],
  ]);
  await postgres.rows('DELETE FROM alert_breaches WHERE alert_id = $1', [alert.id]);
  await judgeAgain(alert.id);
  const [event] = await sent(alert.id, 2);
  expect(event?.messages.map(({ to }) => to)).toEqual(['stays@alerts.example']);
  expect(smtp.to('gone@alerts.example')).toHaveLength(1);
});

test('it tells when a partner stops sending, and when it sends again', async () => {
  const condition = { type: 'nothing_received', hours: 2, kind: 'click', partner_id: partner };
  const { alert } = await make({ name: 'Silent partner', condition, receivers: [] });
  // Nothing ever came: nobody has stopped.
  const waiting = await inState(alert.id, 'not_judged');
  expect(waiting.state.reason).toBe('nothing_received_ever');
  const before = new Date(Date.now() - 5 * 3_600_000).toISOString().replace('T', ' ').replace('Z', '');
  const [campaign] = await postgres.rows<{ id: number }>(
    "SELECT id FROM campaigns WHERE project_id = $1 AND display_id = 'spring'",
    [project],
  );
  const first = {
    project_id: project,
    bucket: before.slice(0, 10),
    campaign_id: campaign?.id,
    click_id: randomUUID(),
    click_time: before,
    received_at: before,
    partner_id: partner,
    kind: 's2s',
    app_id: 'com.alerts.shop',
    tid: 'silent',
    version: Number.MAX_SAFE_INTEGER - (Date.now() - 5 * 3_600_000) * 1000,
  };
  const later = new Date(Date.now() - 4 * 3_600_000).toISOString().replace('T', ' ').replace('Z', '');
  const repeat = {
    ...first,
    received_at: later,
    version: Number.MAX_SAFE_INTEGER - (Date.now() - 4 * 3_600_000) * 1000,
  };
  for (const values of [[first], [repeat]])
    await shared.clickhouse.insert({ table: 'adtrail.clicks', format: 'JSONEachRow', values });
  expect(alert).toMatchObject({ partner: expect.stringContaining('Mobi Ads') as string, saved: null });
  // By hour, each once: what its chart is made of. What came on another day, or of others, is not there.
  const hours = await as(viewer, 'GET', `/alerts/${alert.id}/hours`);
  const hour = `${before.slice(0, 13).replace(' ', 'T')}:00:00.000Z`;
  expect(hours.body.hours).toEqual([{ hour, value: '', amount: 1 }]);
  // A machine that is lost, with what its log may have held, is not waited for.
  const lost = randomUUID();
  await postgres.rows(
    `INSERT INTO ingest_processes (name, host, published_at, received_up_to, backlog)
     VALUES ($1, 'lost', now() - interval '6 hours', now() - interval '6 hours', '[]')`,
    [lost],
  );
  try {
    await judgeAgain(alert.id);
    await inState(alert.id, 'firing');
  } finally {
    await postgres.rows('DELETE FROM ingest_processes WHERE name = $1', [lost]);
  }
  const query = new URLSearchParams({ c: 'spring', tid: randomUUID(), gaid: randomUUID() });
  const click = await shared.request(`/v1/click/com.alerts.shop?${query.toString()}`, {
    headers: { 'X-Service-Token': own('token') },
  });
  expect(click.status).toBeLessThan(300);
  await caughtUp(shared);
  await eventually('the partner sends again', async () => {
    await judgeAgain(alert.id);
    return (await read(alert.id)).state.state === 'fine' ? true : undefined;
  });
  expect((await events(alert.id)).map(({ kind }) => kind)).toEqual(['over', 'fired']);
});

test('it tells which reason of refusal has doubled, and shows the refusals by hour', async () => {
  const now = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const count = (hoursAgo: number, outcome: string, requests: number) => ({
    hour: (now - hoursAgo * 3_600_000) / 1000,
    partner_id: partner,
    project_id: project,
    campaign_id: 0,
    kind: 'click',
    outcome,
    process: randomUUID(),
    requests,
  });
  await shared.clickhouse.insert({
    table: 'adtrail.s2s_requests',
    format: 'JSONEachRow',
    values: [
      ...[count(3, 'invalid_tid', 30), count(3, 'invalid_tid', 5), count(27, 'invalid_tid', 10)],
      ...[count(4, 'invalid_gaid', 20), count(28, 'invalid_gaid', 15), count(3, 'accepted', 900)],
    ],
  });
  const condition = { type: 'refusals_doubled', hours: 6, minimum: 10, partner_id: partner };
  const { alert } = await make({ name: 'Refusals', condition, receivers: [] });
  await inState(alert.id, 'firing');
  const [event] = await events(alert.id);
  expect(event?.details.values).toMatchObject([{ value: 'invalid_tid', figure: 35, expected: 10 }]);
  const at = (hoursAgo: number) => new Date(now - hoursAgo * 3_600_000).toISOString();
  const { body } = await as(viewer, 'GET', `/alerts/${alert.id}/hours`);
  expect(body.hours).toEqual([
    { hour: at(28), value: 'invalid_gaid', amount: 15 },
    { hour: at(27), value: 'invalid_tid', amount: 10 },
    { hour: at(4), value: 'invalid_gaid', amount: 20 },
    { hour: at(3), value: 'invalid_tid', amount: 35 },
  ]);
  const kept = await as(analyst, 'POST', '/questions', { name: 'Installs of yesterday', question: installs });
  const { alert: others } = await make({
    name: 'Not on receipts',
    question_id: kept.body.id,
    condition: { type: 'threshold', direction: 'above', value: 1e9 },
    receivers: [],
  });
  expect(others).toMatchObject({ partner: null, saved: { name: 'Installs of yesterday', question: installs } });
  const none = await as(viewer, 'GET', `/alerts/${others.id}/hours`);
  expect([none.status, none.body.hours]).toEqual([200, []]);
});

test('a receiver that fails is tried again so many times, and its failure is shown; others get theirs', async () => {
  receiver.answer('/down', 503);
  receiver.answer('/refuses', 400);
  smtp.refuseWith(550);
  const { alert } = await make({
    name: 'Hard to tell',
    question: installs,
    condition: { type: 'threshold', direction: 'above', value: 0 },
    receivers: [
      email('nobody@alerts.example'),
      { kind: 'webhook', url: `${receiver.url}/down` },
      { kind: 'slack', url: `${receiver.url}/refuses` },
      { kind: 'slack', url: `${receiver.url}/works` },
      { kind: 'slack', url: 'http://10.1.2.3/private' },
    ],
  });
  const [event] = await sent(alert.id, 1);
  smtp.refuseWith(null);
  expect(event?.messages.map(({ state, error }) => [state, error])).toEqual([
    ['failed', 'the SMTP server answered 550'],
    ['failed', 'answered 503; given up'],
    ['failed', 'answered 400'],
    ['sent', ''],
    ['failed', expect.stringMatching(/not a public address|leads to no public/)],
  ]);
  expect(receiver.at('/down')).toHaveLength(3);
  expect(new Set(receiver.at('/down').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a change by campaign names the campaign; a test judges without a word; a preview counts', async () => {
  await install(2, addDays(YESTERDAY, -1));
  const question = { source: 'app', metrics: ['installs'], dimensions: ['campaign'], range: 'yesterday' };
  const condition = { type: 'change', direction: 'up', percent: 100 };
  const { alert } = await make({ name: 'By campaign', question, condition, receivers: [email('x@alerts.example')] });
  await inState(alert.id, 'firing');
  const { body } = await as(analyst, 'POST', `/alerts/${alert.id}/test`);
  expect(body).toMatchObject({
    state: 'judged',
    values: [{ value: 'organic', figure: 6, comparison: 2, state: 'breach' }],
  });
  expect(await events(alert.id)).toHaveLength(1);
  const preview = await as(analyst, 'POST', '/alerts/preview', { question, condition });
  expect(preview.body).toMatchObject({ fired: 1 });
  expect((preview.body.days as Json[]).at(-1)).toMatchObject({ day: YESTERDAY, state: 'breach' });
  const message = await as(analyst, 'POST', `/alerts/${alert.id}/test-message`);
  expect(message.body).toMatchObject({ messages: [{ to: 'x@alerts.example', state: 'sent' }] });
  const mails = await smtp.waitFor('x@alerts.example', 2);
  expect(mails.map((mail) => mail.header('Subject')).join()).toContain('By campaign: test');
});

test('viewers read, analysts change, and nobody sees what belongs to others', async () => {
  const entry = {
    name: 'Mine\u2028',
    question: installs,
    condition: { type: 'threshold', direction: 'above', value: 1e9 },
    receivers: [],
  };
  expect((await as(analyst, 'POST', '/alerts', { ...entry, name: 'A\r\nBcc: x@evil.example' })).status).toBe(400);
  const { alert } = await make({ ...entry, name: 'Mine' });
  expect((await as(viewer, 'GET', '/alerts')).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/alerts'],
    ['PUT', `/alerts/${alert.id}`],
  ] as const)
    expect((await as(viewer, method, path, entry)).status).toBe(403);
  expect((await as(viewer, 'DELETE', `/alerts/${alert.id}`)).status).toBe(403);
  expect((await as(stranger, 'GET', `/alerts/${alert.id}`)).status).toBe(404);
  for (const [method, path] of [
    ['GET', `/alerts/${alert.id}`],
    ['GET', `/alerts/${alert.id}/events`],
    ['POST', `/alerts/${alert.id}/test`],
    ['POST', `/alerts/${alert.id}/test-message`],
    ['DELETE', `/alerts/${alert.id}`],
  ] as const)
    expect((await as(stranger, method, path, undefined, other)).status).toBe(404);
  const named = { ...entry, name: 'Theirs' };
  expect((await as(stranger, 'PUT', `/alerts/${alert.id}`, named, other)).status).toBe(404);
  const silent = { type: 'nothing_received', hours: 1, kind: 'click' };
  const theirs = { name: 'Theirs', receivers: [] };
  const asStranger = (condition: Json) => as(stranger, 'POST', '/alerts', { ...theirs, condition }, other);
  expect((await asStranger({ ...silent, partner_id: partner })).status).toBe(404);
  expect((await asStranger({ ...silent, campaign: 'spring' })).status).toBe(404);
  expect((await as(analyst, 'POST', '/alerts', { ...entry, name: 'Mine' })).status).toBe(409);
  const many = Array.from({ length: 21 }, (_, i) => email(`a${i}@alerts.example`));
  for (const [more, field] of [
    [{ receivers: many }, 'receivers'],
    [{ receivers: [email('no address')] }, 'receivers[0].address'],
    [{ receivers: [{ kind: 'slack', url: 'ftp://x' }] }, 'receivers[0].url'],
    [{ receivers: [{ kind: 'slack', id: 1 }] }, 'receivers[0].id'],
    [{ question: { ...installs, metrics: ['installs', 'clicks'] } }, 'question.metrics'],
    [{ question: { ...installs, dimensions: ['day'] } }, 'question.dimensions'],
    [{ question: { ...installs, metrics: ['nonsense'] } }, 'question'],
    [{ question_id: 1 }, 'question'],
  ] as const) {
    const { status, body } = await as(analyst, 'POST', '/alerts', { ...entry, name: 'New', ...more });
    expect({ status, msg: String(body.msg).slice(0, field.length) }).toEqual({ status: 400, msg: field });
  }
  expect((await as(analyst, 'DELETE', `/alerts/${alert.id}`)).status).toBe(204);
  expect((await as(viewer, 'GET', `/alerts/${alert.id}`)).status).toBe(404);
});

describe('scheduled reports', () => scheduledReports({ shared, postgres, running: () => ({ service, smtp }) }));
