/**
 * Every statement of clickhouse/queries runs on a cluster of two shards: those that a service sends while it takes in
 * and reports a little of everything, put together as it does, and the others by themselves, with values made up by
 * their types. Nothing is refused. That the answers are right is shown by the integration tests that run on a cluster.
 */
import { connectClickHouse, type ClickHouse } from '../../src/db/clickhouse';
import { queryNames, readNodesQuery, readQuery, type Steps } from '../../src/db/sql';
import { decided, postEvents, putSpend, report } from '../support/reports/app-report';
import { CLUSTER, startClusterClickHouse, type ClusterClickHouse } from '../support/cluster';
import { ask } from '../support/reports/query';
import { overHttp } from '../support/s2s/s2s-client';
import { CLICKHOUSE_PASSWORD, eventually, startService, type RunningService } from '../support/service';
import { collect, reportData, webWorkspace } from '../support/collect/web';

/** What statements select from that no table has, where what the service does here does not send them. */
const records = { records: 'export.touches' };
const STEPS: Readonly<Record<string, Steps>> = {
  'scheduled-exports.fingerprint': records,
  'scheduled-exports.fingerprints-of-received': { records: 'export.received' },
  'scheduled-exports.fingerprints-of-touches': records,
  'scheduled-exports.fingerprints-of-attempts': { records: 'export.attempts' },
  'scheduled-exports.part': records,
  'scheduled-exports.part-rows': records,
  'funnels.count-rows': {
    members: 'funnels.step-members',
    chosen: 'funnels.step-chosen',
    happened: 'funnels.step-happened',
    attempts: 'funnels.step-attempts',
  },
};
const files = queryNames('clickhouse').map((name) => {
  const text = readQuery('clickhouse', name, STEPS[name]);
  return { name, text: (text.includes('-- cluster: of every node') ? readNodesQuery(name, CLUSTER) : text).trim() };
});
const KEY = 'server-key-of-statements';
const range = { from: '2026-03-01', to: '2026-03-31' };

let cluster: ClusterClickHouse;
let service: RunningService;
let clickhouse: ClickHouse;
const seen = new Set<string>();
const refusals: string[] = [];

/** The embedded engine has no users of its own making. */
const MAKES_USERS = /^CREATE USER/;

beforeAll(async () => {
  cluster = await startClusterClickHouse((statement, refusal) => {
    for (const { name, text } of files) if (!seen.has(name) && statement.includes(text)) seen.add(name);
    if (refusal !== undefined && !MAKES_USERS.test(statement)) refusals.push(`${refusal}\n${statement}`);
  });
  clickhouse = connectClickHouse(cluster.url, CLICKHOUSE_PASSWORD);
  service = await startService({ CLICKHOUSE_URL: cluster.url, CLICKHOUSE_CLUSTER: CLUSTER, LIMIT_REPORTING: 'off' });
  const document = webWorkspace('statements', {
    apps: [{ platform: 'ANDROID', app_id: 'com.statements' }],
    network_accounts: [{ network: 'META', external_customer_id: 'act' }],
    partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
    campaigns: [
      { display_id: 'spring', name: 'Spring', partner: 'Mobi Ads' },
      { display_id: 'meta', name: 'Meta', network: 'META', network_campaign_id: '770', utm_ids: ['st-a'] },
    ],
    // Nobody listens there: that a message waits is enough.
    webhooks: [{ url: 'https://127.0.0.1:1/', events: ['*'], secret: `whsec_${'A'.repeat(32)}` }],
  });
  const partners = [{ name: 'Mobi Ads', tokens: ['token-of-statements'] }];
  await service.apply({ ...document, partners });
}, 360_000);
afterAll(async () => {
  await clickhouse?.close();
  await service?.dispose();
  await cluster?.stop();
});

/** An install of a click, what follows it, money, and visits of a website. */
async function sendTraffic(): Promise<void> {
  const gaid = '38400000-8cf0-11bd-b23e-10b96e40000d';
  const of = { install_id: 'i-1', platform: 'ANDROID', app_id: 'com.statements', gaid, user_id: 'u-1' };
  const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T10:00:00Z`;
  const token = { 'X-Service-Token': 'token-of-statements' };
  const click = await overHttp(service).ask(`/v1/click/com.statements?c=spring&tid=t-1&gaid=${gaid}`, token);
  expect(click.status).toBe(200);
  await postEvents(service, KEY, [
    { event_id: 'e-1', type: 'install', time: at(2), ...of },
    { event_id: 'e-2', type: 'signup', time: at(3), ...of },
    { event_id: 'e-3', type: 'payment', time: at(4), amount: 5, currency: 'USD', payment_type: 'plan', ...of },
    { event_id: 'e-4', type: 'event', name: 'level', time: at(4), amount: 1, currency: 'USD', ...of },
  ]);
  await putSpend(service, KEY, [
    { date: '2026-03-02', network: 'META', account: 'act', campaign_id: '770', spend: 12, currency: 'USD' },
  ]);
  const visit = { visitor_id: 'v', session_id: 's', url: 'https://acme.example/?utm_source=fb&utm_id=st-a' };
  const answer = await collect(service, { 'service-key': KEY }, [
    { event_id: 'w-1', type: 'page_view', time: at(2), ...visit },
    { event_id: 'w-2', type: 'event', name: 'purchase', revenue: 5, time: at(2), ...visit },
  ]);
  expect(answer.body).toEqual({ accepted: 2, rejected: [] });
  await decided(service, 1, 1);
}

/** Questions that need every step between them. */
const QUESTIONS = [
  {
    source: 'app',
    metrics: ['installs', 'revenue', 'spend', 'clicks', 'impressions', 'retention_d1', 'ltv_d7', 'event_amount:level'],
    dimensions: ['campaign', 'day'],
    filters: [['is', 'campaign', ['spring', '770']]],
    include: ['totals', 'organic'],
  },
  { source: 'app', metrics: ['installs', 'signups'], dimensions: ['country', 'app', 'rule'] },
  { source: 'app', metrics: ['clicks'], dimensions: ['hour'] },
  { source: 'app', metrics: ['installs'], dimensions: ['os_version'], compare: 'previous_period' },
  { source: 'web', metrics: ['visitors', 'bounce_rate', 'conversion', 'spend'], dimensions: ['campaign'] },
  { source: 'web', metrics: ['page_views', 'event:purchase', 'revenue'], dimensions: ['page', 'hour'] },
];

const APP_REPORTS = ['', '&events=level&unique_user_events=level&payment_events=level&cost_per_event=level'];
const WEB_REPORTS = ['', '&group_by=source', '&events=purchase', '&channel=google', '&group_by=ad&network=meta'];

const FUNNELS = [{}, { order: 'strict', dimensions: ['campaign'] }];

async function askForEverything(): Promise<void> {
  const days = new URLSearchParams(range).toString();
  for (const more of APP_REPORTS) expect((await report(service, KEY, days + more)).status).toBe(200);
  for (const more of WEB_REPORTS) await reportData(service, KEY, days + more);
  for (const question of QUESTIONS) await ask(service, KEY, { ...range, ...question });
  const send = (at: string, body: object) =>
    service.request(`/api/v1/${at}`, {
      method: 'POST',
      headers: { 'service-key': KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const steps = ['install', 'signup'];
  for (const more of FUNNELS) expect((await send('reporting/funnel', { ...range, steps, ...more })).status).toBe(200);
  const one = { ...range, source: 'app', metrics: ['installs'], dimensions: ['campaign'] };
  const file = await send('reporting/query?format=csv', one);
  expect(await file.text()).toContain('organic,Organic,1');
  // While one was paused its visits do not count.
  expect((await service.admin('POST', '/projects/1/campaigns/meta/pause')).status).toBeLessThan(300);
  await reportData(service, KEY, days);
}

test('the doctor asks every node: here both shards are one', async () => {
  const { body } = await service.admin('GET', '/doctor');
  const about = (body.findings as { about: string }[]).map((finding) => finding.about);
  expect(about).toEqual(expect.arrayContaining(['ClickHouse', 'Clock of ClickHouse', 'Parts of ClickHouse']));
  expect(about.filter((one) => one.startsWith('Disk of ClickHouse, ')).length).toBeGreaterThan(0);
  expect(about).not.toContain('Cluster of ClickHouse');
});

/** Values that the type of a placeholder does not tell. */
const VALUES: Readonly<Record<string, unknown>> = {
  timezone: 'UTC',
  'quarantine.mark:to': 'retry',
  'derive.chunks:table': 'journey_batches',
  'derive.last-chunk:table': 'journey_batches',
  'ingest.versions-of-events:table': 'app_events',
  'ingest.versions-of-events:id_column': 'id',
  'export.attempts:view': 'postbacks',
  'scheduled-exports.fingerprints-of-attempts:view': 'postbacks',
  view: 'clicks',
  database: 'adtrail',
  table: 'clicks',
  id_column: 'click_id',
};
const UUID = '00000000-0000-0000-0000-000000000001';
const BY_TYPE: Readonly<Record<string, unknown>> = { UUID, Date: '2026-03-01', String: 'a', Bool: true };
const makeSample = (type: string): unknown => {
  const [, inner] = /^Array\((.*)\)$/.exec(type) ?? [];
  if (inner !== undefined) return [makeSample(inner)];
  return BY_TYPE[type] ?? 1;
};
const MOMENT = '2026-03-01 00:00:00.000';
const OF_EXPORTS: Readonly<Record<string, unknown>> = { from: MOMENT, to: MOMENT, form: '%Y-%m-%d' };
const valuesFor = ({ name, text }: { name: string; text: string }) =>
  Object.fromEntries(
    [...text.matchAll(/\{(\w+):([\w(), ]+)\}/g)].map(([, parameter = '', type = '']) => [
      parameter,
      (/^(?:scheduled-exports|export)\./.test(name) ? OF_EXPORTS[parameter] : undefined) ??
        VALUES[`${name}:${parameter}`] ??
        VALUES[parameter] ??
        makeSample(type),
    ]),
  );

test('a service that takes in and reports a little of everything is refused nothing', async () => {
  await sendTraffic();
  await askForEverything();
  await eventually('the install is in its journey', () => (seen.has('outbox.settle') ? true : undefined));
  expect(refusals).toEqual([]);
}, 180_000);

test('what was not sent then runs by itself', async () => {
  const rest = files.filter(({ name }) => !seen.has(name));
  const failures: string[] = [];
  for (const file of rest)
    await clickhouse
      .command(file.text, valuesFor(file), { max_execution_time: 60 })
      .catch((error: Error) => failures.push(`${file.name}: ${error.message.slice(0, 300)}`));
  expect(failures).toEqual([]);
}, 180_000);

describe('the two shards', () => {
  const run = 4_711;
  const of = `run_id = ${run}`;
  const rows = async (sql: string) => clickhouse.rows<Record<string, number>>(sql);

  beforeAll(async () => {
    await clickhouse.command(
      `INSERT INTO adtrail.postbacks (run_id, postback_id, subject, attempted_at)
      SELECT ${run}, generateUUIDv4(1), generateUUIDv4(2), now() FROM numbers(100)`,
    );
    await clickhouse.command(
      `INSERT INTO adtrail.outbox_events (run_id, subject) SELECT run_id, subject FROM adtrail.postbacks WHERE ${of}`,
    );
  });

  test('each has rows of its own', async () => {
    const shards = await rows(
      `SELECT shardNum() AS shard, count() AS rows FROM adtrail.postbacks WHERE ${of} GROUP BY shard`,
    );
    expect(shards.map(({ shard }) => shard).sort()).toEqual([1, 2]);
    expect(shards.reduce((sum, shard) => sum + (shard.rows as number), 0)).toBe(100);
  });

  test('what is copied from one sharded table to another is stored once, by the key of the other', async () => {
    // Copied by each shard for itself, rows would stay on the shard that they come from: here, twice in the same table.
    expect(await rows(`SELECT count() AS rows FROM adtrail.outbox_events_local WHERE ${of}`)).toEqual([{ rows: 100 }]);
  });

  test('tables with other keys are compared across shards, which by itself a shard could not', async () => {
    const joined = `SELECT count() AS rows FROM adtrail.postbacks AS postback
      INNER JOIN adtrail.outbox_events AS event ON postback.subject = event.subject WHERE postback.${of}`;
    expect(await rows(joined)).toEqual([{ rows: 100 }]);
    const [ofShards] = await rows(
      `${joined} SETTINGS distributed_product_mode = 'local', prefer_global_in_and_join = 0`,
    );
    expect(ofShards?.rows).toBeGreaterThan(0);
    expect(ofShards?.rows).toBeLessThan(100);
  });
});
