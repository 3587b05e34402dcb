/** `make bench-attribution`: how long installs wait for their decision, with millions of clicks stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent, SERVER_KEY } from '../support/collect-client';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../support/service';

const CLICKS = Number(process.env.CLICKS ?? 50_000_000);
const RATE = Number(process.env.RATE ?? 500);
const SECONDS = Number(process.env.SECONDS ?? 30);
const CHUNK = 5_000_000;

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
async function metricOf(service: RunningService, name: string): Promise<number> {
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

async function main(): Promise<void> {
  const service = await startService({ ACCEPT_AFTER: 'log', FSYNC: 'true', ...JSON.parse(process.env.XENV ?? '{}') }, [
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
  await store(service, id);
  const stored = performance.now();
  await eventually(
    'the worker has taken them in',
    async () => {
      await sleep(500);
      const rows = await metricOf(service, 'adtrail_materialization_rows_total{name="touches"}');
      const again = await metricOf(service, 'adtrail_materialization_rows_again_total{name="touches"}');
      return rows - again >= CLICKS ? true : undefined;
    },
    3_600_000,
  );
  say(`taken in by the worker after            ${((performance.now() - stored) / 1000).toFixed(0)} s more`);

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
  const at = (q: number, from = 0, to = total) => {
    const sorted = delays
      .filter(({ n }) => n >= from && n < to)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    return `${((sorted[Math.floor(sorted.length * q)] ?? 0) / 1000).toFixed(1)} s`;
  };
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
