/** The queue of installs: what the view that feeds it missed is decided all the same, and days that are done go. */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent, collectApp, SERVER_KEY } from '../support/collect-client';
import { decided, installed } from '../support/attribution';
import { postgresOf } from '../support/postgres';
import { eventually, startService, type RunningService } from '../support/service';
import { workspaceWithServerKey } from '../support/workspace';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.apply(workspaceWithServerKey(SERVER_KEY));
});
afterAll(() => service?.dispose());

test('an install whose insert ended before it reached the queue is decided', async () => {
  const install_id = crypto.randomUUID();
  await service.clickhouse.command({ query: 'DETACH TABLE adtrail.install_queue_feed' });
  await collectApp(service, [appEvent('install', { install_id })], { 'service-key': SERVER_KEY });
  await eventually('the event is stored', async () =>
    (await service.rows(`SELECT 1 FROM adtrail.app_events WHERE install_id = '${install_id}'`)).length > 0
      ? true
      : undefined,
  );
  expect(await service.rows(`SELECT 1 FROM adtrail.install_queue WHERE install_id = '${install_id}'`)).toEqual([]);
  await service.clickhouse.command({ query: 'ATTACH TABLE adtrail.install_queue_feed' });
  expect((await decided(service, [install_id])).get(install_id)).toMatchObject({ rule: 'organic' });
  // It came late, and is there once.
  expect(
    await service.rows(`SELECT toUInt32(count()) AS rows FROM adtrail.installs WHERE install_id = '${install_id}'`),
  ).toEqual([{ rows: 1 }]);
});

test('while installs keep coming, what is decided is left behind', async () => {
  const postgres = postgresOf(service);
  const began = Date.now();
  let stopped = false;
  const send = async () => {
    while (!stopped) {
      await collectApp(service, [appEvent('install', { install_id: crypto.randomUUID() })], {
        'service-key': SERVER_KEY,
      });
      await sleep(10);
    }
  };
  const senders = Promise.all([send(), send(), send(), send()]);
  try {
    await eventually(
      'the queue begins later than when the first of them came',
      async () => {
        const behind = await postgres.rows(
          "SELECT 1 FROM watermarks WHERE name = 'attribution' AND watermark > to_timestamp($1::float8 / 1000)",
          [began],
        );
        return behind.length > 0 ? true : undefined;
      },
      40_000,
    );
  } finally {
    stopped = true;
    await senders;
    await postgres.close();
  }
});

test('days of the queue go once everything in them is decided', async () => {
  const { install_id } = await installed(service, {});
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.install_queue SELECT * REPLACE (now64(3) - INTERVAL 3 DAY AS stored_at)
      FROM adtrail.install_queue WHERE install_id = '${install_id}'`,
  });
  const rows = (when: string) =>
    service.rows(`SELECT 1 FROM adtrail.install_queue WHERE install_id = '${install_id}' AND stored_at ${when}`);
  expect(await rows('< now() - INTERVAL 2 DAY')).toHaveLength(1);
  // Looked at once an hour, and at a start.
  await service.stop();
  await service.restart({});
  await installed(service, {});
  await eventually('the day is gone', async () =>
    (await rows('< now() - INTERVAL 2 DAY')).length === 0 ? true : undefined,
  );
  expect(await rows('> now() - INTERVAL 1 DAY')).toHaveLength(1);
  expect(await service.rows(`SELECT 1 FROM adtrail.installs WHERE install_id = '${install_id}'`)).toHaveLength(1);
});
