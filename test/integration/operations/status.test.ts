/** `GET /admin/v1/status` (docs/contract/running.md). */
import { caughtUp } from '../../support/caught-up';
import { appEvent } from '../../support/collect/collect-client';
import { readPostgres } from '../../support/postgres';
import { postEvents } from '../../support/reports/app-report';
import { ask } from '../../support/reports/query';
import { sharedService } from '../../support/shared-service';
import { eventually } from '../../support/waiting';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();

interface Status {
  ready: boolean;
  checks: { name: string; ok: boolean }[];
  ingest: { processes: { state: string }[] };
  decisions: { undecided: number };
  derived_tables: {
    name: string;
    complete_until: string | null;
    lag_seconds: number;
    backlog: { table: string; rows: number }[];
  }[];
  quarantine: unknown[];
}

test('says how ingest, decisions and derived tables are', async () => {
  // A table is shown once it has been looked at.
  await caughtUp(service);
  const { status, body } = await service.admin('GET', '/status');
  const found = body as unknown as Status;
  expect(status).toBe(200);
  expect(found.ready).toBe(true);
  expect(found.checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['postgres', 'clickhouse', 'writes', 'disk', 'workers', 'quarantine', 'ingest']),
  );
  expect(found.ingest.processes.some(({ state }) => state === 'alive')).toBe(true);
  expect(found.decisions.undecided).toBeGreaterThanOrEqual(0);
  const names = found.derived_tables.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['attribution', 'install-journeys', 'touches', 'web-visitors']));
  const touches = found.derived_tables.find(({ name }) => name === 'touches');
  expect(touches?.backlog.map(({ table }) => table).sort()).toEqual(['clicks', 'ctv_impressions', 'impressions']);
  expect(Array.isArray(found.quarantine)).toBe(true);
});

test('is for administrators', async () => {
  expect((await service.request('/admin/v1/status')).status).toBe(401);
});

test('derived tables are brought up to now for whoever asks', async () => {
  const asked = Date.now();
  const { status, body } = await service.admin('POST', '/catch-up');
  expect(status).toBe(200);
  expect(Date.parse(body.complete_until as string)).toBeGreaterThanOrEqual(asked);
  const { derived_tables: tables } = (await service.admin('GET', '/status')).body as unknown as Status;
  const late = tables.filter(({ complete_until: until }) => Date.parse(until ?? '') < asked);
  expect(late).toEqual([]);
  expect((await service.request('/admin/v1/catch-up', { method: 'POST' })).status).toBe(401);
});

const app_id = 'com.catch.up';
async function applyShop(suite: string) {
  const own = ownNames(suite);
  const project = {
    name: 'Shop',
    account: 'Acme',
    timezone: 'UTC',
    currency: 'EUR',
    server_keys: ['key'],
    apps: [{ platform: 'ANDROID', app_id }],
  };
  await service.apply(own.document({ accounts: [{ name: 'Acme' }], projects: [project] }));
  return own;
}

test('while installs never cease, nothing is behind, and it is noted how far they are decided', async () => {
  const own = await applyShop('catch-up-beside');
  const postgres = readPostgres(service);
  const readNoted = async () =>
    (await postgres.rows<{ at: Date }>("SELECT watermark AS at FROM watermarks WHERE name = 'attribution'"))[0]?.at;
  let isAnswered = false;
  // Installs, and never a click: one lock has what is derived from each.
  const send = async () => {
    for (let i = 0; !isAnswered; i++)
      await postEvents(service, own('key'), [appEvent('install', { install_id: own(`install-${i}`), app_id })]);
  };
  const look = async () => {
    await caughtUp(service);
    const before = await readNoted();
    // Every ten seconds, while there is always more.
    await eventually('it is noted', async () =>
      (await readNoted())?.getTime() === before?.getTime() ? undefined : true,
    );
    await caughtUp(service);
  };
  await Promise.all([send(), look().finally(() => (isAnswered = true))]);
  await postgres.close();
  expect(service.output()).not.toContain('Deriving attribution failed');
});

test('then figures have what was sent before, however the deciders are set', async () => {
  const own = await applyShop('catch-up');
  // What an installation has that had four deciders before.
  const postgres = readPostgres(service);
  const lane = 'attribution-lane-9';
  await postgres.rows(
    "INSERT INTO watermarks (name, watermark, settled, recent_rows) VALUES ($1, 'epoch', 'epoch', '{}')",
    [lane],
  );
  try {
    const day = new Date().toISOString().slice(0, 10);
    const question = { source: 'app', from: day, to: day, metrics: ['installs', 'payments', 'revenue'] };
    for (const sent of [1, 2, 3]) {
      const install = { install_id: own(`install-${sent}`), app_id };
      const payment = { ...install, amount: 2.5, currency: 'EUR', time: `${day}T00:00:00Z` };
      await postEvents(service, own('key'), [
        appEvent('install', { ...install, time: payment.time }),
        appEvent('payment', payment),
      ]);
      await caughtUp(service);
      const { results } = await ask(service, own('key'), question);
      expect(results.map(({ metrics }) => metrics)).toEqual([[sent, sent, 2.5 * sent]]);
    }
  } finally {
    await postgres.rows('DELETE FROM watermarks WHERE name = $1', [lane]);
    await postgres.close();
  }
});
