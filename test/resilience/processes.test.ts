/**
 * Several processes with roles of their own on one PostgreSQL, ClickHouse and Redis, one of them killed every few
 * seconds under load, PostgreSQL and Redis too: nothing accepted is lost, nothing counts twice, each install is decided
 * once, and limits hold over all of them (docs/contract.md, Running). PROCESS_KILLS_SECONDS=600 goes on for longer.
 */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent } from '../support/collect-client';
import { postgresUrl } from '../support/postgres';
import { noRedisOfOurOwn, startRedis, testUnless, type RedisServer } from '../support/redis';
import { ADMIN_TOKEN, CLICKHOUSE_PASSWORD, eventually, startService, type RunningService } from '../support/service';
import { TOKEN, workspace } from '../support/workspace';

const KEY = 'server-key-of-processes';
const SECONDS = Number(process.env.PROCESS_KILLS_SECONDS ?? 40);
const LANES = 8;
/** An install that is received within the millisecond of its click is not after it. */
const BREATH_MS = 3;
const ROLES = ['s2s,attribution', 's2s,links,collect', 's2s,collect,attribution'] as const;
/** Points of a campaign in a window. */
const LIMIT = { points: 500, seconds: 5 };

let redis: RedisServer | undefined;
let host: RunningService;
const processes: RunningService[] = [];

beforeAll(async () => {
  if (noRedisOfOurOwn) return;
  redis = await startRedis({ ownOnly: true });
  const limits = { LIMIT_S2S_CAMPAIGN: `${LIMIT.points}/${LIMIT.seconds}s`, REDIS_URL: redis.url };
  // Has the engines; it is not killed, and decides nothing.
  host = await startService({ ROLES: 'api', ...limits });
  await host.apply({
    ...workspace,
    projects: workspace.projects.map((project) =>
      project.name === 'Acme Shop' ? { ...project, server_keys: [KEY] } : project,
    ),
  });
  for (const roles of ROLES) {
    const engines = { DATABASE_URL: postgresUrl(host), CLICKHOUSE_URL: host.clickhouseUrl, CLICKHOUSE_PASSWORD };
    processes.push(await startService({ ...limits, ...engines, ADMIN_TOKEN, ROLES: roles, ACCEPT_AFTER: 'log' }));
  }
}, 360_000);
afterAll(async () => {
  for (const one of processes) await one.dispose();
  await host?.dispose();
  await redis?.dispose();
});

const CAMPAIGNS = ['AbC123', 'second', 'alt'];
const oneOf = <T>(some: readonly T[]): T => some[Math.floor(Math.random() * some.length)] as T;

/** Resolves with the status; undefined where nobody answered. */
async function click(of: RunningService, campaign: string, tid: string): Promise<number | undefined> {
  const url = `${of.url}/v1/click/com.acme.shop?c=${campaign}&tid=${tid}&gaid=${tid}`;
  return fetch(url, { headers: { 'X-Service-Token': TOKEN } }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => undefined,
  );
}

async function install(of: RunningService, gaid: string): Promise<number | undefined> {
  const body = JSON.stringify({
    events: [appEvent('install', { event_id: `install-${gaid}`, install_id: gaid, gaid })],
  });
  return fetch(`${of.url}/collect/v1/app`, { method: 'POST', headers: { 'service-key': KEY }, body }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => undefined,
  );
}

/** Clicks, each fourth with its install, to whichever process answers, until it is stopped. */
function load() {
  const [clicks, installs] = [new Set<string>(), new Set<string>()];
  let going = true;
  const lane = async (): Promise<void> => {
    for (let n = 0; going; n++) {
      const gaid = crypto.randomUUID();
      if ((await click(oneOf(processes), oneOf(CAMPAIGNS), gaid)) !== 200) {
        await sleep(20);
        continue;
      }
      clicks.add(gaid);
      await sleep(BREATH_MS);
      if (n % 4 === 0 && (await install(oneOf(processes.slice(1)), gaid)) === 202) installs.add(gaid);
    }
  };
  const lanes = Array.from({ length: LANES }, lane);
  return {
    clicks,
    installs,
    async stop() {
      going = false;
      await Promise.all(lanes);
    },
  };
}

/** Everything that can be killed, one after the other. */
async function killSomething(round: number): Promise<void> {
  const turn = round % 5;
  if (turn === 3) {
    await redis?.kill();
    await sleep(500);
    await redis?.restart();
  } else if (turn === 4) {
    process.kill(host.enginePids().postgres[0] as number, 'SIGKILL');
    await eventually('PostgreSQL is back', () => (host.enginePids().postgres.length > 0 ? true : undefined));
  } else {
    const one = processes[turn] as RunningService;
    await one.kill();
    await one.restart();
  }
}

const here = testUnless(noRedisOfOurOwn);

here(
  `killed for ${SECONDS} seconds: what was accepted is there once, and each install is decided once`,
  async () => {
    const sent = load();
    const until = Date.now() + SECONDS * 1_000;
    for (let round = 0; Date.now() < until; round++) {
      await sleep(1_500);
      await killSomething(round);
    }
    await sent.stop();
    expect(sent.clicks.size).toBeGreaterThan(200);
    expect(sent.installs.size).toBeGreaterThan(20);

    const missing = async (sql: string, wanted: ReadonlySet<string>): Promise<string[]> => {
      const rows = await host.rows<{ id: string; times: number }>(sql);
      const times = new Map(rows.map((row) => [row.id, row.times]));
      return [...wanted].filter((id) => times.get(id) !== 1);
    };
    const clicksSql = 'SELECT tid AS id, toUInt32(count()) AS times FROM analytics.clicks GROUP BY id';
    const installsSql = 'SELECT install_id AS id, toUInt32(count()) AS times FROM analytics.installs GROUP BY id';
    await eventually('every click is there', async () =>
      (await missing(clicksSql, sent.clicks)).length === 0 ? true : undefined,
    ).catch(async () => expect(await missing(clicksSql, sent.clicks)).toEqual([]));
    await eventually('every install is decided', async () =>
      (await missing(installsSql, sent.installs)).length === 0 ? true : undefined,
    ).catch(async () => expect(await missing(installsSql, sent.installs)).toEqual([]));
    const twice = await host.rows(
      'SELECT tid FROM analytics.clicks GROUP BY tid HAVING count() > 1 UNION ALL ' +
        'SELECT install_id FROM analytics.installs GROUP BY install_id HAVING count() > 1',
    );
    expect(twice).toEqual([]);
    // Each was credited to its own click, which came before it.
    const credited = await host.rows<{ n: number }>(
      'SELECT toUInt32(countIf(campaign_id != 0)) AS n FROM analytics.installs WHERE install_id IN ' +
        `(${[...sent.installs].map((id) => `'${id}'`).join()})`,
    );
    expect(credited).toEqual([{ n: sent.installs.size }]);
  },
  SECONDS * 1_000 + 240_000,
);

here(
  'a limit holds over all processes, within a tenth',
  async () => {
    // The window begins with its first request.
    await sleep(LIMIT.seconds * 1_000 + 500);
    const until = Date.now() + (LIMIT.seconds - 1) * 1_000;
    const answers: (number | undefined)[] = [];
    const lane = async (of: RunningService) => {
      while (Date.now() < until && answers.length < 4 * LIMIT.points)
        answers.push(await click(of, 'AbC123', crypto.randomUUID()));
    };
    await Promise.all(processes.flatMap((one) => Array.from({ length: 8 }, () => lane(one))));
    expect(answers.length).toBeGreaterThan(1.2 * LIMIT.points);
    const accepted = answers.filter((status) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(0.9 * LIMIT.points);
    expect(accepted).toBeLessThanOrEqual(1.1 * LIMIT.points);
  },
  60_000,
);
