/** Every ClickHouse migration renders for a cluster: replicated, on every node, sharded by the record's ID. */
import { renderForCluster } from '../../../src/db/cluster-ddl';
import { queryNames, readMigrations, readQuery, readViews, splitStatements } from '../../../src/db/sql';

const CLUSTER = 'main_cluster';
const statements = [...readMigrations('clickhouse'), ...readViews()].flatMap(({ name, text }) =>
  splitStatements(text).map((statement) => ({ name, statement })),
);
const withoutComments = (statement: string) => statement.replace(/^\s*--.*$/gm, '').trim();
const head = (statement: string) => withoutComments(statement).split('\n')[0] as string;
const byForm = (form: RegExp) =>
  statements
    .filter(({ statement }) => form.test(withoutComments(statement)))
    .map(({ statement }) => [head(statement), statement] as const);

/** Tables that one node cannot hold, and the column that decides where a row goes. */
const SHARDED: Readonly<Record<string, string>> = {
  clicks: 'click_id',
  impressions: 'impression_id',
  ctv_impressions: 'impression_id',
  app_events: 'install_id',
  installs: 'install_id',
  touch_keys: 'key',
  touch_versions: 'touch_id',
  touches_by_identifier: 'identifier',
  touches_by_id: 'touch_id',
  install_queue: 'install_id',
  identities: 'value',
  installs_by_identifier: 'identifier',
  records_by_install: 'install',
  ad_spend: 'campaign_id',
  spend_replaced: 'campaign_id',
  journeys: 'root_install',
  daily_clicks: 'campaign_id',
  web_events: 'visitor_id',
  web_visitors: 'visitor_id',
  web_touches: 'touch',
  outbox_events: 'subject',
  postbacks: 'postback_id',
};

describe('statements that each shard answers from its own rows', () => {
  const queries = queryNames('clickhouse').map((name) => ({ name, text: readQuery('clickhouse', name) }));
  const texts = [...queries, ...readViews()];
  const NEEDS = /^-- cluster: needs ([\w, ]+) sharded by (\w+)$/gm;
  const readNeeds = (text: string) =>
    [...text.matchAll(NEEDS)].flatMap(([, tables = '', key = '']) => tables.split(', ').map((table) => [table, key]));
  const readShardedTables = (text: string) => [
    ...new Set(
      [...text.matchAll(/\badtrail\.(\w+)/g)].map(([, table]) => table as string).filter((one) => SHARDED[one]),
    ),
  ];
  const ofShards = texts.filter(({ text }) => /distributed_product_mode\s*=\s*'local'/.test(text));

  test('there are some', () => expect(ofShards.map(({ name }) => name)).toEqual(['analytics.app_events.sql']));

  test('each says which tables it needs sharded by what, all that it reads, and so they are', () => {
    for (const { name, text } of ofShards)
      expect([name, Object.fromEntries(readNeeds(text))]).toEqual([
        name,
        Object.fromEntries(readShardedTables(text).map((table) => [table, SHARDED[table]])),
      ]);
  });

  test('each has one key for what it joins, and compares it', () => {
    for (const { text } of ofShards) {
      const keys = new Set(readNeeds(text).map(([, key]) => key as string));
      expect(keys.size).toBe(1);
      for (const key of keys) expect(text).toMatch(new RegExp(`\\bON\\b.*\\b${key} = \\w+\\.\\w*${key}\\b`));
    }
  });

  test('no other statement says so', () => {
    expect(texts.filter(({ text }) => readNeeds(text).length > 0)).toEqual(ofShards);
  });

  test('none joins a sharded table so that rows of the other side without a match would come from each shard', () => {
    const everyRow = /\b(?:RIGHT|FULL)(?: \w+)* JOIN\b/;
    const wrong = texts.filter(({ text }) => everyRow.test(text) && readShardedTables(text).length > 0);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test.each(byForm(/^CREATE MATERIALIZED VIEW/))('%s: feeds rows to the shard that they belong to', (_, statement) => {
    const [, target = '', source = ''] = /TO adtrail\.(\w+)[^]*FROM adtrail\.(\w+)/.exec(statement) ?? [];
    expect(SHARDED[target]).toBeDefined();
    expect(SHARDED[target]).toBe(SHARDED[source]);
  });
});

test('there are databases, tables and views to render', () => {
  expect(byForm(/^CREATE DATABASE/)).toHaveLength(2);
  expect(byForm(/^CREATE TABLE/).length).toBeGreaterThanOrEqual(4);
  expect(byForm(/^CREATE OR REPLACE VIEW/).length).toBeGreaterThanOrEqual(3);
});

test.each(statements.map(({ name, statement }) => [name, head(statement), statement]))(
  '%s: %s … is executed on every node, once for each statement',
  (_, __, statement) => {
    const rendered = renderForCluster(statement, CLUSTER);
    expect(rendered.length).toBeGreaterThan(0);
    for (const text of rendered) {
      expect(withoutComments(text).match(new RegExp(`ON CLUSTER '${CLUSTER}'`, 'g'))).toHaveLength(1);
      expect(splitStatements(`${text};\n`)).toHaveLength(1);
    }
  },
);

test.each(byForm(/^CREATE DATABASE/))('%s: stays Atomic', (_, statement) => {
  expect(renderForCluster(statement, CLUSTER)).toEqual([
    expect.stringMatching(/CREATE DATABASE IF NOT EXISTS \w+ ON CLUSTER 'main_cluster' ENGINE = Atomic$/),
  ]);
});

test.each(byForm(/^CREATE OR REPLACE VIEW/))('%s: reads the same tables', (_, statement) => {
  const [rendered, ...more] = renderForCluster(statement, CLUSTER);
  expect(more).toEqual([]);
  expect(rendered?.replace(` ON CLUSTER '${CLUSTER}'`, '')).toBe(statement);
});

test.each(byForm(/^CREATE MATERIALIZED VIEW/))('%s: feeds the local table from the local one', (_, statement) => {
  const [rendered, ...more] = renderForCluster(statement, CLUSTER);
  expect(more).toEqual([]);
  expect(rendered).toMatch(/^CREATE MATERIALIZED VIEW IF NOT EXISTS \S+ ON CLUSTER 'main_cluster' TO \S+_local \($/m);
  expect(rendered).toMatch(/^FROM adtrail\.\w+_local$/m);
});

test('a drop takes both the Distributed table and the local ones', () => {
  const drop = '-- cluster: shard by click_id\nDROP TABLE IF EXISTS adtrail.clicks SETTINGS max_table_size_to_drop = 0';
  expect(
    renderForCluster(drop, CLUSTER).map(
      (text) => /DROP TABLE IF EXISTS (\S+) ON CLUSTER 'main_cluster' SYNC /.exec(text)?.[1],
    ),
  ).toEqual(['adtrail.clicks', 'adtrail.clicks_local']);
});

describe.each(byForm(/^CREATE TABLE/))('%s', (_, statement) => {
  const [, database, table] = /CREATE TABLE IF NOT EXISTS (\w+)\.(\w+)/.exec(statement) as unknown as [
    string,
    string,
    string,
  ];
  const [local = '', distributed, ...more] = renderForCluster(statement, CLUSTER);
  const engine = /^ENGINE = (\w+)\((.*)\)$/m;

  test('is replicated, with the arguments of its engine', () => {
    const [, name, args] = engine.exec(statement) as unknown as [string, string, string];
    const [, replicated, replicatedArgs] = engine.exec(local) as unknown as [string, string, string];
    expect(replicated).toBe(`Replicated${name}`);
    const [, path, replica, rest] = /^'([^']*)', '([^']*)'(?:, (.*))?$/.exec(replicatedArgs) as unknown as [
      string,
      string,
      string,
      string,
    ];
    expect(rest ?? '').toBe(args);
    expect(path).toContain('{table}');
    expect(path).toContain('{database}');
    // One path for each shard, or one for all; on each path every node has a name of its own.
    if (SHARDED[table]) expect([path.includes('{shard}'), replica]).toEqual([true, '{replica}']);
    else
      expect([path.includes('{shard}'), replica.includes('{shard}') && replica.includes('{replica}')]).toEqual([
        false,
        true,
      ]);
    expect(more).toEqual([]);
  });

  test('keeps its columns, projections, order, partitions and comment', () => {
    const body = (text: string) =>
      withoutComments(text)
        .replace(/^CREATE TABLE.*$/m, '')
        .replace(engine, 'ENGINE');
    expect(body(local)).toBe(body(statement));
  });

  if (SHARDED[table]) {
    test('is a Distributed table over local ones, sharded by the ID of the record', () => {
      expect(local).toContain(`CREATE TABLE IF NOT EXISTS ${database}.${table}_local ON CLUSTER '${CLUSTER}'`);
      expect(distributed).toContain(
        `CREATE TABLE IF NOT EXISTS ${database}.${table} ON CLUSTER '${CLUSTER}' AS ${database}.${table}_local`,
      );
      expect(distributed).toContain(
        `ENGINE = Distributed('${CLUSTER}', ${database}, ${table}_local, cityHash64(${SHARDED[table]}))`,
      );
    });

    test('its Distributed table has a comment too', () => {
      expect(distributed).toMatch(/\bCOMMENT '[^']{10,}/);
    });

    test('no row can be on two shards: the sharding column is part of the sorting key', () => {
      expect(statement).toMatch(new RegExp(`^ORDER BY \\(.*\\b${SHARDED[table]}\\b.*\\)$`, 'm'));
    });
  } else {
    test('is whole on every node', () => {
      expect(local).toContain(`CREATE TABLE IF NOT EXISTS ${database}.${table} ON CLUSTER '${CLUSTER}'`);
      expect(distributed).toBeUndefined();
    });
  }
});

test('a change of a sharded table changes the local tables and the Distributed one', () => {
  const rendered = renderForCluster(
    "-- cluster: shard by click_id\nALTER TABLE adtrail.clicks ADD COLUMN IF NOT EXISTS extra String COMMENT 'x'",
    CLUSTER,
  );
  expect(rendered.map(withoutComments)).toEqual(
    ['clicks_local', 'clicks'].map(
      (table) =>
        `ALTER TABLE adtrail.${table} ON CLUSTER '${CLUSTER}' ADD COLUMN IF NOT EXISTS extra String COMMENT 'x'`,
    ),
  );
});

test('a change of a view, or of what is whole on every node, is one change', () => {
  const rendered = renderForCluster(
    "-- cluster: on every node\nALTER TABLE analytics.clicks COMMENT COLUMN kind 'x'",
    CLUSTER,
  );
  expect(rendered.map(withoutComments)).toEqual([
    `ALTER TABLE analytics.clicks ON CLUSTER '${CLUSTER}' COMMENT COLUMN kind 'x'`,
  ]);
});

test.each([
  'ADD INDEX IF NOT EXISTS r stored_at TYPE minmax GRANULARITY 1',
  'MATERIALIZE COLUMN stored_at, MATERIALIZE INDEX r',
])('what only parts can do, %s, changes the local tables alone', (change) => {
  const rendered = renderForCluster(`-- cluster: shard by click_id\nALTER TABLE adtrail.clicks ${change}`, CLUSTER);
  expect(rendered.map(withoutComments)).toEqual([`ALTER TABLE adtrail.clicks_local ON CLUSTER '${CLUSTER}' ${change}`]);
});

test.each([
  [
    'a table that does not say how it spreads',
    'CREATE TABLE IF NOT EXISTS adtrail.x (a String)\nENGINE = MergeTree()\nORDER BY a',
  ],
  ['a change of a table that does not say so', 'ALTER TABLE adtrail.clicks DROP COLUMN tid'],
  ['a materialised view', 'CREATE MATERIALIZED VIEW adtrail.x AS SELECT 1'],
  ['an insert', "INSERT INTO adtrail.clicks (tid) VALUES ('x')"],
  ['a drop', 'DROP TABLE adtrail.clicks'],
])('%s is refused rather than run on one node only', (_, statement) => {
  expect(() => renderForCluster(statement, CLUSTER)).toThrow(/^No cluster variant of: /);
});
