/** `GET /admin/v1/status` (docs/contract.md, Running). */
import { sharedService } from '../support/shared-service';

const service = sharedService();

interface Status {
  ready: boolean;
  checks: { name: string; ok: boolean }[];
  ingest: { processes: { state: string }[] };
  decisions: { undecided: number };
  derived_tables: { name: string; lag_seconds: number; backlog: { table: string; rows: number }[] }[];
  quarantine: unknown[];
}

test('says how ingest, decisions and derived tables are', async () => {
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
