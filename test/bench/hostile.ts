/**
 * `make bench-hostile`: how long each of the costliest requests that anyone can send holds the service's event loop.
 * Goals: 20 ms for those without a key, 50 ms for those with one.
 */
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { appEvent, SERVER_KEY } from '../support/collect/collect-client';
import { heldFor } from '../support/http/event-loop';
import { ADMIN_TOKEN, startService, type RunningService } from '../support/service';

/** Each is sent so many times after a first one, which compiles what it needs; the longest hold counts. */
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const HOST = 'go.bench.example';
const TOKEN = 'token-of-the-bench';
const APP_KEY = 'app-key-of-the-bench';
const WITHOUT_KEY_MS = 20;
const WITH_KEY_MS = 50;

const say = (text: string) => process.stdout.write(`${text}\n`);

interface Attack {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | (() => string | Buffer);
  readonly status: number;
}

const list = (n: number, item: (i: number) => string) => Array.from({ length: n }, (_, i) => item(i));
const parameters = (n: number, one: string) => list(n, (i) => `${one}${i}=1`).join('&');
const bomb = gzipSync(`{"events":[${'{},'.repeat(1_700_000)}{}]}`);
const events = (n: number, note: string) =>
  JSON.stringify({
    events: list(n, (i) => i.toString()).map((i) =>
      appEvent('open', { app_id: 'com.bench', device: { note, i }, install_id: `install-${i}` }),
    ),
  });
const webEvents = () =>
  JSON.stringify({
    events: list(1_000, (i) => i.toString()).map((i) => ({
      event_id: crypto.randomUUID(),
      type: 'page_view',
      time: new Date().toISOString(),
      visitor_id: `visitor-${i}`,
      session_id: `session-${i}`,
      url: `https://bench.example/?${parameters(40, 'utm_x')}&gclid=${i}`,
      referrer: 'https://news.example/',
      properties: { note: 'x'.repeat(2_000) },
    })),
  });
const clicks = () =>
  JSON.stringify({
    clicks: Array.from({ length: 10_000 }, (_, i) => ({
      c: 'bench',
      d: HOST,
      tid: crypto.randomUUID(),
      gaid: crypto.randomUUID(),
      click_time: Date.now() - i,
      ua: 'x'.repeat(500),
    })),
  });
const spend = list(10_000, (i) => `2026-03-01,bench,as-${i},${'n'.repeat(200)},1.5,USD`).join('\n');
const makeWorkspace = (campaigns: number) => ({
  accounts: [{ name: 'Bench' }],
  partners: [{ name: 'Partner', tokens: [TOKEN] }],
  projects: [
    {
      name: 'Bench',
      account: 'Bench',
      timezone: 'UTC',
      website: 'https://bench.example/home',
      server_keys: [SERVER_KEY],
      app_keys: [APP_KEY],
      web_campaigns: true,
      apps: [{ platform: 'ANDROID', app_id: 'com.bench' }],
      domains: [{ name: HOST }],
      partner_switches: [{ partner: 'Partner', s2s_clicks: true }],
      campaigns: [
        { display_id: 'bench', name: 'Bench', partner: 'Partner' },
        ...list(campaigns, String).map((i) => ({ display_id: `many-${i}`, name: `Many ${i} ${'x'.repeat(200)}` })),
      ],
    },
  ],
});

const WITHOUT_KEY: readonly Attack[] = [
  { name: 'link of 8 kB, 800 UTM names', path: `/?c=bench&${parameters(800, 'utm_')}`, status: 302 },
  { name: 'link of 114 kB', path: `/?c=bench&${parameters(10_000, 'utm_')}`, status: 431 },
  {
    name: 'click of 120 kB, 5,000 parameters',
    path: `/v1/click?${parameters(5_000, 'abcdefghijklmn')}`,
    headers: { Host: 'localhost' },
    status: 401,
  },
  {
    name: 'click of 4,000 malformed escapes',
    path: `/v1/click?${list(4_000, (i) => `%ff${i}=%e2%28`).join('&')}`,
    headers: { Host: 'localhost' },
    status: 401,
  },
  {
    name: 'gzip of 5 kB with 1.7 million values, wrong key',
    method: 'POST',
    path: '/collect/v1/app',
    headers: { 'app-key': 'wrong', 'Content-Encoding': 'gzip' },
    body: bomb,
    status: 401,
  },
  { name: 'Host that is none', path: '/api/v1/campaigns', headers: { Host: '[' }, status: 401 },
  { name: 'the OpenAPI document', path: '/openapi.json', headers: { Host: 'localhost' }, status: 200 },
];
const asApp = { 'app-key': APP_KEY };
const asServer = { 'service-key': SERVER_KEY };
const asAdmin = { Authorization: `Bearer ${ADMIN_TOKEN}`, Host: 'localhost' };
const asPartner = { 'X-Service-Token': TOKEN, Host: 'localhost' };
const WITH_KEY: readonly Attack[] = [
  {
    name: 'array of 10,000 records with 90 names each, 6 MB',
    method: 'POST',
    path: '/v1/batch',
    headers: { ...asPartner, 'Content-Type': 'application/json' },
    body: `[${list(10_000, () => `{${list(90, (i) => `"x${i}":1`).join()}}`).join()}]`,
    status: 200,
  },
  {
    name: '10,000 records of 700 bytes, one a line',
    method: 'POST',
    path: '/v1/batch',
    headers: asPartner,
    body: list(
      10_000,
      (i) =>
        `{"kind":"click","app_id":"com.bench","c":"bench","tid":"${'t'.repeat(100)}","ua":"${i}${'x'.repeat(500)}"}`,
    ).join('\n'),
    status: 200,
  },
  {
    name: 'gzip of 5 kB with 1.7 million values',
    method: 'POST',
    path: '/collect/v1/app',
    headers: { ...asApp, 'Content-Encoding': 'gzip' },
    body: bomb,
    status: 413,
  },
  {
    name: '1,000 app events, 4.4 MB',
    method: 'POST',
    path: '/collect/v1/app',
    headers: asServer,
    body: () => events(1_000, '\\"[{,'.repeat(700)),
    status: 202,
  },
  {
    name: '1,000 web events, 2.9 MB',
    method: 'POST',
    path: '/collect/v1/web',
    headers: asServer,
    body: webEvents,
    status: 202,
  },
  {
    name: 'an event nested 100,000 levels deep',
    method: 'POST',
    path: '/collect/v1/app',
    headers: asApp,
    body: `{"events":[{"device":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`,
    status: 202,
  },
  {
    name: 'CSV of 200,000 columns',
    method: 'PUT',
    path: '/collect/v1/spend',
    headers: { ...asServer, 'Content-Type': 'text/csv' },
    body: `${list(200_000, (i) => `c${i}`).join()}\n${'x,'.repeat(200_000)}\n`,
    status: 400,
  },
  {
    name: 'CSV of 10,000 rows, 2.5 MB',
    method: 'PUT',
    path: '/collect/v1/spend',
    headers: { ...asServer, 'Content-Type': 'text/csv' },
    body: `date,campaign_id,ad_set_id,ad_set_name,spend,currency\n${spend}\n`,
    status: 200,
  },
  {
    name: 'web report with a parameter of 59 kB',
    path: `/api/v1/reporting/web-campaigns?event_names=${list(10_000, (i) => `e${i}`).join()}`,
    headers: { ...asServer, Host: 'localhost' },
    status: 200,
  },
  {
    name: 'import of 10,000 clicks, 6.7 MB',
    method: 'POST',
    path: '/admin/v1/projects/1/clicks',
    headers: asAdmin,
    body: clicks,
    status: 200,
  },
  {
    name: 'workspace of 2,000 campaigns',
    method: 'PUT',
    path: '/admin/v1/workspace',
    headers: asAdmin,
    body: () => JSON.stringify(makeWorkspace(2_000)),
    status: 200,
  },
];

function send(service: RunningService, attack: Attack): Promise<{ status: number; text: string }> {
  const { method = 'GET', path, headers = {}, body } = attack;
  const payload = typeof body === 'function' ? body() : body;
  return new Promise((resolve, reject) => {
    const request = http.request(
      service.url,
      { method, path, headers: { Host: HOST, ...headers }, insecureHTTPParser: true },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk.slice(0, 500)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}

async function measure(service: RunningService, attack: Attack): Promise<number> {
  const once = async () => {
    const { status, text } = await send(service, attack);
    if (status !== attack.status) throw new Error(`${attack.name}: ${status} ${text.slice(0, 500)}`);
  };
  await once();
  let longest = 0;
  for (let round = 0; round < ROUNDS; round++) longest = Math.max(longest, await heldFor(service, once));
  return longest;
}

async function main(): Promise<void> {
  const off = {
    LIMIT_DATA: 'off',
    LIMIT_IP: 'off',
    LIMIT_COLLECT: 'off',
    LIMIT_LINKS: 'off',
    LIMIT_ADMIN: 'off',
    LIMIT_REPORTING: 'off',
  };
  const service = await startService(off, ['--max-semi-space-size=64']);
  try {
    await service.apply(makeWorkspace(0));
    let idle = 0;
    for (let round = 0; round < ROUNDS; round++)
      idle = Math.max(idle, await heldFor(service, () => new Promise((resolve) => setTimeout(resolve, 500))));
    say(`Longest hold of the event loop in ${ROUNDS} requests each; ${idle.toFixed(0)} ms while nothing is asked.`);
    for (const [title, goal, attacks] of [
      ['without a key', WITHOUT_KEY_MS, WITHOUT_KEY],
      ['with a key', WITH_KEY_MS, WITH_KEY],
    ] as const) {
      say(`\n| ${title}: goal ${goal} ms | ms |\n| --- | --- |`);
      for (const attack of attacks) {
        const held = await measure(service, attack);
        say(`| ${attack.name} | ${held.toFixed(0)}${held > goal ? ', over the goal' : ''} |`);
      }
    }
  } finally {
    await service.dispose();
  }
}

void main();
