/**
 * `make bench-hot-identifier`: how long installs of another account wait while one account's installs share an address,
 * a device or a click with 200,000 clicks; and while one project sends almost everything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent, collectApp, type Json } from '../support/collect/collect-client';
import { idByName } from '../support/s2s/s2s-client';
import { eventually, startService, type RunningService } from '../support/service';

const CLICKS = Number(process.env.CLICKS ?? 200_000);
const INSTALLS = Number(process.env.INSTALLS ?? 2_000);
const DECIDERS = process.env.ATTRIBUTION_DECIDERS ?? '1';
/** How often an install of the other account is sent meanwhile, in milliseconds. */
const EVERY_MS = 2_000;
const GAID = '38400000-8cf0-11bd-b23e-000000000001';
const CLICK = '38400000-8cf0-41bd-b23e-000000000002';
const ADDRESS = '203.0.113.9';

/** What the hot clicks have, besides what all have, and what each install sends. */
const SCENARIOS: Readonly<Record<string, { clicks: string; install: (i: number) => Json; installs: number }>> = {
  address: { clicks: `NULL, '${ADDRESS}'`, install: () => ({ ip: ADDRESS }), installs: INSTALLS },
  'address, installs dated back over a week': {
    clicks: `NULL, '${ADDRESS}'`,
    install: (i) => ({ ip: ADDRESS, time: new Date(Date.now() - i * 300_000).toISOString() }),
    installs: INSTALLS,
  },
  gaid: { clicks: `toUUID('${GAID}'), ''`, install: () => ({ gaid: GAID }), installs: INSTALLS },
  'gaid and address': {
    clicks: `toUUID('${GAID}'), '${ADDRESS}'`,
    install: () => ({ gaid: GAID, ip: ADDRESS }),
    installs: INSTALLS,
  },
  referrer: { clicks: `NULL, ''`, install: () => ({ referrer: `svc_ia_id=${CLICK}` }), installs: INSTALLS },
  'one project sends almost everything': { clicks: `NULL, ''`, install: () => ({}), installs: 20 * INSTALLS },
};

const say = (text: string) => process.stdout.write(`${text}\n`);
const project = (name: string) => ({
  name,
  account: name,
  timezone: 'UTC',
  server_keys: [`key-of-${name}`],
  apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
  campaigns: [{ display_id: 'one', name: 'One' }],
});

async function play(service: RunningService, name: string, n: number): Promise<void> {
  const scenario = SCENARIOS[name] as (typeof SCENARIOS)[string];
  const [hot, other] = [`Hot-${n}`, `Other-${n}`];
  await service.apply({ accounts: [{ name: hot }, { name: other }], projects: [hot, other].map(project) });
  const id = await idByName(service, 'projects', hot);
  const { body } = await service.admin('GET', `/projects/${id}/campaigns`);
  const [campaign] = body.campaigns as { id: number }[];
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.clicks (project_id, bucket, campaign_id, click_id, click_time, received_at, partner_id,
        kind, app_id, tid, gaid, ip, version)
      SELECT ${id}, toDate(click_time), ${campaign?.id},
        if(number = 0, toUUID('${CLICK}'), generateUUIDv4(number)),
        now64(3) - toIntervalMillisecond(60000 + number * 300)
          AS click_time, click_time, 0, 'link', 'com.acme.shop', toString(number), ${scenario.clicks}, number + 1
      FROM numbers(${CLICKS}) SETTINGS max_partitions_per_insert_block = 0`,
  });
  const send = async (to: string, events: readonly Json[]) => {
    const { accepted } = await collectApp(service, events, { 'service-key': `key-of-${to}` });
    if (accepted !== events.length) throw new Error(`${events.length - accepted} installs of ${to} were refused`);
    return Date.now();
  };
  const count = async (condition: string) => {
    const [row] = await service.rows<{ n: string }>(`SELECT count() AS n FROM adtrail.installs WHERE ${condition}`);
    return Number(row?.n);
  };
  /** Sends an install of the other account, and waits for its decision. */
  const sendOther = async (i: number) => {
    const sent = await send(other, [appEvent('install', { install_id: `other-${n}-${i}`, ip: ADDRESS })]);
    await eventually(
      'the install of the other account is decided',
      async () => ((await count(`install_id = 'other-${n}-${i}'`)) === 1 ? true : undefined),
      600_000,
    );
    return Date.now() - sent;
  };
  // Once it is decided all clicks are taken in.
  await sendOther(-1);
  const started = Date.now();
  for (let i = 0; i < scenario.installs; i += 1_000) {
    const some = Array.from({ length: Math.min(1_000, scenario.installs - i) }, (_, j) =>
      appEvent('install', { install_id: `hot-${n}-${i + j}`, ...scenario.install(i + j) }),
    );
    await send(hot, some);
  }
  const sent = Date.now();
  const waits: Promise<number>[] = [];
  let decidedIn = 0;
  for (let i = 0; decidedIn === 0; i++) {
    waits.push(sendOther(i));
    await sleep(EVERY_MS);
    if ((await count(`startsWith(install_id, 'hot-${n}-')`)) >= scenario.installs) decidedIn = Date.now() - sent;
  }
  const others = (await Promise.all(waits)).sort((a, b) => a - b);
  const at = (q: number) => `${((others[Math.floor((others.length - 1) * q)] ?? 0) / 1000).toFixed(1)} s`;
  say(
    `| ${name} | ${scenario.installs.toLocaleString('en-US')} in ${((sent - started) / 1000).toFixed(1)} s | ` +
      `${(decidedIn / 1000).toFixed(0)} s | ${others.length} | ${at(0.5)} | ${at(1)} |`,
  );
}

async function main(): Promise<void> {
  const limits = { LIMIT_COLLECT: 'off', LIMIT_ADMIN: 'off' };
  const service = await startService({ ...limits, ATTRIBUTION_DECIDERS: DECIDERS });
  try {
    say(`${CLICKS.toLocaleString('en-US')} clicks with the identifier, one every 0.3 s\n`);
    say('| shared | installs sent | the last of them decided after | installs of another account | p50 | longest |');
    say('| --- | --- | --- | --- | --- | --- |');
    const chosen = process.env.SCENARIO ? [process.env.SCENARIO] : Object.keys(SCENARIOS);
    for (const [n, name] of chosen.entries()) await play(service, name, n);
  } finally {
    await service.dispose();
  }
}

void main();
