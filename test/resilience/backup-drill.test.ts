/**
 * The restore drill: backups while partners post, restored into an empty folder. What was accepted is there once,
 * retries meet their records, reports are the same, and nobody is told twice (docs/contract.md, Backups).
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decided, putSpend, report } from '../support/app-report';
import { appEvent, collectApp, SERVER_KEY, type Json } from '../support/collect-client';
import { adtrail } from '../support/command';
import { startReceiver, type Receiver } from '../support/receiver';
import {
  ADMIN_TOKEN,
  CLICKHOUSE_PASSWORD,
  eventually,
  startService,
  temporaryFolder,
  type RunningService,
} from '../support/service';
import { trafficWorkspace } from '../support/traffic';
import { TOKEN } from '../support/workspace';

const INSTALLS = 20;
const env = {
  ACCEPT_AFTER: 'log',
  OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
  // A minute, so that nothing is given up however long the backup takes.
  OUTBOX_RETRIES: Array.from({ length: 20 }, () => 3).join(),
  LIMIT_REPORTING: 'off',
};
const DAY_MS = 86_400_000;
const CLICKED_AT = Date.now() - 3_600_000;
const HELD = 'a backup was restored, and it may have been sent before';

const folder = temporaryFolder();
const place = path.join(folder, 'backups');
let receiver: Receiver;
let service: RunningService;
const started: RunningService[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  service = await start({});
  const postbacks = ['install', 'payment'].map((event) => ({
    event,
    method: 'GET',
    url: `${receiver.url}/postback?id={postback_id}&event={event_name}&install={install_id}`,
  }));
  await service.apply({
    ...trafficWorkspace,
    partners: trafficWorkspace.partners.map((partner) =>
      partner.name === 'Mobi Ads' ? { ...partner, postbacks } : partner,
    ),
  });
}, 360_000);
afterAll(async () => {
  for (const one of started) await one.dispose();
  await receiver?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function start(more: NodeJS.ProcessEnv): Promise<RunningService> {
  const one = await startService({ ...env, ...more });
  started.push(one);
  return one;
}

const commandEnv = (of: RunningService) => ({ DATA_DIR: of.dataDir, PORT: new URL(of.url).port, CLICKHOUSE_PASSWORD });

/** Restores the newest backup into an empty folder and starts a service on it. */
async function restored(name: string, more: readonly string[] = []): Promise<RunningService> {
  const dataDir = path.join(folder, name);
  const done = await adtrail(['restore', place, ...more], { DATA_DIR: dataDir, CLICKHOUSE_PASSWORD });
  expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
  return start({ DATA_DIR: dataDir });
}

/** Posts a click, the same at every call; resolves with whether it was accepted. */
async function click(of: RunningService, tid: string, gaid = tid): Promise<boolean> {
  const url = `${of.url}/v1/click/com.acme.shop?c=AbC123&tid=${tid}&gaid=${gaid}&click_time=${CLICKED_AT}`;
  const answer = await fetch(url, { headers: { 'X-Service-Token': TOKEN } }).catch(() => undefined);
  return answer?.status === 200;
}

const eventsOf = (gaid: string) => [
  appEvent('install', { event_id: `install-${gaid}`, install_id: gaid, gaid }),
  appEvent('payment', { event_id: `payment-${gaid}`, install_id: gaid, amount: 1.25, currency: 'USD' }),
];

/** Clicks with installs and payments, all of them accepted. */
async function history(of: RunningService, installs: number): Promise<string[]> {
  const gaids = Array.from({ length: installs }, () => crypto.randomUUID());
  for (const gaid of gaids) expect(await click(of, gaid)).toBe(true);
  const answer = await collectApp(of, gaids.flatMap(eventsOf), { 'service-key': SERVER_KEY });
  expect(answer.status).toBe(202);
  return gaids;
}

/** Posts clicks until it is stopped; tells when each was accepted. */
function traffic(of: RunningService) {
  const accepted = new Map<string, number>();
  let going = true;
  const lane = async () => {
    while (going) {
      const tid = crypto.randomUUID();
      const isAccepted = await click(of, tid);
      if (isAccepted) accepted.set(tid, Date.now());
      else await sleep(20);
    }
  };
  const lanes = Array.from({ length: 6 }, lane);
  return {
    accepted,
    async stop() {
      going = false;
      await Promise.all(lanes);
    },
  };
}

/** How often each click is there, by its tid. */
async function clicksOf(of: RunningService): Promise<Map<string, number>> {
  const rows = await of.rows<{ tid: string; times: number }>(
    'SELECT tid, toUInt32(count()) AS times FROM analytics.clicks GROUP BY tid',
  );
  return new Map(rows.map(({ tid, times }) => [tid, times]));
}

const days = () => ({
  start_date: new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10),
  end_date: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10),
});

const figuresOf = async (of: RunningService): Promise<Json[]> => {
  const { status, campaigns } = await report(of, SERVER_KEY, days());
  expect(status).toBe(200);
  return campaigns;
};

/** What was told, by install and event: only what the receiver answered with 200. */
const told = (failing: readonly [number, number] = [0, 0]) =>
  receiver
    .at('/postback')
    .filter(({ at }) => at < failing[0] || at > failing[1])
    .map(({ query }) => `${query.get('event')} ${query.get('install')}`)
    .sort();
const expected = (gaids: readonly string[]) => gaids.flatMap((gaid) => [`install ${gaid}`, `payment ${gaid}`]).sort();

test('a drill while partners post: accepted is there once, decided and reported the same, told once', async () => {
  const gaids = await history(service, INSTALLS);
  const date = new Date(CLICKED_AT).toISOString().slice(0, 10);
  await putSpend(service, SERVER_KEY, [{ campaign_id: 'AbC123', date, spend: '123.45', currency: 'USD' }]);
  await decided(service, 1, INSTALLS);
  await receiver.waitFor('/postback', 2 * INSTALLS);
  const whole = await adtrail(['backup', place], commandEnv(service));
  expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: '' });
  expect(whole.stdout).toMatch(/, whole: /);

  const posting = traffic(service);
  await sleep(1_500);
  // These wait to be told of while the backup is taken.
  receiver.answer('/postback', 503);
  const failing: [number, number] = [Date.now(), Infinity];
  const waiting = await history(service, 3);
  const taken = await adtrail(['backup', place], commandEnv(service));
  failing[1] = Date.now();
  receiver.answer('/postback', 200);
  await posting.stop();
  expect({ code: taken.code, stderr: taken.stderr }).toEqual({ code: 0, stderr: '' });
  expect(taken.stdout).toMatch(/, adds to \d{8}T\d{9}Z: /);
  const completeUntil = Date.parse(/accepted before (\S+) is in it/.exec(taken.stdout)?.[1] ?? '');
  expect(posting.accepted.size).toBeGreaterThan(50);
  // The service that was backed up goes on, and tells of what waited.
  await eventually('all is told', () => (told(failing).length >= 2 * (INSTALLS + 3) ? true : undefined), 30_000);

  const copy = await restored('drill');
  const found = await clicksOf(copy);
  expect([...found.values()].filter((times) => times !== 1)).toEqual([]);
  expect([...posting.accepted].filter(([tid, at]) => at < completeUntil && !found.has(tid))).toEqual([]);
  expect([...gaids, ...waiting].filter((tid) => !found.has(tid))).toEqual([]);

  // Partners and apps send again, what came before the backup and what came after it.
  const all = [...gaids, ...waiting, ...posting.accepted.keys()];
  for (const tid of all) expect(await click(copy, tid)).toBe(true);
  const again = await collectApp(copy, [...gaids, ...waiting].flatMap(eventsOf), { 'service-key': SERVER_KEY });
  expect(again.status).toBe(202);
  await eventually('each is there once', async () => {
    const there = await clicksOf(copy);
    return all.length === there.size && [...there.values()].every((times) => times === 1) ? true : undefined;
  });
  await decided(copy, 1, INSTALLS + waiting.length);
  await eventually('both say the same to the cent', async () => {
    const [one, two] = [await figuresOf(service), await figuresOf(copy)];
    expect(JSON.stringify(one)).toContain('123.45');
    return JSON.stringify(one) === JSON.stringify(two) ? true : undefined;
  });

  // What happens from now on is told, and nothing of before is told again: what waited is held, and in the log.
  const fresh = await history(copy, 1);
  await eventually('the new install is told of', () =>
    expected(fresh).every((about) => told(failing).includes(about)) ? true : undefined,
  );
  expect(told(failing)).toEqual(expected([...gaids, ...waiting, ...fresh]));
  const held = await eventually('what is held is in the log', async () => {
    const rows = await copy.rows<{ error: string }>("SELECT error FROM analytics.postbacks WHERE outcome = 'dropped'");
    return rows.length >= 2 * waiting.length ? rows : undefined;
  });
  expect(held).toEqual(Array.from({ length: 2 * waiting.length }, () => ({ error: HELD })));

  // An operator who knows that the other service did not send it does so from the log, or at once with the restore.
  const ofWaiting = () => told(failing).filter((about) => waiting.some((gaid) => about.endsWith(gaid)));
  const timesTold = (times: number) => expected(Array.from({ length: times }, () => waiting).flat());
  const range = ['--from', new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)];
  range.push('--to', new Date().toISOString().slice(0, 10));
  const dropped = ['replay-postbacks', '--project', 'Acme Shop', ...range, '--outcome', 'dropped', '--send'];
  const replayed = await adtrail(dropped, commandEnv(copy));
  expect([replayed.stderr, replayed.stdout]).toEqual(['', `sent once more: ${2 * waiting.length}\n`]);
  await eventually('it is sent from the log', () => (ofWaiting().length >= 4 * waiting.length ? true : undefined));
  expect(ofWaiting()).toEqual(timesTold(2));
  await restored('sending', ['--send-postbacks']);
  await eventually('it is sent with the restore', () => (ofWaiting().length >= 6 * waiting.length ? true : undefined));
  expect(told(failing)).toEqual([...expected([...gaids, ...fresh]), ...timesTold(3)].sort());
}, 600_000);

test('what was not drained comes with a backup of the stopped service, and is stored after a restore', async () => {
  const one = await start({});
  await one.apply(trafficWorkspace);
  expect(await click(one, 'drained', crypto.randomUUID())).toBe(true);
  const [engine] = one.enginePids().clickhouse;
  process.kill(engine as number, 'SIGSTOP');
  const tids = Array.from({ length: 50 }, (_, i) => `waits-${i}`);
  for (const tid of tids) expect(await click(one, tid, crypto.randomUUID())).toBe(true);
  await one.kill();
  process.kill(engine as number, 'SIGKILL');
  const stopped = path.join(folder, 'stopped');
  const taken = await adtrail(['backup', stopped], commandEnv(one));
  expect({ code: taken.code, stderr: taken.stderr }).toEqual({ code: 0, stderr: '' });
  expect(taken.stdout).not.toMatch(/ 0 files of ingest logs/);
  const dataDir = path.join(folder, 'undrained');
  const done = await adtrail(['restore', stopped], { DATA_DIR: dataDir, CLICKHOUSE_PASSWORD, ADMIN_TOKEN });
  expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
  const copy = await start({ DATA_DIR: dataDir });
  await eventually('all of it is stored', async () => {
    const there = await clicksOf(copy);
    return [...tids, 'drained'].every((tid) => there.get(tid) === 1) ? true : undefined;
  });
}, 300_000);
