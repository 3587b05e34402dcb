/** Erasing a person: hidden from every endpoint and view, gone from the disk, and every count as it was. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { installed } from '../support/attribution';
import { appEvent, collectApp, post, SERVER_KEY, type Json } from '../support/collect-client';
import { eventually, startService, type RunningService } from '../support/service';
import { TOKEN, workspace } from '../support/workspace';

let service: RunningService;
let projectId: number;

beforeAll(async () => {
  service = await startService({ LIMIT_DATA: 'off', LIMIT_IP: 'off' });
  await service.apply({
    ...workspace,
    projects: workspace.projects.map((project) =>
      project.name === 'Acme Shop' ? { ...project, server_keys: [SERVER_KEY] } : project,
    ),
  });
  const { projects } = (await service.admin('GET', '/projects')).body as { projects: { id: number; name: string }[] };
  projectId = projects.find(({ name }) => name === 'Acme Shop')?.id as number;
});
afterAll(() => service.dispose());

async function click(parameters: Record<string, string>): Promise<void> {
  const response = await service.request(
    `/v1/click/com.acme.shop?${new URLSearchParams({ c: 'AbC123', tid: crypto.randomUUID(), ...parameters }).toString()}`,
    { headers: { 'X-Service-Token': TOKEN } },
  );
  if (response.status !== 200) throw new Error(await response.text());
}

const result = async (query: Record<string, string>) =>
  (
    await service.request(`/api/v1/get-attribution-result?${new URLSearchParams(query).toString()}`, {
      headers: { 'service-key': SERVER_KEY },
    })
  ).status;
const erase = (kind: string, value: string, project = projectId) =>
  service.admin('DELETE', `/projects/${project}/devices/${kind}/${value}`);

/** Waits until a receipt shows a time. */
const receiptWith = (id: unknown, field: 'hidden_at' | 'removed_at') =>
  eventually(
    `receipt ${String(id)} has ${field}`,
    async () => {
      const { body } = await service.admin('GET', `/projects/${projectId}/forgotten/${String(id)}`);
      return body[field] ? body : undefined;
    },
    110_000,
  );

/** Where a text is anywhere in the tables of the product. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await service.rows<{ database: string; name: string }>(
    "SELECT database, name FROM system.tables WHERE database IN ('adtrail', 'analytics')",
  );
  const found: string[] = [];
  for (const { database, name } of tables) {
    const [row] = await service.rows<{ rows: number }>(
      `SELECT count() AS rows FROM ${database}.${name} WHERE position(lower(toJSONString(tuple(*))), lower('${text}')) > 0`,
    );
    if (Number(row?.rows) > 0) found.push(`${database}.${name}`);
  }
  return found;
}

const counts = () =>
  service.rows<Json>(
    'SELECT (SELECT count() FROM analytics.clicks) AS clicks, (SELECT count() FROM analytics.impressions) AS impressions, (SELECT count() FROM analytics.installs) AS installs, (SELECT count() FROM analytics.app_events) AS events',
  );

test.each([
  ['a kind that is none', 'ip', '203.0.113.1', 400],
  ['an advertising ID that is none', 'gaid', 'abc', 400],
])('%s is refused', async (_, kind, value, status) => {
  expect((await erase(kind, value)).status).toBe(status);
});

test('an unknown project, and no token', async () => {
  expect((await erase('user', 'x', 99_999)).status).toBe(404);
  expect((await service.request(`/admin/v1/projects/${projectId}/devices/user/x`, { method: 'DELETE' })).status).toBe(
    401,
  );
  expect((await service.admin('GET', `/projects/${projectId}/forgotten/99999`)).status).toBe(404);
});

test('a device: everything of its person is gone, everything of others and every count stays', async () => {
  const [gaid, other, user, email] = [
    crypto.randomUUID(),
    crypto.randomUUID(),
    `user-${crypto.randomUUID()}`,
    `${crypto.randomUUID()}@mail.example`,
  ];
  const [address, otherAddress] = ['203.0.113.201', '203.0.113.202'];
  await click({ gaid, ip: address, ua: 'Forgettable/1.0' });
  await service.request(
    `/v1/impression/com.acme.shop?${new URLSearchParams({ c: 'AbC123', tid: crypto.randomUUID(), gaid }).toString()}`,
    { headers: { 'X-Service-Token': TOKEN } },
  );
  await click({ gaid: other, ip: otherAddress });
  const install = await installed(service, {
    gaid,
    ip: address,
    ua: 'Forgettable/1.0',
    user: { id: user, email },
    device: { android_id: email },
  });
  await installed(service, { gaid: other, ip: otherAddress, user: { id: `other-${user}` } });
  await collectApp(service, [appEvent('payment', { install_id: install.install_id, user: { id: user } })]);
  await eventually('the user is known', async () => ((await result({ user_id: user })) === 200 ? true : undefined));
  const before = await counts();

  const { status, body: receipt } = await erase('gaid', gaid.toUpperCase());
  expect([status, receipt.hidden_at, receipt.removed_at]).toEqual([202, null, null]);
  await receiptWith(receipt.id, 'hidden_at');
  for (const text of [gaid, email, address, 'Forgettable/1.0'])
    expect([text, await tablesWith(text)]).toEqual([text, []]);
  // What is left of the name is that of another, which contains it.
  expect(await tablesWith(user)).toEqual(await tablesWith(`other-${user}`));
  expect(await result({ device_identifier: gaid })).toBe(204);
  expect(await result({ device_identifier: other })).toBe(200);
  expect(await counts()).toEqual(before);
  expect(
    await service.rows(
      `SELECT rule, campaign_display_id FROM analytics.installs WHERE install_id = '${install.install_id}'`,
    ),
  ).toEqual([{ rule: 'device_click', campaign_display_id: 'AbC123' }]);
  const users = await service.request('/api/v1/attributed-users?display_id=AbC123', {
    headers: { 'service-key': SERVER_KEY },
  });
  const { data } = (await users.json()) as { data: { total_users: number } };
  expect(data.total_users).toBe(2);
  expect(JSON.stringify(data)).not.toContain(email);

  expect(await receiptWith(receipt.id, 'removed_at')).toMatchObject({
    kind: 'gaid',
    hidden_at: expect.any(String) as string,
  });
  // ClickHouse keeps what it stores compressed: a text that is random enough stays readable in what is left of it.
  expect(filesWith(path.join(service.dataDir, 'clickhouse', 'store'), email)).toEqual([]);
  expect((await service.admin('GET', `/projects/${projectId}/forgotten`)).body.forgotten).toHaveLength(1);
}, 180_000);

/** ClickHouse deletes old parts while they are looked at: what is gone has no text. */
function filesWith(folder: string, text: string): string[] {
  const existing = <T>(look: () => T[]): T[] => {
    try {
      return look();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };
  return existing(() => fs.readdirSync(folder, { withFileTypes: true })).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory()
      ? filesWith(file, text)
      : existing(() => (entry.isFile() && fs.readFileSync(file).includes(text) ? [file] : []));
  });
}

test('a user: the installs and devices of that user', async () => {
  const [gaid, user] = [crypto.randomUUID(), `u ${crypto.randomUUID()}`];
  await click({ gaid });
  await installed(service, { gaid, user: { id: user } });
  const web = (more: Json) => ({
    event_id: crypto.randomUUID(),
    type: 'page_view',
    time: new Date().toISOString(),
    visitor_id: 'v1',
    session_id: 's1',
    url: 'https://acme.example/',
    ...more,
  });
  await post(
    service,
    JSON.stringify({
      events: [
        web({ ip: '203.0.113.203', ua: 'Mozilla/5.0 Forgettable' }),
        web({ user_id: user, properties: { city: user } }),
      ],
    }),
    { 'service-key': SERVER_KEY },
    '/collect/v1/web',
  );
  const { body } = await erase('user', encodeURIComponent(user));
  await receiptWith(body.id, 'hidden_at');
  for (const text of [gaid, user, '203.0.113.203', 'Mozilla/5.0 Forgettable'])
    expect([text, await tablesWith(text)]).toEqual([text, []]);
  expect(await service.rows("SELECT count() AS events FROM analytics.web_events WHERE visitor_id = 'v1'")).toEqual([
    { events: 2 },
  ]);
  expect(await result({ user_id: user })).toBe(204);
}, 120_000);
