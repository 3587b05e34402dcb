/** `make bench-attribution`: how long installs wait for their decision, with millions of clicks stored. */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readQuery } from '../../src/db/sql';
import { appEvent, SERVER_KEY } from '../support/collect/collect-client';
import { record } from './record';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../support/service';

const CLICKS = Number(process.env.CLICKS ?? 50_000_000);
const RATE = Number(process.env.RATE ?? 500);
const SECONDS = Number(process.env.SECONDS ?? 30);
const DECIDERS = process.env.ATTRIBUTION_DECIDERS ?? '1';
const CHUNK = 5_000_000;
/** At most so many cores were used. */
const CORES = os.availableParallelism();
/** A decider that decides 99 of 100 installs within this has kept up. */
const KEPT_UP_MS = 5_000;

const say = (text: string) => process.stdout.write(`${text}\n`);
const count = (value: number) => value.toLocaleString('en-US');

/** The device and the address of a click, by its number; a fifth of the clicks have an address only. */
const GAID = "toUUID(concat('38400000-8cf0-11bd-b23e-', leftPad(toString(number), 12, '0')))";
const IP =
  "concat('11.', toString(intDiv(number, 65536) % 256), '.', toString(intDiv(number, 256) % 256), '.', " +
  'toString(number % 256))';

async function store(service: RunningService, campaignId: number): Promise<void> {
  const started = performance.now();
  for (let from = 0; from < CLICKS; from += CHUNK) {
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.clicks (project_id, bucket, campaign_id, click_id, click_time, received_at,
          partner_id, kind, app_id, tid, gaid, ip, version)
        SELECT 1, today(), ${campaignId}, generateUUIDv4(number), now64(3) - toIntervalSecond(number % 80000),
          now64(3) - toIntervalSecond(number % 80000), 0, 'import', 'com.acme.shop', toString(number),
          if(number % 5 = 0, NULL, ${GAID}), ${IP}, 9007199254740991 - toUnixTimestamp64Micro(now64(6))
        FROM numbers(${from}, ${Math.min(CHUNK, CLICKS - from)}) SETTINGS max_partitions_per_insert_block = 0`,
    });
  }
  say(`${count(CLICKS)} clicks stored in                ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** The value of a metric of the service; 0 while it has none. */
async function readMetric(service: RunningService, name: string): Promise<number> {
  const text = await (
    await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })
  ).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

/** When each install was first seen decided, once all are. */
async function watch(service: RunningService, total: number): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  while (seen.size < total) {
    await sleep(200);
    const rows = await service.rows<{ install_id: string }>(
      "SELECT install_id FROM adtrail.installs WHERE startsWith(install_id, 'bench-') AND stored_at > now() - 60",
    );
    for (const { install_id } of rows) if (!seen.has(install_id)) seen.set(install_id, Date.now());
  }
  return seen;
}

/** What a turn asks of ClickHouse, in this order: each of `clickhouse/queries` with the settings of the turn. */
const STATEMENTS = [
  'attribution.take-batch',
  'attribution.batch',
  'attribution.cut-batch',
  'attribution.match',
  'attribution.find-reinstalls',
  'attribution.find-candidates',
  'attribution.decide',
] as const;
const TURNS = 7;
const TURN_INSTALLS = 400;

/** A turn of installs on random devices, half of them with a click, statement by statement; nothing is decided. */
async function measureStatements(service: RunningService): Promise<void> {
  const measured = new Map<string, { ms: number; rows: number; bytes: number }[]>();
  for (let turn = 0; turn < TURNS; turn++) {
    const run = 1_000_000_000 + turn;
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.attribution_batches
          (run_id, project_id, install_id, install_time, received_at, app_id, platform, gaid, ip)
        SELECT ${run}, 1, concat('turn-', toString(n)), now64(3), now64(3), 'com.acme.shop', 'ANDROID', ${GAID}, ${IP}
        FROM (SELECT number AS n, rand64(number + ${run}) % ${2 * CLICKS} AS number FROM numbers(${TURN_INSTALLS}))`,
    });
    for (const name of STATEMENTS) {
      const text = readQuery('clickhouse', name);
      const query_params = {
        run_id: run,
        max_touches: 10_000,
        from: Date.now() - 2_000,
        settled: Date.now(),
        limit: 0,
        lane: 0,
        lanes: 1,
        after: 0,
        project_limits: new Map<number, number>(),
        cut_id: run + 500_000_000,
        projects: [],
        budget: 2_000_000,
      };
      const select = text.replace(/INSERT INTO [^(]*\([^)]*\)\n(?=WITH|SELECT)/, '');
      const started = performance.now();
      const answer = await service.clickhouse.query({ query: select, query_params, format: 'JSON' });
      const { statistics } = await answer.json<Record<string, unknown>>();
      const ms = performance.now() - started;
      measured.set(name, [
        ...(measured.get(name) ?? []),
        { ms, rows: statistics?.rows_read ?? 0, bytes: statistics?.bytes_read ?? 0 },
      ]);
      const isStep = name !== 'attribution.take-batch' && name !== 'attribution.decide';
      if (isStep && select !== text) await service.clickhouse.command({ query: text, query_params });
    }
  }
  say(`a turn of ${TURN_INSTALLS} installs by statement, median of ${TURNS}:`);
  let turnMs = 0;
  for (const [name, all] of measured) {
    const { ms, rows, bytes } = all.sort((a, b) => a.ms - b.ms)[Math.floor(TURNS / 2)] as (typeof all)[number];
    turnMs += ms;
    say(
      `  ${name.padEnd(30)} ${ms.toFixed(0).padStart(5)} ms ${count(rows).padStart(12)} rows ` +
        `${(bytes / 1e6).toFixed(1).padStart(8)} MB read`,
    );
  }
  record({ installDecided: (turnMs * 1000) / TURN_INSTALLS });
}

async function sayIndexSize(service: RunningService): Promise<void> {
  const rows = await service.rows<{ table: string; parts: number; rows: string; bytes: number }>(`
    SELECT table, toUInt32(count()) AS parts, toString(sum(part.rows)) AS rows,
      sum(part.bytes_on_disk) / sum(part.rows) AS bytes
    FROM system.parts AS part
    WHERE database = 'adtrail' AND active AND startsWith(table, 'touches_')
    GROUP BY table`);
  for (const { table, bytes } of rows)
    record(table.startsWith('touches_by_id') ? { touchBytes: bytes } : { keyBytes: bytes });
  for (const { table, parts, rows: all, bytes } of rows)
    say(`${table.padEnd(40)}${count(Number(all))} rows in ${parts} parts, ${bytes.toFixed(1)} bytes each`);
}

async function main(): Promise<void> {
  const service = await startService({ ACCEPT_AFTER: 'log', FSYNC: 'true', ATTRIBUTION_DECIDERS: DECIDERS }, [
    '--max-semi-space-size=64',
  ]);
  await service.apply({
    accounts: [{ name: 'Bench' }],
    projects: [
      {
        name: 'Bench',
        account: 'Bench',
        timezone: 'UTC',
        server_keys: [SERVER_KEY],
        apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
        campaigns: [{ display_id: 'bench', name: 'Bench' }],
      },
    ],
  });
  const { body } = await service.admin('GET', '/projects/1/campaigns');
  const id = (body.campaigns as { id: number; display_id: string }[]).find((one) => one.display_id === 'bench')
    ?.id as number;
  const storing = performance.now();
  await store(service, id);
  const stored = performance.now();
  await eventually(
    'the worker has taken them in',
    async () => {
      await sleep(500);
      const rows = await readMetric(service, 'adtrail_materialization_rows_total{name="touches"}');
      const again = await readMetric(service, 'adtrail_materialization_rows_again_total{name="touches"}');
      return rows - again >= CLICKS ? true : undefined;
    },
    3_600_000,
  );
  record({ clickTakenIn: ((performance.now() - storing) * 1000 * CORES) / CLICKS });
  say(`taken in by the worker after            ${((performance.now() - stored) / 1000).toFixed(0)} s more`);

  const merging = performance.now();
  await eventually(
    'ClickHouse has merged what it wants to merge, and the clicks are counted',
    async () => {
      await sleep(1_000);
      const merges = await service.rows("SELECT 1 FROM system.merges WHERE database = 'adtrail'");
      const lag = await readMetric(service, 'adtrail_materialization_lag_seconds{name="daily-clicks"}');
      return merges.length === 0 && lag < 10 ? true : undefined;
    },
    3_600_000,
  );
  say(`merged and counted after                ${((performance.now() - merging) / 1000).toFixed(0)} s more`);

  await sayIndexSize(service);
  await measureStatements(service);

  // Whatever it still has to do of them, it has done once it decides an install at once.
  for (let n = 0; ; n++) {
    const sent = performance.now();
    await fetch(`${service.url}/collect/v1/app`, {
      method: 'POST',
      headers: { 'service-key': SERVER_KEY },
      body: JSON.stringify({ events: [appEvent('install', { install_id: `single-${n}` })] }),
    });
    await eventually(
      'a single install is decided',
      async () =>
        (await service.rows(`SELECT 1 FROM adtrail.installs WHERE install_id = 'single-${n}'`)).length > 0
          ? true
          : undefined,
      600_000,
    );
    if (performance.now() - sent > 4_000) continue;
    say(
      `an install by itself is decided after   ${((performance.now() - sent) / 1000).toFixed(1)} s, from ` +
        `${((performance.now() - stored) / 1000).toFixed(0)} s after the clicks on`,
    );
    break;
  }

  const acknowledged = new Map<string, number>();
  const started = performance.now();
  const total = RATE * SECONDS;
  const batch = Math.max(1, Math.round(RATE / 10));
  const seen = watch(service, total);
  for (let n = 0; n < total; n += batch) {
    await sleep(Math.max(0, started + (n / RATE) * 1000 - performance.now()));
    const events = Array.from({ length: batch }, (_, i) => {
      // Half of them on a device or from an address with a click.
      const click = Math.floor(Math.random() * CLICKS * 2);
      return appEvent('install', {
        install_id: `bench-${n + i}`,
        gaid: `38400000-8cf0-11bd-b23e-${String(click).padStart(12, '0')}`,
        ip: `11.${(click >> 16) & 255}.${(click >> 8) & 255}.${click & 255}`,
      });
    });
    void fetch(`${service.url}/collect/v1/app`, {
      method: 'POST',
      headers: { 'service-key': SERVER_KEY },
      body: JSON.stringify({ events }),
    }).then((response) => {
      if (response.status === 202) for (const event of events) acknowledged.set(event.install_id as string, Date.now());
    });
  }
  const decidedAt = await seen;
  const delays = [...decidedAt].map(([id, time]) => ({
    n: Number(id.slice('bench-'.length)),
    ms: time - (acknowledged.get(id) ?? 0),
  }));
  const readQuantile = (q: number, from = 0, to = total) => {
    const sorted = delays
      .filter(({ n }) => n >= from && n < to)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * q)] ?? 0;
  };
  const at = (...of: Parameters<typeof readQuantile>) => `${(readQuantile(...of) / 1000).toFixed(1)} s`;
  if (DECIDERS === '1' && readQuantile(0.99) <= KEPT_UP_MS) record({ decider: RATE });
  const [row] = await service.rows<{ n: string }>(
    "SELECT toString(countIf(rule != 'organic')) AS n FROM adtrail.installs WHERE startsWith(install_id, 'bench-')",
  );
  say(
    `${count(RATE)} installs/s for ${SECONDS} s, from acknowledgement to decision   p50 ${at(0.5)}, p99 ` +
      `${at(0.99)}, longest ${at(0.999999)}; ${count(Number(row?.n))} of ${count(total)} credited`,
  );
  const thirds = [0, 1, 2].map((third) => {
    const [from, to] = [(third * total) / 3, ((third + 1) * total) / 3];
    return `p50 ${at(0.5, from, to)} p99 ${at(0.99, from, to)}`;
  });
  say(`by thirds: ${thirds.join('; ')}`);
  await service.dispose();
}

void main();
