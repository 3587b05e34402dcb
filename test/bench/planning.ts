/**
 * `make bench-planning`: how long ClickHouse takes to plan the statements that a service with the demo's data really
 * runs (3,000 installs, or INSTALLS of them), with the parameters that it ran them with: the time of `EXPLAIN`, the
 * fastest of ROUNDS (10), in milliseconds, the longest first. Of an INSERT its SELECT is explained. Then what one
 * install, one event of it and one click set off by themselves: each statement, how often it ran, and how long.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryNames, readQuery } from '../../src/db/sql';
import { startListening } from '../../src/commands/listen';
import { appEvent } from '../support/collect/collect-client';
import { TYPICAL } from '../support/reports/typical-questions';
import { temporaryFolder } from '../support/service';
import { startDemo } from './demo-service';
import { startRecordedClickHouse, type RecordedClickHouse, type Statement } from './recorded-clickhouse';

const ROUNDS = Number(process.env.ROUNDS ?? 10);
/** How often an event is sent by itself. */
const EVENTS = Number(process.env.EVENTS ?? 5);
const PASSWORD = 'password-of-the-benchmark';
const ADMIN_TOKEN = 'admin-token-of-the-benchmark';
const APP = 'com.example.shop';
const DAY_MS = 86_400_000;
/** Whatever an event sets off has begun by then. */
const SET_OFF_MS = 4_000;
/** Statements that the pipeline runs unasked; all others answer somebody. */
const PIPELINE =
  /^(attribution|daily-clicks|ingest|install-|installs-by-|derive|outbox|quarantine|touches|web-visitors)/;
const GOALS = { asked: 25, pipeline: 30 };

const say = (text: string) => process.stdout.write(`${text}\n`);
const formatDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The statements of clickhouse/queries by their texts, the longest first. */
const FILES = queryNames('clickhouse')
  .map((name) => ({ name, text: readQuery('clickhouse', name).trim() }))
  .sort((a, b) => b.text.length - a.text.length);

/** The file that a statement is, or ends with; else what it says or does. */
function readName(sql: string): string {
  const text = sql.replace(/\s*FORMAT \w+\s*$/, '').trim();
  const file = FILES.find((one) => text.endsWith(one.text))?.name;
  const insert = /^INSERT INTO (\S+) \([^)]*\) FORMAT/.exec(sql)?.[1];
  return file ?? (insert ? `INSERT ${insert}` : (/^(?:-- )?(.{1,40})/.exec(sql)?.[1] ?? 'statement'));
}

/** The SELECT of a statement; undefined where it has none, or asks no table of ours. */
function readSelect(sql: string): string | undefined {
  const select = sql.replace(/INSERT INTO [\w.{}:]+\s*(?:\([^)]*\)\s*)?(?=WITH\b|SELECT\b)/, '');
  return /^(?:\s*--.*\n)*\s*(?:WITH|SELECT)\b/.test(select) && select.includes('adtrail.') ? select : undefined;
}

async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let i = 0; i < ROUNDS; i++) {
    const since = performance.now();
    await work();
    best = Math.min(best, performance.now() - since);
  }
  return best;
}

/** A service with the demo's data, and how to speak to it. */
class Demo {
  private sent = 0;

  constructor(
    readonly url: string,
    private readonly key: string,
    private readonly token: string,
  ) {}

  async ask(at: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
    const headers = { 'service-key': this.key, 'Content-Type': 'application/json', ...init.headers };
    const response = await fetch(this.url + at, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${at} answered ${response.status}: ${text}`);
    return text ? (JSON.parse(text) as Record<string, unknown>) : {};
  }

  admin(method: string, at: string, body?: unknown) {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    return this.ask(`/admin/v1${at}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  }

  app(events: readonly object[]) {
    return this.ask('/collect/v1/app', { method: 'POST', body: JSON.stringify({ events }) });
  }

  web(events: readonly object[]) {
    return this.ask('/collect/v1/web', { method: 'POST', body: JSON.stringify({ events }) });
  }

  /** A device that nobody else has. */
  device(): string {
    this.sent += 1;
    return `38400000-8cf0-11bd-ffff-${String(this.sent).padStart(12, '0')}`;
  }

  touch(kind: 'click' | 'impression', gaid: string) {
    const query = new URLSearchParams({
      c: 'demo',
      tid: `t-${gaid}`,
      gaid,
      [`${kind}_time`]: String(Date.now() - 60_000),
    });
    return this.ask(`/v1/${kind}/${APP}?${query.toString()}`, { headers: { 'X-Service-Token': this.token } });
  }
}

const makeEvent = (type: string, gaid: string, more: Record<string, unknown> = {}) =>
  appEvent(type, { app_id: APP, install_id: `install-${gaid}`, gaid, ...more });

/** Whatever people ask, and whatever sends records: each kind once, some of them after each other. */
async function drive(demo: Demo, from: string, to: string): Promise<void> {
  const range = `from=${from}&to=${to}`;
  const named = 'events=level_up,tutorial&payment_events=purchase&cost_per_event=level_up&unique_user_events=level_up';
  for (const query of ['', '&view=retargeting', `&${named}`, '&search=a&sort_field=revenue&page=2&limit=2'])
    await demo.ask(`/api/v1/reporting/campaigns?${range}${query}`);
  for (const query of ['campaign', 'channel', 'source', 'campaign&events=signup&attribution=first_touch'])
    await demo.ask(`/api/v1/reporting/web-campaigns?${range}&group_by=${query}`);
  for (const grouping of ['network_campaign', 'ad_set', 'ad'])
    await demo.ask(`/api/v1/reporting/web-campaigns?${range}&network=google&group_by=${grouping}`);
  for (const [, typical] of TYPICAL)
    await demo.ask('/api/v1/reporting/query', { method: 'POST', body: JSON.stringify({ ...typical, from, to }) });

  const [clicked, seen] = [demo.device(), demo.device()];
  await demo.touch('click', clicked);
  await demo.touch('impression', seen);
  await sleep(SET_OFF_MS);
  const earlier = new Date(Date.now() - 10 * DAY_MS).toISOString();
  await demo.app([
    makeEvent('install', clicked),
    makeEvent('install', seen),
    makeEvent('install', demo.device(), { time: earlier }),
    makeEvent('install', demo.device(), {
      attribution: { network: 'meta', network_campaign_id: 'new', campaign: 'New' },
    }),
  ]);
  await sleep(SET_OFF_MS);
  await demo.app([
    makeEvent('payment', clicked),
    makeEvent('event', seen),
    makeEvent('install', clicked, { install_id: 'again' }),
    makeEvent('open', clicked, { link: 'https://go.shop.example/demo' }),
  ]);
  const visit = { event_id: randomUUID(), type: 'page_view', url: 'https://shop.example/?utm_source=a' };
  await demo.web([{ ...visit, time: new Date().toISOString(), visitor_id: 'visitor-bench', session_id: 's' }]);
  await sleep(SET_OFF_MS);
  // More installs at once than are taken for few.
  await demo.app(Array.from({ length: 100 }, () => makeEvent('install', demo.device())));
  await sleep(SET_OFF_MS);
}

/** The statement that was sent last under each name. */
function lastOfEach(statements: readonly Statement[]): Map<string, Statement> {
  return new Map(statements.map((statement) => [readName(statement.sql), statement]));
}

async function sayPlanning(clickhouse: RecordedClickHouse, statements: readonly Statement[]): Promise<void> {
  const measured: { name: string; ms: number }[] = [];
  for (const [name, { sql, parameters }] of lastOfEach(statements)) {
    const select = readSelect(sql);
    if (!select) continue;
    measured.push({ name, ms: await fastest(() => clickhouse.ask(`EXPLAIN ${select}`, parameters)) });
  }
  const [any] = statements;
  const nothing = await fastest(() => clickhouse.ask('EXPLAIN SELECT 1', any?.parameters ?? new URLSearchParams()));
  measured.sort((a, b) => b.ms - a.ms);
  for (const [what, isMeant] of [
    ['asked', (name: string) => !PIPELINE.test(name)],
    ['pipeline', (name: string) => PIPELINE.test(name)],
  ] as const) {
    const own = measured.filter(({ name }) => isMeant(name));
    const over = own.filter(({ ms }) => ms > GOALS[what]);
    say(`\n| statements ${what === 'asked' ? 'of who asks' : 'of the pipeline'} | EXPLAIN, ms |\n| --- | ---: |`);
    for (const { name, ms } of own) say(`| ${name} | ${ms.toFixed(1)} |`);
    say(`${over.length} of ${own.length} take more than ${GOALS[what]} ms.`);
  }
  say(`\nEXPLAIN SELECT 1 takes ${nothing.toFixed(1)} ms.`);
}

/** What was sent while an idle service took in one record, without what an idle service does by itself. */
async function saySetOff(
  clickhouse: RecordedClickHouse,
  what: string,
  send: () => Promise<unknown>,
  isThere: RegExp,
): Promise<void> {
  const counts = new Map<string, { times: number; ms: number }>();
  const delays: number[] = [];
  for (let n = 0; n < EVENTS; n++) {
    await sleep(SET_OFF_MS);
    const first = clickhouse.statements.length;
    await send();
    const sent = performance.now();
    await sleep(SET_OFF_MS);
    const own = clickhouse.statements.slice(first);
    for (const { sql, from, to } of own) {
      const name = readName(sql);
      const { times, ms } = counts.get(name) ?? { times: 0, ms: 0 };
      counts.set(name, { times: times + 1, ms: ms + to - from });
    }
    const there = own.find(({ sql }) => isThere.test(readName(sql)));
    if (there) delays.push(there.to - sent);
  }
  const all = [...counts.values()].reduce((sum, { times }) => sum + times, 0);
  const median = delays.sort((a, b) => a - b)[delays.length >> 1] ?? NaN;
  say(
    `\n${what} by itself: ${(all / EVENTS).toFixed(1)} statements; ${isThere.source} has run ${median.toFixed(0)} ms ` +
      `after the answer (median of ${delays.length}, ${delays.map((ms) => ms.toFixed(0)).join(', ')}).`,
  );
  say('| statement | times | ms each |\n| --- | ---: | ---: |');
  for (const [name, { times, ms }] of [...counts].sort(([, a], [, b]) => b.times - a.times))
    say(`| ${name} | ${(times / EVENTS).toFixed(1)} | ${(ms / times).toFixed(0)} |`);
}

async function main(): Promise<void> {
  const folder = temporaryFolder();
  const clickhouse = await startRecordedClickHouse(path.join(folder, 'engine'), PASSWORD);
  const listening = await startListening({
    host: '127.0.0.1',
    port: 0,
    secret: undefined,
    answer: 200,
    every: 1,
    write: () => undefined,
    now: Date.now,
  });
  const { link, stop } = await startDemo(folder, {
    ADMIN_TOKEN,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_PASSWORD: PASSWORD,
    OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
    LOG_LEVEL: 'error',
  });
  try {
    const read = (name: string) => fs.readFileSync(path.join(folder, 'data', name), 'utf8').trim();
    const demo = new Demo(new URL(link).origin, read('demo-server-key'), read('demo-partner-token'));
    await demo.admin('POST', '/projects/1/webhooks', { url: `http://127.0.0.1:${listening.port}/hook`, events: ['*'] });
    const [from, to] = [formatDay(Date.now() - 60 * DAY_MS), formatDay(Date.now())];
    clickhouse.statements.length = 0;
    await drive(demo, from, to);
    await sayPlanning(clickhouse, [...clickhouse.statements]);

    const known = demo.device();
    await saySetOff(clickhouse, 'A click', () => demo.touch('click', demo.device()), /^touches\.index-clicks$/);
    await saySetOff(
      clickhouse,
      'An install',
      () => demo.app([makeEvent('install', demo.device())]),
      /^attribution\.decide$/,
    );
    await demo.app([makeEvent('install', known)]);
    await saySetOff(
      clickhouse,
      'An event of an install',
      () => demo.app([makeEvent('event', known)]),
      /^install-journeys\.derive$/,
    );
  } finally {
    await stop();
    await listening.close();
    await clickhouse.stop();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

void main();
