/** What is stored of addresses (STORE_IP), and what is left of records after CLICKHOUSE_TTL_DAYS. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { personalColumns, quoted, readRegister } from '../../src/db/personal-data';
import { connectClickHouse } from '../../src/db/clickhouse';
import { installed } from '../support/attribution';
import { SERVER_KEY } from '../support/collect-client';
import { CLICKHOUSE_PASSWORD, eventually, startService, type RunningService } from '../support/service';
import { TOKEN, workspaceWithServerKey } from '../support/workspace';

let service: RunningService;

beforeAll(async () => {
  service = await startService({
    STORE_IP: 'truncated',
    CLICKHOUSE_TTL_DAYS: '30',
    LIMIT_IP: 'off',
    LIMIT_DATA: 'off',
  });
  await service.apply(workspaceWithServerKey(SERVER_KEY));
});
afterAll(() => service?.dispose());

async function click(parameters: Record<string, string>): Promise<string> {
  const query = new URLSearchParams({ c: 'AbC123', tid: crypto.randomUUID(), ...parameters }).toString();
  const response = await service.request(`/v1/click/com.acme.shop?${query}`, {
    headers: { 'X-Service-Token': TOKEN },
  });
  return ((await response.json()) as { click_id: string }).click_id;
}

test('truncated: a network is stored, an install matches its own address, and a neighbour does not', async () => {
  const id = await click({ ip: '203.0.113.77' });
  expect(await service.rows(`SELECT ip FROM analytics.clicks WHERE click_id = '${id}'`)).toEqual([
    { ip: '203.0.113.0' },
  ]);
  // Its country is told before that.
  const german = await click({ ip: '217.80.10.1' });
  expect(await service.rows(`SELECT ip, country FROM analytics.clicks WHERE click_id = '${german}'`)).toEqual([
    { ip: '217.80.10.0', country: 'DE' },
  ]);
  const neighbour = await installed(service, { ip: '203.0.113.78' });
  expect(neighbour).toMatchObject({ rule: 'organic', ip: '203.0.113.0' });
  const same = await installed(service, { ip: '203.0.113.77' });
  expect(same).toMatchObject({ rule: 'ip_click', touch_id: id, ip: '203.0.113.0' });
  const addresses = await service.rows("SELECT touch FROM adtrail.touches_by_id WHERE touch LIKE '%203.0.113.%'");
  expect(addresses).toEqual([]);
  expect(fs.statSync(path.join(service.dataDir, 'ip-hash-secret')).mode & 0o777).toBe(0o600);
});

test('after the days of CLICKHOUSE_TTL_DAYS nothing personal is left of a record, and the record is', async () => {
  const id = await click({
    ip: '203.0.113.99',
    gaid: crypto.randomUUID(),
    ua: 'Old/1.0',
    s2: 'old',
    s3: 'old',
    s4: 'old',
  });
  await eventually('the touch is indexed', async () =>
    (await service.rows(`SELECT 1 FROM adtrail.touches_by_id WHERE touch_id = '${id}'`)).length > 0 ? true : undefined,
  );
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.web_visitors (project_id, visitor_id, first_day, last_day, element.day,
        element.session, element.last_touch, element.first_touch, element.pause_time, element.page_views, hit.time,
        hit.session, hit.last_touch, hit.first_touch, hit.pause_time, hit.kind, hit.name, hit.revenue, hit.session_ms,
        hit.bounced, hit.country, hit.device_type, hit.os_name, hit.browser_name, hit_pages, hit_referrers,
        hit_landing_pages, hit_exit_pages, version)
      SELECT 1, 'old', today() - 40, today() - 40, [today() - 40], [1], [0], [0], [0], [1], [now() - INTERVAL 40 DAY],
        [1], [0], [0], [0], [1], [''], [0], [0], [1], ['DE'], [''], [''], [''], ['a.example/old'], ['b.example/old'],
        ['a.example/old'], ['a.example/old'], 1`,
  });
  for (const [table, column, time] of [
    ['clicks', 'click_id', 'received_at'],
    ['touches_by_id', 'touch_id', 'received_at'],
    ['touches_by_identifier', 'touch_id', 'touch_time'],
  ])
    await service.clickhouse.command({
      query: `ALTER TABLE adtrail.${table} UPDATE ${time} = now() - INTERVAL 40 DAY WHERE ${column} = '${id}'`,
      clickhouse_settings: { mutations_sync: '1' },
    });
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.installs_by_identifier (project_id, identifier, kind, value, install_id, noted_at)
      VALUES (1, 1, 'user', 'old-user', 'old-install', now() - INTERVAL 40 DAY)`,
  });
  for (const table of ['clicks', 'touches_by_id', 'touches_by_identifier', 'installs_by_identifier', 'web_visitors'])
    await service.clickhouse.command({ query: `OPTIMIZE TABLE adtrail.${table} FINAL` });
  const db = connectClickHouse(service.clickhouseUrl, CLICKHOUSE_PASSWORD);
  const columns = personalColumns((await readRegister(db)).get('clicks') ?? []);
  await db.close();
  expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['tid', 's2', 'gaid', 'ip', 'ip_hash', 'ua']));
  const [row] = await service.rows<Record<string, unknown>>(
    `SELECT ${columns.map(({ name }) => quoted(name)).join(', ')} FROM adtrail.clicks WHERE click_id = '${id}'`,
  );
  expect(Object.values(row ?? { missing: true }).filter((value) => value !== '' && value !== null)).toEqual([{}]);
  for (const table of ['touches_by_id', 'touches_by_identifier'])
    expect(await service.rows(`SELECT 1 FROM adtrail.${table} WHERE touch_id = '${id}'`)).toEqual([]);
  expect(await service.rows("SELECT 1 FROM adtrail.installs_by_identifier WHERE value = 'old-user'")).toEqual([]);
  // Figures stay, of queries by page as well.
  expect(
    await service.rows(
      `SELECT length(hit.time) AS hits, hit.country AS countries, hit_pages, hit_referrers, hit_landing_pages,
         hit_exit_pages
       FROM adtrail.web_visitors FINAL WHERE visitor_id = 'old'`,
    ),
  ).toEqual([
    { hits: 1, countries: ['DE'], hit_pages: [], hit_referrers: [], hit_landing_pages: [], hit_exit_pages: [] },
  ]);
});
