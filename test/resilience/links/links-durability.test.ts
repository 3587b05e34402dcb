/**
 * Clicks on tracking links when engines are away and processes die: visitors go on, clicks arrive once
 * (docs/contract/tracking-links.md).
 */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readClickId, readClicks, eventuallyClicks, linksWorkspace, openLink } from '../../support/links/links';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../../support/service';

let service: RunningService;
const open = (query: string) => openLink(service, `/stores?${query}`);
const counter = async (name: string) => {
  const text = await (
    await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })
  ).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
};
const deferred = () => counter('adtrail_link_requests_total\\{outcome="deferred"\\}');
const lost = () => counter('adtrail_link_clicks_lost_total');
const stopClickHouse = () => {
  const [pid] = service.enginePids().clickhouse as [number];
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
};

beforeAll(async () => {
  service = await startService();
  await service.apply(linksWorkspace);
});
afterAll(() => service?.dispose());

test('killed right after the redirect: every click is there once', async () => {
  const ids: string[] = [];
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) =>
      ids.push(readClickId((await open(`s2=killed&s3=${i}`)).location) as string),
    ),
  );
  await service.kill();
  await service.restart();
  expect((await readClicks(service, 'killed')).map((row) => row.click_id).sort()).toEqual(ids.sort());
});

test('the same tid after a restart is the same click', async () => {
  const id = readClickId((await open('s2=again&tid=again&s3=first')).location);
  await service.stop();
  await service.restart();
  expect(readClickId((await open('s2=again&tid=again&s3=second')).location)).toBe(id);
  expect(await readClicks(service, 'again')).toMatchObject([{ click_id: id, s3: 'first' }]);
});

test('ClickHouse hangs: visitors are redirected with their IDs, the clicks are stored later, each once', async () => {
  const goOn = stopClickHouse();
  const ids = new Map<string, string | undefined>();
  const before = await deferred();
  try {
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        // Some come twice with one tid.
        const tid = i % 4 === 0 ? `&tid=hang${i % 8}` : '';
        const answer = await open(`s2=hang&s3=${i}${tid}`);
        expect(answer.status).toBe(302);
        ids.set(tid || String(i), readClickId(answer.location));
      }),
    );
    // Past the deadline of the store, whose refusal is not the end of a click.
    await sleep(4_500);
    expect((await open('s2=hang&s3=late')).status).toBe(302);
  } finally {
    goOn();
  }
  const rows = await eventuallyClicks(service, 'hang', ids.size + 1);
  await sleep(1_500);
  expect(await readClicks(service, 'hang')).toHaveLength(ids.size + 1);
  const stored = new Set(rows.map((row) => row.click_id));
  for (const id of ids.values()) expect(stored).toContain(id);
  expect(await deferred()).toBe(before + 41);
  expect(await lost()).toBe(0);
});

test('ClickHouse dies: visitors are redirected, the clicks are stored by the next one', async () => {
  const [pid] = service.enginePids().clickhouse as [number];
  process.kill(pid, 'SIGKILL');
  const answers = await Promise.all(Array.from({ length: 20 }, () => open('s2=dies')));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(302));
  const rows = await eventuallyClicks(service, 'dies', 20);
  expect(rows.map((row) => row.click_id).sort()).toEqual(answers.map((answer) => readClickId(answer.location)).sort());
  expect(await lost()).toBe(0);
});

test('a stop stores what waits', async () => {
  const goOn = stopClickHouse();
  try {
    expect((await open('s2=stop')).status).toBe(302);
    await sleep(3_000);
  } finally {
    goOn();
  }
  expect(await service.stop()).toBe(0);
  await service.restart();
  expect(await readClicks(service, 'stop')).toHaveLength(1);
  expect(service.output()).not.toContain('Lost');
});

test('a stop without ClickHouse loses nothing: the next start stores what is in the log', async () => {
  const [pid] = service.enginePids().clickhouse as [number];
  stopClickHouse();
  try {
    expect((await open('s2=kept')).status).toBe(302);
    expect(await service.stop()).toBe(0);
  } finally {
    // A stopped process cannot end by itself when its service does.
    if (fs.existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
  }
  await eventually('it has ended', () => (fs.existsSync(`/proc/${pid}`) ? undefined : true));
  expect(service.output()).not.toContain('Lost');
  expect(service.output()).toContain('What is left in the ingest log is stored at the next start');
  await service.restart();
  expect(await eventuallyClicks(service, 'kept', 1)).toHaveLength(1);
});

test('a restart keeps the time of storage, by which what is new is found', async () => {
  await open('s2=upgrade&tid=upgrade');
  const times = () => service.rows("SELECT stored_at FROM adtrail.clicks WHERE s2 = 'upgrade'");
  const [time] = await times();
  await service.stop();
  await service.restart();
  await sleep(50);
  expect(await times()).toEqual([time]);
  expect(await readClicks(service, 'upgrade')).toMatchObject([{ tid: 'upgrade', kind: 'link' }]);
  // The projection by ID still finds the click, and the index serves a search by time.
  await open('s2=upgrade&tid=upgrade');
  expect(await readClicks(service, 'upgrade')).toHaveLength(1);
  for (const table of ['clicks', 'impressions', 'ctv_impressions']) {
    expect(
      await service.rows(
        `SELECT type
         FROM system.data_skipping_indices
         WHERE database = 'adtrail' AND table = '${table}' AND name = 'stored_at_range'`,
      ),
    ).toEqual([{ type: 'minmax' }]);
  }
  expect(
    JSON.stringify(
      await service.rows('EXPLAIN indexes = 1 SELECT count() FROM adtrail.clicks WHERE stored_at >= now64(3) - 5'),
    ),
  ).toContain('stored_at_range');
});
