/** Questions, boards and public links of a project (docs/contract/boards.md). */
import { ownNames } from '../../support/workspace/own-names';
import { findPerson, readOperator, type Browser } from '../../support/people/person';
import { caughtUp } from '../../support/caught-up';
import { readPostgres } from '../../support/postgres';
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
  operator = await readOperator(service, 'olga@boards.example');
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

describe('boards', () => {
  test('are made, arranged, answered and deleted', async () => {
    const byDay = await ask('POST', '/questions', { name: 'Clicks of a board', question: QUESTION });
    const bad = await ask('POST', '/questions', {
      name: 'Of the year 1',
      question: { ...QUESTION, range: undefined, from: '0001-01-01', to: '0001-01-02' },
    });
    const items = [
      { heading: 'What \u00a0comes', x: 0, y: 0, w: 12, h: 1 },
      { question_id: byDay.body.id, x: 6, y: 1, w: 6, h: 4 },
      { question_id: bad.body.id, x: 0, y: 1, w: 6, h: 4 },
    ];
    const made = await ask('POST', '/boards', { name: 'Growth', items });
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Growth', items: [{ heading: 'What  comes', question_id: null }, items[1], items[2]] },
    });
    const at = `/boards/${made.body.id}`;
    expect((await ask('GET', at)).body).toEqual(made.body);
    expect(await ask('DELETE', `/questions/${byDay.body.id}`)).toMatchObject({
      status: 409,
      body: { msg: 'Boards show this question: "Growth". Take it off them first.' },
    });
    // A question of a version that had another metric.
    const db = readPostgres(service);
    await db.rows(
      `UPDATE saved_questions SET question = jsonb_set(question, '{metrics}', '["profits"]') WHERE id = $1`,
      [bad.body.id],
    );
    await db.close();
    await caughtUp(service);
    const figures = await ask('GET', `${at}/figures`);
    const today = new Date().toISOString().slice(0, 10);
    expect(figures).toMatchObject({
      status: 200,
      body: {
        project: own('Shop'),
        board: 'Growth',
        timezone: 'UTC',
        items: [
          { heading: 'What  comes', figures: null, error: null },
          {
            question_id: byDay.body.id,
            title: 'Clicks of a board',
            chart: 'line',
            figures: { results: [{ dimensions: [today], metrics: [1] }] },
            error: null,
          },
          { figures: null, error: { status: 400, msg: expect.stringContaining('Unknown metric') as string } },
        ],
      },
    });
    const moved = { name: 'Growth 2', items: [{ ...items[1], x: 0, y: 0, w: 12 }] };
    expect((await ask('PUT', at, moved)).body).toMatchObject({ name: 'Growth 2', items: [moved.items[0]] });
    expect((await ask('GET', '/boards')).body).toMatchObject({
      boards: [{ name: 'Growth 2', items: 1, links: 0 }],
      pagination: { total: 1 },
    });
    expect((await ask('DELETE', at)).status).toBe(204);
    expect((await ask('GET', at)).status).toBe(404);
    expect((await ask('DELETE', `/questions/${byDay.body.id}`)).status).toBe(204);
  });

  test.each(['advertiser', 'partner', 'finance'])(
    'are made from the template %s, with its questions',
    async (template) => {
      const made = await ask('POST', '/boards', { name: template, template });
      expect(made.status).toBe(201);
      const again = await ask('POST', '/boards', { name: `${template} again`, template });
      expect(again.body.items).toEqual(made.body.items);
      await caughtUp(service);
      const { body } = await ask('GET', `/boards/${made.body.id}/figures`);
      const items = body.items as { error: unknown; heading: string | null; figures: unknown }[];
      expect(items.length).toBeGreaterThan(4);
      for (const item of items) expect([item.error, item.figures === null]).toEqual([null, item.heading !== null]);
    },
  );

  test('are refused by field and rule', async () => {
    const place = { x: 0, y: 0, w: 12, h: 1 };
    const refuse = async (entry: object) => {
      const { status, body } = await ask('POST', '/boards', { name: 'x', ...entry });
      return `${status} ${body.msg}`;
    };
    const foreign = await ask('POST', '/questions', { name: 'Of others', question: QUESTION }, own('other-key'));
    const id = foreign.body.id;
    expect(
      await refuse({
        items: [
          { ...place, heading: 'a' },
          { ...place, question_id: id },
        ],
      }),
    ).toBe(`400 items[1].question_id: the project has no question ${id}`);
    expect(await refuse({ items: [{ ...place, x: 1, heading: 'a' }] })).toBe(
      '400 items[0]: x and w must fit into 12 columns',
    );
    expect(await refuse({ items: [place] })).toBe('400 items[0]: must have either question_id or heading');
    expect(await refuse({ items: [{ ...place, h: 21, heading: 'a' }] })).toBe('400 items[0].h: must be <= 20');
    expect(await refuse({ items: Array(51).fill({ ...place, heading: 'a' }) })).toContain('400 items: must NOT have');
    expect(await refuse({ template: 'dentist' })).toBe('400 template: must be one of advertiser, partner, finance');
    expect(await refuse({ template: 'partner', items: [] })).toBe('400 items: have no place beside template');
    expect(await refuse({ name: 'partner' })).toBe('409 name: another board has it');
  });

  test('belong to their project, and are changed from analyst up', async () => {
    const { id } = (await askAs(analyst, 'POST', '/boards', { name: 'By Anna' })).body;
    const at = `/boards/${String(id)}`;
    for (const path of ['/boards', at, `${at}/figures`, `${at}/links`])
      expect((await askAs(viewer, 'GET', path)).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', '/boards', { name: 'By Vic' }],
      ['PUT', at, { name: 'By Vic', items: [] }],
      ['DELETE', at],
      ['POST', `${at}/links`, {}],
      ['DELETE', `${at}/links/1`],
    ] as const) {
      expect((await askAs(viewer, method, path, body)).status).toBe(403);
      if (path !== '/boards') expect((await ask(method, path, body, own('other-key'))).status).toBe(404);
    }
    for (const path of [at, `${at}/figures`, `${at}/links`])
      expect((await ask('GET', path, undefined, own('other-key'))).status).toBe(404);
  });
});

describe('a public link', () => {
  const look = async (token: string) => {
    const response = await service.request('/public/v1/board', { headers: { 'board-token': token } });
    return { status: response.status, body: (await response.json()) as Body, headers: response.headers };
  };

  test('shows one board to anybody until it is revoked, and nothing else', async () => {
    const board = (await askAs(analyst, 'POST', '/boards', { name: 'Shown', template: 'advertiser' })).body;
    const at = `/boards/${String(board.id)}`;
    const made = (await askAs(analyst, 'POST', `${at}/links`, {})).body as Record<string, string>;
    const token = String(made.token);
    expect(made.url).toBe(`${service.url}/public/board#${token}`);
    expect(Date.parse(String(made.expires_at)) / 86_400_000).toBeCloseTo(Date.now() / 86_400_000 + 90, 2);
    expect(token).toMatch(/^board_[\w-]{32}$/);
    const listed = (await ask('GET', `${at}/links`)).body;
    expect(listed.links).toEqual([expect.objectContaining({ id: made.id, created_by: 'analyst', revoked_at: null })]);
    expect(JSON.stringify(listed)).not.toContain(token);

    await caughtUp(service);
    const shown = await look(token);
    expect(shown).toMatchObject({ status: 200, body: { project: own('Shop'), board: 'Shown' } });
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(JSON.stringify(shown.body)).not.toMatch(/"(question_id|created_by|sql|id)":/);
    // What strangers ask again is not computed again, unless the board has changed.
    expect((await look(token)).body.answered_at).toBe(shown.body.answered_at);
    await ask('PUT', at, { name: 'Shown 2', items: [{ heading: 'Soon', x: 0, y: 0, w: 12, h: 1 }] });
    expect((await look(token)).body).toMatchObject({ board: 'Shown 2', items: [{ heading: 'Soon', figures: null }] });
    for (const path of ['/api/v1/boards', `/api/v1${at}`, '/api/v1/questions']) {
      const { status } = await service.request(path, { headers: { 'service-key': token, 'board-token': token } });
      expect(status).toBe(401);
    }

    expect((await askAs(analyst, 'DELETE', `${at}/links/${made.id}`)).status).toBe(204);
    const refused = await look(token);
    const unknown = await look(`board_${'x'.repeat(32)}`);
    expect([refused.status, refused.body]).toEqual([404, unknown.body]);
    expect(Object.fromEntries(unknown.headers)).toMatchObject({ 'cache-control': 'no-store' });
    expect((await look('')).status).toBe(404);
    const log = await operator.send('GET', '/auth/v1/audit-log?subject=board_links&limit=10');
    expect(log.body.entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'create', name: 'Shown', actor_name: 'analyst' }),
        expect.objectContaining({ action: 'change', name: 'Shown', actor_name: 'analyst' }),
      ]),
    );
    expect(JSON.stringify(log.body)).not.toContain('sha256');
  });

  test('ends when it expires, or its board is deleted; a board has so many', async () => {
    const board = (await ask('POST', '/boards', { name: 'Ending' })).body;
    const links = `/boards/${board.id}/links`;
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
    expect((await ask('POST', links, { expires_at: days(366) })).body.msg).toBe(
      'expires_at: must be at most 365 days ahead',
    );
    expect((await ask('POST', links, { expires_at: days(-1) })).body.msg).toBe('expires_at: must be in the future');
    expect((await ask('POST', links, { expires_at: 'soon' })).status).toBe(400);
    const soon = (await ask('POST', links, { expires_at: days(1) })).body;
    expect((await look(String(soon.token))).status).toBe(200);
    const kept = (await ask('POST', links, {})).body;
    for (let count = 2; count < 20; count += 1) expect((await ask('POST', links, {})).status).toBe(201);
    expect((await ask('POST', links, {})).body.msg).toBe('A board has at most 20 links that work.');
    const db = readPostgres(service);
    await db.rows('UPDATE board_links SET expires_at = now() WHERE id = $1', [soon.id]);
    await db.close();
    expect((await look(String(soon.token))).status).toBe(404);
    expect((await ask('POST', links, {})).status).toBe(201);
    expect((await ask('POST', links, {})).body.msg).toBe('A board has at most 20 links that work.');
    expect((await ask('DELETE', `/boards/${board.id}`)).status).toBe(204);
    expect((await look(String(kept.token))).status).toBe(404);
  });
});
