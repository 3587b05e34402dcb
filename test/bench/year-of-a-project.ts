/**
 * A year of one project with 500 campaigns, made inside ClickHouse: clicks, installs with their decisions, and ten app
 * events an install.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readPostgres } from '../support/postgres';
import type { RunningService } from '../support/service';

export const CAMPAIGNS = 500;
export const DAYS = 366;
export const KEY = 'key-of-the-benchmark';
export const TOKEN = 'token-of-the-benchmark';
export const TIMEZONE = 'Asia/Kolkata';
const EVENTS_AN_INSTALL = 10;
const ROWS_A_STATEMENT = 500_000;

export interface Size {
  readonly clicks: number;
  readonly installs: number;
}
type Say = (text: string) => void;

export const count = (value: number) => Math.round(value).toLocaleString('en-US');
export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
export const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

/**
 * Makes the project and its year; the service must run without its workers, and has to be started again with them
 * afterwards.
 */
export async function fillYear(service: RunningService, size: Size, say: Say): Promise<number> {
  await service.apply({
    accounts: [{ name: 'Bench' }],
    partners: [{ name: 'Bench Ads', tokens: [TOKEN] }],
    exchange_rates: Array.from({ length: DAYS }, (_, i) => [
      { date: dayAgo(i), currency: 'EUR', usd: 1.1 + i / 1e4 },
      { date: dayAgo(i), currency: 'INR', usd: 0.0119 },
    ]).flat(),
    projects: [
      {
        name: 'Bench',
        account: 'Bench',
        timezone: TIMEZONE,
        server_keys: [KEY],
        apps: [{ platform: 'ANDROID', app_id: 'com.bench' }],
        partner_switches: [{ partner: 'Bench Ads', s2s_clicks: true }],
        campaigns: Array.from({ length: CAMPAIGNS }, (_, i) => ({
          display_id: `bench${i}`,
          name: `Bench ${i}`,
          partner: 'Bench Ads',
        })),
      },
    ],
  });
  const { projects } = (await service.admin('GET', '/projects')).body as { projects: { id: number }[] };
  const projectId = projects[0]?.id as number;
  const { campaigns } = (await service.admin('GET', `/projects/${projectId}/campaigns?limit=1000`)).body as {
    campaigns: { id: number }[];
  };
  say('Filling ClickHouse:');
  await fill(service, projectId, Math.min(...campaigns.map((one) => one.id)), size, say);
  // The installs are stored as decided: the attribution worker has nothing to do with them and their clicks.
  const postgres = readPostgres(service);
  await postgres.rows(
    `INSERT INTO watermarks (name, watermark, recent_rows)
     VALUES ('touches', now(), '{}'), ('attribution', now(), '{}')
     ON CONFLICT (name) DO UPDATE SET watermark = EXCLUDED.watermark, recent_rows = EXCLUDED.recent_rows`,
  );
  await postgres.close();
  return projectId;
}

/** A time `ago` milliseconds or more ago, spread over the year by a hash of number. */
const spread = (salt: string) =>
  `now64(3) - toIntervalMillisecond(cityHash64(number, '${salt}') % ${(DAYS - 1) * 86_400_000} + 60000)`;

/** As the service counts: of two rows with one key the first received has the greater. */
const version = (time: string) => `toUInt64(9007199254740991 - 1000 * toUnixTimestamp64Milli(${time}))`;

async function fill(
  service: RunningService,
  projectId: number,
  firstCampaign: number,
  { clicks, installs }: Size,
  say: Say,
): Promise<void> {
  const campaign = `toUInt32(${firstCampaign} + cityHash64(number, 'campaign') % ${CAMPAIGNS})`;
  const run = async (what: string, rows: number, statement: (from: number, n: number) => string) => {
    const { ms } = await timed(async () => {
      for (let from = 0; from < rows; from += ROWS_A_STATEMENT)
        await service.clickhouse.command({ query: statement(from, Math.min(ROWS_A_STATEMENT, rows - from)) });
    });
    say(`  ${count(rows)} ${what} in ${seconds(ms)}`);
  };
  await run(
    'clicks',
    clicks,
    (from, n) => `
    INSERT INTO adtrail.clicks (project_id, bucket, campaign_id, click_id, click_time, received_at, partner_id, kind,
      app_id, tid, gaid, ua, version)
    SELECT ${projectId}, toDate(click_time), ${campaign}, toUUID(UUIDNumToString(sipHash128(number))) AS id,
      ${spread('click')} AS click_time, click_time, 1, 's2s', 'com.bench', toString(number), id, '',
      ${version('click_time')}
    FROM numbers(${from}, ${n})`,
  );
  await run(
    'installs',
    installs,
    (from, n) => `
    INSERT INTO adtrail.installs (project_id, install_id, event_id, install_time, received_at, decided_at, app_id,
      platform, reinstall, rule, campaign_id, touch_type, ad_set_id, version)
    SELECT ${projectId}, concat('install-', toString(number)), toString(number), ${spread('install')} AS t, t, t,
      'com.bench', 'ANDROID', 0, 'device_click', ${campaign}, 'click', toString(number % 5), 1
    FROM numbers(${from}, ${n})`,
  );
  const type = "['install', 'open', 'open', 'open', 'open', 'signup', 'event', 'event', 'event', 'payment'][step + 1]";
  await run(
    'app events',
    installs * EVENTS_AN_INSTALL,
    (from, n) => `
    INSERT INTO adtrail.app_events (project_id, install_id, event_key, id, event_id, type, time, received_at, app_id,
      platform, name, payment_type, amount, currency, gaid, user_id, version)
    SELECT ${projectId}, concat('install-', toString(install)),
      if(step = 0, toUUID('00000000-0000-0000-0000-000000000000'), toUUID(UUIDNumToString(sipHash128(row)))),
      toUUID(UUIDNumToString(sipHash128(row))), toString(row), ${type} AS type,
      least(now64(3), started + toIntervalMillisecond(
        if(step = 0, 0, toUInt64(pow(cityHash64(row, 'gap') % 1000 / 1000, 3) * 90 * 86400000)))) AS t,
      t, 'com.bench', 'ANDROID',
      if(type = 'event', concat('event_', toString(cityHash64(row, 'name') % 20)), ''),
      if(type = 'payment', 'DEFAULT', ''),
      if(type = 'payment', toDecimal64(cityHash64(row, 'amount') % 10000 / 100, 2), NULL),
      if(type = 'payment', ['USD', 'EUR', 'INR'][row % 3 + 1], ''),
      if(step = 0, toUUID(UUIDNumToString(sipHash128(install))), NULL),
      if(type = 'signup', concat('user-', toString(install)), ''), ${version('t')}
    FROM (SELECT number AS row, intDiv(row, ${EVENTS_AN_INSTALL}) AS install, row % ${EVENTS_AN_INSTALL} AS step,
      now64(3) - toIntervalMillisecond(cityHash64(install, 'install') % ${(DAYS - 1) * 86_400_000} + 60000) AS started
      FROM numbers(${from}, ${n}))`,
  );
}

/** Resolves when the tables of reports have all of it. */
export async function untilDerived(service: RunningService, size: Size): Promise<void> {
  for (;;) {
    const [row] = await service.rows<{ clicks: number; installs: number }>(
      `SELECT (SELECT toFloat64(sum(arraySum(clicks))) FROM adtrail.daily_clicks FINAL) AS clicks,
         (SELECT toFloat64(count()) FROM adtrail.journeys FINAL WHERE report_view = 1) AS installs`,
    );
    if (row && row.clicks >= size.clicks && row.installs >= size.installs) return;
    await sleep(1_000);
  }
}
