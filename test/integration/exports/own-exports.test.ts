/**
 * Exports that projects declare themselves (docs/contract/scheduled-exports.md): into their own folder or bucket, with
 * nothing that is the operator's, and with keys that nobody sees again.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import S3rver from 's3rver';
import { lookAgain, noteFailure, noteLooked } from '../../../src/export/scheduled-queries';
import { addDays } from '../../../src/lib/time';
import type { Json } from '../../support/collect/collect-client';
import { findPerson, readOperator, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { readParquet } from '../../support/reports/parquet';
import { idByName } from '../../support/s2s/s2s-client';
import {
  ADMIN_TOKEN,
  eventually,
  freePort,
  startService,
  temporaryFolder,
  type RunningService,
} from '../../support/service';
import { ownNames } from '../../support/workspace/own-names';

const own = ownNames('own-exports');
const DAY = addDays(new Date().toISOString().slice(0, 10), -1);
const CLICKS = 30;
/** Two that are never taken have one after the other; a bucket that answers needs much less. */
const TURN_SECONDS = 5;
/** What the bucket takes. */
const GOOD = 'S3RVER';
const HUSH = 'hush-7c1e-secret';
const folder = temporaryFolder();
const out = path.join(folder, 'out');
const objects = path.join(folder, 'bucket', 'lake');
let bucket: S3rver;
let endpoint: string;
/** Its own: processes on the same engines that have another folder would write its exports, and it theirs. */
let service: RunningService;
let postgres: ReturnType<typeof readPostgres>;
let projects: Record<'Shop' | 'Other', number>;
const who: Record<string, Browser> = {};

const toFolder = (name: string, at: string, more: Json = {}): Json => ({
  name,
  kind: 'clicks',
  format: 'ndjson',
  every: 'day',
  destination: { type: 'folder', path: at },
  from: DAY,
  ...more,
});
const toBucket = (more: Json = {}) => ({
  type: 's3',
  bucket: 'lake',
  prefix: 'of/shop',
  endpoint,
  key: GOOD,
  secret: GOOD,
  ...more,
});

const document = (exports?: readonly Json[]) =>
  own.document({
    accounts: [{ name: 'Acme' }, { name: 'Rival' }],
    projects: [
      { name: 'Shop', account: 'Acme', timezone: 'UTC', server_keys: ['key'], ...(exports && { exports }) },
      { name: 'Other', account: 'Rival', timezone: 'UTC', server_keys: ['other'] },
    ],
  });

const ask = async (method: string, at = '', body?: Json, key = 'key') => {
  const response = await service.request(`/api/v1/exports${at}`, {
    method,
    headers: { 'service-key': own(key), 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(text).not.toContain(HUSH);
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json, text };
};
type Shown = Json & { id: number; name: string; state: string; failure: (Json & { error: string }) | null };
const list = async (key = 'key') => (await ask('GET', '', undefined, key)).body.exports as Shown[];
const find = async (name: string) => (await list()).find((one) => one.name === name);
const create = async (body: Json, key = 'key') => {
  const made = await ask('POST', '', body, key);
  expect({ ...made.body, status: made.status }).toMatchObject({ status: 201, declared_by: 'project' });
  return made.body as Shown;
};

type Manifest = { revision: number; rows: number; parts: { path: string }[] };
const readManifest = (place: string): Manifest | undefined => {
  const file = [path.join(place, 'manifest.json'), path.join(place, 'manifest.json._S3rver_object')].find((one) =>
    fs.existsSync(one),
  );
  try {
    return file === undefined ? undefined : (JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest);
  } catch {
    return undefined;
  }
};
const manifestWith = (place: string, revision: number) =>
  eventually(
    `revision ${revision} of ${place}`,
    () => {
      const manifest = readManifest(place);
      return Promise.resolve(manifest && manifest.revision >= revision ? manifest : undefined);
    },
    90_000,
  );
const readIds = (place: string, { parts }: Manifest) =>
  parts
    .flatMap((part) => fs.readFileSync(path.join(place, part.path), 'utf8').split('\n').filter(Boolean))
    .map((line) => (JSON.parse(line) as { click_id: string }).click_id)
    .sort();
const inSql = async (project: number) =>
  (await service.rows<{ click_id: string }>(`SELECT click_id FROM analytics.clicks WHERE project_id = ${project}`))
    .map(({ click_id: id }) => id)
    .sort();

beforeAll(async () => {
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}`;
  const directory = path.join(folder, 'bucket');
  bucket = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'lake', configs: [] }],
  });
  await bucket.run();
  fs.mkdirSync(out);
  service = await startService({
    EXPORT_DIR: out,
    // The bucket is on this machine.
    OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
    // The operator's keys open nothing: what is written to the bucket is written with those of projects.
    EXPORT_S3_KEY: 'OPERATOR',
    EXPORT_S3_SECRET: 'operator-secret',
    EXPORT_S3_ENDPOINT: endpoint,
    EXPORT_KEEP_SECONDS: '2',
    EXPORT_CHECK_SECONDS: '1',
    EXPORT_TURN_SECONDS: String(TURN_SECONDS),
    LIMIT_QUERY: 'off',
    LIMIT_IP: 'off',
  });
  postgres = readPostgres(service);
  await service.apply(document());
  projects = {
    Shop: await idByName(service, 'projects', own('Shop')),
    Other: await idByName(service, 'projects', own('Other')),
  };
  const click = (project_id: number, i: number) => ({
    project_id,
    bucket: DAY,
    campaign_id: 1,
    click_id: randomUUID(),
    kind: 's2s',
    tid: `t-${i}`,
    click_time: `${DAY} 12:00:00`,
    received_at: `${DAY} 12:00:${10 + i}`,
    version: 1,
  });
  await service.clickhouse.insert({
    table: 'adtrail.clicks',
    format: 'JSONEachRow',
    values: Array.from({ length: CLICKS }, (_, i) => click(projects.Shop, i)),
  });
  await service.clickhouse.insert({
    table: 'adtrail.clicks',
    format: 'JSONEachRow',
    values: [click(projects.Other, 0)],
  });
  const operator = await readOperator(service, own('operator@adtrail.example'));
  const { accounts } = (await service.admin('GET', '/accounts')).body as { accounts: { id: number; name: string }[] };
  const account_id = accounts.find(({ name }) => name === own('Acme'))?.id as number;
  for (const role of ['engineer', 'analyst'])
    who[role] = await findPerson(service, operator, role, { account_id }, own(`${role}@adtrail.example`));
  const rival = accounts.find(({ name }) => name === own('Rival'))?.id as number;
  who.stranger = await findPerson(
    service,
    operator,
    'engineer',
    { account_id: rival },
    own('stranger@adtrail.example'),
  );
  who.operator = operator;
}, 180_000);
afterAll(async () => {
  await postgres.close();
  await service.dispose();
  await bucket.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('what cannot be is refused by its field, before saving and before a dry run', async () => {
  fs.mkdirSync(path.join(out, `project-${projects.Shop}`));
  fs.symlinkSync(folder, path.join(out, `project-${projects.Shop}`, 'link'));
  const cases: readonly [Json, string][] = [
    [toFolder('X', `../project-${projects.Other}`), 'destination.path: must have no ..'],
    [toFolder('X', path.join(out, `project-${projects.Other}`)), 'destination.path: is one below the folder'],
    [toFolder('X', 'link/x'), 'destination.path: leads out of EXPORT_DIR'],
    [toFolder('X', 'x', { destination: { type: 'folder', path: 'x', key: HUSH } }), 'destination.key: has no place'],
    [toFolder('X', '', { destination: toBucket({ key: undefined }) }), 'destination.key: is required'],
    [toFolder('X', '', { destination: toBucket({ secret: undefined }) }), 'destination.secret: is required'],
    [toFolder('X', '', { destination: toBucket({ bucket: undefined }) }), 'destination.bucket: is required'],
    [
      toFolder('X', '', { destination: toBucket({ endpoint: 'http://169.254.169.254', secret: HUSH }) }),
      'destination.endpoint: is not a public address',
    ],
    [toFolder('X', 'x', { kind: 'everything' }), 'kind: must be one of clicks'],
    [toFolder('X', 'x', { from: addDays(DAY, -400) }), 'from: a back-fill by the day has at most 400 days'],
    [toFolder('X', 'x', { from: addDays(DAY, 9) }), 'from: must not be in the future'],
  ];
  for (const [body, message] of cases)
    for (const at of ['', '/dry-run']) {
      const { status, body: answer } = await ask('POST', at, body);
      expect({ status, at, msg: String(answer.msg).startsWith(message) ? message : answer.msg }).toEqual({
        status: 400,
        at,
        msg: message,
      });
    }
  expect(await list()).toEqual([]);
});

test('engineers declare exports, analysts do not', async () => {
  const send = (role: string, method: string, at: string, body?: Json) =>
    (who[role] as Browser).send(method, `/api/v1/exports${at}`, body, { 'project-id': String(projects.Shop) });
  expect((await send('analyst', 'POST', '', toFolder('X', 'x'))).status).toBe(403);
  expect((await send('analyst', 'POST', '/dry-run', toFolder('X', 'x'))).status).toBe(403);
  const made = await send('engineer', 'POST', '', toFolder('Mine', 'mine', { enabled: false }));
  expect(made).toMatchObject({ status: 201, body: { state: 'off', declared_by: 'project' } });
  const at = `/${String(made.body.id)}`;
  expect((await send('analyst', 'PATCH', at, { enabled: true })).status).toBe(403);
  expect((await send('analyst', 'DELETE', at)).status).toBe(403);
  expect((await ask('PATCH', at, { enabled: true }, 'other')).status).toBe(404);
  expect((await ask('DELETE', at, undefined, 'other')).status).toBe(404);
  expect((await send('engineer', 'PATCH', at, { keys: { key: 'a', secret: 'b' } })).status).toBe(400);
  expect((await send('engineer', 'PATCH', at, {})).status).toBe(400);
  expect(await send('engineer', 'PATCH', at, { enabled: true })).toMatchObject({
    status: 200,
    body: { enabled: true },
  });
  expect((await send('engineer', 'DELETE', at)).status).toBe(204);
  expect(await list()).toEqual([]);
  const log = await (who.operator as Browser).send('GET', '/auth/v1/audit-log?subject=scheduled_exports&limit=100');
  const entries = (log.body.entries as Json[]).filter((one) => one.name === 'Mine');
  // One that is being written when it is removed is switched off first, which is a change too.
  expect([...new Set(entries.map((one) => one.action))]).toEqual(['delete', 'change', 'create']);
  expect(entries[0]).toMatchObject({ project_id: projects.Shop, actor_name: 'engineer' });
});

test('a dry run shows periods and rows, and what its bucket says; nothing is kept', async () => {
  const { body, status } = await ask('POST', '/dry-run', toFolder('Tried', 'tried'));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    periods: [{ period: DAY, rows: CLICKS, why: 'new' }],
    total: 1,
    sample: { length: 10 },
    destination_error: null,
  });
  const fromToday = toFolder('Tried', 'tried', { from: undefined });
  expect((await ask('POST', '/dry-run', fromToday)).body).toMatchObject({ periods: [], total: 0 });
  const tryBucket = (more: Json) => ask('POST', '/dry-run', toFolder('Tried', '', { destination: toBucket(more) }));
  expect((await tryBucket({})).body.destination_error).toBeNull();
  expect((await tryBucket({ key: 'NOBODY', secret: HUSH })).body.destination_error).toEqual(expect.any(String));
  expect(fs.existsSync(path.join(out, `project-${projects.Shop}`, 'tried'))).toBe(false);
  expect(await list()).toEqual([]);
}, 60_000);

test('each project writes into a folder of its own', async () => {
  await create(toFolder('Folder', 'lake'));
  await create(toFolder('Folder', 'lake'), 'other');
  const at = (name: 'Shop' | 'Other') => path.join(out, `project-${projects[name]}`, `lake/clicks/day=${DAY}`);
  for (const name of ['Shop', 'Other'] as const)
    expect(readIds(at(name), await manifestWith(at(name), 1))).toEqual(await inSql(projects[name]));
  expect(await ask('POST', '', toFolder('Twin', './lake/'))).toMatchObject({
    status: 409,
    body: { msg: 'destination: another export writes there' },
  });
  expect(await ask('POST', '', toFolder('Folder', 'elsewhere'))).toMatchObject({ status: 409 });
  const operators = { ...toFolder('Folder', 'of-operator'), from: undefined };
  expect(await service.admin('PUT', '/workspace', document([operators]))).toMatchObject({
    status: 400,
    body: { msg: expect.stringContaining('has declared an export of that name itself') as string },
  });
}, 120_000);

test('a bucket is written with the keys of the project, which nobody sees again', async () => {
  const { id } = await create(
    toFolder('Bucket', '', { format: 'parquet', destination: toBucket({ key: 'NOBODY', secret: HUSH }) }),
  );
  const failing = await eventually('it fails', async () => {
    const one = await find('Bucket');
    return one?.state === 'failing' ? one : undefined;
  });
  expect(failing).toMatchObject({ destination: { type: 's3', bucket: 'lake' }, failure: { is_over: false } });
  expect(Object.keys(failing.destination as Json)).not.toContain('secret');
  expect(Object.keys(failing.destination as Json)).not.toContain('key');
  const [sealed] = await postgres.rows<Json>('SELECT * FROM export_keys WHERE id = $1', [id]);
  expect(sealed).toMatchObject({
    access_key: expect.stringMatching(/^sealed:/) as string,
    secret: expect.stringMatching(/^sealed:/) as string,
  });
  const changed = await ask('PATCH', `/${id}`, { keys: { key: GOOD, secret: GOOD } });
  expect(changed).toMatchObject({ status: 200, body: { keys_changed_at: expect.any(String) as string } });
  const place = path.join(objects, `of/shop/clicks/day=${DAY}`);
  const manifest = await manifestWith(place, 1);
  const [part] = manifest.parts;
  const bytes = fs.readFileSync(path.join(place, `${String(part?.path)}._S3rver_object`));
  const rows = await readParquet(Uint8Array.from(bytes).buffer);
  expect(rows.map((row) => String(row.click_id)).sort()).toEqual(await inSql(projects.Shop));
  await eventually('it goes well', async () => ((await find('Bucket'))?.state === 'up_to_date' ? true : undefined));
  expect(await find('Bucket')).toMatchObject({ backfills: [{ from: DAY, periods: 1, periods_written: 1 }] });
  const log = await service.request('/auth/v1/audit-log?subject=scheduled_exports&limit=1000', {
    headers: { Cookie: (who.operator as Browser).cookie, Origin: service.url },
  });
  for (const text of [await log.text(), fs.readFileSync(service.outputFile, 'utf8')]) expect(text).not.toContain(HUSH);
  // Who has no keys of the bucket does not hear that somebody writes there.
  const stranger = toFolder('Bucket', '', { destination: toBucket({ key: 'OTHER' }), enabled: false });
  await create(stranger, 'other');
}, 120_000);

test('no two exports write to one place, whatever becomes of their keys', async () => {
  const taken = { status: 409, body: { msg: 'destination: another export writes there' } };
  const twin = (more: Json) => toFolder('Twin', '', { destination: toBucket(more), enabled: false });
  // Those of the project, with any keys; those of others, with the ones that it has now.
  for (const [more, key] of [
    [{ key: 'NOBODY' }, 'key'],
    [{ key: 'ANOTHER' }, 'key'],
    [{ endpoint: `${endpoint}/`, key: 'ANOTHER' }, 'key'],
    [{}, 'other'],
  ] as const)
    expect(await ask('POST', '', { ...twin(more), name: 'Twin' }, key)).toMatchObject(taken);
  const { id: elsewhere } = await create(twin({ endpoint: 'https://s3.example.com', key: 'ANOTHER' }));
  expect((await ask('DELETE', `/${elsewhere}`)).status).toBe(204);
  const stranger = (await list('other')).find(({ name }) => name === 'Bucket') as Shown;
  const changes = { enabled: true, keys: { key: GOOD, secret: GOOD } };
  expect(await ask('PATCH', `/${stranger.id}`, changes, 'other')).toMatchObject(taken);

  // Where the keys do not tell of it, the manifest does.
  const { id } = (await find('Bucket')) as Shown;
  const setPlace = (place: string) =>
    postgres.rows('UPDATE scheduled_exports SET place = $2 WHERE id = $1', [id, place]);
  const [row] = await postgres.rows<{ place: string }>('SELECT place FROM scheduled_exports WHERE id = $1', [id]);
  const before = row?.place as string;
  await setPlace(before.replace(/^[0-9a-f]{16}/, '0123456789abcdef'));
  expect((await ask('PATCH', `/${stranger.id}`, changes, 'other')).status).toBe(200);
  const failing = await eventually('it fails', async () => {
    const one = (await list('other')).find(({ name }) => name === 'Bucket');
    return one?.state === 'failing' ? one : undefined;
  });
  expect(failing.failure?.error).toBe(`another export writes there: the manifest of ${DAY} is that of export ${id}`);
  expect(readManifest(path.join(objects, `of/shop/clicks/day=${DAY}`))).toMatchObject({ export_id: id, rows: CLICKS });
  expect((await ask('DELETE', `/${stranger.id}`, undefined, 'other')).status).toBe(204);
  await setPlace(before);
}, 120_000);

interface ExportsStatus {
  state: string;
  enabled: number;
  failing: number;
  lag_seconds: number;
  problems: (Json & { name: string; lag_seconds: number; failing_since: string })[];
}

test('what is to be looked at again during a turn is due after it, however that ends', async () => {
  const { id } = await create(toFolder('Asked for', 'asked-for', { enabled: false }));
  const readDue = async () => {
    const [state] = await postgres.rows<{ due_at: Date }>('SELECT due_at FROM export_states WHERE export_id = $1', [
      id,
    ]);
    return state?.due_at;
  };
  const began = await eventually('it has a state', readDue);
  const later = new Date(Date.now() + 600_000);
  await lookAgain(postgres, id);
  await noteFailure(postgres, id, new Date(), 'the keys before', later, began);
  const asked = (await readDue()) as Date;
  expect(asked.getTime()).toBeLessThan(began.getTime());
  await noteLooked(postgres, id, later, began);
  expect(await readDue()).toEqual(asked);
  await noteFailure(postgres, id, new Date(), 'the keys since', later, asked);
  expect(await readDue()).toEqual(later);
  expect((await ask('DELETE', `/${id}`)).status).toBe(204);
});

test('the status says what fails, since when and why, and how far it is behind, to whom it belongs', async () => {
  const status = async (role: string, account?: string) => {
    const found = await (who[role] as Browser).send('GET', '/admin/v1/status');
    expect({ account, status: found.status }).toEqual({ account, status: 200 });
    expect(JSON.stringify(found.body)).not.toContain(HUSH);
    return found.body.exports as ExportsStatus;
  };
  await eventually('nothing fails any more', async () =>
    (await status('operator')).state === 'ok' ? true : undefined,
  );
  const before = await status('engineer');
  expect(before).toMatchObject({ failing: 0, late: 0, problems: [] });
  expect(before.lag_seconds).toBeLessThan(3_600);

  const { id } = await create(
    toFolder('Stuck', '', { destination: toBucket({ prefix: 'stuck', key: 'NOBODY', secret: HUSH }) }),
  );
  const one = await eventually('it is told of', async () => (await status('engineer')).problems[0]);
  expect(one).toMatchObject({
    export_id: id,
    name: 'Stuck',
    project: own('Shop'),
    project_id: projects.Shop,
    state: 'warning',
    error: expect.any(String) as string,
  });
  const first = (await find('Stuck'))?.failure as Json;
  expect(Math.abs(Date.parse(one.failing_since) - Date.parse(String(first.at)))).toBeLessThan(60_000);
  expect(await status('engineer')).toMatchObject({ state: 'warning', enabled: before.enabled + 1, failing: 1 });
  expect(await status('stranger', 'Rival')).toMatchObject({ state: 'ok', failing: 0, problems: [] });
  const findings = async () =>
    ((await service.admin('GET', '/doctor')).body.findings as Json[]).find(
      ({ about }) => about === 'Scheduled exports',
    );
  expect(await findings()).toMatchObject({ state: 'warning', says: expect.stringContaining('1 fail') as string });

  // It was made long ago, and has failed since; failing again does not change since when.
  await postgres.rows("UPDATE scheduled_exports SET created_at = now() - interval '3 days' WHERE id = $1", [id]);
  await ask('PATCH', `/${id}`, { keys: { key: 'NOBODY', secret: HUSH } });
  const late = await eventually('it is far behind', async () => {
    const { problems } = await status('engineer');
    return problems[0] && problems[0].lag_seconds > 0 ? problems[0] : undefined;
  });
  expect(late).toMatchObject({ state: 'critical', failing_since: one.failing_since });
  expect(late.lag_seconds).toBeGreaterThan(86_400);
  expect(await findings()).toMatchObject({ state: 'critical' });
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  await eventually('it is measured', async () => {
    const text = await (await service.request('/metrics', { headers })).text();
    const lag = Number(/^adtrail_scheduled_export_lag_seconds (\d+)/m.exec(text)?.[1]);
    return /^adtrail_scheduled_exports_failing 1$/m.test(text) && lag > 86_400 ? true : undefined;
  });
  await ask('PATCH', `/${id}`, { keys: { key: GOOD, secret: GOOD } });
  await eventually('all is well', async () => ((await status('operator')).state === 'ok' ? true : undefined));
  expect((await ask('DELETE', `/${id}`)).status).toBe(204);
}, 180_000);

test('an alert tells once of an export that fails or is behind for hours, and once that it is over', async () => {
  const alerts = async (method: string, at: string, body?: Json, key = 'key') => {
    const response = await service.request(`/api/v1/alerts${at}`, {
      method,
      headers: { 'service-key': own(key), 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const condition = { type: 'export_late', hours: 30 };
  const named = { name: 'X', condition: { ...condition, export: 'Nowhere' }, receivers: [] };
  expect(await alerts('POST', '', named)).toMatchObject({ status: 404, body: { msg: 'Export not found.' } });
  const asked = { ...named, condition, question: { source: 'app', metrics: ['installs'], range: 'yesterday' } };
  expect((await alerts('POST', '', asked)).status).toBe(400);

  const { id } = await create(toFolder('Behind', '', { destination: toBucket({ prefix: 'late', key: 'NOBODY' }) }));
  const make = async (entry: Json, key?: string) => {
    const { status, body } = await alerts('POST', '', { receivers: [], ...entry }, key);
    expect({ status, body }).toMatchObject({ status: 201 });
    return (body.alert as { id: number }).id;
  };
  const alert = await make({ name: 'Late', condition: { ...condition, export: 'Behind' } });
  const any = await make({ name: 'Any', condition });
  const others = await make({ name: 'Late', condition }, 'other');
  const read = async (one: number, key?: string) =>
    (await alerts('GET', `/${one}`, undefined, key)).body.state as { state: string; firing: Json[] };
  const events = async (one: number) =>
    (await alerts('GET', `/${one}/events`)).body.events as { kind: string; why: string[] }[];
  /** Judged every second rather than every minute. */
  const inState = (one: number, state: string, key?: string) =>
    eventually(`alert ${one} is ${state}`, async () => {
      const found = await read(one, key);
      if (found.state === state) return found;
      await postgres.rows('UPDATE alerts SET due_at = now() WHERE id = $1', [one]);
      return undefined;
    });
  await inState(alert, 'fine');
  // It has failed for a minute, and is behind by days.
  await postgres.rows("UPDATE scheduled_exports SET created_at = now() - interval '3 days' WHERE id = $1", [id]);
  await ask('PATCH', `/${id}`, { keys: { key: 'NOBODY', secret: HUSH } });
  expect((await inState(alert, 'firing')).firing).toMatchObject([{ value: 'Behind', label: 'Behind' }]);
  expect((await inState(any, 'firing')).firing).toHaveLength(1);
  await inState(others, 'fine', 'other');
  await postgres.rows('UPDATE alerts SET judged_at = NULL, due_at = now() WHERE id = $1', [alert]);
  await eventually('it is judged again', async () => {
    const [row] = await postgres.rows('SELECT id FROM alerts WHERE id = $1 AND judged_at IS NOT NULL', [alert]);
    return row;
  });
  expect(await events(alert)).toMatchObject([{ kind: 'fired' }]);
  const { body } = await alerts('POST', `/${alert}/test`);
  expect(body).toMatchObject({ state: 'judged', values: [{ value: 'Behind', state: 'breach', expected: 108_000 }] });
  await ask('PATCH', `/${id}`, { keys: { key: GOOD, secret: GOOD } });
  await inState(alert, 'fine');
  const [over, fired] = await events(alert);
  expect(over).toMatchObject({ kind: 'over' });
  expect(over?.why.at(-1)).toBe('- Behind: is written in time, or off (limit: 30 h)');
  expect(fired?.why.at(-1)).toMatch(/^- Behind: fails or is behind, for \d+ h \(limit: 30 h\)$/);
  expect((await ask('DELETE', `/${id}`)).status).toBe(204);
  await inState(any, 'fine');
  // Nothing is left to judge.
  await inState(alert, 'not_judged');
}, 180_000);

test('a bucket that never answers, or never takes anything, holds up no other project, and is broken off', async () => {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const { method = '', url = '' } = request;
    asked.push(`${method} ${url}`);
    request.resume();
    // It is asked for what is there, and has nothing.
    if (!url.includes('takes-nothing')) return;
    if (method === 'HEAD') response.writeHead(404).end();
    if (method === 'GET') response.end('<ListBucketResult></ListBucketResult>');
  });
  const silent = await freePort();
  server.listen(silent, '127.0.0.1');
  const at = (prefix: string) => toBucket({ prefix, endpoint: `http://127.0.0.1:${silent}`, secret: HUSH });
  try {
    const names = ['silent', 'takes-nothing'];
    const ids = [];
    for (const name of names) ids.push((await create(toFolder(name, '', { destination: at(name) }))).id);
    await eventually('the bucket is asked', () => (asked.length > 0 ? true : undefined));
    // It waits as long as people do, and the others meanwhile.
    const tried = ask('POST', '/dry-run', toFolder('Tried', '', { destination: at('dry') }));
    await create(toFolder('Beside', 'beside'), 'other');
    const place = path.join(out, `project-${projects.Other}`, `beside/clicks/day=${DAY}`);
    expect(readIds(place, await manifestWith(place, 1))).toEqual(await inSql(projects.Other));
    for (const name of names) {
      const broken = await eventually(
        `${name} is broken off`,
        async () => {
          const one = await find(name);
          return one?.failure?.error ? one : undefined;
        },
        60_000,
      );
      expect(broken).toMatchObject({ state: 'failing' });
      expect(broken.failure?.error).toMatch(/^it was broken off, as it took longer than \d+ seconds$/);
    }
    expect(asked.some((one) => one.startsWith('PUT') && one.includes('takes-nothing'))).toBe(true);
    expect((await tried).body.destination_error).toMatch(/TimeoutError/);
    // It may be tried again just now.
    for (const id of ids)
      await eventually('it is removed', async () =>
        (await ask('DELETE', `/${id}`)).status === 204 ? true : undefined,
      );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 300_000);

test('one that is removed leaves its files, and the next there writes the next revision', async () => {
  const { id } = (await find('Folder')) as Shown;
  expect((await ask('DELETE', `/${id}`)).status).toBe(204);
  const place = path.join(out, `project-${projects.Shop}`, `lake/clicks/day=${DAY}`);
  expect(readIds(place, readManifest(place) as Manifest)).toHaveLength(CLICKS);
  await create(toFolder('Again', 'lake'));
  const manifest = await manifestWith(place, 2);
  expect(readIds(place, manifest)).toEqual(await inSql(projects.Shop));
  await eventually('the former one is gone', () => Promise.resolve(!fs.existsSync(`${place}/r1`) || undefined));
  expect(readIds(place, readManifest(place) as Manifest)).toHaveLength(CLICKS);
}, 120_000);

test('what an operator has declared is changed by no project, and there are twenty at most', async () => {
  const operators = { ...toFolder("The operator's", 'operator'), from: undefined, enabled: false };
  expect((await service.admin('PUT', '/workspace', document([operators]))).status).toBe(200);
  const { id } = (await find("The operator's")) as Shown;
  expect((await ask('PATCH', `/${id}`, { enabled: true })).status).toBe(409);
  expect((await ask('DELETE', `/${id}`)).status).toBe(409);
  const before = (await list()).length;
  for (let i = before; i < 20; i++) await create(toFolder(`Idle ${i}`, `idle-${i}`, { enabled: false }));
  expect(await ask('POST', '', toFolder('One more', 'more'))).toMatchObject({
    status: 409,
    body: { msg: 'A project has at most 20 exports.' },
  });
}, 60_000);
