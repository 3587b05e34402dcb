/**
 * What data engineers find in ClickHouse: comments everywhere, each record once, current names, look-ups by projection,
 * and DDL that a cluster can parse. What is stored of addresses (STORE_IP), and what is left of records after
 * CLICKHOUSE_TTL_DAYS.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { connectClickHouse } from '../../../src/db/clickhouse';
import { renderForCluster } from '../../../src/db/cluster-ddl';
import { personalColumns, quoted, readRegister, readSort } from '../../../src/db/personal-data';
import { readMigrations, readQuery, splitStatements } from '../../../src/db/sql';
import { installed } from '../../support/attribution/attribution';
import { SERVER_KEY } from '../../support/collect/collect-client';
import { CLICKHOUSE_PASSWORD, eventually, startService, type RunningService } from '../../support/service';
import { readPostgres } from '../../support/postgres';
import { GAID, TOKEN, workspaceWithServerKey } from '../../support/workspace/workspace';

/** With its own engines: their tables are filled, merged and set to forget. */
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

async function send(path: string): Promise<string> {
  const response = await service.request(path, { headers: { 'X-Service-Token': TOKEN } });
  const body = (await response.json()) as { click_id?: string; impression_id?: string; reason?: string };
  const id = body.click_id ?? body.impression_id;
  if (!id) throw new Error(`${path}: ${body.reason}`);
  return id;
}
const device = `gaid=${GAID}&ip=203.0.113.7`;
const click = (tid: string, campaign = 'AbC123') => send(`/v1/click/com.acme.shop?c=${campaign}&tid=${tid}&${device}`);

/** The three kinds of touches: how to send one, and where it is. */
const KINDS = [
  { table: 'clicks', idColumn: 'click_id', timeColumn: 'click_time', send: (tid: string) => click(tid) },
  {
    table: 'impressions',
    idColumn: 'impression_id',
    timeColumn: 'impression_time',
    send: (tid: string) => send(`/v1/impression/com.acme.shop?c=AbC123&tid=${tid}&${device}`),
  },
  {
    table: 'ctv_impressions',
    idColumn: 'impression_id',
    timeColumn: 'impression_time',
    send: (tid: string) => send(`/v1/ctv/impression/com.acme.shop?c=AbC123&tid=${tid}&ip=203.0.113.7&ua=TV`),
  },
] as const;

describe('privacy', () => {
  const makeClick = (parameters: Record<string, string>) => {
    const query = new URLSearchParams({ c: 'AbC123', tid: crypto.randomUUID(), ...parameters }).toString();
    return send(`/v1/click/com.acme.shop?${query}`);
  };

  test('truncated: a network is stored, an install matches its own address, and a neighbour does not', async () => {
    const id = await makeClick({ ip: '203.0.113.77' });
    expect(await service.rows(`SELECT ip FROM analytics.clicks WHERE click_id = '${id}'`)).toEqual([
      { ip: '203.0.113.0' },
    ]);
    // Its country is told before that.
    const german = await makeClick({ ip: '217.80.10.1' });
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
    const id = await makeClick({
      ip: '203.0.113.99',
      gaid: crypto.randomUUID(),
      ua: 'Old/1.0',
      s2: 'old',
      s3: 'old',
      s4: 'old',
    });
    await eventually('the touch is indexed', async () =>
      (await service.rows(`SELECT 1 FROM adtrail.touches_by_id WHERE touch_id = '${id}'`)).length > 0
        ? true
        : undefined,
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
    expect(columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['tid', 's2', 'gaid', 'ip', 'ip_hash', 'ua']),
    );
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
});

describe('comments', () => {
  test.each(['adtrail', 'analytics'])('every table and view of %s has one', async (database) => {
    const tables = await service.rows<{ name: string; comment: string }>(
      `SELECT name, comment FROM system.tables WHERE database = '${database}'`,
    );
    expect(tables.length).toBeGreaterThanOrEqual(3);
    expect(tables.filter(({ comment }) => comment.trim().length < 5)).toEqual([]);
  });

  test.each(['adtrail', 'analytics'])('every column of %s has one', async (database) => {
    const columns = await service.rows<{ table: string; name: string; comment: string }>(
      `SELECT table, name, comment FROM system.columns WHERE database = '${database}'`,
    );
    expect(columns.length).toBeGreaterThanOrEqual(60);
    expect(columns.filter(({ comment }) => comment.trim().length < 5)).toEqual([]);
  });

  test('a view shows the columns of its table under the same comments', async () => {
    const differing = await service.rows(`
      SELECT v.table, v.name, v.comment, t.comment AS base
      FROM system.columns AS v
      JOIN system.columns AS t ON t.table = v.table AND t.name = v.name
      WHERE v.database = 'analytics' AND t.database = 'adtrail' AND (v.comment != t.comment OR v.type != t.type)`);
    // Spend names its campaign as the ad network does; its view, like every other, as it is called now.
    expect(differing).toEqual([expect.objectContaining({ table: 'ad_spend', name: 'campaign_name' })]);
  });

  test('apostrophes survived: no genitive without one', async () => {
    expect(
      await service.rows(
        `SELECT DISTINCT comment
         FROM system.columns
         WHERE database IN ('adtrail', 'analytics')
           AND match(comment, '\\\\bthe (partners|advertisers) (system|window)')`,
      ),
    ).toEqual([]);
  });
});

describe.each(KINDS)('$table', ({ table, idColumn, timeColumn, send: record }) => {
  test('has a view with every column but those that make it work', async () => {
    const columns = async (database: string) =>
      (
        await service.rows<{ name: string }>(
          `SELECT name FROM system.columns WHERE database = '${database}' AND table = '${table}'`,
        )
      ).map(({ name }) => name);
    const base = await columns('adtrail');
    const shown = await columns('analytics');
    // What a click's link was opened with is shown column by column; operating system and platform follow from others.
    const more = table === 'clicks' ? ['os', 'parameters', 'platform'] : [];
    const hidden = ['is_deleted', 'stored_at', 'version', ...more].sort();
    expect(base.filter((name) => !shown.includes(name)).sort()).toEqual(hidden);
    expect(shown.filter((name) => !base.includes(name)).sort()).toEqual([
      'campaign_display_id',
      'campaign_name',
      'custom_channel',
      'partner_name',
    ]);
    expect(shown).toEqual(
      expect.arrayContaining(['project_id', 'bucket', 'campaign_id', idColumn, timeColumn, 'received_at', 'tid']),
    );
  });

  test('is a MergeTree by months of the day of receipt, no finer time in its key, times in UTC ms', async () => {
    const [row] = await service.rows(
      `SELECT engine, partition_key, sorting_key FROM system.tables WHERE database = 'adtrail' AND name = '${table}'`,
    );
    expect(row).toEqual({
      engine: 'ReplacingMergeTree',
      partition_key: 'toYYYYMM(bucket)',
      sorting_key: `project_id, bucket, campaign_id, ${idColumn}`,
    });
    expect(
      await service.rows(
        `SELECT DISTINCT type
         FROM system.columns
         WHERE database = 'adtrail' AND table = '${table}' AND name IN ('${timeColumn}', 'received_at')`,
      ),
    ).toEqual([{ type: "DateTime64(3, 'UTC')" }]);
  });

  test('the view returns each record once, however often it was sent and stored', async () => {
    const tids = Array.from({ length: 20 }, (_, i) => `once-${i}`);
    for (let round = 0; round < 3; round++) await Promise.all(tids.map(record));
    // The same rows stored once more, as by another process at the same time: later by a microsecond, and with another
    // text.
    await service.clickhouse.command({ query: `SYSTEM STOP MERGES adtrail.${table}` });
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.${table}
        SELECT * REPLACE (version - 1 AS version, 'later' AS s2)
        FROM adtrail.${table} FINAL
        WHERE startsWith(tid, 'once-')`,
    });
    const [base] = await service.rows<{ n: number }>(
      `SELECT toUInt32(count()) AS n FROM adtrail.${table} WHERE startsWith(tid, 'once-')`,
    );
    expect(base?.n).toBeGreaterThanOrEqual(40);
    const view = `SELECT toUInt32(count()) AS n, toUInt32(uniqExact(${idColumn})) AS ids, groupUniqArray(s2) AS s2
      FROM analytics.${table}
      WHERE startsWith(tid, 'once-')`;
    expect(await service.rows(view)).toEqual([{ n: 20, ids: 20, s2: [''] }]);
    await service.clickhouse.command({ query: `SYSTEM START MERGES adtrail.${table}` });
    await service.clickhouse.command({ query: `OPTIMIZE TABLE adtrail.${table} FINAL` });
    expect(await service.rows(view)).toEqual([{ n: 20, ids: 20, s2: [''] }]);
  });

  test('a tombstone hides a record from the view, before and after a merge', async () => {
    await record('buried');
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.${table}
        SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted)
        FROM adtrail.${table} FINAL
        WHERE tid = 'buried'`,
    });
    const view = `SELECT tid FROM analytics.${table} WHERE tid = 'buried'`;
    expect(await service.rows(view)).toEqual([]);
    await service.clickhouse.command({ query: `OPTIMIZE TABLE adtrail.${table} FINAL` });
    expect(await service.rows(view)).toEqual([]);
  });

  describe('the look-up of touches by their IDs', () => {
    const knownIds = readQuery('clickhouse', 'ingest.days-of-touches');
    /** EXPLAIN of the query, as the service runs it. */
    const explain = async (query: string, ids: string[]) => {
      const result = await service.clickhouse.query({
        query: `EXPLAIN indexes = 1, projections = 1 ${query.replace(/^--.*$/gm, '')}`,
        query_params: { table, id_column: idColumn, ids },
        format: 'TabSeparatedRaw',
      });
      return result.text();
    };

    beforeAll(async () => {
      // Enough rows, over enough months, for an index to matter.
      await service.clickhouse.command({
        query: `INSERT INTO adtrail.${table}
                  (project_id, bucket, campaign_id, ${idColumn}, ${timeColumn}, received_at, tid, version)
                SELECT 999, toDate('2024-01-01') + number % 90, 999, generateUUIDv4(number), now64(3), now64(3),
                  toString(number), number
                FROM numbers(200000)`,
      });
      await service.clickhouse.command({ query: `OPTIMIZE TABLE adtrail.${table} FINAL` });
    }, 360_000);

    test('is answered by the projection by_id alone', async () => {
      const plan = await explain(knownIds, [crypto.randomUUID(), crypto.randomUUID()]);
      expect(plan).toContain('by_id');
      const granules = [...plan.matchAll(/Granules: (\d+)\/(\d+)/g)].map(([, read]) => Number(read));
      expect(granules.length).toBeGreaterThan(0);
      expect(Math.max(...granules)).toBeLessThanOrEqual(12);
    });

    test('would not be if it named a column that the projection lacks', async () => {
      const other = knownIds.replace(' AS last', ' AS last, any(tid) AS tid');
      expect(other).not.toBe(knownIds);
      expect(await explain(other, [crypto.randomUUID()])).not.toContain('by_id');
    });

    test('finds what is there, and only that, on whatever day it was received', async () => {
      const present = (
        await service.rows<{ id: string }>(
          `SELECT ${idColumn} AS id FROM adtrail.${table} WHERE project_id = 999 LIMIT 5`,
        )
      ).map(({ id }) => id);
      const result = await service.clickhouse.query({
        query: knownIds,
        query_params: { table, id_column: idColumn, ids: [...present, crypto.randomUUID()] },
        format: 'JSONEachRow',
      });
      expect((await result.json<{ id: string }>()).map(({ id }) => id).sort()).toEqual(present.sort());
    });

    test('what stands on several days is found in parts, each ID in one of them', async () => {
      // Another process stored them on the next day.
      await service.clickhouse.command({
        query: `INSERT INTO adtrail.${table}
                  (project_id, bucket, campaign_id, ${idColumn}, ${timeColumn}, received_at, tid, version)
                SELECT project_id, bucket + 1, campaign_id, ${idColumn}, ${timeColumn}, received_at, tid, version + 1
                FROM adtrail.${table}
                WHERE project_id = 999 AND version < 30`,
      });
      const of = { table, id_column: idColumn, since: 0 };
      const ask = async <Row>(name: string, parameters: object) => {
        const query = readQuery('clickhouse', name);
        const query_params = { ...of, ...parameters };
        return (await service.clickhouse.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
      };
      const [late] = await ask<{ rows: string }>('ingest.count-of-late', {});
      expect(Number(late?.rows)).toBeGreaterThanOrEqual(200_030);
      const parts = await Promise.all(
        [0, 1, 2].map((chunk) => ask<{ id: string }>('ingest.late-repeats', { chunks: 3, chunk })),
      );
      expect(parts.every((part) => part.length > 0 && part.length < 30)).toBe(true);
      const expected = await service.rows<{ id: string }>(
        `SELECT DISTINCT ${idColumn} AS id FROM adtrail.${table} WHERE project_id = 999 AND tid IN (
           SELECT toString(number) FROM numbers(30))`,
      );
      expect(expected).toHaveLength(30);
      const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
      expect(ids(parts.flat())).toEqual(ids(expected));
    });

    test('the projection is rebuilt when repeats are merged: it too holds each once', async () => {
      const [first] = await service.rows<{ id: string }>(
        `SELECT ${idColumn} AS id FROM analytics.${table} WHERE tid = 'once-0'`,
      );
      const query = `SELECT ${idColumn}, bucket FROM adtrail.${table} WHERE ${idColumn} = '${first?.id}'`;
      expect(await explain(query, [])).toContain('by_id');
      expect(await service.rows(query)).toHaveLength(1);
    });
  });
});

test.each([
  ['clicks', "tid = 'x'", 'by_tid'],
  ['clicks', 'gaid = {id}', 'by_gaid'],
  ['clicks', 'idfa = {id}', 'by_idfa'],
  ['impressions', "tid = 'x'", 'by_tid'],
  ['impressions', 'gaid = {id}', 'by_gaid'],
  ['impressions', 'idfa = {id}', 'by_idfa'],
  ['ctv_impressions', "tid = 'x'", 'by_tid'],
  ['installs', 'gaid = {id}', 'by_gaid'],
  ['installs', 'idfa = {id}', 'by_idfa'],
])('one record of %s is found without reading the others: %s', async (view, condition, index) => {
  const id = "toUUID('00000000-0000-4000-8000-00000000abcd')";
  // A table without any part is not asked for its indexes.
  await service.clickhouse.command({ query: `INSERT INTO adtrail.${view} (project_id) VALUES (999999)` });
  const plan = await service.rows<{ explain: string }>(
    `EXPLAIN indexes = 1 SELECT * FROM analytics.${view} WHERE ${condition.replace('{id}', id)}`,
  );
  expect(plan.map(({ explain }) => explain.trim())).toContain(`Name: ${index}`);
});

describe('names', () => {
  const rename = (name: string) =>
    service.apply({
      projects: [
        { name: 'Acme Shop', account: 'Acme', timezone: 'Asia/Kolkata', campaigns: [{ display_id: 'second', name }] },
      ],
    });
  const shown = async () =>
    (
      await service.rows<Record<string, string>>(
        "SELECT campaign_display_id, campaign_name, partner_name FROM analytics.clicks WHERE tid = 'named'",
      )
    )[0];

  test('the custom channel of a campaign is shown beside old records', async () => {
    const channel = async () =>
      (await service.rows("SELECT custom_channel FROM analytics.clicks WHERE tid = 'channelled'"))[0];
    await click('channelled', 'second');
    await eventually('the click is stored', async () => ((await channel()) ? true : undefined));
    const campaign = { display_id: 'second', name: 'Campaign second', custom_channel: 'Podcasts & Radio' };
    await service.apply({
      projects: [{ name: 'Acme Shop', account: 'Acme', timezone: 'Asia/Kolkata', campaigns: [campaign] }],
    });
    await eventually('its channel is shown', async () =>
      (await channel())?.custom_channel === 'Podcasts & Radio' ? true : undefined,
    );
  });

  test('a renamed campaign shows its new name beside old records', async () => {
    await click('named', 'second');
    await eventually('the name is shown', async () =>
      (await shown())?.campaign_name === 'Campaign second' ? true : undefined,
    );
    expect(await shown()).toEqual({
      campaign_display_id: 'second',
      campaign_name: 'Campaign second',
      partner_name: 'Mobi Ads',
    });
    for (const name of ['Renamed', 'Renamed "again" \\ \' 日本 🛒']) {
      await rename(name);
      await eventually(`it is called ${name}`, async () =>
        (await shown())?.campaign_name === name ? true : undefined,
      );
    }
  });

  test('names survive a restart, and a change made just before one arrives', async () => {
    await rename('Renamed and gone');
    expect(await service.stop()).toBe(0);
    await service.restart();
    await eventually('the name is shown', async () =>
      (await shown())?.campaign_name === 'Renamed and gone' ? true : undefined,
    );
  });

  test('a record is in the view once though its campaign’s name was copied many times', async () => {
    expect(await service.rows("SELECT toUInt32(count()) AS n FROM analytics.clicks WHERE tid = 'named'")).toEqual([
      { n: 1 },
    ]);
  });

  test('a record whose campaign’s name is not copied yet is in the view all the same', async () => {
    expect(
      await service.rows('SELECT DISTINCT campaign_name AS name FROM analytics.clicks WHERE campaign_id = 999'),
    ).toEqual([{ name: '' }]);
  });
});

describe('the interface for data engineers', () => {
  const query = (sql: string, init: RequestInit = {}) =>
    fetch(`${service.clickhouseUrl}/?query=${encodeURIComponent(sql)}`, {
      headers: { Authorization: `Basic ${Buffer.from(`default:${CLICKHOUSE_PASSWORD}`).toString('base64')}` },
      ...init,
    });

  test('GET reads and does not write', async () => {
    expect((await query('SELECT count() FROM analytics.clicks')).status).toBe(200);
    const response = await query('TRUNCATE TABLE adtrail.clicks');
    expect(response.headers.get('x-clickhouse-exception-code')).toBe('164');
    expect(Number(await (await query('SELECT count() FROM analytics.clicks')).text())).toBeGreaterThan(0);
  });

  test('bucket narrows a query to its partitions', async () => {
    const plan = await service.rows<{ explain: string }>(
      "EXPLAIN indexes = 1 SELECT count() FROM analytics.clicks WHERE bucket = '2024-02-01' AND tid != ''",
    );
    const text = plan.map(({ explain }) => explain).join('\n');
    // One of the four months and more that there are.
    expect(text).toMatch(/Condition: \(bucket in [^\n]*\n\W*Parts: 1\/([4-9]|\d\d)\b/);
  });
});

describe('the DDL of a cluster', () => {
  const statements = readMigrations('clickhouse').flatMap(({ name, text }) =>
    splitStatements(text).flatMap((statement) =>
      renderForCluster(statement, 'main_cluster').map(
        (rendered) => [name, rendered.replace(/^\s*--.*$/gm, '').trim()] as const,
      ),
    ),
  );
  const format = async (text: string) => {
    const result = await service.clickhouse.query({
      query: 'SELECT formatQuery({q:String}) AS text',
      query_params: { q: text },
      format: 'JSONEachRow',
    });
    return (await result.json<{ text: string }>())[0]?.text ?? '';
  };

  test('ClickHouse parses every statement', async () => {
    for (const [name, rendered] of statements) {
      const text = await format(rendered).catch((error: unknown) => {
        throw new Error(`${name}: ${rendered}`, { cause: error });
      });
      expect([name, text]).toEqual([name, expect.stringMatching(/ON CLUSTER '?main_cluster'?/)]);
      if (/^CREATE TABLE/.test(text)) expect(text).toMatch(/ENGINE = (Replicated\w*MergeTree|Distributed)\(/);
    }
  });

  test('and would not parse a broken one', async () => {
    await expect(format(`${statements[0]?.[1]} ENGINE`)).rejects.toThrow(/yntax error/);
  });
});

describe('the register of personal data', () => {
  test('every column of every table and view says what it is', async () => {
    const columns = await service.rows<{ column: string; comment: string }>(
      `SELECT concat(c.database, '.', c.table, '.', c.name) AS column, c.comment AS comment
       FROM system.columns AS c JOIN system.tables AS t ON c.database = t.database AND c.table = t.name
       WHERE c.database = 'adtrail' AND t.engine LIKE '%MergeTree' OR c.database = 'analytics'`,
    );
    expect(columns.length).toBeGreaterThan(250);
    expect(columns.filter(({ comment }) => readSort(comment) === undefined)).toEqual([]);
  });

  test('every table and column of PostgreSQL too', async () => {
    const postgres = readPostgres(service);
    const columns = await postgres.rows<{ name: string; comment: string | null }>(
      `SELECT c.table_name || '.' || c.column_name AS name,
         col_description(
           (quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass, c.ordinal_position) AS comment
       FROM information_schema.columns AS c WHERE c.table_schema = 'public'`,
    );
    await postgres.close();
    expect(columns.length).toBeGreaterThan(80);
    expect(columns.filter(({ comment }) => readSort(comment ?? '') === undefined)).toEqual([]);
  });
});
