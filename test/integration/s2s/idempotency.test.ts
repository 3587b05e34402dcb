/** A POST with an Idempotency-Key that is sent again gets its first answer, and does nothing (docs/contract/). */
import type { Context } from 'koa';
import { idempotent } from '../../../src/http/idempotency';
import type { Postgres } from '../../../src/db/postgres';
import { sha256 } from '../../../src/lib/secrets';
import { ownNames } from '../../support/workspace/own-names';
import { readPostgres } from '../../support/postgres';
import { sharedService } from '../../support/shared-service';
import { ADMIN_TOKEN } from '../../support/service';

const service = sharedService();
const own = ownNames('idempotency');
const project = (name: string) => ({
  name,
  account: 'Acme',
  timezone: 'UTC',
  server_keys: [`server-key-of-${name}`],
  domains: [{ name: `${name.toLowerCase()}.example`, primary: true }],
});
let postgres: Postgres;
beforeAll(async () => {
  postgres = readPostgres(service);
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      partners: [{ name: 'Mobi' }],
      projects: [project('One'), project('Two')],
    }),
  );
});
afterAll(() => postgres.close());

interface Answer {
  readonly status: number;
  readonly replayed: string | null;
  readonly body: Record<string, unknown> & { readonly data?: Record<string, unknown> };
}

async function post(path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const response = await service.request(path, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed'),
    body: (await response.json()) as Answer['body'],
  };
}

let number = 0;
const newKey = () => own(`key-${(number += 1)}`);
const create = (key: string, name: string, of = 'One', more: object = {}) =>
  post(
    '/api/v1/create-campaign',
    { 'service-key': own(`server-key-of-${of}`), 'Idempotency-Key': key },
    { name, link_for_desktop_users: 'https://acme.example/', ...more },
  );

/** How many campaigns have the name. */
async function campaigns(name: string, of = 'One'): Promise<number> {
  const response = await service.request('/api/v1/campaigns?limit=1000', {
    headers: { 'service-key': own(`server-key-of-${of}`) },
  });
  const { data } = (await response.json()) as { data: { campaigns: { name: string }[] } };
  return data.campaigns.filter((one) => one.name === name).length;
}

test('a campaign is created once, and the answer is the first one', async () => {
  const key = newKey();
  const first = await create(key, 'Only once');
  expect([first.status, first.replayed]).toEqual([201, null]);
  const again = await create(key, 'Only once');
  expect(again).toEqual({ ...first, replayed: 'true' });
  expect(await campaigns('Only once')).toBe(1);
});

test('at the same time: one is done, the others wait or are told the same', async () => {
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(key, 'At once')));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => ![201, 409].includes(status))).toEqual([]);
  expect(await campaigns('At once')).toBe(1);
});

test('another body or another path with the key is 422, another caller is somebody else', async () => {
  const key = newKey();
  expect((await create(key, 'Mine')).status).toBe(201);
  expect(await create(key, 'Other')).toMatchObject({
    status: 422,
    body: { msg: 'Idempotency-Key: was sent with another request before', status: 422 },
  });
  expect(await create(key, 'Mine', 'Two')).toMatchObject({ status: 201, replayed: null });
  expect([await campaigns('Mine'), await campaigns('Mine', 'Two'), await campaigns('Other')]).toEqual([1, 1, 0]);
});

test('what failed is not kept', async () => {
  const key = newKey();
  expect((await create(key, '')).status).toBe(400);
  expect(await create(key, 'Now right')).toMatchObject({ status: 201, replayed: null });
});

test('a key that is too long is 400', async () => {
  expect(await create('x'.repeat(256), 'Too long')).toMatchObject({
    status: 400,
    body: { msg: 'Idempotency-Key: must have at most 255 characters' },
  });
});

test('a token is told again, and is in no table in plain text', async () => {
  const admin = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Idempotency-Key': newKey() };
  const { partners } = (await service.admin('GET', '/partners')).body as { partners: { id: number; name: string }[] };
  const partner = partners.find((one) => one.name === own('Mobi'))?.id as number;
  const path = `/admin/v1/partners/${partner}/tokens`;
  const list = async () =>
    ((await service.admin('GET', `/partners/${partner}/tokens`)).body as { tokens: unknown[] }).tokens;
  const before = (await list()).length;
  const first = await post(path, admin);
  expect(first.status).toBe(201);
  expect(await post(path, admin)).toEqual({ ...first, replayed: 'true' });
  expect(await list()).toHaveLength(before + 1);
  const rows = await postgres.rows('SELECT id, request, answer FROM idempotency_keys');
  const kept = JSON.stringify(rows);
  expect(kept).toContain('answer');
  expect(kept).not.toContain(first.body.token as string);
  expect(kept).not.toContain(admin['Idempotency-Key']);
});

test('a failure of ours may have come after the work: the key stays taken, and nothing is done twice', async () => {
  const headers: Record<string, string> = { 'Idempotency-Key': newKey(), 'service-key': 'somebody' };
  const ctx = () => ({ method: 'POST', path: '/failing', request: {}, get: (name: string) => headers[name] ?? '' });
  const once = idempotent(postgres, Date.now);
  const failing = () => Promise.reject(new Error('after the work'));
  await expect(once(ctx() as unknown as Context, failing)).rejects.toThrow('after the work');
  const again = jest.fn();
  await expect(once(ctx() as unknown as Context, again)).rejects.toMatchObject({ status: 409 });
  expect(again).not.toHaveBeenCalled();
});

test('a request that was cut off is 409, and a day later the key is new', async () => {
  const key = newKey();
  expect((await create(key, 'Cut off')).status).toBe(201);
  // By the key and who sent it.
  const id = sha256(JSON.stringify([key, own('server-key-of-One'), '', '', '']));
  const change = async (what: string) =>
    expect(await postgres.rows(`UPDATE idempotency_keys SET ${what} WHERE id = $1 RETURNING id`, [id])).toHaveLength(1);
  await change('status = NULL, answer = NULL');
  expect(await create(key, 'Cut off')).toMatchObject({
    status: 409,
    body: { msg: 'Idempotency-Key: the first request with it has no answer yet' },
  });
  await change("begun_at = begun_at - interval '25 hours'");
  expect(await create(key, 'Cut off')).toMatchObject({ status: 201, replayed: null });
});
