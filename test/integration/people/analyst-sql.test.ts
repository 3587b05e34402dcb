/** Whether an account lets its analysts use SQL: who sets it, what it opens, and what it does not. */
import { RECORD_KINDS, VIEWS } from '../../../src/files/kinds';
import { findPerson, readOperator, type Browser } from '../../support/people/person';
import { sharedService } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const own = ownNames('analyst-sql');
const service = sharedService();
const ROLES = ['owner', 'admin', 'analyst', 'viewer', 'engineer'];
let operator: Browser;
let partnerAdmin: Browser;
let accounts: Record<string, number>;
let projects: Record<string, number>;
const byRole: Record<string, Browser> = {};
const as = (role: string) => byRole[role] as Browser;

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }, { name: 'Beta', analyst_sql: true }],
      partners: [{ name: 'Ads' }],
      projects: [
        { name: 'Shop', account: 'Acme', timezone: 'UTC' },
        { name: 'Other', account: 'Beta', timezone: 'UTC' },
      ],
    }),
  );
  operator = await readOperator(service, 'olga@analyst-sql.example');
  const me = (await operator.send('GET', '/auth/v1/me')).body;
  const ids = (list: unknown) =>
    Object.fromEntries((list as { id: number; name: string }[]).map(({ id, name }) => [name.replace(own(''), ''), id]));
  [accounts, projects] = [ids(me.accounts), ids(me.projects)];
  const invite = (role: string, place: object) =>
    findPerson(service, operator, role, place, `${role}@analyst-sql.example`);
  for (const role of ROLES) byRole[role] = await invite(role, { account_id: accounts.Acme });
  partnerAdmin = await invite('partner_admin', { partner_id: ids(me.partners).Ads });
});

const set = (browser: Browser, analyst_sql: unknown, account = accounts.Acme) =>
  browser.send('PUT', `/admin/v1/accounts/${account}`, { analyst_sql });
const inProject = (project = projects.Shop) => ({ 'project-id': String(project) });
const run = async (browser: Browser, query = 'SELECT 1 AS one', project = projects.Shop) =>
  browser.send('POST', '/api/v1/sql', { query }, inProject(project));

/** What the console consists of, what is beside it, and the tools of an assistant, by status or names. */
async function look(browser: Browser) {
  const get = async (path: string) => (await browser.send('GET', path, undefined, inProject())).status;
  const tools = await browser.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, inProject());
  const listed = (tools.body.result as { tools: { name: string }[] } | undefined)?.tools.map(({ name }) => name) ?? [];
  const me = (await browser.send('GET', '/auth/v1/me')).body.projects as { id: number; permissions: string[] }[];
  const permissions = me.find(({ id }) => id === projects.Shop)?.permissions ?? [];
  return {
    console: [(await run(browser)).status, await get('/api/v1/schema'), await get('/api/v1/saved-queries')],
    connections: [await get(`/admin/v1/projects/${projects.Shop}/readers`), await get('/api/v1/exports')],
    tools: ['schema', 'sql'].filter((name) => listed.includes(name)),
    pages: ['sql', 'connections'].filter((name) => permissions.includes(name)),
  };
}
const OPEN = { console: [200, 200, 200], connections: [200, 200] };
const ALL = { ...OPEN, tools: ['schema', 'sql'], pages: ['sql', 'connections'] };
const NONE = { console: [403, 403, 403], connections: [403, 403], tools: [], pages: [] };
const CONSOLE = { ...NONE, console: OPEN.console, tools: ALL.tools, pages: ['sql'] };

describe.each([[false], [true]])('with the switch at %p', (isOn) => {
  beforeAll(async () => {
    expect(await set(as('owner'), isOn)).toMatchObject({
      status: 200,
      body: { id: accounts.Acme, name: own('Acme'), analyst_sql: isOn },
    });
  });

  test.each(ROLES)('%s has what the role says', async (role) => {
    const expected = ['owner', 'admin', 'engineer'].includes(role) ? ALL : role === 'analyst' && isOn ? CONSOLE : NONE;
    expect(await look(as(role))).toEqual(expected);
  });

  test('partners and analysts of other accounts have nothing of it', async () => {
    expect((await run(partnerAdmin)).status).toBe(404);
    // The other account has its switch on all the time.
    expect((await run(as('analyst'), 'SELECT 1', projects.Other)).status).toBe(404);
    const theirs = await findPerson(
      service,
      operator,
      'analyst',
      { account_id: accounts.Beta },
      `theirs-${isOn}@analyst-sql.example`,
    );
    expect((await run(theirs, 'SELECT 1', projects.Other)).status).toBe(200);
    expect((await run(theirs)).status).toBe(404);
  });
});

test('owners and operators set it, and others do not', async () => {
  for (const role of ['admin', 'analyst', 'viewer', 'engineer']) expect((await set(as(role), true)).status).toBe(403);
  expect((await set(partnerAdmin, true)).status).toBe(404);
  expect((await set(as('owner'), false, accounts.Beta)).status).toBe(404);
  expect((await set(operator, true, 2_000_000_000)).status).toBe(404);
  expect(await set(as('owner'), 'yes')).toMatchObject({ status: 400, body: { msg: 'analyst_sql: must be boolean' } });
  expect((await as('owner').send('PUT', `/admin/v1/accounts/${accounts.Acme}`, { name: 'Mine' })).status).toBe(400);
  expect((await set(operator, false)).status).toBe(200);
  expect((await run(as('analyst'))).status).toBe(403);
  await service.apply({ accounts: [{ name: own('Acme'), analyst_sql: true }] });
  expect((await run(as('analyst'))).status).toBe(200);
  // A document that does not speak of it leaves it as it is.
  await service.apply({ accounts: [{ name: own('Acme') }] });
  const seen = (await as('viewer').send('GET', '/admin/v1/accounts')).body.accounts;
  expect(seen).toMatchObject([{ name: own('Acme'), analyst_sql: true }]);
});

test('the audit log says who has set it', async () => {
  await set(as('owner'), false);
  await set(as('owner'), true);
  const path = `/auth/v1/audit-log?account_id=${accounts.Acme}&subject=accounts&limit=1`;
  const { entries } = (await as('owner').send('GET', path)).body as { entries: object[] };
  expect(entries).toMatchObject([
    {
      actor: 'user',
      actor_name: 'owner',
      action: 'change',
      account_id: accounts.Acme,
      name: own('Acme'),
      before: { analyst_sql: false },
      after: { analyst_sql: true },
    },
  ]);
});

/** What else SQL shows of persons, and the exported view that says the same of each. */
const COUNTED: Readonly<Record<string, { readonly from: string; readonly columns: readonly string[] }>> = {
  journeys: { from: 'app_events', columns: ['os_version', 'app_version'] },
  web_visitors: { from: 'web_events', columns: ['hit_pages', 'hit_referrers', 'hit_landing_pages', 'hit_exit_pages'] },
};

test('SQL shows an analyst nothing of a person that exports do not', async () => {
  await set(as('owner'), true);
  const day = new Date().toISOString().slice(0, 10);
  for (const kind of RECORD_KINDS) {
    const path = `/api/v1/export/${kind}?from=${day}&to=${day}&format=csv`;
    expect([kind, (await as('analyst').send('GET', path, undefined, inProject())).status]).toEqual([kind, 200]);
  }
  const exported = Object.values(VIEWS) as string[];
  const { tables } = (await as('analyst').send('GET', '/api/v1/schema', undefined, inProject())).body as {
    tables: { name: string; columns: { name: string; personal_data: string | null }[] }[];
  };
  const isPersonal = (column: { personal_data: string | null }) => column.personal_data === 'personal';
  const more = tables.flatMap(({ name, columns }) => {
    const personal = exported.includes(name) ? [] : columns.filter(isPersonal).map((one) => one.name);
    return personal.length > 0 ? [[name, personal]] : [];
  });
  expect(more).toEqual(Object.entries(COUNTED).map(([name, { columns }]) => [name, columns]));
  for (const { from } of Object.values(COUNTED)) expect(exported).toContain(from);
  // It names colleagues, and the role may not read it elsewhere.
  expect((await run(as('analyst'), 'SELECT count() AS n FROM audit_log')).body.rows).toEqual([[0]]);
});
