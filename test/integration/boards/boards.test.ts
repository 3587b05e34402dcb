/** Questions, boards and public links of a project (docs/contract/boards.md). */
import { ownNames } from '../../support/workspace/own-names';
import { findPerson, operatorOf, type Browser } from '../../support/people/person';
import { caughtUp } from '../../support/caught-up';
import { sharedService } from '../../support/shared-service';

const own = ownNames('boards');
const service = sharedService();
const QUESTION = { source: 'app', metrics: ['clicks'], dimensions: ['day'], range: 'last_7_days', chart: 'line' };
let operator: Browser;
let viewer: Browser;
let analyst: Browser;
let projectId: number;
let otherId: number;

interface Body extends Record<string, unknown> {
  id: number;
  msg: string;
}

/** Asks with the key of the project, or of another one. */
async function ask(method: string, path: string, body?: unknown, key = own('key')) {
  const response = await service.request(`/api/v1${path}`, {
    method,
    headers: { 'service-key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (response.status === 204 ? {} : await response.json()) as Body };
}

/** Asks as a person in the project. */
const askAs = (person: Browser, method: string, path: string, body?: unknown) =>
  person.send(method, `/api/v1${path}`, body, { 'project-id': String(projectId) });

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }, { name: 'Beta' }],
      partners: [{ name: 'Mobi Ads', tokens: ['token'] }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          server_keys: ['key'],
          apps: [{ platform: 'ANDROID', app_id: 'com.boards.shop' }],
          partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
          campaigns: [{ display_id: 'boards1', name: 'Spring', partner: 'Mobi Ads' }],
        },
        { name: 'Secret', account: 'Beta', timezone: 'UTC', server_keys: ['other-key'] },
      ],
    }),
  );
  operator = await operatorOf(service, 'olga@boards.example');
  const me = (await operator.send('GET', '/auth/v1/me')).body;
  const find = (list: unknown, name: string) =>
    (list as { id: number; name: string }[]).find((one) => one.name === own(name))?.id as number;
  projectId = find(me.projects, 'Shop');
  otherId = find(me.projects, 'Secret');
  const place = { account_id: find(me.accounts, 'Acme') };
  viewer = await findPerson(service, operator, 'viewer', place, 'viewer@boards.example');
  analyst = await findPerson(service, operator, 'analyst', place, 'analyst@boards.example');
  const clicked = await service.request(
    '/v1/click/com.boards.shop?c=boards1&tid=boards-1&gaid=38400000-8cf0-11bd-b23e-10b96e40000e',
    {
      headers: { 'X-Service-Token': own('token'), 'User-Agent': 'Boards' },
    },
  );
  expect(clicked.status).toBe(200);
});

describe('questions', () => {
  test('are saved, listed in pages, changed, asked and deleted', async () => {
    const made = await ask('POST', '/questions', { name: ' Clicks\u00a0by day ', question: QUESTION });
    expect(made).toMatchObject({ status: 201, body: { name: 'Clicks by day', question: QUESTION } });
    const { id } = made.body;
    expect(await ask('POST', '/questions', { name: 'Clicks by day', question: QUESTION })).toMatchObject({
      status: 409,
      body: { msg: 'name: another question has it' },
    });
    expect((await ask('POST', '/questions', { name: 'Another', question: QUESTION })).status).toBe(201);
    expect((await ask('GET', '/questions?limit=1&page=2')).body).toMatchObject({
      questions: [{ name: 'Clicks by day' }],
      pagination: { total: 2, pages: 2, page: 2, limit: 1 },
    });
    expect((await ask('GET', '/questions?page=0')).status).toBe(422);
    expect((await ask('GET', `/questions/${id}`)).body).toEqual(made.body);
    const today = { ...QUESTION, range: 'today', dimensions: ['campaign'] };
    expect((await ask('PUT', `/questions/${id}`, { name: 'Clicks', question: today })).body).toMatchObject({
      name: 'Clicks',
      question: today,
    });
    expect((await ask('PUT', `/questions/${id}`, { name: 'Another', question: today })).status).toBe(409);
    await caughtUp(service);
    const { status, body } = await ask('GET', `/questions/${id}/figures`);
    const day = new Date().toISOString().slice(0, 10);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { query: { from: day, to: day }, meta: { timezone: 'UTC' } },
    });
    expect((await ask('DELETE', `/questions/${id}`)).status).toBe(204);
    expect((await ask('GET', `/questions/${id}`)).body.msg).toBe('Question not found.');
  });

  test('are refused as queries are, and by their names', async () => {
    const refuse = async (entry: object) => (await ask('POST', '/questions', { name: 'x', ...entry })).body.msg;
    expect(await refuse({ question: { ...QUESTION, metrics: ['profits'] } })).toContain('Unknown metric: "profits".');
    expect(await refuse({ question: { ...QUESTION, from: '2026-01-01' } })).toBe(
      'range: has no place beside from and to',
    );
    expect(await refuse({ question: { ...QUESTION, range: 'soon' } })).toContain('question.range: must be one of');
    expect(await refuse({ question: QUESTION, name: 'two\nlines' })).toBe('name: must match format "one-line"');
    expect(await refuse({ question: QUESTION, name: 'x'.repeat(256) })).toContain('name: must NOT have more than 255');
  });

  test('belong to their project, and are changed from analyst up', async () => {
    const { id } = (await askAs(analyst, 'POST', '/questions', { name: 'By Anna', question: QUESTION })).body;
    expect((await askAs(viewer, 'GET', `/questions/${String(id)}`)).body).toMatchObject({ created_by: 'analyst' });
    for (const [method, path] of [
      ['POST', '/questions'],
      ['PUT', `/questions/${String(id)}`],
      ['DELETE', `/questions/${String(id)}`],
    ] as const)
      expect((await askAs(viewer, method, path, { name: 'y', question: QUESTION })).status).toBe(403);
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/figures'],
    ] as const)
      expect(
        await ask(
          method,
          `/questions/${String(id)}${path}`,
          method === 'PUT' ? { name: 'y', question: QUESTION } : undefined,
          own('other-key'),
        ),
      ).toMatchObject({ status: 404 });
    expect((await ask('GET', '/questions', undefined, own('other-key'))).body.questions).toEqual([]);
    const elsewhere = await viewer.send('GET', '/api/v1/questions', undefined, { 'project-id': String(otherId) });
    expect(elsewhere.status).toBe(404);
  });
});
