/**
 * `make bench-campaigns`: lists, ingest, start and memory with 100,000 campaigns in one project, against one with
 * hardly any.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readQuery } from '../../src/db/sql';
import type { Postgres } from '../../src/db/postgres';
import { readPostgres } from '../support/postgres';
import { startService, type RunningService } from '../support/service';
import type { LoadOptions, LoadResult } from './load';

const CAMPAIGNS = Number(process.env.CAMPAIGNS ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 5);
/** How often each query runs; the fastest counts, to which the machine's other work adds least. */
const REPEATS = 15;
const CONNECTIONS = 128;
const TOKEN = 'token-of-the-benchmark';
/** What `npm start` gives to node. */
const NPM_START_FLAGS = ['--max-semi-space-size=64'];
const TARGET = '/v1/click/com.bench.app?c=bench{campaign}&s2=placement-7';

const tsx = path.join(path.dirname(require.resolve('tsx/package.json')), 'dist', 'cli.mjs');
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const say = (text: string) => process.stdout.write(`${text}\n`);
const count = (value: number) => Math.round(value).toLocaleString('en-US');
const rssMb = (service: RunningService) =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) / 1024;

/** Seconds of CPU that the service has used. */
const cpuSeconds = (service: RunningService) => {
  const [, user, system] =
    /\) (?:\S+ ){11}(\d+) (\d+)/.exec(fs.readFileSync(`/proc/${service.child.pid}/stat`, 'utf8')) ?? [];
  return (Number(user) + Number(system)) / 100;
};

async function startBench(): Promise<RunningService> {
  const service = await startService({ LIMIT_IP: 'off', LIMIT_DATA: 'off', LIMIT_MANAGEMENT: 'off' }, NPM_START_FLAGS);
  await service.apply({
    accounts: [{ name: 'Bench' }],
    partners: [{ name: 'Bench Ads', tokens: [TOKEN] }, { name: 'Rare Ads' }],
    projects: [
      {
        name: 'Bench',
        account: 'Bench',
        timezone: 'UTC',
        server_keys: ['bench-key'],
        apps: [{ platform: 'ANDROID', app_id: 'com.bench.app' }],
        domains: [{ name: 'go.bench.example', primary: true }, { name: 'alt.bench.example' }],
        store_listings: [
          { store_listing_id: 'play', name: 'Play', platform: 'ANDROID' },
          { store_listing_id: 'store', name: 'App Store', platform: 'IOS' },
        ],
        network_accounts: [{ network: 'META', external_customer_id: 'act_1' }],
        partner_switches: [{ partner: 'Bench Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'bench0', name: 'Bench 0', partner: 'Bench Ads' }],
      },
    ],
  });
  return service;
}

/**
 * The oldest tenth is inactive, and one in 20 of it a rare partner's; of each ten two are Google's and one is Meta's; a
 * third is on the second domain.
 */
const FILL = `
  INSERT INTO campaigns (account_id, project_id, display_id, name, partner_id, network, network_campaign_id,
    network_account_id, domain_id, active, store_listing_ids, created_at, revision)
  SELECT projects.account_id, projects.id, 'bench' || n, 'Campaign ' || n,
    (SELECT id FROM partners WHERE name = CASE WHEN n > 0.9 * $1 AND n % 20 = 9 THEN 'Rare Ads' ELSE 'Bench Ads' END),
    CASE WHEN n % 10 IN (6, 7) THEN 'GOOGLE' WHEN n % 10 = 8 THEN 'META' END,
    CASE WHEN n % 10 BETWEEN 6 AND 8 THEN n::text END,
    CASE WHEN n % 10 = 8 THEN (SELECT id FROM network_accounts) END,
    CASE WHEN n % 3 = 0 THEN (SELECT id FROM domains WHERE name = 'alt.bench.example') END,
    n <= 0.9 * $1, CASE WHEN n % 2 = 0 THEN (SELECT array_agg(id) FROM store_listings) ELSE '{}' END,
    now() - n * interval '1 minute', (SELECT revision FROM configuration)
  FROM projects, generate_series(1, $1::integer) AS n`;
/** How many of them take clicks. */
const LIVE = Math.floor(CAMPAIGNS * 0.9);

async function fill(postgres: Postgres): Promise<void> {
  await postgres.tx(async (db) => {
    await db.rows('UPDATE configuration SET revision = revision + 1');
    await db.rows(FILL, [CAMPAIGNS]);
    await db.rows("SELECT pg_notify('adtrail_configuration', '')");
  });
  // What autovacuum does by itself within minutes.
  await postgres.rows('VACUUM ANALYZE campaigns');
}

interface Plan {
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Node Type': string;
  readonly Plans?: readonly Plan[];
}
/** The node that reads the project's campaigns, and how. */
function access(plan: Plan): string[] {
  const own = plan['Index Name']
    ? [`${plan['Node Type']} ${plan['Index Name']}`]
    : plan['Node Type'] === 'Seq Scan'
      ? [`Seq Scan ${plan['Relation Name']}`]
      : [];
  return [...own, ...(plan.Plans ?? []).flatMap(access)].filter(
    (one) => one.includes('campaigns') || one.startsWith('Bitmap'),
  );
}

/**
 * Milliseconds of planning and execution, as the database counts them without a clock in every node, and the indexes on
 * campaigns that it uses.
 */
async function explain(
  postgres: Postgres,
  name: string,
  values: readonly unknown[],
): Promise<{ ms: number; by: string }> {
  const times: number[] = [];
  let by = '';
  for (let i = 0; i < REPEATS; i++) {
    const [row] = await postgres.rows<{
      'QUERY PLAN': { Plan: Plan; 'Planning Time': number; 'Execution Time': number }[];
    }>(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${readQuery('sql', `campaigns.${name}`)}`, values);
    const [explained] = row?.['QUERY PLAN'] ?? [];
    if (!explained) throw new Error('No plan');
    times.push(explained['Planning Time'] + explained['Execution Time']);
    by = [...new Set(access(explained.Plan))].join(', ');
  }
  return { ms: Math.min(...times), by };
}

async function lists(postgres: Postgres): Promise<void> {
  const id = async (sql: string) => (await postgres.rows<{ id: number }>(sql))[0]?.id as number;
  const project = await id('SELECT id FROM projects');
  const [primary, alt] = [
    await id('SELECT id FROM domains WHERE is_primary'),
    await id('SELECT id FROM domains WHERE NOT is_primary'),
  ];
  const partner = (name: string) => id(`SELECT id FROM partners WHERE name = '${name}'`);
  const filters: Record<
    string,
    [
      active?: boolean | null,
      network?: string | null,
      partners?: number[] | null,
      domain?: number | null,
      displayId?: string | null,
    ]
  > = {
    none: [],
    ACTIVE: [true],
    INACTIVE: [false],
    GOOGLE: [null, 'GOOGLE'],
    META: [null, 'META'],
    affiliate: [null, null, [await partner('Bench Ads')]],
    'rare affiliate': [null, null, [await partner('Rare Ads')]],
    'primary domain': [null, null, null, primary],
    'other domain': [null, null, null, alt],
    link: [null, null, null, null, `bench${Math.floor(CAMPAIGNS / 2)}`],
    'ACTIVE GOOGLE other domain': [true, 'GOOGLE', null, alt],
  };
  let worst = 0;
  for (const [
    name,
    [active = null, network = null, partners = null, domain = null, displayId = null],
  ] of Object.entries(filters)) {
    const values = [project, active, network, partners, domain, primary, displayId];
    const [{ total } = { total: 0 }] = await postgres.rows<{ total: number }>(
      readQuery('sql', 'campaigns.count'),
      values,
    );
    const counted = await explain(postgres, 'count', values);
    const pages: string[] = [];
    let by = '';
    for (const limit of [100, 1000]) {
      for (const offset of new Set([0, Math.floor(total / 2), Math.max(0, total - limit)])) {
        const page = await explain(postgres, 'list', [...values, limit, offset]);
        pages.push(page.ms.toFixed(1));
        by = page.by;
        worst = Math.max(worst, page.ms);
      }
    }
    worst = Math.max(worst, counted.ms);
    say(
      `  ${name.padEnd(28)}${count(total).padStart(8)}   count ${counted.ms.toFixed(1).padStart(5)} ms   list ` +
        `${pages.join(' ')} ms   by ${by}`,
    );
  }
  const affiliates = await explain(postgres, 'affiliates', [project]);
  const one = await explain(postgres, 'one', [project, `bench${CAMPAIGNS}`]);
  say(
    `  affiliates of the project ${affiliates.ms.toFixed(1)} ms, one campaign ${one.ms.toFixed(1)} ms   by ${one.by}`,
  );
  say(`slowest query                         ${Math.max(worst, affiliates.ms, one.ms).toFixed(1)} ms`);
}

/** What came back, and the CPU that each accepted click cost the service, in microseconds. */
type Loaded = LoadResult & { readonly cpu: number };

async function load(service: RunningService, campaigns: number, round: string): Promise<Loaded> {
  const options: LoadOptions = {
    port: Number(new URL(service.url).port),
    connections: CONNECTIONS,
    seconds: SECONDS,
    rate: 0,
    retries: 0,
    round,
    target: TARGET,
    token: TOKEN,
    campaigns,
  };
  const before = cpuSeconds(service);
  const { stdout } = await promisify(execFile)(process.execPath, [
    tsx,
    path.join(__dirname, 'load.ts'),
    JSON.stringify(options),
  ]);
  const result = JSON.parse(stdout) as LoadResult;
  return { ...result, cpu: ((cpuSeconds(service) - before) / result.accepted) * 1e6 };
}

/** The same load on one service after the other; on the large one it goes round all live campaigns. */
async function ingest(small: RunningService, large: RunningService): Promise<void> {
  const results: { small: Loaded[]; large: Loaded[] } = { small: [], large: [] };
  for (let i = -1; i < ROUNDS; i++) {
    const one = await load(small, 1, `s${i}`);
    const many = await load(large, LIVE, `l${i}`);
    // The first round warms up.
    if (i < 0) continue;
    results.small.push(one);
    results.large.push(many);
  }
  const of = (which: 'small' | 'large', what: 'perSecond' | 'p50' | 'p99' | 'cpu') =>
    median(results[which].map((result) => result[what]));
  const line = (what: 'perSecond' | 'p50' | 'p99' | 'cpu', unit: string) =>
    `${what} ${of('small', what).toFixed(1)} and ${of('large', what).toFixed(1)}${unit}, ratio ` +
    `${(of('large', what) / of('small', what)).toFixed(2)}`;
  say(
    `clicks, accepted and durable, one campaign and ${count(CAMPAIGNS)} (refused: ` +
      `${[...results.small, ...results.large].reduce((sum, { refused }) => sum + refused, 0)})`,
  );
  for (const [what, unit] of [
    ['perSecond', '/s'],
    ['p50', ' ms'],
    ['p99', ' ms'],
    ['cpu', ' µs a click'],
  ] as const)
    say(`  ${line(what, unit)}`);
}

async function restart(service: RunningService): Promise<number> {
  await service.stop();
  const started = performance.now();
  await service.restart();
  return (performance.now() - started) / 1000;
}

/** Milliseconds that an edit takes, which is in force when it is answered. */
async function edits(service: RunningService): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    const started = performance.now();
    const response = await service.request('/api/v1/campaigns/bench0', {
      method: 'PATCH',
      headers: { 'service-key': 'bench-key' },
      body: JSON.stringify({ name: `Renamed ${i}` }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    times.push(performance.now() - started);
  }
  return median(times);
}

async function main(): Promise<void> {
  const [small, large] = [await startBench(), await startBench()];
  const postgres = readPostgres(large);
  try {
    await fill(postgres);
    say(
      `${count(CAMPAIGNS)} campaigns in one project; ms of planning and execution in PostgreSQL, fastest of ` +
        `${REPEATS}; first, middle and last page of 100, then of 1000`,
    );
    await lists(postgres);
    await postgres.close();
    say(
      `start to ready                        ${(await restart(small)).toFixed(1)} s with one campaign, ` +
        `${(await restart(large)).toFixed(1)} s with ${count(CAMPAIGNS)}`,
    );
    say(`memory of the service after start     ${count(rssMb(small))} MB and ${count(rssMb(large))} MB`);
    say(
      `an edit over HTTP                     ${(await edits(small)).toFixed(1)} ms and ` +
        `${(await edits(large)).toFixed(1)} ms`,
    );
    await ingest(small, large);
  } finally {
    await Promise.all([small.dispose(), large.dispose()]);
  }
}

void main();
