/** Engines that die under the service, engines that are not its own, and migrations by several processes at once. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createClient } from '@clickhouse/client';
import { ADMIN_TOKEN, CLICKHOUSE_PASSWORD, cleanEnvironment, eventually, freePort, root, startService, temporaryFolder, type RunningService } from '../support/service';
import { TOKEN, workspace } from '../support/workspace';

let sent = 0;
async function click(service: RunningService, campaign = 'AbC123'): Promise<string> {
  const response = await service.request(`/v1/click/com.acme.shop?c=${campaign}&tid=engines-${sent++}&ip=203.0.113.7`, { headers: { 'X-Service-Token': TOKEN } });
  const { status, reason } = (await response.json()) as { status: string; reason?: string };
  return reason ?? status;
}

/** The address of the embedded PostgreSQL of a service. */
function databaseUrl(service: RunningService, database = 'postgres'): string {
  const [, , , port] = fs.readFileSync(path.join(service.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  const password = encodeURIComponent(fs.readFileSync(path.join(service.dataDir, 'postgres-password'), 'utf8').trim());
  return `postgres://adtrail:${password}@127.0.0.1:${port}/${database}`;
}

const postmaster = (service: RunningService) => Number(fs.readFileSync(path.join(service.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
const readiness = async (service: RunningService) => (await (await service.request('/readyz')).json()) as { status: string; engines: Record<string, boolean> };

function migrate(env: NodeJS.ProcessEnv): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(root, 'dist', 'cli.js'), 'migrate'], { env: { ...cleanEnvironment(), ADMIN_TOKEN, ...env } }, (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }));
  });
}

describe('PostgreSQL killed', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
    await service.apply(workspace);
  });
  afterAll(() => service?.dispose());

  test('S2S goes on from memory, PostgreSQL comes back by itself, and changes work again', async () => {
    const killed = postmaster(service);
    process.kill(killed, 'SIGKILL');
    await eventually('it is noticed', async () => ((await readiness(service)).engines.postgres ? undefined : true), 5_000).catch(() => undefined);
    for (let i = 0; i < 20; i++) expect(await click(service)).toBe('accepted');
    expect(await click(service, 'unknown')).toBe('unknown_campaign');
    await eventually('PostgreSQL is back', async () => ((await readiness(service)).engines.postgres ? true : undefined), 30_000);
    expect(postmaster(service)).not.toBe(killed);
    await service.apply({ projects: [{ name: 'Acme Shop', account: 'Acme', timezone: 'Asia/Kolkata', campaigns: [{ display_id: 'after', name: 'After', partner: 'Mobi Ads' }] }] });
    expect(await click(service, 'after')).toBe('accepted');
    await eventually('its name reaches ClickHouse', async () => ((await service.rows("SELECT name FROM adtrail.campaigns FINAL WHERE display_id = 'after'")).length === 1 ? true : undefined));
  });

  test('the process that hosts it killed: the same', async () => {
    const [host] = service.enginePids().postgres as [number];
    process.kill(host, 'SIGKILL');
    await eventually('another process hosts it', () => (service.enginePids().postgres.some((pid) => pid !== host) ? true : undefined), 20_000);
    expect(await click(service)).toBe('accepted');
    await eventually('PostgreSQL is back', async () => ((await readiness(service)).engines.postgres ? true : undefined), 30_000);
    expect(await service.apply(workspace)).toMatchObject({ created: 0 });
    expect(service.output()).toMatch(/PostgreSQL ended \(SIGKILL\); starting it again/);
  });

  test('changes meanwhile are refused, not lost in silence', async () => {
    const stopped = postmaster(service);
    process.kill(stopped, 'SIGKILL');
    const { status, body } = await service.admin('PUT', '/workspace', { accounts: [{ name: 'Meanwhile' }] });
    expect([200, 500, 503]).toContain(status);
    if (status !== 200) expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i);
    await eventually('PostgreSQL is back', async () => ((await readiness(service)).engines.postgres ? true : undefined), 30_000);
    const accounts = (await service.admin('GET', '/accounts')).body.accounts as unknown as { name: string }[];
    expect(accounts.some(({ name }) => name === 'Meanwhile')).toBe(status === 200);
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
    const db = new pg.Client(databaseUrl(host));
    await db.connect();
    await db.query(`CREATE DATABASE ${name}`);
    await db.end();
    for (const database of ['analytics', 'adtrail']) await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
    return { DATABASE_URL: databaseUrl(host, name), CLICKHOUSE_URL: host.clickhouseUrl, CLICKHOUSE_PASSWORD, DATA_DIR: path.join(folder, name) };
  }
  const files = ['sql', 'clickhouse'].flatMap((engine) => fs.readdirSync(path.join(root, engine, 'migrations')).sort().map((name) => `applied ${engine}/migrations/${name}`));
  const linesOf = (text: string) => text.trim().split('\n').filter((line) => line.startsWith('applied'));

  test('three processes migrate at once: each file is applied once, and all succeed', async () => {
    const env = await fresh('at_once');
    const runs = await Promise.all([migrate(env), migrate(env), migrate(env)]);
    expect(runs.map(({ code, stderr }) => [code, /rror/.test(stderr)])).toEqual([[0, false], [0, false], [0, false]]);
    expect(runs.flatMap(({ stdout }) => linesOf(stdout)).sort()).toEqual([...files].sort());
    expect((await migrate(env)).stdout).toBe('nothing to apply\n');
    const tables = await clickhouse.query({ query: "SELECT count() AS n FROM system.tables WHERE database = 'analytics' FORMAT JSONEachRow" });
    expect(Number(((await tables.json()) as unknown as { n: number }[])[0]?.n)).toBeGreaterThanOrEqual(3);
  });

  test('a ClickHouse migration that was broken off is completed', async () => {
    const env = await fresh('broken_off');
    await migrate(env);
    // As after a kill in the middle of a file: some of its objects are there, its name is not.
    await clickhouse.command({ query: 'TRUNCATE TABLE adtrail.schema_migrations' });
    await clickhouse.command({ query: 'DROP VIEW analytics.ctv_impressions' });
    await clickhouse.command({ query: 'DROP TABLE adtrail.ctv_impressions SYNC' });
    const { code, stdout } = await migrate(env);
    expect([code, linesOf(stdout)]).toEqual([0, files.filter((file) => file.includes('clickhouse/'))]);
    await clickhouse.command({ query: 'SELECT * FROM analytics.ctv_impressions FORMAT Null' });
  });

  test('two services start at once on empty engines, and each serves what the other is told', async () => {
    const env = { ...(await fresh('two_services')), DATA_DIR: undefined };
    const started = await Promise.allSettled([startService(env), startService(env)]);
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
    }
  });

  test('an engine that does not answer is named by its variable', async () => {
    const [port, address] = [await freePort(), databaseUrl(host)];
    const child = execFile(process.execPath, [path.join(root, 'dist', 'cli.js'), 'migrate'], { env: { ...cleanEnvironment(), ADMIN_TOKEN, DATA_DIR: path.join(folder, 'unused'), DATABASE_URL: address, CLICKHOUSE_URL: `http://127.0.0.1:${port}` } });
    let stderr = '';
    child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^adtrail: ClickHouse \(CLICKHOUSE_URL\) does not answer/m);
    expect(stderr).not.toContain(new URL(address).password);
  }, 90_000);
});
