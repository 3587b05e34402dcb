/** The dbt package: its sources are those of the views, its marts have the figures of queries. */
import fs from 'node:fs';
import path from 'node:path';
import { caughtUp } from '../../support/caught-up';
import type { Json } from '../../support/collect/collect-client';
import { renderDbt } from '../../support/exports/dbt';
import { readGrants, runAsDbt } from '../../support/exports/dbt-user';
import { adtrail } from '../../support/operations/command';
import { decided, postEvents, putSpend } from '../../support/reports/app-report';
import { ask } from '../../support/reports/query';
import { idByName } from '../../support/s2s/s2s-client';
import { root } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { seeded } from '../../support/soak';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('dbt');
const SCHEMA = 'dbt_of_the_test';
const SOURCES = path.join(root, 'integrations', 'dbt', 'models', 'sources.yml');
const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 20);
const INSTALLS = 60;
const RANGE = { source: 'app', from: '2026-03-01', to: '2026-10-31', limit: 10_000 };
const CAMPAIGNS = ['dbt-a', 'dbt-b', 'dbt-n'];

const random = seeded();
const draw = (below: number) => Math.floor(random() * below);
const pick = <T>(list: readonly T[]) => list[draw(list.length)] as T;
const cents = () => (draw(10_000) / 100).toFixed(2);
const gaid = (n: number) => `00000000-0000-4000-8000-d00000${n.toString().padStart(6, '0')}`;

const read = async <Row = Json>(sql: string): Promise<Row[]> => {
  const result = await service.clickhouse.query({
    query: sql,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, output_format_json_quote_decimals: 0 },
  });
  return result.json<Row>();
};

let project = renderDbt(SCHEMA, { project_id: 0 });

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'A' }],
      partners: [{ name: 'Mobi Ads', tokens: ['token'] }, { name: 'Other Ads' }],
      exchange_rates: [
        { date: '2025-01-01', currency: 'EUR', usd: 1.1 },
        { date: '2026-03-29', currency: 'EUR', usd: 1.0832 },
        { date: '2026-03-01', currency: 'INR', usd: 0.0119 },
      ],
      projects: [
        {
          name: 'Shop',
          account: 'A',
          timezone: 'America/New_York',
          currency: 'EUR',
          server_keys: ['key'],
          apps: [{ platform: 'ANDROID', app_id: 'com.dbt.shop' }],
          network_accounts: [{ network: 'META', external_customer_id: 'act' }],
          campaigns: [
            { display_id: 'dbt-a', name: 'A', partner: 'Mobi Ads' },
            { display_id: 'dbt-b', name: 'B', partner: 'Other Ads', custom_channel: 'Influencers' },
            { display_id: 'dbt-n', name: 'N', network: 'META', network_campaign_id: 'n1' },
          ],
        },
      ],
    }),
  );
  const id = await idByName(service, 'projects', own('Shop'));
  const installs = Array.from({ length: INSTALLS }, (_, n) => ({
    install_id: `dbt-${n}`,
    time: START + draw(28 * 24) * 3_600_000 + n * 1_000,
    // Every fifth is a device of its own, and its click seconds before the install looks like fraud.
    looksLikeFraud: n % 5 === 0,
    device: n % 5 === 0 ? 100 + n : draw(40),
  }));
  const clicks = installs.flatMap(({ time, device, looksLikeFraud }, n) =>
    Array.from({ length: draw(4) + (looksLikeFraud ? 1 : 0) }, (_, i) => ({
      c: looksLikeFraud ? CAMPAIGNS[n % 2] : pick(CAMPAIGNS),
      tid: `dbt-${n}-${i}`,
      app_id: 'com.dbt.shop',
      gaid: gaid(device),
      click_time: new Date(
        i === 0 && looksLikeFraud ? time - 2_000 : time - 60_000 - draw(5 * 24) * 3_600_000,
      ).toISOString(),
    })),
  );
  const imported = await service.admin('POST', `/projects/${id}/clicks`, { clicks });
  expect([imported.status, imported.body.rejected]).toEqual([200, []]);
  await caughtUp(service);
  const events: Json[] = installs.flatMap(({ install_id, time, device, looksLikeFraud }, n) => {
    const at = (after: number) => new Date(time + after).toISOString();
    const told = !looksLikeFraud && draw(4) === 0;
    const attribution = { campaign_display_id: pick(CAMPAIGNS), touch_type: pick(['click', 'impression']) };
    const base = { install_id, app_id: 'com.dbt.shop' };
    return [
      {
        ...base,
        event_id: `dbt-i-${n}`,
        type: 'install',
        time: at(0),
        gaid: gaid(device),
        ...(told && { attribution }),
      },
      ...Array.from({ length: draw(8) }, (_, i) => {
        const type = pick(['open', 'signup', 'payment', 'payment', 'refund']);
        const isMoney = type === 'payment' || type === 'refund';
        return {
          ...base,
          event_id: `dbt-e-${n}-${i}`,
          type,
          time: at(1_000 + draw(40 * 24) * 3_600_000 + i),
          ...(isMoney && { amount: Number(cents()), currency: pick(['EUR', 'USD', 'INR', 'XXX']) }),
        };
      }),
    ];
  });
  await postEvents(service, own('key'), events);
  await putSpend(
    service,
    own('key'),
    Array.from({ length: 30 }, (_, n) => ({
      ...(n % 3 === 0
        ? { network: 'META', account: 'act', campaign_id: 'n1' }
        : { campaign_id: CAMPAIGNS[(n % 3) - 1] }),
      date: new Date(START + n * DAY).toISOString().slice(0, 10),
      spend: cents(),
      currency: pick(['EUR', 'USD', 'INR']),
      clicks: draw(500),
      impressions: draw(9_000),
    })),
  );
  await decided(service, id, INSTALLS);
  await caughtUp(service);
  project = renderDbt(SCHEMA, { project_id: id, time_zone: 'America/New_York', currency: 'EUR' });
  await service.clickhouse.command({ query: `DROP DATABASE IF EXISTS ${SCHEMA}` });
  await service.clickhouse.command({ query: `CREATE DATABASE ${SCHEMA}` });
  for (const { name, sql } of project.models) {
    const kind = name.startsWith('stg_') ? 'VIEW' : 'TABLE';
    const engine = kind === 'TABLE' ? 'ENGINE = MergeTree ORDER BY tuple()' : '';
    await service.clickhouse
      .command({ query: `CREATE ${kind} ${SCHEMA}.${name} ${engine} AS\n${sql}` })
      .catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}\n${sql}`);
      });
  }
}, 240_000);

afterAll(() => service.clickhouse.command({ query: `DROP DATABASE IF EXISTS ${SCHEMA}` }));

test('sources.yml is what `adtrail dbt-sources` writes; WRITE_FIXTURES=true writes it anew', async () => {
  const { code, stdout, stderr } = await adtrail(['dbt-sources', '--key', own('key'), '--url', service.url]);
  expect([code, stderr]).toEqual([0, '']);
  if (process.env.WRITE_FIXTURES === 'true') fs.writeFileSync(SOURCES, stdout);
  expect(fs.readFileSync(SOURCES, 'utf8')).toBe(stdout);
});

test('every test of the package passes, and every kind of them can fail', async () => {
  expect(project.tests.length).toBeGreaterThan(40);
  for (const { name, sql } of project.tests) expect([name, await read(sql)]).toEqual([name, []]);
  const kept = project.models.find(({ name }) => name === 'adtrail_attribution_credit')?.sql ?? '';
  await service.clickhouse.command({
    query: `INSERT INTO ${SCHEMA}.adtrail_attribution_credit
      SELECT install_day, 'guess', 'nobody', '', 5 FROM (${kept})`,
  });
  const failed: string[] = [];
  for (const { name, sql } of project.tests) if ((await read(sql)).length > 0) failed.push(name);
  expect(failed.sort()).toEqual([
    'accepted_values adtrail_attribution_credit model',
    'adtrail_credit_adds_up',
    'relationships adtrail_attribution_credit campaign',
    'unique adtrail_attribution_credit (install_day, model, campaign)',
  ]);
  await service.clickhouse.command({ query: `TRUNCATE TABLE ${SCHEMA}.adtrail_attribution_credit` });
  await service.clickhouse.command({ query: `INSERT INTO ${SCHEMA}.adtrail_attribution_credit ${kept}` });
});

/** The rows of a mart and of a question, by the values of the same dimensions. */
async function compare(sql: string, question: Json & { dimensions: string[] }): Promise<void> {
  const rows = await read<unknown>(sql.replace(/^SELECT (.+?) FROM/s, 'SELECT tuple($1) AS row FROM'));
  const { results } = await ask(service, own('key'), { ...RANGE, ...question });
  const text = (row: readonly unknown[]) => JSON.stringify(row);
  const mart = rows.map((row) => (row as { row: unknown[] }).row).map(text);
  expect(mart.length).toBeGreaterThan(3);
  expect(mart.sort()).toEqual(results.map(({ dimensions, metrics }) => text([...dimensions, ...metrics])).sort());
}
const mart = (name: string) => `${SCHEMA}.adtrail_${name}`;

/** A hundred times a part of a whole, with two digits; null without a whole. */
const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part * 10_000) / whole) / 100);

test('retention', async () => {
  await compare(
    `SELECT toString(cohort_week), campaign, toString(day_n), installs, active_users FROM ${mart('cohort_retention')}`,
    { metrics: ['installs', 'active_users'], dimensions: ['install_week', 'campaign', 'day_n'] },
  );
  const rows = await read<Record<string, number>>(`SELECT * FROM ${mart('cohort_retention')}`);
  expect(rows.filter(({ retention = 0 }) => retention > 0).length).toBeGreaterThan(10);
  for (const { installs = 0, active_users = 0, retention } of rows)
    expect(retention).toBe(percent(active_users, installs));
});

test.each([0, 7, 30, 90])('value after %i days', async (day) => {
  await compare(`SELECT toString(cohort_week), campaign, installs, ltv FROM ${mart('ltv')} WHERE day_n = ${day}`, {
    metrics: ['installs', `ltv_d${day}`],
    dimensions: ['install_week', 'campaign'],
  });
});

test('return on ad spend', async () => {
  await compare(
    `SELECT toString(week), campaign, clicks, impressions, installs, spend, revenue, cpi, roas
     FROM ${mart('roas_weekly')}`,
    {
      metrics: ['clicks', 'impressions', 'installs', 'spend', 'revenue', 'cpi', 'roas'],
      dimensions: ['week', 'campaign'],
    },
  );
});

test('partners', async () => {
  await compare(
    `SELECT toString(week), partner, clicks, installs, click_through, view_through, suspicious, signups
     FROM ${mart('partner_quality')}`,
    {
      metrics: ['clicks', 'installs', 'click_through', 'view_through', 'suspicious', 'signups'],
      dimensions: ['week', 'partner'],
      filters: [['is_not', 'partner', ['']]],
    },
  );
});

test('ratios of partners', async () => {
  const rows = await read<Record<string, number>>(`SELECT * FROM ${mart('partner_quality')}`);
  expect(rows.filter(({ suspicious = 0 }) => suspicious > 0).length).toBeGreaterThan(1);
  for (const row of rows) {
    const { clicks = 0, installs = 0, suspicious = 0, suspicious_percent, installs_per_100_clicks } = row;
    expect({ row, ratios: [suspicious_percent, installs_per_100_clicks] }).toEqual({
      row,
      ratios: [percent(suspicious, installs), percent(installs, clicks)],
    });
  }
});

test('the median time of partners, by sorting', async () => {
  const times = await read<{ key: string; ms: number }>(
    `SELECT concat(toString(toMonday(toDate(install_time, 'America/New_York'))), ' ', partner_name) AS key,
       touch_to_install_ms AS ms
     FROM analytics.installs WHERE startsWith(install_id, 'dbt-') AND reinstall = 0 AND touch_type = 'click'
       AND partner_name != '' AND touch_to_install_ms IS NOT NULL`,
  );
  const expected: Record<string, number> = {};
  for (const key of new Set(times.map((one) => one.key))) {
    const sorted = times.flatMap((one) => (one.key === key ? [one.ms / 1_000] : [])).sort((a, b) => a - b);
    expected[key] = sorted[Math.ceil(sorted.length / 2) - 1] as number;
  }
  expect(Object.keys(expected).length).toBeGreaterThan(3);
  const rows = await read<{ key: string; median: number | null }>(
    `SELECT concat(toString(week), ' ', partner) AS key, median_seconds_from_click AS median
     FROM ${mart('partner_quality')}`,
  );
  expect(Object.fromEntries(rows.flatMap(({ key, median }) => (median === null ? [] : [[key, median]])))).toEqual(
    expected,
  );
});

test('the user of the README may build and test all of it, and one that only reads may not', async () => {
  const columns = await read<{ view: string; columns: string }>(
    `SELECT table AS view, arrayStringConcat(groupArray(concat('\`', name, '\` ', type)), ', ') AS columns
     FROM system.columns WHERE database = 'analytics' GROUP BY table`,
  );
  const prepare = [
    'CREATE DATABASE analytics',
    `CREATE DATABASE adtrail_dbt`,
    ...columns.map((one) => `CREATE TABLE analytics.\`${one.view}\` (${one.columns}) ENGINE = Memory`),
  ];
  const { models, tests } = renderDbt('adtrail_dbt', { project_id: 1 });
  // As dbt-clickhouse does it: beside what is there, which is then exchanged and dropped.
  const build = ({ name, sql }: { name: string; sql: string }) =>
    name.startsWith('stg_')
      ? [`CREATE OR REPLACE VIEW adtrail_dbt.${name} AS (${sql})`]
      : [
          `DROP TABLE IF EXISTS adtrail_dbt.${name}__dbt_backup`,
          `CREATE TABLE adtrail_dbt.${name}__dbt_backup ENGINE = MergeTree() ORDER BY (tuple()) EMPTY AS (${sql})`,
          `INSERT INTO adtrail_dbt.${name}__dbt_backup ${sql}`,
          `CREATE TABLE IF NOT EXISTS adtrail_dbt.${name} AS adtrail_dbt.${name}__dbt_backup`,
          `EXCHANGE TABLES adtrail_dbt.${name}__dbt_backup AND adtrail_dbt.${name}`,
          `DROP TABLE IF EXISTS adtrail_dbt.${name}__dbt_backup`,
        ];
  const once = models.flatMap(build);
  const run = [...once, ...once, ...tests.map(({ sql }) => sql)];
  const grants = readGrants();
  expect(grants).toHaveLength(2);
  expect(await runAsDbt({ grants, prepare, run })).toEqual({});
  const { sql, error } = await runAsDbt({ grants: grants.slice(0, 1), prepare, run });
  expect([sql, error]).toEqual([run[0], expect.stringContaining('Not enough privileges')]);
});

describe('credit', () => {
  test('what is decided is what reports count', async () => {
    await compare(
      `SELECT toString(install_day), campaign, installs FROM ${mart('attribution_credit')} WHERE model = 'decided'`,
      { metrics: ['installs'], dimensions: ['day', 'campaign'] },
    );
  });

  test('paths, and the credit of every other model, in plain loops over the candidates', async () => {
    const installs = await read<{
      install_id: string;
      install_time: string;
      day: string;
      campaign: string;
      touch_type: string;
      touches: [time: string, id: string, verdict: string, campaign: string, type: string][];
    }>(`SELECT install_id, install_time, toString(toDate(install_time, 'America/New_York')) AS day,
          if(campaign_id = 0, 'organic', campaign_display_id) AS campaign,
          toString(touch_type) AS touch_type,
          arrayMap(one -> (one.touch_time, one.touch_id, one.verdict, toString(one.campaign_id),
            toString(one.touch_type)), candidates) AS touches
        FROM analytics.installs WHERE startsWith(install_id, 'dbt-') AND reinstall = 0`);
    const names = new Map(
      (
        await read<{ id: number; name: string }>(
          "SELECT campaign_id AS id, display_id AS name FROM analytics.campaigns WHERE startsWith(display_id, 'dbt-')",
        )
      ).map(({ id, name }) => [String(id), name]),
    );
    // ClickHouse compares the second half of a UUID first.
    const order = (id: string) => id.slice(19) + id.slice(0, 18);
    const ms = (time: string) => Date.parse(`${time.replace(' ', 'T')}Z`);
    const expected = new Map<string, number>();
    const add = (key: readonly string[], credit: number) =>
      credit > 0 && expected.set(key.join(' '), (expected.get(key.join(' ')) ?? 0) + credit);
    let longest = 0;
    const paths: Json[] = [];
    for (const { install_id, install_time, day, campaign, touch_type, touches } of installs) {
      const told = new Map(
        touches
          .filter(([, , verdict]) => ['credited', 'lower_rule', 'older_than_winner'].includes(verdict))
          .map(([time, id, , from, type]) => [id, { time: ms(time), id, campaign: names.get(from), type }]),
      );
      const route = [...told.values()].sort((a, b) => a.time - b.time || (order(a.id) < order(b.id) ? -1 : 1));
      const path = route.length > 0 ? route : [{ time: ms(install_time), campaign, type: touch_type }];
      const [steps, types] = [path.map((one) => one.campaign), path.map((one) => one.type)];
      paths.push({ install_id, touches: path.length, path: steps, touch_types: types, credited_campaign: campaign });
      longest = Math.max(longest, path.length);
      const n = path.length;
      const seconds = ({ time }: { time: number }) => Math.floor(ms(install_time) / 1000) - Math.floor(time / 1000);
      const recency = path.map((one) => 2 ** (-seconds(one) / 86_400 / 7));
      const total = recency.reduce((sum, one) => sum + one, 0);
      path.forEach((touch, i) => {
        const isEnd = i === 0 || i === n - 1;
        const position = n === 1 ? 1 : n === 2 ? 0.5 : isEnd ? 0.4 : 0.2 / (n - 2);
        const by = (model: string) => [day, model, touch.campaign as string];
        add(by('first'), i === 0 ? 1 : 0);
        add(by('last'), i === n - 1 ? 1 : 0);
        add(by('linear'), 1 / n);
        add(by('position'), position);
        add(by('time_decay'), (recency[i] as number) / total);
      });
    }
    expect(longest).toBeGreaterThan(2);
    const byInstall = (all: readonly Json[]) =>
      [...all].sort((a, b) => String(a.install_id).localeCompare(String(b.install_id)));
    const written = await read(
      `SELECT install_id, touches, path, touch_types, credited_campaign FROM ${mart('attribution_paths')}`,
    );
    expect(byInstall(written)).toEqual(byInstall(paths));
    const rows = await read<{ key: string; installs: number }>(
      `SELECT concat(toString(install_day), ' ', model, ' ', campaign) AS key, installs
       FROM ${mart('attribution_credit')} WHERE model != 'decided'`,
    );
    expect(rows.map(({ key }) => key).sort()).toEqual([...expected.keys()].sort());
    for (const { key, installs: credit } of rows)
      expect([key, credit]).toEqual([key, expect.closeTo(expected.get(key) ?? 0, 5)]);
  });
});
