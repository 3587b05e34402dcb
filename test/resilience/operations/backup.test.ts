/**
 * One installation and its backups, from the first one to servers: taken while partners post, two at a time, killed,
 * to a bucket, damaged, of a stopped service. What was accepted is there once after a restore, retries meet their
 * records, reports are the same, and nobody is told twice (docs/contract/backups.md). Places, lists, manifests and
 * secrets by themselves are in test/unit/operations/backups.test.ts.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver from 's3rver';
import { restoreTable, readChecksum } from '../../../src/backup/clickhouse-copy';
import { readManifest } from '../../../src/backup/manifest';
import { openStore } from '../../../src/backup/open-store';
import { restoreBackup } from '../../../src/backup/restore';
import { backUp, describeBackups, move, restore } from '../../../src/commands/backup-tasks';
import { chooseTarget } from '../../../src/commands/target';
import { readConfig } from '../../../src/config';
import { connectClickHouse } from '../../../src/db/clickhouse';
import { backupPlaces } from '../../../src/wiring/backup-places';
import { decided, putSpend, report } from '../../support/reports/app-report';
import { appEvent, collectApp, SERVER_KEY, type Json } from '../../support/collect/collect-client';
import { adtrail } from '../../support/operations/command';
import { readPostgres, postgresUrl } from '../../support/postgres';
import { startReceiver, type Receiver } from '../../support/deliveries/receiver';
import {
  ADMIN_TOKEN,
  CLICKHOUSE_PASSWORD,
  eventually,
  freePort,
  startService,
  temporaryFolder,
  type RunningService,
} from '../../support/service';
import { rounds } from '../../support/soak';
import { trafficWorkspace } from '../../support/collect/traffic';
import { TOKEN } from '../../support/workspace/workspace';

const INSTALLS = 20;
const DAY_MS = 86_400_000;
const CLICKED_AT = Date.now() - 3_600_000;
const HELD = 'a backup was restored, and it may have been sent before';
const BUCKET = 's3://adtrail-backups/of/tests';
/** What the server of the bucket takes as keys. */
const BUCKET_KEY = 'S3RVER';

const folder = temporaryFolder();
const place = path.join(folder, 'backups');
const moved = path.join(folder, 'moved');
let receiver: Receiver;
let bucket: S3rver;
let env: NodeJS.ProcessEnv;
let service: RunningService;
/** Restored from the second backup. */
let copy: RunningService;
const started: RunningService[] = [];

beforeAll(async () => {
  const port = await freePort();
  const directory = path.join(folder, 'bucket');
  const configureBuckets = [{ name: 'adtrail-backups', configs: [] }];
  bucket = new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets });
  await bucket.run();
  receiver = await startReceiver();
  env = {
    ACCEPT_AFTER: 'log',
    OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
    // A minute, so that nothing is given up however long the backup takes.
    OUTBOX_RETRIES: Array.from({ length: 20 }, () => 3).join(),
    LIMIT_REPORTING: 'off',
    BACKUP_DIR: folder,
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    BACKUP_S3_KEY: BUCKET_KEY,
    BACKUP_S3_SECRET: BUCKET_KEY,
  };
  service = await start({});
  const postbacks = ['install', 'payment'].map((event) => ({
    event,
    method: 'GET',
    url: `${receiver.url}/postback?id={postback_id}&event={event_name}&install={install_id}`,
  }));
  await service.apply({
    ...trafficWorkspace,
    partners: trafficWorkspace.partners.map((partner) =>
      partner.name === 'Mobi Ads' ? { ...partner, postbacks } : partner,
    ),
  });
}, 360_000);
afterAll(async () => {
  for (const one of started.reverse()) await one.dispose();
  await receiver?.close();
  await bucket?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function start(more: NodeJS.ProcessEnv): Promise<RunningService> {
  const one = await startService({ ...env, ...more });
  started.push(one);
  return one;
}

const commandEnv = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...env,
  ADMIN_TOKEN,
  CLICKHOUSE_PASSWORD,
  DATA_DIR: service.dataDir,
  PORT: new URL(service.url).port,
  ...more,
});
/** For commands on engines of their own, beside a service that runs. */
const inFolder = (name: string) => commandEnv({ DATA_DIR: path.join(folder, name), PORT: '0' });

const sealKey = () => fs.readFileSync(path.join(service.dataDir, 'seal-key'), 'utf8').trim();

/** Takes a backup as the command does, which asks the service. */
const take = (to: string, more: object = {}) =>
  backUp(readConfig(commandEnv()), () => chooseTarget(commandEnv(), {}), {
    to,
    whole: false,
    withSealKey: false,
    ...more,
  });
const idIn = (told: string) => /^backup (\S+) in /.exec(told)?.[1] ?? '';

async function done(args: readonly string[], more: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout, stderr } = await adtrail(args, more);
  // What the library of the bucket says of old versions of Node is no failure.
  const said = stderr.replace(/^\(node:\d+\) [\s\S]*?\(Use `node --trace[^\n]*\n/, '');
  expect({ code, said }).toEqual({ code: 0, said: '' });
  return stdout;
}

/** Posts a click, the same at every call; resolves with whether it was accepted. */
async function click(of: RunningService, tid: string, campaign = 'AbC123'): Promise<boolean> {
  const url = `${of.url}/v1/click/com.acme.shop?c=${campaign}&tid=${tid}&gaid=${tid}&click_time=${CLICKED_AT}`;
  const answer = await fetch(url, { headers: { 'X-Service-Token': TOKEN } }).catch(() => undefined);
  return answer?.status === 200;
}
async function clicked(of: RunningService, times: number): Promise<string[]> {
  const tids = Array.from({ length: times }, () => crypto.randomUUID());
  for (const tid of tids) expect(await click(of, tid)).toBe(true);
  return tids;
}

const listEvents = (gaid: string) => [
  appEvent('install', { event_id: `install-${gaid}`, install_id: gaid, gaid }),
  appEvent('payment', { event_id: `payment-${gaid}`, install_id: gaid, amount: 1.25, currency: 'USD' }),
];

/** Clicks with installs and payments, all of them accepted. */
async function history(of: RunningService, installs: number): Promise<string[]> {
  const gaids = await clicked(of, installs);
  const answer = await collectApp(of, gaids.flatMap(listEvents), { 'service-key': SERVER_KEY });
  expect(answer.status).toBe(202);
  return gaids;
}

/** Posts clicks until it is stopped; tells when each was accepted. */
function traffic(of: RunningService) {
  const accepted = new Map<string, number>();
  let going = true;
  const lane = async () => {
    while (going) {
      const tid = crypto.randomUUID();
      const isAccepted = await click(of, tid);
      if (isAccepted) accepted.set(tid, Date.now());
      else await sleep(20);
    }
  };
  const lanes = Array.from({ length: 6 }, lane);
  return {
    accepted,
    async stop() {
      going = false;
      await Promise.all(lanes);
    },
  };
}

/** How often each click is there, by its tid. */
async function readClicks(of: RunningService, table = 'analytics.clicks'): Promise<Map<string, number>> {
  const rows = await of.rows<{ tid: string; times: number }>(
    `SELECT tid, toUInt32(count()) AS times FROM ${table} GROUP BY tid`,
  );
  return new Map(rows.map(({ tid, times }) => [tid, times]));
}
const areThereOnce = (of: RunningService, tids: readonly string[]) =>
  eventually('each is there once', async () => {
    const there = await readClicks(of);
    return tids.every((tid) => there.get(tid) === 1) ? there : undefined;
  });

const nameOfAlt = async (of: RunningService) =>
  (
    await of.rows<{ name: string }>(
      "SELECT DISTINCT campaign_name AS name FROM analytics.clicks WHERE campaign_display_id = 'alt'",
    )
  ).map(({ name }) => name);

const days = () => ({
  start_date: new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10),
  end_date: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10),
});
const readFigures = async (of: RunningService): Promise<Json[]> => {
  const { status, campaigns } = await report(of, SERVER_KEY, days());
  expect(status).toBe(200);
  return campaigns;
};

/** While it answers with an error nobody is told. */
const failing: [number, number] = [Infinity, Infinity];
/** What was told, by install and event: only what the receiver answered with 200. */
const told = () =>
  receiver
    .at('/postback')
    .filter(({ at }) => at < failing[0] || at > failing[1])
    .map(({ query }) => `${query.get('event')} ${query.get('install')}`)
    .sort();
const about = (gaids: readonly string[]) => gaids.flatMap((gaid) => [`install ${gaid}`, `payment ${gaid}`]).sort();
const readNotified = (gaids: readonly string[]) => told().filter((one) => gaids.some((gaid) => one.endsWith(gaid)));
const twice = (gaids: readonly string[]) => about([...gaids, ...gaids]);

/** What the story has so far. */
const ofAlt = crypto.randomUUID();
let [first, second, completeUntil] = ['', '', 0];
/** The second one in the bucket. */
let added = '';
let gaids: readonly string[];
let waiting: readonly string[];
let posting: ReturnType<typeof traffic>;

test('only the admin token takes a backup, and only to where one may be', async () => {
  for (const [body, msg] of [
    [{ to: 'backups' }, 'to: A backup goes to a folder, by its absolute path, or s3://bucket/prefix.'],
    [{ to: '/dev/null' }, `to: /dev/null is not in BACKUP_DIR, which is ${folder}.`],
    [{ to: place, full: true }, 'body: unknown field "full"'],
  ] as const)
    expect(await service.admin('POST', '/backups', body)).toEqual({ status: 400, body: { msg, status: 400 } });
  const answer = await service.request('/admin/v1/backups', { method: 'POST', body: JSON.stringify({ to: place }) });
  expect(answer.status).toBe(401);
  expect(fs.existsSync(place)).toBe(false);
});

test('backups while partners post: they are private, and each adds to the one before it', async () => {
  gaids = await history(service, INSTALLS);
  expect(await click(service, ofAlt, 'alt')).toBe(true);
  const date = new Date(CLICKED_AT).toISOString().slice(0, 10);
  await putSpend(service, SERVER_KEY, [{ campaign_id: 'AbC123', date, spend: '123.45', currency: 'USD' }]);
  await decided(service, 1, INSTALLS);
  await receiver.waitFor('/postback', 2 * INSTALLS);
  first = idIn(await done(['backup', place], commandEnv()));
  // As one that was copied after PostgreSQL was.
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.campaigns SELECT * REPLACE ('A later name' AS name, revision + 1000 AS revision)
      FROM adtrail.campaigns FINAL WHERE display_id = 'alt'`,
  });
  expect(await nameOfAlt(service)).toEqual(['A later name']);

  posting = traffic(service);
  await eventually('partners post', () => (posting.accepted.size > 50 ? true : undefined));
  // These wait to be told of while the backup is taken.
  receiver.answer('/postback', 503);
  failing[0] = Date.now();
  waiting = await history(service, 3);
  const taken = await take(place);
  failing[1] = Date.now();
  receiver.answer('/postback', 200);
  await posting.stop();
  second = idIn(taken);
  completeUntil = Date.parse(/accepted before (\S+) is in it/.exec(taken)?.[1] ?? '');
  // The service that was backed up goes on, and tells of what waited.
  await eventually('all is told', () => (told().length >= 2 * (INSTALLS + 3) ? true : undefined), 30_000);

  expect((await describeBackups(readConfig(commandEnv()), place)).split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${first}  complete until \\S+Z, whole$`)),
    expect.stringMatching(new RegExp(`^${second}  complete until \\S+Z, adds to ${first}$`)),
  ]);
  const files = fs.readdirSync(place, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const open = files.filter((file) => fs.statSync(path.join(file.parentPath, file.name)).mode & 0o077);
  // ClickHouse writes as its umask says; nobody else gets into the folder.
  expect(open.filter(({ parentPath }) => !parentPath.includes('/clickhouse'))).toEqual([]);
  expect(fs.statSync(place).mode & 0o077).toBe(0);
  expect(fs.statSync(path.join(service.dataDir, 'seal-key')).mode & 0o777).toBe(0o600);
}, 300_000);

test('a running service keeps its folder, and what is in its engines stays', async () => {
  const config = readConfig(commandEnv());
  const runs = /^Another adtrail already runs on /;
  await expect(restore(config, { from: place, id: undefined, messages: 'hold' })).rejects.toThrow(runs);
  const servers = { DATABASE_URL: postgresUrl(service), CLICKHOUSE_URL: service.clickhouseUrl };
  await expect(move(readConfig({ ...inFolder('early'), ...servers }), service.dataDir)).rejects.toThrow(runs);
  const there = await readClicks(service);
  const postgres = readPostgres(service);
  const clickhouse = connectClickHouse(service.clickhouseUrl, CLICKHOUSE_PASSWORD);
  const engines = { databaseUrl: postgresUrl(service), postgres, clickhouse, cluster: undefined, reader: clickhouse };
  const parts = { ...engines, logs: path.join(folder, 'no-logs'), messages: 'hold' } as const;
  const store = openStore(place, backupPlaces(config));
  await expect(restoreBackup(parts, store, await readManifest(store, first), () => undefined)).rejects.toThrow(
    'There are data already: restore into empty engines (another DATA_DIR, or empty databases).',
  );
  await postgres.close();
  await clickhouse.close();
  expect(await readClicks(service)).toEqual(there);
});

test('two at a time are not taken; killed while one is, nothing is left, and the next one is whole', async () => {
  // What is restored of the second one has none of what comes now.
  await clicked(service, 1);
  const both = await Promise.allSettled([take(place), take(place)]);
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
  expect(refused).toEqual(['Another backup is being taken.']);

  const before = fs.readdirSync(place);
  const frozen = () => service.rows("SELECT name FROM system.databases WHERE name = 'adtrail_backup'");
  const killed = expect(take(place)).rejects.toThrow();
  await eventually('tables are kept', async () => ((await frozen()).length > 0 ? true : undefined));
  await service.kill();
  await killed;
  await service.restart();
  expect(await frozen()).toEqual([]);
  const unfinished = fs.readdirSync(place).filter((id) => !before.includes(id));
  const id = idIn(await take(place));
  expect(fs.readdirSync(place).sort()).toEqual([...before, id].sort());
  expect(unfinished).not.toContain(id);
}, 240_000);

test('restored wherever the folder is by then: there once, decided and reported the same, told once', async () => {
  fs.cpSync(place, moved, { recursive: true });
  const restored = await done(['restore', moved, '--id', second], inFolder('drill'));
  expect(restored).toContain('the seal key of the backup is not there');
  expect(restored).toContain('not restored, for they are sealed with it: clickhouse-reader-password');
  copy = await start({ DATA_DIR: path.join(folder, 'drill') });
  const found = await readClicks(copy);
  expect([...found.values()].filter((times) => times !== 1)).toEqual([]);
  expect([...posting.accepted].filter(([tid, at]) => at < completeUntil && !found.has(tid))).toEqual([]);
  expect([...gaids, ...waiting].filter((tid) => !found.has(tid))).toEqual([]);
  // Nothing of what a later backup has.
  const all = [...gaids, ...waiting, ...posting.accepted.keys(), ofAlt];
  expect([...found.keys()].filter((tid) => !all.includes(tid))).toEqual([]);

  // The configuration is that of PostgreSQL, also where a later one was copied meanwhile.
  await eventually('the name is the one of PostgreSQL', async () =>
    (await nameOfAlt(copy))[0] === 'Campaign alt' ? true : undefined,
  );

  // Partners and apps send again, what came before the backup and what came after it.
  for (const tid of all.filter((one) => one !== ofAlt)) expect(await click(copy, tid)).toBe(true);
  const again = await collectApp(copy, [...gaids, ...waiting].flatMap(listEvents), { 'service-key': SERVER_KEY });
  expect(again.status).toBe(202);
  expect((await areThereOnce(copy, all)).size).toBe(all.length);
  await decided(copy, 1, INSTALLS + waiting.length);
  // What the second backup does not have.
  const later = [...(await readClicks(service)).keys()].filter((tid) => !all.includes(tid));
  expect(later.length).toBe(1);
  for (const tid of later) expect(await click(copy, tid)).toBe(true);
  await eventually('both say the same to the cent', async () => {
    const [one, two] = [await readFigures(service), await readFigures(copy)];
    expect(JSON.stringify(one)).toContain('123.45');
    return JSON.stringify(one) === JSON.stringify(two) ? true : undefined;
  });

  // What happens from now on is told, and nothing of before is told again: what waited is held, and in the log.
  const fresh = await history(copy, 1);
  await eventually('the new install is told of', () =>
    about(fresh).every((one) => told().includes(one)) ? true : undefined,
  );
  expect(told()).toEqual(about([...gaids, ...waiting, ...fresh]));
  const held = await eventually('what is held is in the log', async () => {
    const rows = await copy.rows<{ error: string }>("SELECT error FROM analytics.postbacks WHERE outcome = 'dropped'");
    return rows.length >= 2 * waiting.length ? rows : undefined;
  });
  expect(held).toEqual(Array.from({ length: 2 * waiting.length }, () => ({ error: HELD })));

  // An operator who knows that the other service did not send it does so from the log.
  const range = ['--from', new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)];
  range.push('--to', new Date().toISOString().slice(0, 10));
  const dropped = ['replay-postbacks', '--project', 'Acme Shop', ...range, '--outcome', 'dropped', '--send'];
  const ofCopy = commandEnv({ DATA_DIR: copy.dataDir, PORT: new URL(copy.url).port });
  expect(await done(dropped, ofCopy)).toBe(`sent once more: ${2 * waiting.length}\n`);
  await eventually('it is sent', () => (readNotified(waiting).length >= 4 * waiting.length ? true : undefined));
  expect(readNotified(waiting)).toEqual(twice(waiting));

  await copy.apply({
    accounts: trafficWorkspace.accounts,
    projects: trafficWorkspace.projects
      .filter((project) => project.name === 'Acme Shop')
      .map((project) => ({
        ...project,
        campaigns: project.campaigns.map((one) => (one.display_id === 'alt' ? { ...one, name: 'Renamed' } : one)),
      })),
  });
  await eventually('a change is copied', async () => ((await nameOfAlt(copy))[0] === 'Renamed' ? true : undefined));
}, 600_000);

test('a bucket takes backups that add to each other, with the key where it is asked for', async () => {
  const keyed = await done(['backup', BUCKET, '--whole', '--with-seal-key'], commandEnv());
  added = idIn(await take(BUCKET));
  const store = openStore(BUCKET, backupPlaces(readConfig(commandEnv())));
  const [base, manifest] = [await readManifest(store, idIn(keyed)), await readManifest(store, added)];
  expect([base.base, manifest.base]).toEqual([null, base.id]);
  const secrets = [base, manifest].map((one) => one.secrets.map(({ file }) => file));
  expect(secrets).toEqual([['clickhouse-reader-password', 'seal-key'], ['clickhouse-reader-password']]);
  expect(await text(await store.read(`${base.id}/secrets/seal-key`))).toBe(`${sealKey()}\n`);
  expect((await describeBackups(readConfig(commandEnv()), BUCKET)).split('\n')).toHaveLength(2);
  // All of it, both engines: half a minute.
  for (let i = 0; i < rounds(0, 1); i++) await done(['backup', 'verify', BUCKET], commandEnv());
  const wrong = readConfig(commandEnv({ BACKUP_S3_KEY: 'wrong' }));
  await expect(describeBackups(wrong, BUCKET)).rejects.toThrow();
}, 240_000);

test('what is whole is verified, and damage in either engine is noticed', async () => {
  const verify = (at: string, more: NodeJS.ProcessEnv) => adtrail(['backup', 'verify', at, '--id', second], more);
  const damaged = async (name: string, file: string) => {
    const at = path.join(folder, name);
    fs.cpSync(place, at, { recursive: true });
    const target = path.join(at, file);
    const bytes = fs.readFileSync(target);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] as number) ^ 0xff;
    fs.writeFileSync(target, bytes);
    const { code, stdout, stderr } = await verify(at, inFolder(`of-${name}`));
    expect([name, code, stdout]).toEqual([name, 1, '']);
    expect(stderr).toMatch(/^adtrail: /);
  };
  const part = fs
    .readdirSync(path.join(place, second, 'clickhouse', 'clicks'), { recursive: true })
    .map(String)
    .find((file) => file.endsWith('data.bin') || file.endsWith('tid.bin'));
  const [whole] = await Promise.all([
    verify(place, { ...inFolder('whole'), SEAL_KEY: sealKey() }),
    damaged('damaged-postgres', `${second}/postgres/campaigns.copy.gz`),
    damaged('damaged-clickhouse', `${second}/clickhouse/clicks/${part}`),
  ]);
  expect([whole.code, whole.stderr]).toEqual([0, '']);
  expect(whole.stdout).toMatch(new RegExp(`^backup ${second} is whole: .*\n$`));
  expect(whole.stdout).not.toContain('seal key');
  expect(fs.readdirSync(path.dirname(folder)).filter((name) => name.startsWith('adtrail-verify-'))).toEqual([]);
}, 240_000);

test('of a stopped service, to servers: what was not drained is stored, what waited is sent if so asked', async () => {
  receiver.answer('/postback', 503);
  failing[0] = Date.now();
  failing[1] = Infinity;
  const earlier = receiver.at('/postback').length;
  const late = await history(service, 2);
  await receiver.waitFor('/postback', earlier + 4);
  const [engine] = service.enginePids().clickhouse;
  process.kill(engine as number, 'SIGSTOP');
  const undrained = await clicked(service, 20);
  await service.kill();
  process.kill(engine as number, 'SIGKILL');
  failing[1] = Date.now();
  receiver.answer('/postback', 200);
  const taken = await done(['backup', place], commandEnv());
  expect(taken).toMatch(/, adds to /);
  expect(taken).not.toMatch(/ 0 files of ingest logs/);

  // The engines of the copy are the servers from now on.
  process.kill(copy.child.pid as number, 'SIGSTOP');
  const servers = async (name: string): Promise<NodeJS.ProcessEnv> => {
    const postgres = readPostgres(copy);
    await postgres.rows(`CREATE DATABASE ${name}`);
    await postgres.close();
    for (const database of ['analytics', 'adtrail'])
      await copy.clickhouse.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
    return {
      DATABASE_URL: postgresUrl(copy, name),
      CLICKHOUSE_URL: copy.clickhouseUrl,
      DATA_DIR: inFolder(name).DATA_DIR,
    };
  };
  const expected = [...gaids, ...waiting, ...late, ...undrained];
  const readSecret = (dataDir: string) => fs.readFileSync(path.join(dataDir, 'clickhouse-reader-password'), 'utf8');
  try {
    const restored = await servers('restored');
    const SEAL_KEY = sealKey();
    const said = await done(['restore', place, '--send-postbacks'], commandEnv({ ...restored, SEAL_KEY, PORT: '0' }));
    expect(said).not.toContain('seal key');
    expect(readSecret(restored.DATA_DIR as string)).toBe(readSecret(service.dataDir));
    const one = await start({ ...restored, SEAL_KEY });
    await areThereOnce(one, expected);
    await eventually('what waited is sent', () => (readNotified(late).length >= 4 ? true : undefined));
    expect(await one.stop()).toBe(0);
    expect(readNotified(late)).toEqual(about(late));

    // ClickHouse reads what is in the bucket, and what that adds to.
    const target = await servers('moved');
    const store = openStore(BUCKET, backupPlaces(readConfig(commandEnv())));
    const clickhouse = connectClickHouse(copy.clickhouseUrl, CLICKHOUSE_PASSWORD);
    await clickhouse.command('CREATE DATABASE adtrail ENGINE = Atomic');
    await restoreTable(clickhouse, 'clicks', store, added);
    const clicks = (await readManifest(store, added)).clickhouse.find(({ table }) => table === 'clicks');
    expect(clicks).toMatchObject(await readChecksum(clickhouse, 'adtrail', 'clicks'));
    await clickhouse.command('DROP DATABASE adtrail SYNC');
    await clickhouse.close();

    await done(['move', '--from', service.dataDir], commandEnv({ ...target, PORT: '0' }));
    expect(fs.readdirSync(path.dirname(service.dataDir)).filter((name) => name.startsWith('adtrail-move-'))).toEqual(
      [],
    );
    expect(readSecret(target.DATA_DIR as string)).toBe(readSecret(service.dataDir));
    const two = await start(target);
    await areThereOnce(two, expected);
    await eventually('what waited is sent', () => (readNotified(late).length >= 8 ? true : undefined));
    expect(readNotified(late)).toEqual(twice(late));
    expect(await two.stop()).toBe(0);
  } finally {
    process.kill(copy.child.pid as number, 'SIGKILL');
  }
}, 600_000);
