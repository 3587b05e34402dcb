/** Engines that die under the service, engines that are not its own, and migrations by several processes at once. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createClient } from '@clickhouse/client';
import { postgresUrl } from '../support/postgres';
import {
  ADMIN_TOKEN,
  CLICKHOUSE_PASSWORD,
  cleanEnvironment,
  eventually,
  root,
  startService,
  temporaryFolder,
  type RunningService,
} from '../support/service';
import { TOKEN, workspace } from '../support/workspace';

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

function migrate(env: NodeJS.ProcessEnv): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, 'dist', 'cli.js'), 'migrate'],
      { env: { ...cleanEnvironment(), ADMIN_TOKEN, ...env } },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe('PostgreSQL killed', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
    await service.apply(workspace);
  });
  afterAll(() => service?.dispose());

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
    for (let round = 0; round < 3; round++) {
      const killed = postmaster(service);
      process.kill(killed, 'SIGKILL');
      expect(await click(service)).toBe('accepted');
      await eventually(
        'PostgreSQL is back',
        async () => (postmaster(service) !== killed && (await readiness(service)).engines.postgres ? true : undefined),
        30_000,
      );
    }
    expect(await service.apply(workspace)).toMatchObject({ created: 0 });
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

describe('engines of somebody else', () => {
  let host: RunningService;
  let clickhouse: ReturnType<typeof createClient>;
  const folder = temporaryFolder();

  beforeAll(async () => {
    host = await startService();
    clickhouse = createClient({ url: host.clickhouseUrl, password: CLICKHOUSE_PASSWORD, log: { level: 127 } });
  });
  afterAll(async () => {
    await clickhouse?.close();
    await host?.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A new database in PostgreSQL, and a ClickHouse without any of ours. */
  async function fresh(name: string): Promise<NodeJS.ProcessEnv> {
    const db = new pg.Client(postgresUrl(host));
    await db.connect();
    await db.query(`CREATE DATABASE ${name}`);
    await db.end();
    for (const database of ['analytics', 'adtrail'])
      await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
    return {
      DATABASE_URL: postgresUrl(host, name),
      CLICKHOUSE_URL: host.clickhouseUrl,
      CLICKHOUSE_PASSWORD,
      DATA_DIR: path.join(folder, name),
    };
  }
  async function inDatabase(env: NodeJS.ProcessEnv, statement: string): Promise<void> {
    const db = new pg.Client(env.DATABASE_URL);
    await db.connect();
    await db.query(statement);
    await db.end();
  }
  let refusals = 0;
  const files = ['sql', 'clickhouse'].flatMap((engine) =>
    fs
      .readdirSync(path.join(root, engine, 'migrations'))
      .sort()
      .map((name) => `applied ${engine}/migrations/${name}`),
  );
  const linesOf = (text: string) =>
    text
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('applied'));

  test('three processes migrate at once: each file is applied once, and all succeed', async () => {
    const env = await fresh('at_once');
    const runs = await Promise.all([migrate(env), migrate(env), migrate(env)]);
    expect(runs.map(({ code, stderr }) => [code, /rror/.test(stderr)])).toEqual([
      [0, false],
      [0, false],
      [0, false],
    ]);
    expect(runs.flatMap(({ stdout }) => linesOf(stdout)).sort()).toEqual([...files].sort());
    expect((await migrate(env)).stdout).toBe('nothing to apply\n');
    const tables = await clickhouse.query({
      query: "SELECT name FROM system.tables WHERE database = 'analytics'",
      format: 'JSONEachRow',
    });
    expect((await tables.json()).length).toBeGreaterThanOrEqual(3);
  });

  test('a ClickHouse migration that was broken off is completed', async () => {
    const env = await fresh('broken_off');
    await migrate(env);
    // As after a kill in the middle of a file: some of its objects are there, its name is not.
    await clickhouse.command({ query: 'TRUNCATE TABLE adtrail.applied_migrations' });
    await clickhouse.command({ query: 'DROP VIEW analytics.ctv_impressions' });
    await clickhouse.command({ query: 'DROP TABLE adtrail.ctv_impressions SYNC' });
    const { code, stdout } = await migrate(env);
    expect([code, linesOf(stdout)]).toEqual([0, files.filter((file) => file.includes('clickhouse/'))]);
    // Throws where it does not exist.
    await clickhouse.command({ query: 'DESCRIBE analytics.ctv_impressions' });
  });

  test.each([
    [
      'PostgreSQL',
      'an earlier version',
      "INSERT INTO schema_migrations (name, sha256) VALUES ('0002_campaign_lists.sql', '')",
    ],
    [
      'PostgreSQL',
      'a changed file',
      "UPDATE schema_migrations SET sha256 = 'changed' WHERE name = '0001_workspace.sql'",
    ],
    ['ClickHouse', 'an earlier version', 'CREATE TABLE adtrail.schema_migrations (name String) ENGINE = Log'],
    [
      'ClickHouse',
      'a changed file',
      "INSERT INTO adtrail.applied_migrations VALUES ('0002_touches.sql', 'changed', now() + 1)",
    ],
  ])('data in %s with the schema of %s are refused with a sentence that says what to do', async (engine, _, change) => {
    const env = await fresh(`refused_${refusals++}`);
    await migrate(env);
    if (engine === 'PostgreSQL') await inDatabase(env, change);
    else await clickhouse.command({ query: change });
    const { code, stderr } = await migrate(env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^adtrail: The data in ${engine} have the schema of another version of adtrail: .*`),
    );
    expect(stderr).toContain('or start this one on empty data');
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
      for (const service of services) await service.dispose();
      for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
