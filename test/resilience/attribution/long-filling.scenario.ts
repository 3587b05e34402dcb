/**
 * Filling the index of touches with what is stored already, as after an upgrade: killed in it, it goes on with the
 * stretch in which it was killed, and nothing is decided before it is complete (docs/contract/derived-tables.md).
 */
import { decided } from '../../support/attribution/attribution';
import { SERVER_KEY } from '../../support/collect/collect-client';
import type { Begin } from '../../support/one-service';
import { readPostgres } from '../../support/postgres';
import { ADMIN_TOKEN, eventually, type RunningService } from '../../support/service';
import { workspaceWithServerKey } from '../../support/workspace/workspace';

export function longFilling(begin: Begin): void {
  /** Rows of a stretch, as src/derive/fill.ts has them, and of the one after it. */
  const FIRST = 1_000_000;
  const SECOND = 600_000;
  const STORED = FIRST + SECOND;
  const DEVICE = "toUUID(concat('38400000-8cf0-11bd-b23e-', leftPad(toString(number), 12, '0')))";

  let service: RunningService;
  beforeAll(async () => {
    // A process that derives nothing.
    service = await begin({ ROLES: 'api' });
    await service.apply(workspaceWithServerKey(SERVER_KEY));
  });

  async function takenIn(): Promise<number> {
    const answer = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
    const rows = /^adtrail_materialization_rows_total\{name="touches"\} (\d+)$/m.exec(await answer.text());
    return Number(rows?.[1] ?? 0);
  }

  test('a filling that is killed goes on where it was, and nothing is decided from half an index', async () => {
    const { projects } = (await service.admin('GET', '/projects')).body as { projects: { id: number; name: string }[] };
    const project_id = projects.find(({ name }) => name === 'Acme Shop')?.id as number;
    const { campaigns } = (await service.admin('GET', `/projects/${project_id}/campaigns`)).body as {
      campaigns: { id: number; display_id: string }[];
    };
    const campaign_id = campaigns.find(({ display_id }) => display_id === 'AbC123')?.id as number;
    const indexed = async () => {
      const of = `WHERE project_id = ${project_id}`;
      const [index] = await service.rows<{ touches: number; identifiers: number }>(
        `SELECT toUInt32((SELECT count() FROM adtrail.touches_by_id FINAL ${of})) AS touches,
           toUInt32((SELECT uniqExact(touch_id) FROM adtrail.touches_by_identifier ${of})) AS identifiers`,
      );
      return index as { touches: number; identifiers: number };
    };
    const before = await indexed();
    const store = (from: number, rows: number) =>
      service.clickhouse.command({
        query: `INSERT INTO adtrail.clicks (project_id, bucket, campaign_id, click_id, click_time, received_at,
          partner_id, kind, app_id, tid, gaid, version)
        SELECT ${project_id}, today(), ${campaign_id}, generateUUIDv4(number), now64(3) - INTERVAL 1 HOUR,
          now64(3) - INTERVAL 1 HOUR, 0, 'import', 'com.acme.shop', toString(number), ${DEVICE},
          9007199254740991 - toUnixTimestamp64Micro(now64(6))
        FROM numbers(${from}, ${rows})`,
      });
    await store(0, FIRST);
    const [first] = await service.rows<{ at: number }>(
      'SELECT toFloat64(max(toUnixTimestamp64Milli(stored_at))) AS at FROM adtrail.clicks',
    );
    await store(FIRST, SECOND);
    // Its click is in the second stretch.
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.app_events (project_id, install_id, event_key, id, event_id, type, time, received_at,
        app_id, platform, gaid, version)
      SELECT ${project_id}, 'upgraded', toUUIDOrZero(''), generateUUIDv4(), 'upgraded', 'install', now64(3), now64(3),
        'com.acme.shop', 'ANDROID', ${DEVICE}, 9007199254740991 - toUnixTimestamp64Micro(now64(6))
      FROM numbers(${FIRST + 5}, 1)`,
    });
    await service.stop();

    await service.restart({});
    const postgres = readPostgres(service);
    await eventually(
      'the first stretch is noted',
      async () => {
        const rows = await postgres.rows(
          "SELECT 1 FROM watermarks WHERE name = 'touches' AND watermark >= to_timestamp($1::float8 / 1000)",
          [first?.at],
        );
        return rows.length > 0 ? true : undefined;
      },
      60_000,
    );
    expect(await service.rows("SELECT 1 FROM adtrail.installs WHERE install_id = 'upgraded'")).toEqual([]);
    await postgres.close();
    await service.kill();

    await service.restart({});
    expect((await decided(service, ['upgraded'], 60_000)).get('upgraded')).toMatchObject({ rule: 'device_click' });
    await eventually('all is taken in', async () => ((await takenIn()) > 0 ? true : undefined), 60_000);
    expect(await takenIn()).toBe(SECOND);
    const now = await indexed();
    expect([now.touches - before.touches, now.identifiers - before.identifiers]).toEqual([STORED, STORED]);
  }, 720_000);
}
