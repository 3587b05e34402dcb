/**
 * A rolling upgrade of several processes under load: those of this version go on beside the next one, which has brought
 * both schemas forward, until each is replaced. What either accepted is there once and decided once, and what waits in
 * the ingest log of a process is stored by the one that replaces it (docs/operations.md, Upgrades).
 *
 * ROLLING_UPGRADE_FROM=<folder of a built older version> upgrades from that one to this one instead.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../../support/reports/app-report';
import { SERVER_KEY } from '../../support/collect/collect-client';
import { makeNextVersion, NEXT_MIGRATIONS } from '../../support/operations/next-version';
import { postgresUrl } from '../../support/postgres';
import {
  ADMIN_TOKEN,
  CLICKHOUSE_PASSWORD,
  eventually,
  root,
  startService,
  temporaryFolder,
  type RunningService,
} from '../../support/service';
import { expectThereOnce, startTraffic, trafficWorkspace } from '../../support/collect/traffic';

const ROLES = 's2s,links,collect,attribution';
/** How long each stage lasts. */
const STAGE_MS = 2_000;

const former = process.env.ROLLING_UPGRADE_FROM;
const old = former ?? root;
const folder = temporaryFolder();
let next: string;
/** Has the engines, as servers do, and reports; it is of the old version to the end. */
let host: RunningService;
const started: RunningService[] = [];

async function start(built: string, dataDir?: string): Promise<RunningService> {
  const engines = { DATABASE_URL: postgresUrl(host), CLICKHOUSE_URL: host.clickhouseUrl, CLICKHOUSE_PASSWORD };
  const own = { ADMIN_TOKEN, ROLES, ACCEPT_AFTER: 'log', ...(dataDir && { DATA_DIR: dataDir }) };
  const one = await startService({ ...engines, ...own }, [], built);
  started.push(one);
  return one;
}

beforeAll(async () => {
  next = former === undefined ? makeNextVersion(folder) : root;
  // The folder that is prepared for tests is of this version.
  const dataDir = former && { DATA_DIR: path.join(folder, 'data') };
  host = await startService({ ROLES: 'api', LIMIT_REPORTING: 'off', ...dataDir }, [], old);
  await host.apply(trafficWorkspace);
}, 240_000);
afterAll(async () => {
  for (const one of started) await one.dispose();
  await host?.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('old processes go on until they are replaced; nothing is lost or counts twice', async () => {
  const [first, second] = [await start(old), await start(old)];
  let serving = [first, second];
  const traffic = startTraffic({ clicks: () => serving, installs: () => serving });
  const acceptedBy = (one: RunningService) => [...traffic.clicks.values()].filter((by) => by === one).length;
  await sleep(STAGE_MS);

  const firstOfNext = await start(next);
  const applied = former === undefined ? Object.keys(NEXT_MIGRATIONS) : ['sql/migrations/'];
  expect(applied.filter((file) => !firstOfNext.output().includes(`Applied ${file}`))).toEqual([]);
  serving = [first, second, firstOfNext];
  const before = serving.map(acceptedBy);
  await eventually('old and new accept', () =>
    serving.every((one, i) => acceptedBy(one) > (before[i] as number) + 10) ? true : undefined,
  );
  expect((await report(host, SERVER_KEY, {})).status).toBe(200);

  // The one is stopped, the other is killed, and its replacement finds its ingest log.
  serving = [second, firstOfNext];
  await first.stop();
  await sleep(STAGE_MS);
  serving = [firstOfNext];
  await second.kill();
  const { dataDir } = second;
  serving = [firstOfNext, await start(next, dataDir)];
  await eventually('the replacement accepts', () => (acceptedBy(serving[1] as RunningService) > 10 ? true : undefined));
  await eventually('enough is accepted, on a slow machine too', () => (traffic.installs.size > 20 ? true : undefined));
  await traffic.stop();

  await expectThereOnce(host, traffic);
  let installs = 0;
  // Decisions wait half a minute for what was killed, unless its log is drained before.
  await eventually(
    'the report has all installs',
    async () => {
      const { campaigns } = await report(host, SERVER_KEY, {});
      installs = campaigns.reduce((sum, { installs: text }) => sum + Number(String(text).replaceAll(',', '')), 0);
      return installs === traffic.installs.size ? true : undefined;
    },
    45_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${installs} of ${traffic.installs.size}`, { cause: error });
  });
}, 300_000);

test('an old process does not start on the new schema, and says so', async () => {
  await expect(start(old)).rejects.toThrow(
    /schema of another version of adtrail: \w+\.sql is not what this version has/,
  );
});
