/** The doctor over HTTP and as a command (docs/contract.md, Running). */
import fs from 'node:fs';
import path from 'node:path';
import { adtrail } from '../support/command';
import { CLICKHOUSE_PASSWORD, startService, type RunningService } from '../support/service';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
}, 180_000);
afterAll(() => service?.dispose());

const command = () =>
  adtrail(['doctor'], { DATA_DIR: service.dataDir, PORT: new URL(service.url).port, CLICKHOUSE_PASSWORD });

test('it examines engines, clocks, disks, parts, the log and derived tables', async () => {
  const { status, body } = await service.admin('GET', '/doctor');
  expect(status).toBe(200);
  const findings = body.findings as { about: string; state: string }[];
  const names = findings.map(({ about }) => about.replace(/ of [0-9a-f-]{36} on .*/, ' of a process'));
  expect(names).toEqual(
    expect.arrayContaining([
      'adtrail',
      'PostgreSQL',
      'ClickHouse',
      'Clock of PostgreSQL',
      'Clock of ClickHouse',
      'Disk of DATA_DIR',
      'Disk of INGEST_LOG_DIR',
      'Parts of ClickHouse',
      'Ingest log of a process',
      'Decisions',
      'Postbacks',
    ]),
  );
  // What the machine of the tests has of disk and time is its own.
  const own = findings.filter(({ about, state }) => state === 'wrong' && !/^(Disk|Clock) of /.test(about));
  expect(own).toEqual([]);
});

test('it is for operators', async () => {
  expect((await service.request('/admin/v1/doctor')).status).toBe(401);
});

test('the command says what is wrong and what to do, and fails', async () => {
  const rejected = path.join(service.dataDir, 'ingest', 'rejected');
  fs.mkdirSync(rejected, { recursive: true });
  fs.writeFileSync(path.join(rejected, 'a-row'), '{}\n');
  const { code, stdout } = await command();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ok {4}PostgreSQL: version \d/m);
  expect(stdout).toMatch(/^WRONG Ingest log: 1 files of rows that ClickHouse refuses\n {6}They are in "rejected"/m);
  fs.rmSync(rejected, { recursive: true });
  expect((await command()).stdout).not.toContain('Ingest log: 1 files');
});

test('without a service it says so', async () => {
  const { code, stderr } = await adtrail(['doctor', '--url', 'http://127.0.0.1:1'], {});
  expect(code).toBe(1);
  expect(stderr).toMatch(/^adtrail: No service answers at http:\/\/127\.0\.0\.1:1/);
});
