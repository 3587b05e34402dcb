/** Boards by e-mail: once in three processes, after a downtime too; to who asks (docs/contract/alerts.md). */
import { caughtUp } from '../../support/caught-up';
import type { SmtpReceiver } from '../../support/deliveries/smtp';
import { readBrowser, findPerson, readOperator, type Browser } from '../../support/people/person';
import type { Postgres } from '../../../src/db/postgres';
import { ApiError } from '../../../src/errors';
import { ReportRunner } from '../../../src/reporting/report-runner';
import { composeRun } from '../../../src/schedules/report';
import { postEvents } from '../../support/reports/app-report';
import { eventually, type RunningService, type Service } from '../../support/service';
import { ownNames } from '../../support/workspace/own-names';

const own = ownNames('schedules');

/** The processes and the SMTP server of the suite: whatever process finds a mail sends it. */
interface Given {
  readonly shared: Service;
  readonly postgres: Postgres;
  readonly running: () => { service: RunningService; smtp: SmtpReceiver };
}

interface Run {
  due_at: string | null;
  messages: { to: string; state: string; error: string }[];
}

export function scheduledReports({ shared, postgres, running }: Given): void {
  let service: RunningService;
  let smtp: SmtpReceiver;
  let analyst: Browser;
  let viewer: Browser;
  let project: number;
  let other: number;
  let board: number;

  beforeAll(async () => {
    ({ service, smtp } = running());
    await shared.apply(
      own.document({
        accounts: [{ name: 'Acme' }, { name: 'Beta' }],
        projects: [
          {
            name: 'Shop',
            account: 'Acme',
            timezone: 'Asia/Kolkata',
            server_keys: ['key'],
            apps: [{ platform: 'ANDROID', app_id: 'com.schedules.shop' }],
          },
          { name: 'Other', account: 'Beta', timezone: 'UTC', server_keys: ['other'] },
        ],
      }),
    );
    const operator = await readOperator(shared, 'olga@schedules.example');
    const me = (await operator.send('GET', '/auth/v1/me')).body;
    const find = (name: string) =>
      (me.projects as { id: number; name: string }[]).find((one) => one.name === own(name))?.id as number;
    [project, other] = [find('Shop'), find('Other')];
    const { accounts } = (await shared.admin('GET', '/accounts')).body as { accounts: { id: number; name: string }[] };
    const acme = { account_id: accounts.find((one) => one.name === own('Acme'))?.id as number };
    const people = await Promise.all([
      findPerson(shared, operator, 'analyst', acme, 'ana@schedules.example'),
      findPerson(shared, operator, 'viewer', acme, 'vera@schedules.example'),
    ]);
    [analyst, viewer] = people.map(({ cookie }) => Object.assign(readBrowser(service), { cookie })) as [
      Browser,
      Browser,
    ];
    await postEvents(shared, own('key'), [
      {
        type: 'install',
        event_id: 'schedules-1',
        install_id: 'schedules-1',
        app_id: 'com.schedules.shop',
        platform: 'ANDROID',
        time: new Date(Date.now() - 26 * 3_600_000).toISOString(),
      },
    ]);
    await caughtUp(shared);
    const base = { source: 'app', metrics: ['installs'], range: 'last_7_days' };
    const question = async (name: string, more: object) =>
      (await as(analyst, 'POST', '/questions', { name, question: { ...base, ...more } })).body.id as number;
    const [line, table] = [
      await question('=Installs by day', { dimensions: ['day'], chart: 'line' }),
      await question('By campaign', { dimensions: ['campaign'] }),
    ];
    const items = [
      { heading: 'Figures', x: 0, y: 0, w: 12, h: 1 },
      { question_id: line, x: 0, y: 1, w: 12, h: 4 },
      { question_id: table, x: 0, y: 5, w: 12, h: 4 },
    ];
    const made = await as(analyst, 'POST', '/boards', { name: 'Monday', items });
    expect({ status: made.status, body: made.body }).toMatchObject({ status: 201 });
    board = made.body.id as number;
  }, 240_000);

  const as = (browser: Browser, method: string, path: string, body?: unknown, at = project) =>
    browser.send(method, `/api/v1${path}`, body, { 'project-id': String(at) });
  const entry = (more: object = {}) => ({
    name: 'Daily',
    board_id: board,
    every: 'day',
    hour: 9,
    receivers: [{ kind: 'email', address: 'boss@schedules.example' }],
    ...more,
  });
  const runs = async (id: number) => (await as(viewer, 'GET', `/schedules/${id}/runs`)).body.runs as Run[];
  const sent = (id: number, count: number) =>
    eventually(`${count} runs of schedule ${id} are sent`, async () => {
      const all = await runs(id);
      const isDone =
        all.length >= count && all.every(({ messages }) => messages.every(({ state }) => state !== 'waiting'));
      return isDone ? all : undefined;
    });

  test('after a downtime the latest time is sent once, with figures, a chart and files', async () => {
    const { body } = await as(analyst, 'POST', '/schedules', entry());
    const id = body.id as number;
    // Half past three in UTC is nine in India.
    expect(body).toMatchObject({ board: 'Monday', timezone: 'Asia/Kolkata', sent_at: null });
    expect(String(body.next_at)).toMatch(/T03:30:00/);
    await postgres.rows("UPDATE schedules SET next_at = next_at - interval '10 days' WHERE id = $1", [id]);
    const [run] = await sent(id, 1);
    expect(run?.messages).toMatchObject([{ to: 'boss@schedules.example', state: 'sent' }]);
    expect(run?.due_at).toMatch(/T03:30:00/);
    expect(Date.now() - Date.parse(run?.due_at as string)).toBeLessThan(24 * 3_600_000);
    const [mail] = await smtp.waitFor('boss@schedules.example');
    expect(mail?.header('Subject')).toContain('Monday');
    expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    // The whole mail, which says why where a question is not answered.
    expect(mail?.raw).toMatch(/iVBORw0KGgo/);
    expect(mail?.raw.match(/Content-Type: image\/png/g)).toHaveLength(1);
    expect(mail?.raw.match(/Content-Type: text\/csv/g)).toHaveLength(2);
    expect(mail?.raw).toContain(`${service.url}/projects/${project}/boards/${board}`);
    // The same time is not sent again, whatever is killed in between.
    await postgres.rows('UPDATE schedules SET next_at = $2 WHERE id = $1', [id, run?.due_at]);
    await eventually('it is due in the future', async () => {
      const { next_at: next, sent_at: sentAt } = (await as(viewer, 'GET', `/schedules/${id}`)).body;
      return Date.parse(String(next)) > Date.now() && sentAt !== null ? true : undefined;
    });
    expect(await runs(id)).toHaveLength(1);
    expect(smtp.to('boss@schedules.example')).toHaveLength(1);

    const path = /<(.+)>/.exec(mail?.header('List-Unsubscribe') ?? '')?.[1]?.slice(service.url.length) as string;
    expect((await service.request(path, { method: 'POST' })).status).toBe(200);
    const { body: after } = await as(viewer, 'GET', `/schedules/${id}`);
    expect(after.receivers).toMatchObject([
      { to: 'boss@schedules.example', unsubscribed_at: expect.any(String) as string },
    ]);
    await postgres.rows("UPDATE schedules SET next_at = next_at - interval '1 day' WHERE id = $1", [id]);
    await postgres.rows('DELETE FROM schedule_runs WHERE schedule_id = $1', [id]);
    const [empty] = await sent(id, 1);
    expect(empty?.messages).toEqual([]);
  });

  test('figures that a busy service cannot compute are waited for; the third attempt goes without', async () => {
    const { body } = await as(analyst, 'POST', '/schedules', entry({ name: 'Busy' }));
    const made = await postgres.rows<{ id: number }>(
      'INSERT INTO schedule_runs (schedule_id, due_at, as_of) VALUES ($1, now(), now()) RETURNING id',
      [body.id],
    );
    const busy = new ReportRunner(
      {} as never,
      { seconds: 1, bytes: 1, threads: 1 },
      { debug: () => undefined },
      () => undefined,
      { span: () => Promise.reject(new ApiError(503, 'Too many reports.')) },
    );
    const parts = {
      postgres,
      reports: busy,
      mustBeComplete: { app: () => Promise.resolve(), web: () => Promise.resolve() },
      catchUp: () => Promise.resolve(),
      syncConfiguration: () => Promise.resolve(),
      now: Date.now,
    };
    const compose = (attempts: number, last: number) =>
      composeRun(parts, made[0]?.id as number, undefined, { attempts, last });
    await expect(compose(1, 9)).rejects.toThrow('Too many reports.');
    await expect(compose(2, 9)).rejects.toThrow('Too many reports.');
    expect((await compose(3, 9))?.text).toContain('By campaign\nToo many reports.');
    expect((await compose(1, 1))?.text).toContain('By campaign\nToo many reports.');
  });

  test('it is sent now to who asks, and to nobody else', async () => {
    const { body } = await as(analyst, 'POST', '/schedules', entry({ name: 'Now', every: 'month', month_day: 31 }));
    const asked = await as(analyst, 'POST', `/schedules/${body.id as number}/send`);
    expect([asked.status, asked.body]).toEqual([202, { to: 'ana@schedules.example' }]);
    await smtp.waitFor('ana@schedules.example');
    const key = await service.request(`/api/v1/schedules/${body.id as number}/send`, {
      method: 'POST',
      headers: { 'service-key': own('key') },
    });
    expect(key.status).toBe(400);
    expect((await runs(body.id as number)).map(({ due_at }) => due_at)).toEqual([null]);
  });

  test('viewers read, and what is wrong or belongs to others is refused', async () => {
    const { body } = await as(analyst, 'POST', '/schedules', entry({ name: 'Refused' }));
    const id = body.id as number;
    for (const [method, path] of [
      ['POST', '/schedules'],
      ['PUT', `/schedules/${id}`],
    ] as const)
      expect((await as(viewer, method, path, entry())).status).toBe(403);
    expect((await as(viewer, 'POST', `/schedules/${id}/send`)).status).toBe(403);
    expect((await as(viewer, 'GET', '/schedules')).body).toMatchObject({ mail: true });
    const theirs = { headers: { 'service-key': own('other') } };
    expect((await service.request(`/api/v1/schedules/${id}`, theirs)).status).toBe(404);
    expect((await service.request(`/api/v1/schedules/${id}`, { ...theirs, method: 'DELETE' })).status).toBe(404);
    const operator = await readOperator(shared, 'otto@schedules.example');
    const inOther = { 'project-id': String(other) };
    const stolen = await operator.send('POST', '/api/v1/schedules', entry({ name: 'Stolen' }), inOther);
    expect([stolen.status, stolen.body.msg]).toEqual([404, 'Board not found.']);
    for (const [more, field] of [
      [{ every: 'week' }, 'weekday'],
      [{ weekday: 1 }, 'weekday'],
      [{ every: 'month' }, 'month_day'],
      [{ hour: 24 }, 'hour'],
      [{ receivers: [{ kind: 'slack', url: 'https://hooks.example/x' }] }, 'receivers[0].kind'],
    ] as const) {
      const refused = await as(analyst, 'POST', '/schedules', entry({ name: 'Wrong', ...more }));
      expect([refused.status, String(refused.body.msg).slice(0, field.length)]).toEqual([400, field]);
    }
    expect((await as(analyst, 'POST', '/schedules', entry({ name: 'Refused' }))).status).toBe(409);
    expect((await as(analyst, 'DELETE', `/schedules/${id}`)).status).toBe(204);
  });
}
