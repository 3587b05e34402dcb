/**
 * `make bench-app-report`: the report over a year of one project with 500 campaigns, against the same figures grouped
 * directly over the base tables. CLICKS millions of clicks (100), a twentieth as many installs, half as many app
 * events.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type RunningService } from '../support/service';
import { record } from './record';
import {
  CAMPAIGNS,
  count,
  dayAgo,
  DAYS,
  fillYear,
  KEY,
  seconds,
  timed,
  TIMEZONE,
  TOKEN,
  untilDerived,
} from './year-of-a-project';

const CLICKS = Number(process.env.CLICKS ?? 100) * 1_000_000;
const INSTALLS = CLICKS / 20;
const LIVE_SECONDS = Number(process.env.SECONDS ?? 20);
const LIVE_RATE = 10_000;
const CLICK_RATE = 200;

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
const plain = fs.readFileSync(path.join(__dirname, 'app-report-plain.sql'), 'utf8');

const clickhousePid = (service: RunningService) => service.enginePids().clickhouse[0] as number;
const peakMb = (service: RunningService) =>
  Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${clickhousePid(service)}/status`, 'utf8'))?.[1]) / 1024;
const resetPeak = (service: RunningService) => fs.writeFileSync(`/proc/${clickhousePid(service)}/clear_refs`, '5');
/** CPU seconds that the ClickHouse process has used. */
const cpu = (service: RunningService) => {
  const fields = fs
    .readFileSync(`/proc/${clickhousePid(service)}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

async function ask(service: RunningService, query: string): Promise<number> {
  const { ms, result } = await timed(() =>
    service.request(`/api/v1/reporting/campaigns?${query}`, { headers: { 'service-key': KEY } }),
  );
  if (result.status !== 200) throw new Error(`${result.status}: ${await result.text()}`);
  await result.text();
  return ms;
}

/** Four reports asked at once, and the clicks of a partner meanwhile. */
async function beside(service: RunningService, query: string): Promise<void> {
  const latencies: number[] = [];
  const clicks: Promise<unknown>[] = [];
  let reporting = true;
  let refused = 0;
  const clicking = (async () => {
    for (let i = 0; reporting; i++) {
      clicks.push(
        timed(() =>
          service.request(
            `/v1/click/com.bench?c=bench${i % CAMPAIGNS}&tid=beside-${i}` +
              `&gaid=38400000-8cf0-11bd-b23e-${String(i).padStart(12, '0')}`,
            { headers: { 'X-Service-Token': TOKEN } },
          ),
        ).then(({ ms, result }) => {
          latencies.push(ms);
          if (result.status !== 200) refused += 1;
        }),
      );
      await sleep(1000 / CLICK_RATE);
    }
  })();
  const { ms } = await timed(() => Promise.all(Array.from({ length: 4 }, () => ask(service, query))));
  reporting = false;
  await clicking;
  await Promise.all(clicks);
  latencies.sort((a, b) => a - b);
  const at = (q: number) => `${Math.round(latencies[Math.floor(latencies.length * q)] as number)} ms`;
  say(
    `four reports at once: all answered in ${seconds(ms)}; ${count(latencies.length / (ms / 1000))} clicks/s ` +
      `meanwhile: p50 ${at(0.5)}, p99 ${at(0.99)}, ${refused} refused`,
  );
}

/** What the log says of the statements of the latest report. */
const readStatements = (service: RunningService) =>
  service
    .output()
    .match(/The report [a-z-]+ took [^"\n]*/g)
    ?.at(-1) ?? 'the log does not say';

let marks = 0;
/** How long after its acknowledgement an event is in the tables of the report, in milliseconds. */
async function freshness(service: RunningService): Promise<number> {
  const install = `install-${INSTALLS - 1}`;
  const signups = async () =>
    (
      await service.rows<{ n: number }>(
        // By the key of the table: the question must not cost what it measures.
        `SELECT toUInt32(max(length(signup_days))) AS n FROM adtrail.journeys
         WHERE (project_id, report_view, campaign_id) IN (
           SELECT project_id, 'user_acquisition', campaign_id FROM adtrail.installs
           WHERE (project_id, install_id) IN (SELECT project_id, '${install}' FROM adtrail.projects)
         ) AND root_install = reinterpretAsUUID(sipHash128('${install}'))`,
      )
    )[0]?.n ?? 0;
  const before = await signups();
  await service.request('/collect/v1/app', {
    method: 'POST',
    headers: { 'service-key': KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      events: [
        {
          event_id: `mark-${marks++}`,
          type: 'signup',
          time: new Date().toISOString(),
          app_id: 'com.bench',
          install_id: install,
        },
      ],
    }),
  });
  const { ms } = await timed(async () => {
    while ((await signups()) === before) await sleep(25);
  });
  return ms;
}

/** Events at a rate for a while, and how long after the last one the report's tables have it. */
async function live(service: RunningService): Promise<void> {
  const alone: number[] = [];
  for (let i = 0; i < 5; i++) {
    // Nothing else is under way, and it comes at any time of the service's own rhythm.
    await sleep(4_000 + i * 300);
    alone.push(await freshness(service));
  }
  alone.sort((a, b) => a - b);
  say(`an event by itself: fresh after ${seconds(alone[2] as number)}, at most ${seconds(alone[4] as number)}`);
  const before = cpu(service);
  const started = performance.now();
  let sent = 0;
  let refused = 0;
  const pending: Promise<unknown>[] = [];
  while (performance.now() - started < LIVE_SECONDS * 1000) {
    const time = new Date().toISOString();
    const batch = Array.from({ length: LIVE_RATE / 10 }, () => ({
      event_id: `live-${sent++}`,
      type: 'open',
      time,
      app_id: 'com.bench',
      install_id: `install-${Math.floor(Math.random() * INSTALLS)}`,
    }));
    pending.push(
      service
        .request('/collect/v1/app', {
          method: 'POST',
          headers: { 'service-key': KEY, 'Content-Type': 'application/json' },
          body: JSON.stringify({ events: batch }),
        })
        .then(async (answer) => {
          await answer.text();
          if (answer.status !== 202) refused += LIVE_RATE / 10;
        }),
    );
    await sleep(Math.max(0, started + (sent / LIVE_RATE) * 1000 - performance.now()));
  }
  await Promise.all(pending);
  const took = performance.now() - started;
  const used = cpu(service) - before;
  const fresh = await freshness(service);
  record({ eventDerived: (used * 1e6) / sent });
  say(
    `${count(sent / (took / 1000))} app events/s for ${seconds(took)}: fresh after ${seconds(fresh)}; ` +
      `ClickHouse used ${(used / (took / 1000)).toFixed(2)} cores meanwhile` +
      (refused > 0 ? `; ${count(refused)} were told to come again` : ''),
  );
}

async function main(): Promise<void> {
  const limits = { LIMIT_REPORTING: 'off', LIMIT_IP: 'off', LIMIT_S2S_CAMPAIGN: 'off' };
  const flags = ['--max-semi-space-size=64'];
  const service = await startService({ ...limits, ROLES: 'api' }, flags);
  try {
    const projectId = await fillYear(service, { clicks: CLICKS, installs: INSTALLS }, say);
    await service.stop();
    await service.restart({ ...limits, ROLES: 'api,s2s,collect,attribution', LOG_LEVEL: 'debug' });
    const { ms: derived } = await timed(() => untilDerived(service, { clicks: CLICKS, installs: INSTALLS }));
    say(`derived in ${seconds(derived)} after the last row, ${count(peakMb(service))} MB at most`);

    const year = `from=${dayAgo(DAYS - 1)}&to=${dayAgo(0)}`;
    const events = `&events=${Array.from({ length: 10 }, (_, i) => `event_${i}`).join()}`;
    resetPeak(service);
    const cold = await ask(service, year);
    const warm = median([await ask(service, year), await ask(service, year), await ask(service, year)]);
    const warmStatements = readStatements(service);
    const month = median([
      await ask(service, `from=${dayAgo(59)}&to=${dayAgo(30)}`),
      await ask(service, `from=${dayAgo(89)}&to=${dayAgo(60)}`),
      await ask(service, `from=${dayAgo(119)}&to=${dayAgo(90)}`),
    ]);
    const ten = median([
      await ask(service, year + events),
      await ask(service, year + events),
      await ask(service, year + events),
    ]);
    const tenStatements = readStatements(service);
    const reportPeak = peakMb(service);
    resetPeak(service);
    const { ms: direct } = await timed(() =>
      service.clickhouse
        .query({
          query: plain,
          query_params: { project_id: projectId, timezone: TIMEZONE, from: dayAgo(DAYS - 1), to: dayAgo(0) },
          format: 'JSONEachRow',
          clickhouse_settings: { max_execution_time: 600 },
        })
        .then((result) => result.text()),
    );
    const line = (what: string, ms: number) =>
      say(`${what.padEnd(36)} ${seconds(ms).padStart(9)}   ${(ms / direct).toFixed(3)} of the base tables`);
    line('year, cold', cold);
    line('year, warm', warm);
    line('one month', month);
    line('year with ten events', ten);
    say(`year, the last one: ${warmStatements}`);
    say(`year with ten events, the last one: ${tenStatements}`);
    say(`${'the same year over the base tables'.padEnd(36)} ${seconds(direct).padStart(9)}`);
    say(
      `peak memory of ClickHouse: ${count(reportPeak)} MB with the reports, ${count(peakMb(service))} MB with the ` +
        'base tables',
    );
    await beside(service, year);
    await live(service);
  } finally {
    await service.dispose();
  }
}

void main().then(
  () => process.exit(0),
  (error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  },
);
