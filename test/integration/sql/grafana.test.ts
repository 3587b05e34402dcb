/**
 * The dashboard of deploy/grafana for the ClickHouse plug-in: every panel's statement runs as a project's reader, with
 * the macros expanded as the plug-in expands them.
 */
import fs from 'node:fs';
import path from 'node:path';
import { caughtUp } from '../../support/caught-up';
import { decided, postEvents, putSpend } from '../../support/reports/app-report';
import { idByName } from '../../support/s2s/s2s-client';
import { root } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { eventually } from '../../support/waiting';
import { ownNames } from '../../support/workspace/own-names';

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly rawSql: string }[];
}
interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
}

const service = sharedService();
const own = ownNames('grafana');
const file = path.join(root, 'deploy', 'grafana', 'adtrail-campaigns.json');
const { panels, templating } = JSON.parse(fs.readFileSync(file, 'utf8')) as Dashboard;
const now = Date.now();
const [from, to] = [now - 30 * 86_400_000, now + 60_000];
const seconds = (time: number) => `toDateTime(${Math.floor(time / 1000)})`;
const day = (time: number) => `toDate('${new Date(time).toISOString().slice(0, 10)}')`;
const MACROS: Readonly<Record<string, (column: string) => string>> = {
  timeFilter: (column) => `${column} >= ${seconds(from)} AND ${column} <= ${seconds(to)}`,
  dateFilter: (column) => `${column} >= ${day(from)} AND ${column} <= ${day(to)}`,
  timeInterval: (column) => `toStartOfInterval(toDateTime(${column}), INTERVAL 3600 second)`,
  fromTime: () => seconds(from),
  toTime: () => seconds(to),
};

let project = 0;
let login = { user: '', password: '' };

const expand = (sql: string) =>
  sql
    .replaceAll('${project}', String(project))
    .replace(
      /\$__(\w+)(?:\(([^()]*)\))?/g,
      (whole, name: string, column = '') => MACROS[name]?.(String(column)) ?? whole,
    );

async function ask(sql: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${service.clickhouseUrl}/?database=analytics&default_format=JSON`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': login.user, 'X-ClickHouse-Key': login.password },
    body: sql,
  });
  const text = await answer.text();
  expect([answer.status, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return (JSON.parse(text) as { data: Record<string, unknown>[] }).data;
}

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'A' }],
      partners: [{ name: 'Graph Ads', tokens: ['token'] }],
      projects: [
        {
          name: 'Shop',
          account: 'A',
          timezone: 'UTC',
          server_keys: ['key'],
          apps: [{ platform: 'ANDROID', app_id: 'com.grafana.shop' }],
          partner_switches: [{ partner: 'Graph Ads', s2s_clicks: true, s2s_traffic: true }],
          campaigns: [{ display_id: 'grafana-a', name: 'A', partner: 'Graph Ads' }],
        },
      ],
    }),
  );
  project = await idByName(service, 'projects', own('Shop'));
  login = (await service.admin('POST', `/projects/${project}/readers`)).body as typeof login;
  const gaid = '00000000-0000-4000-8000-b00000000001';
  const send = (more: Record<string, string>) =>
    service.request(`/v1/click/com.grafana.shop?${new URLSearchParams({ c: 'grafana-a', ...more }).toString()}`, {
      headers: { 'X-Service-Token': own('token') },
    });
  expect((await send({ tid: 'grafana-1', gaid })).status).toBe(200);
  expect((await send({ tid: 'grafana-2', gaid: 'none' })).status).toBe(400);
  await caughtUp(service);
  const base = { install_id: 'grafana-1', app_id: 'com.grafana.shop', gaid };
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  await postEvents(service, own('key'), [
    { ...base, event_id: 'grafana-i', type: 'install', time: at(0) },
    { ...base, event_id: 'grafana-p', type: 'payment', time: at(1), amount: 15, currency: 'USD' },
  ]);
  await putSpend(service, own('key'), [
    { campaign_id: 'grafana-a', date: at(0).slice(0, 10), spend: '7.5', currency: 'USD' },
  ]);
  await decided(service, project, 1);
  await caughtUp(service);
}, 240_000);

const FOUND: Readonly<Record<string, Record<string, unknown>>> = {
  Clicks: { campaign: 'A', clicks: expect.anything() },
  Installs: { rule: expect.any(String), installs: expect.anything() },
  'Spend and revenue': { spend: 7.5, revenue: 15 },
  'Return on ad spend': { roas: 2 },
  Partners: { partner: own('Graph Ads'), suspicious: expect.anything() },
  'Refused S2S requests': { outcome: expect.not.stringMatching(/^accepted$/), requests: expect.anything() },
};

test('there is a variable for the project, which lists those that the reader sees', async () => {
  const query = templating.list.find(({ name }) => name === 'project')?.query ?? '';
  expect((await ask(query)).map(({ project_id }) => project_id)).toEqual([project]);
  expect(panels.map(({ title }) => title)).toEqual(Object.keys(FOUND));
});

test.each(panels.map(({ title, targets }) => [title, targets] as const))('%s', async (title, targets) => {
  for (const { rawSql } of targets) {
    const sql = expand(rawSql);
    expect(sql).not.toMatch(/\$/);
    // Counts of requests are stored every three seconds.
    const rows = await eventually(`${title} has rows`, async () => {
      const found = await ask(sql);
      return found.length > 0 ? found : undefined;
    });
    expect(rows).toContainEqual(expect.objectContaining(FOUND[title] ?? {}));
  }
});
