/** What ClickHouse could not read after a loss of power is told of, not passed over in silence. */
import fs from 'node:fs';
import path from 'node:path';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../../support/service';
import { GAID, TOKEN, workspace } from '../../support/workspace/workspace';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
});
afterAll(() => service.dispose());

interface Readyz {
  readonly status: string;
  readonly checks: {
    readonly storage: { readonly ok: boolean; readonly broken_parts: number; readonly tables: string };
  };
}
const readyz = async () => {
  const response = await service.request('/readyz');
  return { status: response.status, body: (await response.json()) as Readyz };
};

test('a broken part is named in the log, in a metric and in readiness', async () => {
  const response = await service.request(`/v1/click/com.acme.shop?c=AbC123&tid=lost&gaid=${GAID}`, {
    headers: { 'X-Service-Token': TOKEN },
  });
  expect(response.status).toBe(200);
  expect((await readyz()).body).toMatchObject({ status: 'ready', checks: { storage: { ok: true, broken_parts: 0 } } });
  const parts = await service.rows<{ path: string }>(
    "SELECT path FROM system.parts WHERE database = 'adtrail' AND table = 'clicks' AND active",
  );
  expect(parts.length).toBeGreaterThan(0);
  expect(await service.stop()).toBe(0);
  for (const part of parts)
    for (const file of fs.readdirSync(part.path).filter((name) => name.endsWith('.bin')))
      fs.truncateSync(path.join(part.path, file), 1);
  await service.restart();
  const told = await eventually('readiness tells of it', async () => {
    const { status, body } = await readyz();
    return body.checks.storage.ok ? undefined : { status, body };
  });
  expect(told).toMatchObject({
    status: 200,
    body: { status: 'degraded', checks: { storage: { tables: 'adtrail.clicks' } } },
  });
  expect(told.body.checks.storage.broken_parts).toBeGreaterThan(0);
  expect(service.output()).toMatch(/broken parts aside, whose rows are missing: \d+ of adtrail\.clicks/);
  const metrics = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
  expect(await metrics.text()).toMatch(/^adtrail_broken_parts [1-9]/m);
});
