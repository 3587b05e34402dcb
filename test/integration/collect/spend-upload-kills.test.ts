/** An upload of spend, and its undo, that SIGKILL breaks off: all or nothing, and undo brings back what there was. */
import { setTimeout as sleep } from 'node:timers/promises';
import { idByName } from '../../support/s2s/s2s-client';
import { ownNames } from '../../support/workspace/own-names';
import { type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';

const shared = sharedService();
const own = ownNames('spend-upload-kills');
const KEY = own('server');
/** Its process is killed, not the engines. */
let service: RunningService;
let projectId: number;

beforeAll(async () => {
  service = await startBeside(shared, {});
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          server_keys: ['server'],
          campaigns: [{ display_id: 'kills-one', name: 'One' }],
        },
      ],
    }),
  );
  projectId = await idByName(service, 'projects', own('Shop'));
});
afterAll(() => service?.dispose());

const ROWS = 3_000;
const send = (method: string, at: string, body?: string, type = 'text/csv') =>
  service.request(`/collect/v1/spend${at}`, {
    method,
    headers: { 'service-key': KEY, ...(body !== undefined && { 'Content-Type': type }) },
    ...(body !== undefined && { body }),
  });
const makeFile = (date: string, spend: string) =>
  [
    'date,campaign_id,ad_set_id,spend,currency',
    ...Array.from({ length: ROWS }, (_, i) => `${date},kills-one,s${i},${spend},USD`),
  ].join('\n');
/** How many rows of the day have which spend. Names of a new campaign may come to ClickHouse after its rows. */
const stored = async (date: string) =>
  Object.fromEntries(
    (
      await service.rows<{ spend: string; rows: number }>(
        `SELECT toString(spend) AS spend, toUInt32(count()) AS rows FROM analytics.ad_spend AS spent
         WHERE project_id = ${projectId} AND date = '${date}' GROUP BY spend`,
      )
    ).map(({ spend, rows }) => [spend, rows]),
  );
interface Upload {
  readonly id: number;
  readonly state: string;
  readonly first_day: string;
}
const readUploads = async () =>
  ((await (await send('GET', '/uploads?limit=200')).json()) as { uploads: Upload[] }).uploads;

/** Half of the rows were there before the upload. */
async function putBefore(date: string): Promise<void> {
  const rows = Array.from({ length: ROWS / 2 }, (_, i) => ({
    date,
    campaign_id: 'kills-one',
    ad_set_id: `s${i}`,
    spend: 1,
    currency: 'USD',
  }));
  const response = await send('PUT', '', JSON.stringify({ rows }), 'application/json');
  expect(await response.json()).toEqual({ accepted: ROWS / 2, rejected: [] });
}
const BEFORE = { 1: ROWS / 2 };
const AFTER = { 2: ROWS };

async function killAfter(ms: number, work: () => Promise<unknown>): Promise<void> {
  const done = work().catch(() => undefined);
  await sleep(ms);
  await service.kill();
  await done;
  await service.restart();
}
async function undo(id: number): Promise<void> {
  const response = await send('POST', `/uploads/${id}/undo`);
  expect([response.status, ((await response.json()) as Upload).state]).toEqual([200, 'undone']);
}

test.each([20, 60, 110, 170, 260])('%i ms after an upload and after an undo', async (ms) => {
  const date = `2025-03-${String((ms % 27) + 1).padStart(2, '0')}`;
  await putBefore(date);
  await killAfter(ms, () => send('POST', '/csv', makeFile(date, '2')));
  expect([BEFORE, AFTER]).toContainEqual(await stored(date));
  for (const { id } of (await readUploads()).filter((one) => one.first_day === date)) await undo(id);
  expect(await stored(date)).toEqual(BEFORE);

  const again = (await (await send('POST', '/csv', makeFile(date, '2'))).json()) as { upload_id: number };
  expect(await stored(date)).toEqual(AFTER);
  await killAfter(ms, () => send('POST', `/uploads/${again.upload_id}/undo`));
  expect([BEFORE, AFTER]).toContainEqual(await stored(date));
  await undo(again.upload_id);
  expect(await stored(date)).toEqual(BEFORE);
});
