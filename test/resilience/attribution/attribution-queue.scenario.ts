/**
 * The queue of installs and its worker: what was stored before it first ran comes first, what the view that feeds it
 * missed is decided all the same, days that are done go, and four lanes decide as one does.
 */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decided, installed } from '../../support/attribution/attribution';
import { expectDecidedAsModel } from '../../support/attribution/attribution-random';
import { appEvent, collectApp, SERVER_KEY } from '../../support/collect/collect-client';
import type { Begin } from '../../support/one-service';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually, type RunningService } from '../../support/service';
import { workspaceWithServerKey } from '../../support/workspace/workspace';

export function attributionQueue(begin: Begin): void {
  const CLICKS = 6_000;
  const gaid = (n: number) => `38400000-8cf0-11bd-b23f-${String(n).padStart(12, '0')}`;
  const clickId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const ALL_ROLES = { ATTRIBUTION_DECIDERS: '4', TRUST_PROXY: '1' };

  let service: RunningService;
  beforeAll(async () => {
    service = await begin({ ROLES: 'api' });
    await service.apply(workspaceWithServerKey(SERVER_KEY));
  });

  test('thousands of inserts while no worker runs, and one minute with many rows', async () => {
    const project = await idByName(service, 'projects', 'Acme Shop');
    const { body } = await service.admin('GET', `/projects/${project}/campaigns`);
    const id = (body.campaigns as { id: number; display_id: string }[]).find((one) => one.display_id === 'AbC123')?.id;
    const click = (number: string, storedAt: string) => `
    INSERT INTO adtrail.clicks (project_id, bucket, campaign_id, click_id, click_time, received_at, stored_at,
      partner_id, kind, app_id, tid, gaid, version)
    SELECT ${project}, toDate(received_at), ${id},
      toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(${number}), 12, '0'))),
      now64(3) - INTERVAL 2 HOUR, now64(3) - INTERVAL 2 HOUR AS received_at, ${storedAt}, 0, 'link', 'com.acme.shop',
      toString(${number}), toUUID(concat('38400000-8cf0-11bd-b23f-', leftPad(toString(${number}), 12, '0'))),
      9007199254740991 - toUnixTimestamp64Micro(toDateTime64(received_at, 6)) `;
    // Each as if by an insert of its own, over the better part of an hour; and then as many by one.
    await service.clickhouse.command({
      query:
        click('number', 'now64(3) - INTERVAL 1 HOUR + toIntervalMillisecond(number * 500)') + `FROM numbers(${CLICKS})`,
    });
    await service.clickhouse.command({
      query: `${click(`number + ${CLICKS}`, 'now64(3) - INTERVAL 1 MINUTE')} FROM numbers(${CLICKS})`,
    });
    await service.stop();
    await service.restart(ALL_ROLES);
    for (const n of [0, 1, CLICKS / 2, CLICKS - 1, CLICKS, 2 * CLICKS - 1]) {
      expect({ n, ...(await installed(service, { gaid: gaid(n) })) }).toMatchObject({
        n,
        rule: 'device_click',
        touch_id: clickId(n),
      });
    }
    expect(
      await service.rows(
        'SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(touch_id)) AS touches ' +
          "FROM adtrail.touches_by_identifier FINAL WHERE startsWith(toString(touch_id), '00000000-0000-4000-8000-')",
      ),
    ).toEqual([{ rows: 2 * CLICKS, touches: 2 * CLICKS }]);
  }, 360_000);

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
    const postgres = readPostgres(service);
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
    await service.restart(ALL_ROLES);
    await installed(service, {});
    await eventually('the day is gone', async () =>
      (await rows('< now() - INTERVAL 2 DAY')).length === 0 ? true : undefined,
    );
    expect(await rows('> now() - INTERVAL 1 DAY')).toHaveLength(1);
    expect(await service.rows(`SELECT 1 FROM adtrail.installs WHERE install_id = '${install_id}'`)).toHaveLength(1);
  });

  test('four lanes decide every install as the model does', async () => {
    const [before] = await service.rows<{ run: number }>('SELECT max(run_id) AS run FROM adtrail.attribution_batches');
    await expectDecidedAsModel(service, Number(process.env.HISTORIES ?? 250));
    // Runs of installs that are all of one lane; else one decider has done it all.
    const lanes = await service.rows(
      `SELECT lanes[1] AS lane FROM (
       SELECT run_id, groupUniqArray(sipHash64(project_id, install_id) % 4 + 1) AS lanes, count() AS installs
       FROM adtrail.attribution_batches
       WHERE run_id > ${before?.run}
       GROUP BY run_id
     )
     WHERE length(lanes) = 1 AND installs >= 10
     GROUP BY lane
     ORDER BY lane`,
    );
    expect(lanes.map(({ lane }) => Number(lane))).toEqual([1, 2, 3, 4]);
  }, 540_000);
}
