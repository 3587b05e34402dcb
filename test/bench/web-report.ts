/**
 * The year report of web campaigns against a bare scan of the same events, the derivation behind it, and the collector.
 * EVENTS (100 million) events of one project over 366 days are made inside ClickHouse: a tenth as many visitors, a
 * quarter
 * as many sessions, 500 campaigns. SECONDS (10) of load on the collector, in batches of 100.
 */
import fs from 'node:fs';
import http from 'node:http';
import { readPostgres } from '../support/postgres';
import { eventually, startService, type RunningService } from '../support/service';
import { postQuery } from '../support/reports/query';
import { BROWSER, report, webWorkspace, type Json } from '../support/collect/web';

const EVENTS = Number(process.env.EVENTS ?? 100_000_000);
/** How many different `utm_id`s landing pages have. */
const CAMPAIGNS = Number(process.env.CAMPAIGNS ?? 500);
const SECONDS = Number(process.env.SECONDS ?? 10);
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 16);
const BATCH = 100;
const BLOCK = 1_000_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const seconds = async (work: () => Promise<unknown>) => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

/** Four events a session, sessions of random times, visitors with 2.5 sessions on average; one event in 40 converts. */
const generate = (from: number, count: number) => `
  INSERT INTO adtrail.web_events (project_id, visitor_id, id, event_id, type, name, time, received_at, stored_at,
    session_id, url, revenue, channel, source, utm_id, is_signup, is_purchase, version)
  WITH intDiv(number, 4) AS session, sipHash64(session) AS random, random % ${CAMPAIGNS} AS campaign,
    sipHash64(random % ${EVENTS / 10}, 'v') AS visitor
  SELECT
    1, lower(hex(visitor)), reinterpretAsUUID(sipHash128(number)), toString(number),
    if(number % 40 = 3, 'event', 'page_view'), multiIf(number % 80 = 3, 'signup', number % 80 = 43, 'purchase', ''),
    toDateTime64('2025-01-01 00:00:00', 3, 'UTC') + intDiv(random, 1000) % 31536000 + (number % 4) * 60,
    now64(3), now64(3) - 3600, toString(session), 'https://acme.example/page',
    if(number % 80 = 43, 19.99, NULL),
    if(campaign % 5 = 0, 'direct', ['google', 'meta', 'email', 'organic_search'][campaign % 5]) AS channel,
    if(channel = 'direct', '', ['google', 'facebook', 'news', 'google'][campaign % 5]),
    if(channel = 'direct', '', 'campaign-' || toString(campaign)), number % 80 = 3, number % 80 = 43,
    9007199254740991 - number
  FROM numbers(${from}, ${count})
  SETTINGS max_insert_threads = 2, max_memory_usage = 8000000000`;

/** CPU seconds that a process has used. */
function cpuSeconds(pid: number): number {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Peak resident memory of the embedded ClickHouse since the last call, in MB. */
function peakMemory(service: RunningService): number {
  const pid = service.enginePids().clickhouse[0] as number;
  const peak = Number(/^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  fs.writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return peak;
}

async function reports(service: RunningService): Promise<void> {
  const bareSql = `SELECT uniqExact(visitor_id) AS visitors, count() AS events
     FROM adtrail.web_events
     WHERE project_id = 1 AND time >= toDateTime64('2025-01-01 00:00:00', 3, 'Asia/Kolkata')
       AND time < toDateTime64('2026-01-02 00:00:00', 3, 'Asia/Kolkata')
     SETTINGS max_threads = 2, max_memory_usage = 8000000000`;
  const bare = Math.min(await seconds(() => service.rows(bareSql)), await seconds(() => service.rows(bareSql)));
  say(`bare uniqExact(visitor_id) and count(): ${bare.toFixed(2)} s, ${peakMemory(service).toFixed(0)} MB`);
  const groupings = [
    'campaign',
    'channel',
    'source',
    'network_campaign&network=meta',
    'ad_set&network=google',
    'ad&network=google',
  ];
  for (const grouping of groupings) {
    for (const attribution of ['last_touch', 'first_touch']) {
      peakMemory(service);
      let visitors: unknown;
      const took = await seconds(async () => {
        const { status, body } = await report(
          service,
          'server-key-of-bench',
          `group_by=${grouping}&attribution=${attribution}&from=2025-01-01&to=2026-01-01`,
        );
        if (status !== 200) throw new Error(JSON.stringify(body));
        visitors = body.data?.totals.visitors;
      });
      say(
        `${grouping} ${attribution}: ${took.toFixed(2)} s, ${(took / bare).toFixed(2)} of bare, ` +
          `${peakMemory(service).toFixed(0)} MB, ${String(visitors)} visitors`,
      );
    }
  }
}

const YEAR = { source: 'web', from: '2025-01-01', to: '2026-01-01' };
const QUERIES: Readonly<Record<string, Json>> = {
  'visitors by campaign': { metrics: ['visitors'], dimensions: ['campaign'] },
  'visitors, sessions, sign-ups and revenue by campaign': {
    metrics: ['visitors', 'sessions', 'signups', 'revenue'],
    dimensions: ['campaign'],
  },
  'visitors by day': { metrics: ['visitors'], dimensions: ['day'] },
  'page views and bounce rate by landing page and country': {
    metrics: ['page_views', 'bounce_rate'],
    dimensions: ['landing_page', 'country'],
  },
};

async function queries(service: RunningService): Promise<void> {
  for (const [name, asked] of Object.entries(QUERIES)) {
    peakMemory(service);
    const took = await seconds(async () => {
      const { status, body } = await postQuery(service, 'server-key-of-bench', { ...YEAR, ...asked });
      if (status !== 200) throw new Error(JSON.stringify(body));
    });
    say(`query, ${name}: ${took.toFixed(2)} s, ${peakMemory(service).toFixed(0)} MB`);
  }
}

/** Keeps CONNECTIONS requests under way for SECONDS; every event is new. */
async function load(service: RunningService): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const landing = [
    'https://acme.example/?utm_source=news&utm_medium=email&utm_id=campaign-7',
    'https://acme.example/products/7',
    'https://acme.example/?gclid=abc&gad_campaignid=12',
  ];
  let n = 0;
  let accepted = 0;
  const pids = [service.child.pid as number, service.enginePids().clickhouse[0] as number, process.pid];
  const before = pids.map(cpuSeconds);
  const until = performance.now() + SECONDS * 1000;
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const time = new Date().toISOString();
      const events = Array.from(
        { length: BATCH },
        () =>
          `{"event_id":"load-${process.pid}-${n++}","type":"page_view","time":"${time}",` +
          `"visitor_id":"visitor-${n >> 2}","session_id":"session-${n >> 2}","url":"${landing[n % 3] as string}"}`,
      );
      const body = `{"events":[${events.join(',')}]}`;
      const sent = http.request(
        `${service.url}/collect/v1/web`,
        {
          agent,
          method: 'POST',
          headers: { 'web-key': 'web-key-of-bench', 'user-agent': BROWSER, 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 202) accepted += BATCH;
            resolve();
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  const took = await seconds(() =>
    Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (performance.now() < until) await post();
      }),
    ),
  );
  agent.destroy();
  const [own = 0, clickhouse = 0, sending = 0] = pids.map(
    (pid, i) => ((cpuSeconds(pid) - (before[i] ?? 0)) / accepted) * 1e6,
  );
  say(
    `collector, batches of ${BATCH} on ${CONNECTIONS} connections: ${Math.round(accepted / took)} events/s, ` +
      `${n - accepted} not accepted; CPU of an event: service ${own.toFixed(0)} µs, ClickHouse ` +
      `${clickhouse.toFixed(0)} µs, the load itself ${sending.toFixed(0)} µs`,
  );
}

async function main(): Promise<void> {
  const limits = { LIMIT_IP: 'off', LIMIT_REPORTING: 'off', LIMIT_QUERY: 'off' };
  const flags = ['--max-semi-space-size=64'];
  // Nothing is derived while the events are made.
  const service = await startService({ ...limits, ROLES: 's2s' }, flags);
  try {
    for (let from = 0; from < EVENTS; from += BLOCK)
      await service.clickhouse.command({
        query: generate(from, Math.min(BLOCK, EVENTS - from)),
        clickhouse_settings: { wait_end_of_query: 1 },
      });
    say(`${EVENTS} events made`);
    await service.stop();
    await service.restart(limits);
    peakMemory(service);
    const postgres = readPostgres(service);
    const derived = await seconds(() =>
      eventually(
        'everything is derived',
        async () =>
          (await postgres.rows("SELECT FROM watermarks WHERE name = 'web-visitors'")).length > 0 ? true : undefined,
        7_200_000,
      ),
    );
    say(
      `derived in ${derived.toFixed(0)} s, ${Math.round(EVENTS / derived)} events/s, ` +
        `${peakMemory(service).toFixed(0)} MB`,
    );
    await postgres.close();
    await service.apply(webWorkspace('bench'));
    await reports(service);
    await queries(service);
    await load(service);
    const [size] = await service.rows<{ events: number; visitors: number }>(
      `SELECT sumIf(bytes_on_disk, table = 'web_events') AS events,
         sumIf(bytes_on_disk, table = 'web_visitors') AS visitors
       FROM system.parts
       WHERE active AND database = 'adtrail'`,
    );
    say(
      `on disk: ${((size?.events ?? 0) / EVENTS).toFixed(0)} bytes an event, and ` +
        `${((size?.visitors ?? 0) / EVENTS).toFixed(0)} in derived visitors`,
    );
  } finally {
    await service.dispose();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
