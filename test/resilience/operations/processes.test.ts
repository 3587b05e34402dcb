/**
 * Several processes with roles of their own on one PostgreSQL, ClickHouse and Redis, one of them killed every few
 * seconds under load, both engines and Redis too: nothing accepted is lost, nothing counts twice, and each
 * install is decided once (docs/contract/running.md). That limits hold over all of them is in ./redis-kills.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresUrl } from '../../support/postgres';
import { noRedisOfOurOwn, startRedis, testUnless, type RedisServer } from '../../support/operations/redis';
import { ADMIN_TOKEN, CLICKHOUSE_PASSWORD, eventually, startService, type RunningService } from '../../support/service';
import { expectThereOnce, startTraffic, trafficWorkspace } from '../../support/collect/traffic';
import { rounds } from '../../support/soak';

const SECONDS = rounds(20, 600);
const ROLES = ['s2s,attribution', 's2s,links,collect', 's2s,collect,attribution'] as const;
/** Each click asks Redis. */
const LIMIT = '200/15s';

let redis: RedisServer | undefined;
let host: RunningService;
const processes: RunningService[] = [];

beforeAll(async () => {
  if (noRedisOfOurOwn) return;
  redis = await startRedis({ ownOnly: true });
  const limits = { LIMIT_S2S_CAMPAIGN: LIMIT, REDIS_URL: redis.url };
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
  const readPids = () => host.enginePids()[engine];
  const [pid] = readPids();
  process.kill(pid as number, 'SIGKILL');
  await eventually(`${engine} is started again`, () => (readPids().some((one) => one !== pid) ? true : undefined));
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

testUnless(noRedisOfOurOwn)(
  `killed for ${SECONDS} seconds: what was accepted is there once, and each install is decided once`,
  async () => {
    const sent = startTraffic({ clicks: () => processes, installs: () => processes.slice(1) });
    const until = Date.now() + SECONDS * 1_000;
    for (let round = 0; Date.now() < until; round++) {
      await sleep(1_500);
      await killSomething(round);
    }
    await eventually('enough is accepted, on a slow machine too', () =>
      sent.clicks.size > 200 && sent.installs.size > 20 ? true : undefined,
    );
    await sent.stop();

    await expectThereOnce(host, sent);
  },
  SECONDS * 1_000 + 240_000,
);
