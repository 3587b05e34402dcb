/** Dated notes of a project, where they are shown, and who wrote them (docs/contract/boards.md). */
import { findPerson, readOperator, type Browser } from '../../support/people/person';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const own = ownNames('annotations');
const service = sharedService();
const TODAY = new Date().toISOString().slice(0, 10);
let operator: Browser;
let viewer: Browser;
let analyst: Browser;
let accountId: number;
let projectId: number;

interface Note {
  id: number;
  day: string;
  text: string;
  created_by: string;
}
type Body = Record<string, unknown> & Note & { annotations: Note[]; msg: string };

async function ask(method: string, path: string, body?: unknown, key = own('key')) {
  const response = await service.request(`/api/v1${path}`, {
    method,
    headers: { 'service-key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (response.status === 204 ? {} : await response.json()) as Body };
}
const askAs = (person: Browser, method: string, path: string, body?: unknown) =>
  person.send(method, `/api/v1${path}`, body, { 'project-id': String(projectId) });
const list = async (query = '') => (await ask('GET', `/annotations${query}`)).body.annotations;

async function readAuditLog(subject: string) {
  const { body } = await operator.send('GET', `/auth/v1/audit-log?account_id=${accountId}&subject=${subject}`);
  return body.entries as { action: string; actor: { name: string }; name: string; before: object; after: object }[];
}

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }, { name: 'Beta' }],
      projects: [
        { name: 'Shop', account: 'Acme', timezone: 'UTC', server_keys: ['key'] },
        { name: 'Other', account: 'Beta', timezone: 'UTC', server_keys: ['other-key'] },
      ],
    }),
  );
  operator = await readOperator(service, 'olga@annotations.example');
  const me = (await operator.send('GET', '/auth/v1/me')).body;
  const find = (from: unknown, name: string) =>
    (from as { id: number; name: string }[]).find((one) => one.name === own(name))?.id as number;
  projectId = find(me.projects, 'Shop');
  accountId = find(me.accounts, 'Acme');
  const place = { account_id: accountId };
  viewer = await findPerson(service, operator, 'viewer', place, 'viewer@annotations.example');
  analyst = await findPerson(service, operator, 'analyst', place, 'analyst@annotations.example');
});

describe('notes', () => {
  it('are written, listed by day, changed and deleted', async () => {
    const late = await ask('POST', '/annotations', { day: '2026-03-02', text: 'TV spot' });
    const early = await ask('POST', '/annotations', { day: '2026-03-01', text: 'Price raised' });
    expect([late.status, early.status]).toEqual([201, 201]);
    expect((await list()).map(({ day, text }) => [day, text])).toEqual([
      ['2026-03-01', 'Price raised'],
      ['2026-03-02', 'TV spot'],
    ]);
    expect(await list('?from=2026-03-02&to=2026-03-05')).toHaveLength(1);
    const changed = await ask('PUT', `/annotations/${late.body.id}`, { day: '2026-03-03', text: 'TV spots' });
    expect(changed).toMatchObject({ status: 200, body: { day: '2026-03-03', text: 'TV spots' } });
    for (const { id } of await list()) expect((await ask('DELETE', `/annotations/${id}`)).status).toBe(204);
    expect(await list()).toEqual([]);
  });

  it('belong to one project', async () => {
    const { body } = await ask('POST', '/annotations', { day: TODAY, text: 'Ours' });
    for (const [method, sent] of [
      ['PUT', { day: TODAY, text: 'Theirs' }],
      ['DELETE', undefined],
    ] as const)
      expect(await ask(method, `/annotations/${body.id}`, sent, own('other-key'))).toMatchObject({
        status: 404,
        body: { msg: 'Annotation not found.' },
      });
    expect((await ask('GET', '/annotations', undefined, own('other-key'))).body.annotations).toEqual([]);
    await ask('DELETE', `/annotations/${body.id}`);
  });

  it.each([
    [{ day: 'today', text: 'x' }, 'day'],
    [{ day: '2026-02-30', text: 'x' }, 'day'],
    [{ day: TODAY, text: '   ' }, 'text'],
    [{ day: TODAY, text: 'two\nlines' }, 'text'],
    [{ day: TODAY, text: 'x'.repeat(501) }, 'text'],
    [{ day: TODAY }, 'text'],
    [{ day: TODAY, text: 'x', author: 'me' }, 'author'],
  ])('are refused as %j', async (body, field) => {
    const refused = await ask('POST', '/annotations', body);
    expect(refused.status).toBe(400);
    expect(refused.body.msg).toContain(field);
  });

  it.each(['?from=x', '?to=2026-13-01', '?from=2026-02-02&to=2026-02-01'])('are not listed by %s', async (query) => {
    expect((await ask('GET', `/annotations${query}`)).status).toBe(400);
  });

  it('are read by viewers and written by analysts; the audit log has who', async () => {
    const entry = { day: '2026-04-01', text: 'New creative' };
    expect((await askAs(viewer, 'POST', '/annotations', entry)).status).toBe(403);
    const made = await askAs(analyst, 'POST', '/annotations', entry);
    expect(made).toMatchObject({ status: 201, body: { created_by: 'analyst' } });
    const listed = (await askAs(viewer, 'GET', '/annotations')).body as unknown as Body;
    expect(listed.annotations).toMatchObject([entry]);
    const { id } = made.body as unknown as Note;
    expect((await askAs(viewer, 'DELETE', `/annotations/${id}`)).status).toBe(403);
    expect((await askAs(analyst, 'DELETE', `/annotations/${id}`)).status).toBe(204);
    expect((await readAuditLog('annotations')).slice(0, 2)).toMatchObject([
      { action: 'delete', before: { text: 'New creative' } },
      { action: 'create', after: { text: 'New creative', day: '2026-04-01' } },
    ]);
  });
});

describe('boards', () => {
  it('show the notes of their days where their maker allows it, to strangers without their authors', async () => {
    const kept = await ask('POST', '/questions', {
      name: 'Clicks',
      question: { source: 'app', metrics: ['clicks'], dimensions: ['day'], range: 'last_7_days', chart: 'line' },
    });
    const items = [{ question_id: kept.body.id, x: 0, y: 0, w: 6, h: 4 }];
    // In every zone and at every hour among the last seven days.
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    await ask('POST', '/annotations', { day, text: 'Launch' });
    await ask('POST', '/annotations', { day: '2020-01-01', text: 'Long ago' });
    const board = await ask('POST', '/boards', { name: 'Noted', items });
    expect(board.body).toMatchObject({ annotations: false });
    const linked = await ask('POST', `/boards/${board.body.id}/links`, {});
    const look = async () =>
      (await (
        await service.request('/public/v1/board', { headers: { 'board-token': linked.body.token as string } })
      ).json()) as Body;
    expect((await ask('GET', `/boards/${board.body.id}/figures`)).body.annotations).toEqual([]);
    expect((await look()).annotations).toEqual([]);
    const changed = await ask('PUT', `/boards/${board.body.id}`, { name: 'Noted', items, annotations: true });
    expect(changed.body).toMatchObject({ annotations: true });
    const shown = [{ day, text: 'Launch' }];
    // A question that has to wait for others too long is not answered, and then shows no notes.
    const showsNotes = (read: () => Promise<Body>) =>
      eventually('the notes are shown', async () => {
        const { annotations } = await read();
        return annotations.length > 0 ? annotations : undefined;
      });
    expect(await showsNotes(async () => (await ask('GET', `/boards/${board.body.id}/figures`)).body)).toEqual(shown);
    expect(await showsNotes(look)).toEqual(shown);
  });
});

describe('the audit log', () => {
  it('has alerts and scheduled reports that people make, change and delete, and no judgement', async () => {
    const receivers = [{ kind: 'email', address: 'boss@annotations.example' }];
    const question = { source: 'app', metrics: ['installs'], range: 'yesterday' };
    const alert = { name: 'Few installs', question, condition: { type: 'threshold', direction: 'below', value: 1 } };
    const made = await askAs(analyst, 'POST', '/alerts', { ...alert, receivers });
    expect(made.status).toBe(201);
    const { id: alertId } = (made.body.alert ?? made.body) as { id: number };
    const enabled = { ...alert, receivers, enabled: false };
    expect((await askAs(analyst, 'PUT', `/alerts/${alertId}`, enabled)).status).toBe(200);
    expect((await askAs(analyst, 'DELETE', `/alerts/${alertId}`)).status).toBe(204);
    expect(await readAuditLog('alerts')).toMatchObject([
      { action: 'delete', name: 'Few installs' },
      { action: 'change', name: 'Few installs', before: { enabled: true }, after: { enabled: false } },
      { action: 'create', name: 'Few installs', after: { condition: { type: 'threshold' } } },
    ]);
    const board = await ask('POST', '/boards', { name: 'Mailed', items: [] });
    const schedule = { name: 'Mondays', board_id: board.body.id, every: 'week', weekday: 1, hour: 8, receivers };
    const set = await askAs(analyst, 'POST', '/schedules', schedule);
    expect(set.status).toBe(201);
    const { id } = set.body as unknown as Note;
    expect((await askAs(analyst, 'PUT', `/schedules/${id}`, { ...schedule, hour: 9 })).status).toBe(200);
    expect((await askAs(analyst, 'DELETE', `/schedules/${id}`)).status).toBe(204);
    const entries = await readAuditLog('schedules');
    expect(entries).toMatchObject([
      { action: 'delete', name: 'Mondays' },
      { action: 'change', before: { hour: 8 }, after: { hour: 9 } },
      { action: 'create', after: { hour: 8 } },
    ]);
  });
});
