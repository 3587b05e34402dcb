/** Backups: what is refused, what is noticed, buckets, kills and moves (docs/contract.md, Backups). */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import S3rver from 's3rver';
import { adtrail } from '../support/command';
import { postgresUrl } from '../support/postgres';
import {
  ADMIN_TOKEN,
  CLICKHOUSE_PASSWORD,
  eventually,
  freePort,
  startService,
  temporaryFolder,
  type RunningService,
} from '../support/service';
import { TOKEN, workspace } from '../support/workspace';

const folder = temporaryFolder();
const place = path.join(folder, 'backups');
const CLICKS = 30;
/** What the server of the tests takes as keys. */
const BUCKET_KEY = 'S3RVER';
let service: RunningService;
let bucketEnv: NodeJS.ProcessEnv;
let bucket: S3rver;
const started: RunningService[] = [];

beforeAll(async () => {
  const port = await freePort();
  const directory = path.join(folder, 'bucket');
  const configureBuckets = [{ name: 'adtrail-backups', configs: [] }];
  bucket = new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets });
  await bucket.run();
  bucketEnv = {
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    BACKUP_S3_KEY: BUCKET_KEY,
    BACKUP_S3_SECRET: BUCKET_KEY,
  };
  service = await start(bucketEnv);
  await service.apply(workspace);
  await clicks(service, 'first');
}, 180_000);
afterAll(async () => {
  for (const one of started) await one.dispose();
  await bucket?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function start(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const one = await startService(env);
  started.push(one);
  return one;
}

async function clicks(of: RunningService, prefix: string): Promise<void> {
  for (let i = 0; i < CLICKS; i++) {
    const url = `${of.url}/v1/click/com.acme.shop?c=AbC123&tid=${prefix}-${i}&gaid=${crypto.randomUUID()}`;
    expect((await fetch(url, { headers: { 'X-Service-Token': TOKEN } })).status).toBe(200);
  }
}

const tidsOf = async (of: RunningService) =>
  (await of.rows<{ tid: string }>('SELECT tid FROM analytics.clicks ORDER BY tid')).map(({ tid }) => tid);
const commandEnv = (of: RunningService) => ({
  DATA_DIR: of.dataDir,
  PORT: new URL(of.url).port,
  CLICKHOUSE_PASSWORD,
  ...bucketEnv,
});
const empty = (name: string) => ({
  DATA_DIR: path.join(folder, name),
  CLICKHOUSE_PASSWORD,
  // Taken: what is restored beside a running service needs a port of its own.
  CLICKHOUSE_HTTP_PORT: new URL(service.clickhouseUrl).port,
  ...bucketEnv,
});
const OK = { code: 0, stderr: '' };
const ended = ({ code, stderr }: { code: number | null; stderr: string }) => ({ code, stderr });

async function takeOne(to: string, more: readonly string[] = []): Promise<string> {
  const taken = await adtrail(['backup', to, ...more], commandEnv(service));
  expect(ended(taken)).toEqual(OK);
  return /^backup (\S+) in /.exec(taken.stdout)?.[1] ?? '';
}

describe('what is refused', () => {
  test.each([
    ['backups', 'to: A backup goes to a folder, by its absolute path, or s3://bucket/prefix.'],
    ['s3://x', 'to: A backup goes to a folder, by its absolute path, or s3://bucket/prefix.'],
    ['/dev/null', 'to: /dev/null cannot be made: EEXIST.'],
    ['/proc/nothing/here', 'to: /proc/nothing/here cannot be made: there is no /proc/nothing.'],
  ])('%s', async (to, msg) => {
    expect(await service.admin('POST', '/backups', { to })).toEqual({ status: 400, body: { msg, status: 400 } });
  });

  test('a folder in DATA_DIR, fields that there are not, and others than the admin token', async () => {
    const inside = path.join(service.dataDir, 'backups');
    const { status, body } = await service.admin('POST', '/backups', { to: inside });
    expect([status, body.msg]).toEqual([400, `to: ${inside} is in DATA_DIR; name another folder.`]);
    expect(fs.existsSync(inside)).toBe(false);
    expect((await service.admin('POST', '/backups', { to: place, full: true })).body.msg).toBe(
      'body: unknown field "full"',
    );
    const answer = await service.request('/admin/v1/backups', { method: 'POST', body: JSON.stringify({ to: place }) });
    expect(answer.status).toBe(401);
    expect(fs.existsSync(place)).toBe(false);
  });

  test('a place without backups, and an ID that there is not', async () => {
    expect((await adtrail(['restore', folder], empty('nothing'))).stderr).toBe(
      `adtrail: There is no backup in ${folder}.\n`,
    );
    expect((await adtrail(['backup', 'list', folder], empty('nothing'))).stdout).toBe('no backups\n');
  });

  test('a bucket without keys', async () => {
    const { stderr } = await adtrail(['restore', 's3://adtrail-backups/x'], { DATA_DIR: path.join(folder, 'keyless') });
    expect(stderr).toBe('adtrail: For s3://, set BACKUP_S3_KEY and BACKUP_S3_SECRET.\n');
  });
});

describe('backups in a folder', () => {
  let first: string;
  let second: string;

  beforeAll(async () => {
    first = await takeOne(place);
    await clicks(service, 'second');
    second = await takeOne(place);
  }, 120_000);

  test('are private, and each adds to the one before it', async () => {
    const listed = await adtrail(['backup', 'list', place], empty('list'));
    expect(listed.stdout.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${first}  complete until \\S+Z, whole$`)),
      expect.stringMatching(new RegExp(`^${second}  complete until \\S+Z, adds to ${first}$`)),
      '',
    ]);
    const files = fs.readdirSync(place, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const open = files.filter((file) => fs.statSync(path.join(file.parentPath, file.name)).mode & 0o077);
    // ClickHouse writes as its umask says; nobody else gets into the folder.
    expect(open.filter(({ parentPath }) => !parentPath.includes('/clickhouse'))).toEqual([]);
    expect(fs.statSync(place).mode & 0o077).toBe(0);
  });

  test('any of them can be restored, wherever the folder is by then', async () => {
    const moved = path.join(folder, 'moved');
    fs.cpSync(place, moved, { recursive: true });
    for (const [id, prefixes] of [[first, ['first']] as const, [second, ['first', 'second']] as const]) {
      const done = await adtrail(['restore', moved, '--id', id], empty(`moved-${id}`));
      expect(ended(done)).toEqual(OK);
      const copy = await start({ DATA_DIR: path.join(folder, `moved-${id}`) });
      const expected = prefixes.flatMap((prefix) => Array.from({ length: CLICKS }, (_, i) => `${prefix}-${i}`));
      expect(await tidsOf(copy)).toEqual(expected.sort());
      await copy.stop();
    }
  }, 180_000);

  test('data that are there stay: a restore into them is refused', async () => {
    await service.stop();
    const { code, stderr } = await adtrail(['restore', place], commandEnv(service));
    await service.restart();
    expect([code, stderr]).toEqual([
      1,
      'adtrail: There are data already: restore into empty engines (another DATA_DIR, or empty databases).\n',
    ]);
    expect(await tidsOf(service)).toHaveLength(2 * CLICKS);
  });

  test('a running service keeps its folder', async () => {
    const { code, stderr } = await adtrail(['restore', place], commandEnv(service));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^adtrail: Another adtrail already runs on /)]);
  });

  test('verify finds what is whole, and what was damaged in either engine', async () => {
    const verify = async (at: string) => adtrail(['backup', 'verify', at], empty('verify'));
    const whole = await verify(place);
    expect(ended(whole)).toEqual(OK);
    expect(whole.stdout).toMatch(new RegExp(`^backup ${second} is whole: `));

    const damage = async (name: string, file: string) => {
      const at = path.join(folder, name);
      fs.cpSync(place, at, { recursive: true });
      const target = path.join(at, file);
      const bytes = fs.readFileSync(target);
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] as number) ^ 0xff;
      fs.writeFileSync(target, bytes);
      return verify(at);
    };
    const inPostgres = await damage('damaged-postgres', `${second}/postgres/campaigns.copy.gz`);
    expect([inPostgres.code, inPostgres.stdout]).toEqual([1, '']);
    expect(inPostgres.stderr).not.toBe('');
    const parts = fs
      .readdirSync(path.join(place, second, 'clickhouse', 'clicks'), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('data.bin') || file.endsWith('tid.bin'));
    const inClickHouse = await damage('damaged-clickhouse', `${second}/clickhouse/clicks/${parts[0]}`);
    expect([inClickHouse.code, inClickHouse.stdout]).toEqual([1, '']);
    expect(inClickHouse.stderr).not.toBe('');
    const manifest = await damage('damaged-manifest', `${second}/manifest.json`);
    expect([manifest.code, manifest.stdout]).toEqual([1, '']);
    expect(fs.readdirSync(path.dirname(folder)).filter((name) => name.startsWith('adtrail-verify-'))).toEqual([]);
  }, 180_000);

  test('two at a time are not taken', async () => {
    const at = path.join(folder, 'two');
    const both = await Promise.all([
      adtrail(['backup', at], commandEnv(service)),
      adtrail(['backup', at], commandEnv(service)),
    ]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr).join('')).toBe('adtrail: Another backup is being taken.\n');
  });

  test('killed while one is taken: nothing is left in the engine, and the next one is whole', async () => {
    const at = path.join(folder, 'killed');
    const frozen = () => service.rows("SELECT name FROM system.databases WHERE name = 'adtrail_backup'");
    const taking = adtrail(['backup', at], commandEnv(service));
    await eventually('tables are kept', async () => ((await frozen()).length > 0 ? true : undefined));
    await service.kill();
    expect((await taking).code).toBe(1);
    await service.restart();
    expect(await frozen()).toEqual([]);
    const unfinished = fs.readdirSync(at);
    const id = await takeOne(at);
    expect(fs.readdirSync(at)).toEqual([id]);
    expect(unfinished).not.toContain(id);
  }, 120_000);
});

test('the configuration is that of PostgreSQL, also where a later one was copied meanwhile', async () => {
  const one = await start({});
  await one.apply(workspace);
  await clicks(one, 'configured');
  const namesIn = async (of: RunningService) =>
    (await of.rows<{ name: string }>('SELECT DISTINCT campaign_name AS name FROM analytics.clicks')).map(
      ({ name }) => name,
    );
  const [name = ''] = await namesIn(one);
  expect(name).not.toBe('');
  await one.clickhouse.command({
    query: `INSERT INTO adtrail.campaigns SELECT * REPLACE ('A later name' AS name, revision + 1000 AS revision)
      FROM adtrail.campaigns FINAL WHERE display_id = 'AbC123'`,
  });
  expect(await namesIn(one)).toEqual(['A later name']);
  const at = path.join(folder, 'configured');
  expect(ended(await adtrail(['backup', at], commandEnv(one)))).toEqual(OK);
  expect(ended(await adtrail(['restore', at], empty('configured-again')))).toEqual(OK);
  const copy = await start({ DATA_DIR: path.join(folder, 'configured-again') });
  await eventually('the name is the one of PostgreSQL', async () =>
    (await namesIn(copy))[0] === name ? true : undefined,
  );
  await copy.apply({
    accounts: workspace.accounts,
    partners: workspace.partners,
    projects: workspace.projects
      .filter((project) => project.name === 'Acme Shop')
      .map((project) => ({
        ...project,
        campaigns: project.campaigns.map((campaign) =>
          campaign.display_id === 'AbC123' ? { ...campaign, name: 'Renamed' } : campaign,
        ),
      })),
  });
  await eventually('a change is copied', async () => ((await namesIn(copy))[0] === 'Renamed' ? true : undefined));
}, 240_000);

test('a bucket takes backups that add to each other, and gives them back', async () => {
  const at = 's3://adtrail-backups/of/tests';
  await takeOne(at);
  await clicks(service, 'third');
  const second = await takeOne(at);
  const verified = await adtrail(['backup', 'verify', at], empty('verify-bucket'));
  // What the library of the bucket says of old versions of Node is no failure.
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining(`backup ${second} is whole`)]);
  const listed = await adtrail(['backup', 'list', at], empty('list-bucket'));
  expect(listed.stdout.trim().split('\n')).toHaveLength(2);
  const wrong = { ...commandEnv(service), BACKUP_S3_KEY: 'wrong' };
  expect((await adtrail(['backup', 'list', at], wrong)).code).toBe(1);
}, 180_000);

test('a move brings a stopped service to servers', async () => {
  const servers = await start({});
  const db = new pg.Client(postgresUrl(servers));
  await db.connect();
  await db.query('CREATE DATABASE moved');
  await db.end();
  for (const database of ['analytics', 'adtrail'])
    await servers.clickhouse.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
  const own = await start({});
  await own.apply(workspace);
  await clicks(own, 'moved');
  const target = {
    DATABASE_URL: postgresUrl(servers, 'moved'),
    CLICKHOUSE_URL: servers.clickhouseUrl,
    CLICKHOUSE_PASSWORD,
    DATA_DIR: path.join(folder, 'beside-servers'),
  };
  const early = await adtrail(['move', '--from', own.dataDir], target);
  expect([early.code, early.stderr]).toEqual([1, expect.stringMatching(/^adtrail: Another adtrail already runs on /)]);
  await own.stop();
  const done = await adtrail(['move', '--from', own.dataDir], target);
  expect(ended(done)).toEqual(OK);
  const moved = await start({ ...target, ADMIN_TOKEN });
  expect(await tidsOf(moved)).toEqual(Array.from({ length: CLICKS }, (_, i) => `moved-${i}`).sort());
  expect(fs.readdirSync(path.dirname(own.dataDir)).filter((name) => name.startsWith('adtrail-move-'))).toEqual([]);
  const again = await adtrail(['move', '--from', own.dataDir], target);
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/There are data already|already runs on/)]);
}, 240_000);
