/**
 * Several processes with roles of their own on one PostgreSQL, ClickHouse and Redis, one of them killed every few
 * seconds under load, both engines and Redis too: nothing accepted is lost, nothing counts twice, each install is
 * decided once, and limits hold over all of them (docs/contract.md, Running). PROCESS_KILLS_SECONDS=600 goes on for
 * longer.
 */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresUrl } from '../support/postgres';
import { noRedisOfOurOwn, startRedis, testUnless, type RedisServer } from '../support/redis';
import { ADMIN_TOKEN, CLICKHOUSE_PASSWORD, eventually, startService, type RunningService } from '../support/service';
import { click, expectThereOnce, startTraffic, trafficWorkspace } from '../support/traffic';

const SECONDS = Number(process.env.PROCESS_KILLS_SECONDS ?? 40);
const ROLES = ['s2s,attribution', 's2s,links,collect', 's2s,collect,attribution'] as const;
/** Points of a campaign in a window. */
const LIMIT = { points: 200, seconds: 5 };

let redis: RedisServer | undefined;
let host: RunningService;
const processes: RunningService[] = [];

beforeAll(async () => {
  if (noRedisOfOurOwn) return;
  redis = await startRedis({ ownOnly: true });
  const limits = { LIMIT_S2S_CAMPAIGN: `${LIMIT.points}/${LIMIT.seconds}s`, REDIS_URL: redis.url };
  // Has the engines; it is not killed, and decides nothing.
  host = await startService({ ROLES: 'api', ...limits });
  await host.apply(trafficWorkspace);
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

/** Kills an engine, which the process that has it starts again. */
async function killEngine(engine: 'postgres' | 'clickhouse'): Promise<void> {
  const pidsOf = () => host.enginePids()[engine];
  const [pid] = pidsOf();
  process.kill(pid as number, 'SIGKILL');
  await eventually(`${engine} is started again`, () => (pidsOf().some((one) => one !== pid) ? true : undefined));
  if (engine === 'clickhouse')
    await eventually('ClickHouse answers', () =>
      host.rows('SELECT 1').then(
        () => true,
        () => undefined,
      ),
    );
}

/** Everything that can be killed, one after the other. */
async function killSomething(round: number): Promise<void> {
  const turn = round % 6;
  if (turn === 3) {
    await redis?.kill();
    await sleep(500);
    await redis?.restart();
  } else if (turn === 4) await killEngine('postgres');
  else if (turn === 5) await killEngine('clickhouse');
  else {
    const one = processes[turn] as RunningService;
    await one.kill();
    await one.restart();
  }
}

const here = testUnless(noRedisOfOurOwn);

here(
  `killed for ${SECONDS} seconds: what was accepted is there once, and each install is decided once`,
  async () => {
    const sent = startTraffic({ clicks: () => processes, installs: () => processes.slice(1) });
    const until = Date.now() + SECONDS * 1_000;
    for (let round = 0; Date.now() < until; round++) {
      await sleep(1_500);
      await killSomething(round);
    }
    await sent.stop();
    expect(sent.clicks.size).toBeGreaterThan(200);
    expect(sent.installs.size).toBeGreaterThan(20);

    await expectThereOnce(host, sent);
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
