/**
 * Scheduled exports (docs/contract/scheduled-exports.md), to a folder and to a bucket: written once, read back row for
 * row, again when something changes, and whole whatever is killed. Periods, paths and documents by themselves are in
 * test/unit/exports.
 */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import S3rver from 's3rver';
import { addDays } from '../../../src/lib/time';
import { appEvent, type Json } from '../../support/collect/collect-client';
import { readPostgres } from '../../support/postgres';
import { decided, postEvents, putSpend } from '../../support/reports/app-report';
import { readParquet } from '../../support/reports/parquet';
import { idByName } from '../../support/s2s/s2s-client';
import { ADMIN_TOKEN, eventually, freePort, temporaryFolder, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const shared = sharedService();
const own = ownNames('exports');
const postgres = readPostgres(shared);
const TODAY = new Date().toISOString().slice(0, 10);
const DAY = addDays(TODAY, -1);
const LONG_PAST = addDays(TODAY, -9);
const HOUR = `day=${DAY}/hour=12`;
const KEY = 'S3RVER';
const EVENTS = 90;
const folder = temporaryFolder();
const directory = path.join(folder, 'bucket');
const out = path.join(folder, 'out');
const inBucket = path.join(directory, 'lake');
let bucket: S3rver;
let port: number;
let service: RunningService;
/** Writes beside it. */
let second: RunningService;
let project: number;
let env: NodeJS.ProcessEnv;

const startBucket = async () => {
  const configureBuckets = [{ name: 'lake', configs: [] }];
  bucket = new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets });
  await bucket.run();
};
const toFolder = (name: string, kind: unknown, more: Json = {}) => ({
  name,
  kind,
  format: 'ndjson',
  every: 'day',
  destination: { type: 'folder', path: 'files' },
  ...more,
});
const toBucket = { type: 's3', bucket: 'lake', prefix: 'of/shop' };
const question = { source: 'app', metrics: ['spend'], dimensions: ['campaign'] };
const entries = [
  toFolder('Clicks by the hour', 'clicks', { every: 'hour' }),
  toFolder('Events', 'app-events'),
  toFolder('Events by the hour', 'app-events', { every: 'hour', destination: { type: 'folder', path: 'hours' } }),
  toFolder('Installs', 'installs'),
  toFolder('Spend', 'spend', { format: 'parquet', destination: toBucket }),
  toFolder('Spend by campaign', { query: question }, { format: 'csv' }),
];
const app = (name: string) => ({ platform: 'ANDROID', app_id: `com.exports.${name}` });
const GAID = '38400000-8cf0-11bd-b23e-10b96e40000d';
let campaign = 'Spring';
const documentWith = (exports: readonly Json[]) =>
  own.document({
    accounts: [{ name: 'Acme' }],
    partners: [{ name: 'Mobi Ads', tokens: ['token'] }],
    projects: [
      {
        name: 'Shop',
        account: 'Acme',
        timezone: 'UTC',
        server_keys: ['key'],
        apps: [app('shop')],
        partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'spring', name: campaign, partner: 'Mobi Ads' }],
        exports,
      },
      { name: 'Other', account: 'Acme', timezone: 'UTC', server_keys: ['other'], apps: [app('other')] },
    ],
  });

/** Moves what a project has received to noon of the day before. */
async function moveBack(table: 'app_events' | 'ad_spend' | 'installs') {
  const at = `toDateTime64('${DAY} 12:00:00', 3, 'UTC') + INTERVAL rowNumberInAllBlocks() SECOND`;
  await shared.clickhouse.command({
    query: `INSERT INTO adtrail.${table}
      SELECT * REPLACE (${at} AS received_at, version + 1 AS version)
      FROM (SELECT * FROM adtrail.${table} FINAL WHERE project_id = ${project})`,
  });
}
const spend = (ad: string, amount: number) => ({
  date: DAY,
  campaign_id: 'spring',
  ad_id: ad,
  spend: amount,
  currency: 'USD',
});

type Manifest = {
  revision: number;
  rows: number;
  bytes: number;
  complete_until: string;
  schema: { name: string; type: string }[];
  parts: { path: string; rows: number; bytes: number; sha256: string }[];
};
const places = {
  events: path.join(out, `files/app-events/day=${DAY}`),
  longPast: path.join(out, `files/app-events/day=${LONG_PAST}`),
  installs: path.join(out, `files/installs/day=${DAY}`),
  hours: path.join(out, `hours/app-events/${HOUR}`),
  spend: `of/shop/spend/day=${DAY}`,
  question: path.join(out, `files/query-spend-by-campaign/day=${DAY}`),
};
/** The bytes of an object, as a client of the bucket reads them. */
const fetchObject = (key: string): Promise<Buffer | undefined> => {
  const file = path.join(inBucket, `${key}._S3rver_object`);
  return Promise.resolve(fs.existsSync(file) ? fs.readFileSync(file) : undefined);
};
const readPlace = async (place: string, name: string) => {
  if (place.startsWith('/'))
    return fs.existsSync(path.join(place, name)) ? fs.readFileSync(path.join(place, name)) : undefined;
  return fetchObject(`${place}/${name}`);
};
const readManifest = async (place: string) => {
  const bytes = await readPlace(place, 'manifest.json');
  try {
    return bytes && (JSON.parse(bytes.toString()) as Manifest);
  } catch {
    // The server of the bucket is writing it.
    return undefined;
  }
};
const manifestWith = (place: string, revision: number) =>
  eventually(
    `revision ${revision} of ${place}`,
    async () => {
      const manifest = await readManifest(place);
      return manifest && manifest.revision >= revision && (await readPlace(place, '_SUCCESS')) ? manifest : undefined;
    },
    110_000,
  );
/** All parts, whose sums are those that the manifest names. */
async function readParts(place: string, manifest: Manifest): Promise<Buffer[]> {
  const parts = [];
  for (const { path: name, bytes, sha256 } of manifest.parts) {
    const data = (await readPlace(place, name)) as Buffer;
    expect([data.length, createHash('sha256').update(data).digest('hex')]).toEqual([bytes, sha256]);
    parts.push(data);
  }
  expect(manifest.bytes).toBe(parts.reduce((sum, { length }) => sum + length, 0));
  return parts;
}
const readLines = (parts: readonly Buffer[]) =>
  parts.flatMap((part) =>
    part
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json),
  );
const inSql = (view: string, day = DAY) =>
  shared.rows<Json>(`SELECT * FROM analytics.${view} WHERE project_id = ${project} AND toDate(received_at) = '${day}'
     SETTINGS date_time_output_format = 'iso'`);
const sorted = (rows: readonly Json[], by: string) =>
  [...rows].sort((a, b) => String(a[by]).localeCompare(String(b[by])));

const ask = async (method: string, at: string, body?: Json, key = 'key') => {
  const response = await service.request(`/api/v1/exports${at}`, {
    method,
    headers: { 'service-key': own(key), 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
};
type Shown = Json & { id: number; name: string; progress: Json; failure: Json | null; lag_seconds: number };
const list = async () => (await ask('GET', '')).body.exports as Shown[];
const find = async (name: string) => (await list()).find((one) => one.name === name) as Shown;
/** As if nobody had failed and everything were due. */
const lookNow = () => postgres.rows('UPDATE export_states SET due_at = now()');

beforeAll(async () => {
  port = await freePort();
  await startBucket();
  fs.mkdirSync(out);
  env = {
    ROLES: 'api,collect,attribution',
    EXPORT_DIR: out,
    EXPORT_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    EXPORT_S3_KEY: KEY,
    EXPORT_S3_SECRET: KEY,
    EXPORT_PART_ROWS: '40',
    EXPORT_KEEP_SECONDS: '3',
    EXPORT_CHECK_SECONDS: '1',
    LIMIT_QUERY: 'off',
  };
  [service, second] = await Promise.all([startBeside(shared, env), startBeside(shared, env)]);
  await service.apply(documentWith([]));
  project = await idByName(shared, 'projects', own('Shop'));
  const event = (i: number) =>
    appEvent('open', {
      app_id: 'com.exports.shop',
      install_id: `i-${i}`,
      user: { id: i === 7 ? 'forget-me' : `u-${i}` },
    });
  await postEvents(
    service,
    own('key'),
    Array.from({ length: EVENTS }, (_, i) => event(i)),
  );
  await postEvents(service, own('other'), [appEvent('open', { app_id: 'com.exports.other' })]);
  const taken = await putSpend(service, own('key'), [spend('a', 1.25), spend('b', 2)]);
  expect(taken).toMatchObject({ accepted: 2, rejected: [] });
  // One that was reported, and one that was imported with the time when it happened.
  const click = (tid: string, kind: string, received_at: string, version: number) => ({
    project_id: project,
    bucket: DAY,
    campaign_id: 1,
    click_id: randomUUID(),
    kind,
    tid,
    click_time: received_at,
    received_at,
    version,
  });
  await shared.clickhouse.insert({
    table: 'adtrail.clicks',
    format: 'JSONEachRow',
    values: [click('reported', 's2s', `${DAY} 12:00:05`, 1), click('imported', 'import', '2025-01-02 03:04:05', 2)],
  });
  await moveBack('app_events');
  await moveBack('ad_spend');
}, 120_000);
afterAll(async () => {
  await service.dispose();
  await bucket.close();
  await postgres.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const refused: readonly [name: string, entry: Json, message: string][] = [
  ['a kind', { kind: 'everything' }, '.kind: must be one of clicks'],
  ['a query by the hour', { kind: { query: question }, every: 'hour' }, '.every: a query is exported by the day'],
  ['an unknown metric', { kind: { query: { ...question, metrics: ['x'] } } }, '.kind.query: Unknown metric: "x"'],
  ['a way out', { destination: { type: 'folder', path: 'a/../../b' } }, '.destination.path: must have no ..'],
  ['another folder', { destination: { type: 'folder', path: '/etc' } }, '.destination.path: is not below EXPORT_DIR'],
  ['a link', { destination: { type: 'folder', path: 'link/x' } }, '.destination.path: leads out of EXPORT_DIR'],
  [
    'a bucket in a folder',
    { destination: { type: 'folder', path: 'x', bucket: 'lake' } },
    '.destination.bucket: has no',
  ],
  ['a prefix', { destination: { ...toBucket, prefix: 'a//b' } }, '.destination.prefix: takes letters'],
  [
    'an inner endpoint',
    { destination: { ...toBucket, endpoint: 'http://169.254.169.254' } },
    '.destination.endpoint: is not a public address',
  ],
];

test('documents that cannot be are refused by name, and by who is no operator', async () => {
  fs.symlinkSync(folder, path.join(out, 'link'));
  for (const [name, entry, message] of refused) {
    const put = await service.admin('PUT', '/workspace', documentWith([toFolder('X', 'clicks', entry)]));
    expect({
      name,
      status: put.status,
      msg: String(put.body.msg).includes(`projects[0].exports[0]${message}`),
    }).toEqual({ name, status: 400, msg: true });
  }
  const twice = await service.admin(
    'PUT',
    '/workspace',
    documentWith([toFolder('A', 'clicks'), toFolder('B', 'clicks')]),
  );
  expect(twice).toMatchObject({ status: 400, body: { msg: expect.stringContaining('is there twice') as string } });
  const without = await shared.admin('PUT', '/workspace', documentWith([toFolder('X', 'clicks')]));
  expect(without).toMatchObject({ status: 400, body: { msg: expect.stringContaining('set EXPORT_DIR') as string } });
  const settings = await service.admin('PUT', `/projects/${project}`, { exports: [] });
  expect(settings.status).toBe(400);
});

test('complete periods are written once, and read back row for row', async () => {
  const applied = await service.admin('PUT', '/workspace', documentWith(entries));
  expect(applied).toMatchObject({ status: 200, body: { created: entries.length } });
  expect((await service.admin('PUT', '/workspace', documentWith(entries))).body).toMatchObject({
    created: 0,
    updated: 0,
  });
  const fixed = await service.admin('PUT', '/workspace', documentWith([{ ...entries[0], format: 'csv' }]));
  expect(fixed).toMatchObject({
    status: 400,
    body: { msg: expect.stringContaining('.format: cannot change') as string },
  });
  expect((await ask('GET', '', undefined, 'other')).body).toMatchObject({ exports: [] });
  const exports = await list();
  expect(exports.map(({ name }) => name)).toEqual(entries.map(({ name }) => name));
  for (const { id } of exports) {
    expect((await ask('POST', `/${id}/backfill`, { from: DAY, to: addDays(DAY, -1) })).status).toBe(400);
    expect((await ask('POST', `/${id}/backfill`, { from: DAY, to: DAY }, 'other')).status).toBe(404);
    expect((await ask('POST', `/${id}/dry-run`, {}, 'other')).status).toBe(404);
    expect((await ask('POST', `/${id}/backfill`, { from: DAY, to: DAY })).status).toBe(202);
  }
  const [events, hours, spent, asked] = await Promise.all(
    [places.events, places.hours, places.spend, places.question].map((place) => manifestWith(place, 1)),
  );
  expect(events).toMatchObject({ rows: EVENTS, format: 'ndjson', period: { name: DAY } });
  expect(events?.parts).toHaveLength(3);
  expect(Date.parse(events?.complete_until ?? '')).toBeGreaterThanOrEqual(Date.parse(TODAY));
  const rows = sorted(await inSql('app_events'), 'id');
  const written = readLines(await readParts(places.events, events as Manifest));
  expect(sorted(written, 'id')).toEqual(rows);
  expect(events?.parts.map((part) => part.rows).reduce((a, b) => a + b, 0)).toBe(EVENTS);
  expect(sorted(readLines(await readParts(places.hours, hours as Manifest)), 'id')).toEqual(rows);
  const readTids = async (hour: string) => {
    const place = path.join(out, `files/clicks/day=${DAY}/hour=${hour}`);
    return readLines(await readParts(place, await manifestWith(place, 1))).map(({ tid }) => tid);
  };
  expect([await readTids('00'), await readTids('12')]).toEqual([['imported'], ['reported']]);
  const [parquet] = await readParts(places.spend, spent as Manifest);
  const read = await readParquet(Uint8Array.from(parquet as Buffer).buffer);
  expect(read.map(({ ad_id, spend: amount }) => [ad_id, Number(amount)]).sort()).toEqual([
    ['a', 1.25],
    ['b', 2],
  ]);
  expect(spent?.schema.map(({ name }) => name)).toEqual(Object.keys((await inSql('ad_spend'))[0] ?? {}));
  expect((await readParts(places.question, asked as Manifest)).join('')).toContain('Spring');
}, 240_000);

test('what has not changed is not written again; a dry run writes nothing', async () => {
  const ledger = () =>
    postgres.rows(
      `SELECT export_id, period, revision, state, fingerprint FROM export_periods JOIN scheduled_exports AS export
         ON export.id = export_id WHERE project_id = $1 ORDER BY 1, 2, 3`,
      [project],
    );
  const before = await eventually('nothing waits', async () =>
    (await list()).every(({ progress }) => progress.periods_waiting === 0) ? ledger() : undefined,
  );
  const { id } = await find('Events');
  const checked = `SELECT min(checked_at) AS at FROM export_periods WHERE export_id = $1 AND state = 'written'`;
  const [first] = await postgres.rows<{ at: Date }>(checked, [id]);
  await eventually('everything is compared once more', async () => {
    const [now] = await postgres.rows<{ at: Date }>(checked, [id]);
    return now && first && now.at > first.at ? true : undefined;
  });
  expect(await ask('POST', `/${id}/dry-run`)).toMatchObject({ status: 200, body: { periods: [], total: 0 } });
  expect(await ledger()).toEqual(before);
  const idle = toFolder('Idle', 'app-events', { enabled: false, destination: { type: 'folder', path: 'idle' } });
  await service.apply(documentWith([...entries, idle]));
  const { id: idleId } = await find('Idle');
  await ask('POST', `/${idleId}/backfill`, { from: DAY, to: DAY });
  const { body } = await ask('POST', `/${idleId}/dry-run`);
  expect(body).toMatchObject({
    periods: [{ period: DAY, rows: EVENTS, why: 'new' }],
    total: 1,
    sample: { length: 10 },
  });
  expect(fs.existsSync(path.join(out, 'idle'))).toBe(false);
  const whole = await find('Events by the hour');
  expect(whole).toMatchObject({ failure: null, progress: { periods_waiting: 0, rows: EVENTS } });
  const shown = await service.admin('GET', `/projects/${project}/exports`);
  expect(shown).toMatchObject({ status: 200, body: { exports: { length: entries.length + 1 } } });
  const metrics = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
  expect(await metrics.text()).toMatch(/adtrail_scheduled_exports_total\{outcome="written"\} [1-9]/);
}, 120_000);

test('a bucket that fails holds up no other export, and its spend, corrected meanwhile, follows', async () => {
  await bucket.close();
  await putSpend(service, own('key'), [spend('a', 7)]);
  const failed = await eventually(
    'it fails',
    async () => {
      await lookNow();
      const one = await find('Spend');
      return one.failure ? one : undefined;
    },
    60_000,
  );
  expect(failed.failure).toMatchObject({ is_over: false });
  expect(JSON.stringify(failed)).not.toContain(KEY);
  // The corrected row is received today.
  const asked = await manifestWith(places.question, 2);
  expect((await readParts(places.question, asked)).join('')).toContain('9');
  await startBucket();
  await lookNow();
  const spent = await manifestWith(places.spend, 2);
  const [parquet] = await readParts(places.spend, spent);
  const read = await readParquet(Uint8Array.from(parquet as Buffer).buffer);
  expect(read.map(({ ad_id }) => ad_id)).toEqual(['b']);
  await eventually('the former revision is gone', async () =>
    (await fetchObject(`${places.spend}/r1/part-000.parquet`)) === undefined ? true : undefined,
  );
  expect((await find('Spend')).failure).toMatchObject({ is_over: true });
}, 240_000);

test('a late decision, and a campaign with another name, are in the next revision of their day', async () => {
  const find = async (place: string, isIt: (row: Json) => boolean) => {
    const manifest = await readManifest(place);
    const row = manifest && readLines(await readParts(place, manifest)).find(isIt);
    return row && { revision: manifest.revision, row };
  };
  const isEvent = (row: Json) => row.install_id === 'i-3' && row.type === 'open';
  const isInstall = (row: Json) => row.install_id === 'i-3';
  const [event, none] = await Promise.all([find(places.events, isEvent), manifestWith(places.installs, 1)]);
  expect(event?.row).toMatchObject({ rule: '', campaign_name: '' });
  expect(none).toMatchObject({ rows: 0, parts: [] });
  const clicked = await shared.request(`/v1/click/com.exports.shop?c=spring&tid=late&gaid=${GAID}`, {
    headers: { 'X-Service-Token': own('token') },
  });
  expect(clicked.status).toBe(200);
  await postEvents(service, own('key'), [
    appEvent('install', { app_id: 'com.exports.shop', install_id: 'i-3', event_id: 'late', gaid: GAID }),
  ]);
  await decided(shared, project, 1);
  await moveBack('installs');
  const awaitRow = (place: string, isIt: (row: Json) => boolean, after: number, name: string) =>
    eventually(
      `${place} has the decision`,
      async () => {
        await lookNow();
        const found = await find(place, isIt);
        return found && found.revision > after && found.row.campaign_name === name ? found : undefined;
      },
      60_000,
    );
  const credited = { rule: 'device_click', campaign_display_id: 'spring' };
  const [later, install] = await Promise.all([
    awaitRow(places.events, isEvent, event?.revision ?? 0, 'Spring'),
    awaitRow(places.installs, isInstall, none.revision, 'Spring'),
  ]);
  expect(later.row).toMatchObject(credited);
  expect(install.row).toMatchObject(credited);
  campaign = 'Late spring';
  await service.apply(documentWith(entries));
  await awaitRow(places.events, isEvent, later.revision, 'Late spring');
  await awaitRow(places.installs, isInstall, install.revision, 'Late spring');
}, 240_000);

test('a day long past is compared once a day, and written again where it has changed', async () => {
  const place = places.longPast;
  const { id } = await find('Events');
  await ask('POST', `/${id}/backfill`, { from: LONG_PAST, to: LONG_PAST });
  await lookNow();
  expect(await manifestWith(place, 1)).toMatchObject({ revision: 1, rows: 0, parts: [] });
  const event = { app_id: 'com.exports.shop', install_id: 'i-long-past', user: { id: 'forget-me' } };
  await postEvents(service, own('key'), [appEvent('open', event)]);
  await shared.clickhouse.command({
    query: `INSERT INTO adtrail.app_events
      SELECT * REPLACE (toDateTime64('${LONG_PAST} 12:00:00', 3, 'UTC') AS received_at, version + 1 AS version)
      FROM adtrail.app_events FINAL
      WHERE project_id = ${project} AND install_id = 'i-long-past'`,
  });
  const compared = (hours: number) =>
    postgres.rows(
      `UPDATE export_periods SET checked_at = now() - $3 * interval '1 hour'
      WHERE export_id = $1 AND period = $2`,
      [id, LONG_PAST, hours],
    );
  await compared(23);
  const recently = async () => {
    const text = `SELECT checked_at AS at FROM export_periods
      WHERE export_id = $1 AND period = $2 AND state = 'written'`;
    return (await postgres.rows<{ at: Date }>(text, [id, DAY]))[0]?.at;
  };
  const before = (await recently()) as Date;
  await eventually('the day before is compared', async () => {
    await lookNow();
    const at = await recently();
    return at && at > before ? true : undefined;
  });
  expect(await readManifest(place)).toMatchObject({ revision: 1 });
  await compared(25);
  await lookNow();
  const manifest = await manifestWith(place, 2);
  expect(readLines(await readParts(place, manifest)).map((row) => row.install_id)).toEqual(['i-long-past']);
}, 240_000);

test('a forgotten person leaves the files', async () => {
  const holdsPerson = (parts: readonly Buffer[]) => parts.some((part) => part.includes('forget-me'));
  const before = await manifestWith(places.events, 1);
  expect(holdsPerson(await readParts(places.events, before))).toBe(true);
  expect(holdsPerson(await readParts(places.hours, await manifestWith(places.hours, 1)))).toBe(true);
  await service.admin('DELETE', `/projects/${project}/devices/user/forget-me`);
  // Other revisions may come before.
  for (const place of [places.events, places.hours])
    await eventually(
      `the person is not in ${place}`,
      async () => {
        const manifest = await readManifest(place);
        return manifest && !holdsPerson(await readParts(place, manifest)) ? true : undefined;
      },
      60_000,
    );
  await eventually('the former revision is gone', () =>
    Promise.resolve(!fs.existsSync(`${places.events}/r${before.revision}`) || undefined),
  );
  // What is removed of the person after it is hidden may change rows once more, of days long past too.
  for (const [place, day] of [
    [places.events, DAY],
    [places.longPast, LONG_PAST],
  ] as const)
    await eventually(`the files of ${day} are as the view is`, async () => {
      const manifest = (await readManifest(place)) as Manifest;
      const lines = sorted(readLines(await readParts(place, manifest)), 'id');
      const isRemoved = lines.some((row) => String(row.install_id).startsWith('forgotten-'));
      return isRemoved && JSON.stringify(lines) === JSON.stringify(sorted(await inSql('app_events', day), 'id'))
        ? true
        : undefined;
    });
  expect((await inSql('app_events')).length).toBeGreaterThan(EVENTS - 2);
}, 240_000);

test('killed while it writes, what is there is whole, and then the rest', async () => {
  await Promise.all([service.dispose(), second.dispose()]);
  service = await startBeside(shared, { ...env, EXPORT_PART_ROWS: '1' });
  const slow = toFolder('Killed', 'app-events', { destination: { type: 'folder', path: 'killed' } });
  expect((await service.admin('PUT', '/workspace', documentWith([...entries, slow]))).status).toBe(200);
  const place = path.join(out, `killed/app-events/day=${DAY}`);
  const { id } = await find('Killed');
  await ask('POST', `/${id}/backfill`, { from: DAY, to: DAY });
  await eventually(
    'it has begun',
    () => Promise.resolve(fs.existsSync(`${place}/r1/part-002.ndjson`) || undefined),
    60_000,
  );
  await service.kill();
  expect(await readManifest(place)).toBeUndefined();
  const killed = service;
  service = await startBeside(shared, { ...env, EXPORT_PART_ROWS: '20' });
  const manifest = await manifestWith(place, 1);
  expect(sorted(readLines(await readParts(place, manifest)), 'id')).toEqual(sorted(await inSql('app_events'), 'id'));
  // What was begun is left behind, and goes.
  expect(manifest.revision).toBe(2);
  await eventually('nothing else is there', () => (fs.existsSync(`${place}/r1`) ? undefined : true));
  expect(fs.readdirSync(`${place}/r2`).sort()).toEqual(manifest.parts.map((part) => path.basename(part.path)).sort());
  // It comes back for its log: others would wait for ever for what may be in that.
  await killed.restart();
  await killed.dispose();
}, 240_000);
