/** An engine that hangs is killed and started again by the service, and nothing acknowledged is lost. */
import fs from 'node:fs';
import path from 'node:path';
import { startService, type RunningService, within } from '../support/service';
import { GAID, TOKEN, workspace } from '../support/workspace';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
});
afterAll(() => service.dispose());

/** Fifteen seconds on a machine of its own. */
const HANGS_MS = 45_000;
let number = 0;

/** Sends a click; resolves with its tid where it was accepted. */
async function click(): Promise<string | undefined> {
  const tid = `hang-${(number += 1)}`;
  const response = await service
    .request(`/v1/click/com.acme.shop?c=AbC123&tid=${tid}&gaid=${GAID}`, {
      headers: { 'X-Service-Token': TOKEN },
      signal: AbortSignal.timeout(10_000),
    })
    .catch(() => undefined);
  return response?.status === 200 ? tid : undefined;
}

async function accepted(): Promise<string> {
  return within('a click is accepted', click, HANGS_MS);
}

test('ClickHouse', async () => {
  const before = [await accepted(), await accepted()];
  const [hanging] = service.enginePids().clickhouse as [number];
  process.kill(hanging, 'SIGSTOP');
  const restarted = await within(
    'another ClickHouse process runs',
    () => service.enginePids().clickhouse.find((pid) => pid !== hanging),
    HANGS_MS,
  );
  expect(restarted).toBeGreaterThan(0);
  const after = await accepted();
  const rows = await within(
    'ClickHouse answers',
    () =>
      service
        .rows<{ tid: string }>("SELECT tid FROM analytics.clicks WHERE startsWith(tid, 'hang-')")
        .catch(() => undefined),
    HANGS_MS,
  );
  expect(rows.map(({ tid }) => tid)).toEqual(expect.arrayContaining([...before, after]));
  expect(new Set(rows.map(({ tid }) => tid)).size).toBe(rows.length);
});

test('PostgreSQL', async () => {
  const postmaster = () => {
    try {
      return Number(fs.readFileSync(path.join(service.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      // PostgreSQL is just putting it there.
      return 0;
    }
  };
  const hanging = postmaster();
  process.kill(hanging, 'SIGSTOP');
  await within(
    'another PostgreSQL runs',
    () => (postmaster() !== 0 && postmaster() !== hanging ? true : undefined),
    HANGS_MS,
  );
  await within(
    'the workspace takes a change',
    () =>
      service
        .apply({ accounts: [{ name: 'After PostgreSQL hung' }] })
        .then(() => true)
        .catch(() => undefined),
    HANGS_MS,
  );
});
