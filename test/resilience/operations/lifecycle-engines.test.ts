/**
 * Engines that die or hang under the service, then the same engines as servers of others: migrations by several
 * processes at once, schemas that are refused, and services that share them.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readConfig } from '../../../src/config';
import { connectPostgres } from '../../../src/db/postgres';
import { migrateOnce } from '../../../src/main';
import { adtrail } from '../../support/operations/command';
import { readPostgres, postgresUrl } from '../../support/postgres';
import {
  ADMIN_TOKEN,
  CLICKHOUSE_PASSWORD,
  eventually,
  root,
  startService,
  temporaryFolder,
  type RunningService,
  within,
} from '../../support/service';
import { rounds } from '../../support/soak';
import { GAID, TOKEN, workspace } from '../../support/workspace/workspace';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
});
afterAll(() => service?.dispose());

let sent = 0;
async function click(service: RunningService, campaign = 'AbC123'): Promise<string> {
  const response = await service.request(`/v1/click/com.acme.shop?c=${campaign}&tid=engines-${sent++}&ip=203.0.113.7`, {
    headers: { 'X-Service-Token': TOKEN },
  });
  const { status, reason } = (await response.json()) as { status: string; reason?: string };
  return reason ?? status;
}

/**
 * The process ID of the embedded PostgreSQL; of the last one while there is none. The file goes and comes while it is
 * asked for, so it is read without a look first, and empty it says nothing.
 */
let lastPostmaster = 0;
function postmaster(service: RunningService): number {
  try {
    lastPostmaster =
      Number(fs.readFileSync(path.join(service.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]) ||
      lastPostmaster;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return lastPostmaster;
}
const readiness = async (service: RunningService) =>
  (await (await service.request('/readyz')).json()) as { status: string; engines: Record<string, boolean> };

describe('PostgreSQL killed', () => {
  test('S2S goes on from memory, changes are refused, PostgreSQL comes back, and changes work again', async () => {
    const [host] = service.enginePids().postgres as [number];
    const killed = postmaster(service);
    // Its host stopped, nobody starts it again before the test is ready for it.
    process.kill(host, 'SIGSTOP');
    try {
      process.kill(killed, 'SIGKILL');
      await eventually('it is noticed', async () => ((await readiness(service)).engines.postgres ? undefined : true));
      expect((await service.request('/readyz')).status).toBe(503);
      expect((await service.request('/healthz')).status).toBe(200);
      // At once: a host that does not answer for eleven seconds is replaced.
      const [{ status, body }, unknown, ...clicks] = await Promise.all([
        service.admin('PUT', '/workspace', { accounts: [{ name: 'Meanwhile' }] }),
        click(service, 'unknown'),
        ...Array.from({ length: 20 }, () => click(service)),
      ]);
      expect(clicks).toEqual(Array(20).fill('accepted'));
      expect(unknown).toBe('unknown_campaign');
      expect(status).toBe(503);
      expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i);
    } finally {
      if (service.enginePids().postgres.includes(host)) process.kill(host, 'SIGCONT');
    }
    await eventually(
      'PostgreSQL is back',
      async () => ((await readiness(service)).engines.postgres ? true : undefined),
      30_000,
    );
    expect(postmaster(service)).not.toBe(killed);
    await service.apply({
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          campaigns: [{ display_id: 'after', name: 'After', partner: 'Mobi Ads' }],
        },
      ],
    });
    expect(await click(service, 'after')).toBe('accepted');
    expect(JSON.stringify((await service.admin('GET', '/accounts')).body)).not.toContain('Meanwhile');
    await eventually('its name reaches ClickHouse', async () =>
      (await service.rows("SELECT name FROM adtrail.campaigns FINAL WHERE display_id = 'after'")).length === 1
        ? true
        : undefined,
    );
  });

  test('again and again: the service outlives it', async () => {
    for (let round = 0; round < rounds(1, 3); round++) {
      const killed = postmaster(service);
      process.kill(killed, 'SIGKILL');
      expect(await click(service)).toBe('accepted');
      await eventually(
        'PostgreSQL is back',
        async () => (postmaster(service) !== killed && (await readiness(service)).engines.postgres ? true : undefined),
        30_000,
      );
    }
    // What says that it is back may be a second old.
    const applied = await eventually('changes are taken', () => service.apply(workspace).catch(() => undefined));
    expect(applied).toMatchObject({ created: 0 });
  });

  test('the process that hosts it killed: the same', async () => {
    const [host] = service.enginePids().postgres as [number];
    const orphan = postmaster(service);
    process.kill(host, 'SIGKILL');
    await eventually(
      'another process hosts it',
      () => (service.enginePids().postgres.some((pid) => pid !== host) ? true : undefined),
      20_000,
    );
    expect(await click(service)).toBe('accepted');
    // The orphan answers until its successor's host ends it.
    await eventually(
      'PostgreSQL is back',
      async () => (postmaster(service) !== orphan && (await readiness(service)).engines.postgres ? true : undefined),
      30_000,
    );
    expect(await service.apply(workspace)).toMatchObject({ created: 0 });
    expect(service.output()).toMatch(/PostgreSQL ended \(SIGKILL\); starting it again/);
  });
});

describe('an engine that hangs is killed and started again, and nothing acknowledged is lost', () => {
  /** Fifteen seconds on a machine of its own. */
  const HANGS_MS = 45_000;
  let number = 0;

  /** Sends a click; resolves with its tid where it was accepted. */
  async function hanging(): Promise<string | undefined> {
    const tid = `hang-${(number += 1)}`;
    const response = await service
      .request(`/v1/click/com.acme.shop?c=AbC123&tid=${tid}&gaid=${GAID}`, {
        headers: { 'X-Service-Token': TOKEN },
        signal: AbortSignal.timeout(10_000),
      })
      .catch(() => undefined);
    return response?.status === 200 ? tid : undefined;
  }
  const accepted = () => within('a click is accepted', hanging, HANGS_MS);

  test('ClickHouse', async () => {
    const before = [await accepted(), await accepted()];
    const [stopped] = service.enginePids().clickhouse as [number];
    process.kill(stopped, 'SIGSTOP');
    await within(
      'another ClickHouse process runs',
      () => service.enginePids().clickhouse.find((pid) => pid !== stopped),
      HANGS_MS,
    );
    const after = await accepted();
    const read = () => service.rows<{ tid: string }>("SELECT tid FROM analytics.clicks WHERE startsWith(tid, 'hang-')");
    const rows = await within('ClickHouse answers', () => read().catch(() => undefined), HANGS_MS);
    expect(rows.map(({ tid }) => tid)).toEqual(expect.arrayContaining([...before, after]));
    expect(new Set(rows.map(({ tid }) => tid)).size).toBe(rows.length);
  });

  test('PostgreSQL', async () => {
    const stopped = postmaster(service);
    process.kill(stopped, 'SIGSTOP');
    await within('another PostgreSQL runs', () => postmaster(service) !== stopped || undefined, HANGS_MS);
    const change = () => service.apply({ accounts: [{ name: 'After PostgreSQL hung' }] });
    await within(
      'the workspace takes a change',
      () =>
        change().then(
          () => true,
          () => undefined,
        ),
      HANGS_MS,
    );
  });
});

describe('engines of somebody else', () => {
  const folder = temporaryFolder();

  // Its engines go on, and it does nothing on them any more.
  beforeAll(() => process.kill(service.child.pid as number, 'SIGSTOP'));
  afterAll(() => {
    process.kill(service.child.pid as number, 'SIGKILL');
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A new database in PostgreSQL, and a ClickHouse without any of ours. */
  async function fresh(name: string): Promise<NodeJS.ProcessEnv> {
    const postgres = readPostgres(service);
    await postgres.rows(`CREATE DATABASE ${name}`);
    await postgres.close();
    for (const database of ['analytics', 'adtrail']) await inClickHouse(`DROP DATABASE IF EXISTS ${database} SYNC`);
    return {
      DATABASE_URL: postgresUrl(service, name),
      CLICKHOUSE_URL: service.clickhouseUrl,
      CLICKHOUSE_PASSWORD,
      DATA_DIR: path.join(folder, name),
    };
  }
  const inClickHouse = (query: string) => service.clickhouse.command({ query });
  const migrate = (env: NodeJS.ProcessEnv) => migrateOnce(readConfig({ ...env, ADMIN_TOKEN, LOG_LEVEL: 'error' }));
  const files = ['sql', 'clickhouse'].flatMap((engine) =>
    fs
      .readdirSync(path.join(root, engine, 'migrations'))
      .sort()
      .map((name) => `${engine}/migrations/${name}`),
  );

  test('three processes migrate at once: each file is applied once, and all succeed', async () => {
    const env = await fresh('at_once');
    const [command, ...others] = await Promise.all([adtrail(['migrate'], env), migrate(env), migrate(env)]);
    expect([command.code, /rror/.test(command.stderr)]).toEqual([0, false]);
    const byCommand = [...command.stdout.matchAll(/^applied (\S+)$/gm)].map(([, name]) => name);
    expect([...byCommand, ...others.flat()].sort()).toEqual([...files].sort());
    expect((await adtrail(['migrate'], env)).stdout).toBe('nothing to apply\n');
    const tables = await service.rows("SELECT name FROM system.tables WHERE database = 'analytics'");
    expect(tables.length).toBeGreaterThanOrEqual(3);

    // As after a kill in the middle of a file: some of its objects are there, its name is not.
    await inClickHouse('TRUNCATE TABLE adtrail.applied_migrations');
    await inClickHouse('DROP VIEW analytics.ctv_impressions');
    await inClickHouse('DROP TABLE adtrail.ctv_impressions SYNC');
    expect(await migrate(env)).toEqual(files.filter((file) => file.startsWith('clickhouse/')));
    // Throws where it does not exist.
    await inClickHouse('DESCRIBE analytics.ctv_impressions');

    // Views are left alone while they are as they were made; one that somebody has changed, or dropped, is made anew.
    const readViews = () =>
      service.rows<{ name: string; uuid: string; columns: string }>(
        `SELECT name, toString(uuid) AS uuid,
           (SELECT count() FROM system.columns WHERE database = 'analytics' AND comment != '') AS columns
         FROM system.tables WHERE database = 'analytics' ORDER BY name`,
      );
    const views = await readViews();
    await migrate(env);
    expect(await readViews()).toEqual(views);
    for (const change of [
      'CREATE OR REPLACE VIEW analytics.clicks AS SELECT 1 AS project_id',
      'DROP VIEW analytics.clicks',
      "INSERT INTO adtrail.applied_migrations VALUES ('views', 'of an earlier version', now() + 1)",
    ]) {
      await inClickHouse(change);
      await migrate(env);
      const after = await readViews();
      expect(after.map(({ name, columns }) => [name, columns])).toEqual(
        views.map(({ name, columns }) => [name, columns]),
      );
      expect(after.some(({ uuid }, i) => uuid === views[i]?.uuid)).toBe(false);
    }

    // Data with the schema of another version are refused with a sentence that says what to do.
    const postgres = connectPostgres(env.DATABASE_URL as string);
    const inPostgres = (statement: string) => postgres.rows(statement);
    const first = "WHERE name = '0001_workspace.sql'";
    const [{ sha256 } = { sha256: '' }] = await postgres.rows<{ sha256: string }>(
      `SELECT sha256 FROM schema_migrations ${first}`,
    );
    const earlier = "INSERT INTO schema_migrations (name, sha256) VALUES ('0002_campaign_lists.sql', '')";
    const changed = "INSERT INTO adtrail.applied_migrations VALUES ('0002_touches.sql', 'changed', now() + 1)";
    for (const [engine, run, change, undo] of [
      ['PostgreSQL', inPostgres, earlier, "DELETE FROM schema_migrations WHERE name = '0002_campaign_lists.sql'"],
      [
        'PostgreSQL',
        inPostgres,
        `UPDATE schema_migrations SET sha256 = 'changed' ${first}`,
        `UPDATE schema_migrations SET sha256 = '${sha256}' ${first}`,
      ],
      [
        'ClickHouse',
        inClickHouse,
        'CREATE TABLE adtrail.schema_migrations (name String) ENGINE = Log',
        'DROP TABLE adtrail.schema_migrations SYNC',
      ],
      ['ClickHouse', inClickHouse, changed, ''],
    ] as const) {
      await run(change);
      const refused = `^The data in ${engine} have the schema of another version of adtrail: .*start this one on empty`;
      await expect(migrate(env)).rejects.toThrow(new RegExp(refused));
      if (undo === '') continue;
      await run(undo);
      expect(await migrate(env)).toEqual([]);
    }
    await postgres.close();
    const { code, stderr } = await adtrail(['migrate'], env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^adtrail: The data in ClickHouse have the schema of/)]);
  });

  test('two services start at once on empty engines, and each serves what is configured at the other', async () => {
    const env = { ...(await fresh('two_services')), DATA_DIR: undefined };
    const folders = [temporaryFolder(), temporaryFolder()];
    const started = await Promise.allSettled(folders.map((folder) => startService({ ...env, INGEST_LOG_DIR: folder })));
    const services = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    try {
      expect(services).toHaveLength(2);
      const [first, second] = services as [RunningService, RunningService];
      await first.apply(workspace);
      expect(await click(first)).toBe('accepted');
      await eventually('the other knows it too', async () => ((await click(second)) === 'accepted' ? true : undefined));
      expect(first.enginePids()).toEqual({ clickhouse: [], postgres: [] });
      expect(await first.stop()).toBe(0);
      expect(await click(second)).toBe('accepted');
    } finally {
      for (const one of services) await one.dispose();
      for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
