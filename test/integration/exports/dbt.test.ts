/** The dbt package: its sources are those of the views, its marts have the figures of queries. */
import fs from 'node:fs';
import path from 'node:path';
import { caughtUp } from '../../support/caught-up';
import type { Json } from '../../support/collect/collect-client';
import { renderDbt } from '../../support/exports/dbt';
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
    device: draw(40),
  }));
  const clicks = installs.flatMap(({ time, device }, n) =>
    Array.from({ length: draw(4) }, (_, i) => ({
      c: pick(CAMPAIGNS),
      tid: `dbt-${n}-${i}`,
      app_id: 'com.dbt.shop',
      gaid: gaid(device),
      click_time: new Date(time - 60_000 - draw(5 * 24) * 3_600_000).toISOString(),
    })),
  );
  const imported = await service.admin('POST', `/projects/${id}/clicks`, { clicks });
  expect([imported.status, imported.body.rejected]).toEqual([200, []]);
  await caughtUp(service);
  const events: Json[] = installs.flatMap(({ install_id, time, device }, n) => {
    const at = (after: number) => new Date(time + after).toISOString();
    const told = draw(4) === 0;
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

test('retention', async () => {
  await compare(
    `SELECT toString(cohort_week), toString(day_n), installs, active_users FROM ${mart('cohort_retention')}`,
    { metrics: ['installs', 'active_users'], dimensions: ['install_week', 'day_n'] },
  );
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

describe('credit', () => {
  test('what is decided is what reports count', async () => {
    await compare(
      `SELECT toString(install_day), campaign, installs FROM ${mart('attribution_credit')} WHERE model = 'decided'`,
      { metrics: ['installs'], dimensions: ['day', 'campaign'] },
    );
  });

  test('of every other model, in plain loops over the candidates', async () => {
    const installs = await read<{
      install_time: string;
      day: string;
      campaign: string;
      touches: [string, string, string][];
    }>(`SELECT install_time, toString(toDate(install_time, 'America/New_York')) AS day,
          if(campaign_id = 0, 'organic', campaign_display_id) AS campaign,
          arrayMap(one -> (one.touch_time, one.touch_id, one.verdict || ' ' || toString(one.campaign_id)), candidates)
            AS touches
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
    for (const { install_time, day, campaign, touches } of installs) {
      const told = new Map(
        touches
          .filter(([, , verdict]) => /^(?:credited|lower_rule|older_than_winner) /.test(verdict))
          .map(([time, id, verdict]) => [
            id,
            { time: ms(time), id, campaign: names.get(verdict.split(' ')[1] as string) },
          ]),
      );
      const route = [...told.values()].sort((a, b) => a.time - b.time || (order(a.id) < order(b.id) ? -1 : 1));
      const path = route.length > 0 ? route : [{ time: ms(install_time), campaign }];
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
    const rows = await read<{ key: string; installs: number }>(
      `SELECT concat(toString(install_day), ' ', model, ' ', campaign) AS key, installs
       FROM ${mart('attribution_credit')} WHERE model != 'decided'`,
    );
    expect(rows.map(({ key }) => key).sort()).toEqual([...expected.keys()].sort());
    for (const { key, installs: credit } of rows)
      expect([key, credit]).toEqual([key, expect.closeTo(expected.get(key) ?? 0, 5)]);
  });
});
