/**
 * What clients of ClickHouse send with their defaults when they connect, list tables and columns, show rows and count,
 * as their public sources have it, and what must be in the answer. One row per request.
 */

export interface ClientRequest {
  readonly client: string;
  readonly does: string;
  readonly method?: 'GET';
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The statement, in the body. */
  readonly sql?: string;
  /** Fields of a form in its place. */
  readonly form?: Readonly<Record<string, string>>;
  /** What a client must find, as `showBytes` shows it; CLICKS stands for the number of clicks that it sees. */
  readonly finds: string | RegExp;
  readonly format?: string;
}

/** Bytes as Latin-1, each that is no letter or sign, but for tabs and line ends, as `<hh>`. */
export const showBytes = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/(?![\t\n])\p{Cc}/gu, (byte) => `<${byte.charCodeAt(0).toString(16).padStart(2, '0')}>`);

type Request = Omit<ClientRequest, 'client' | 'does'>;
const sent = (client: string, requests: Readonly<Record<string, Request>>): ClientRequest[] =>
  Object.entries(requests).map(([does, request]) => ({ client, does, ...request }));

const COUNT =
  "SELECT campaign_name, count() AS clicks FROM analytics.clicks WHERE startsWith(tid, 'reader-0') GROUP BY 1";
const COUNTED = /Reader 0\D*CLICKS/;

/** clickhouse-connect, through which Superset asks; it compresses by what the server knows of its list. */
const connect = {
  params: {
    session_id: '6f2ad8e0-5f0c-4f38-9a6e-52f2ab9a8f3c',
    client_protocol_version: '54405',
    date_time_input_format: 'best_effort',
    cast_string_to_dynamic_use_inference: '1',
    cancel_http_readonly_queries_on_client_close: '1',
    enable_http_compression: '1',
    send_progress_in_http_headers: '1',
    http_headers_progress_interval_ms: '120000',
    wait_end_of_query: '1',
    query_id: 'c0f5f2e2-1f5e-4f4e-8c39-1a45d7b3f6d1',
    database: 'analytics',
  },
  headers: { 'Accept-Encoding': 'lz4,zstd,br,gzip,deflate', 'Content-Type': 'text/plain; charset=utf-8' },
  format: 'Native',
};
const clickhouseConnect = sent('clickhouse-connect', {
  'asks for the version': {
    params: { session_id: 'a', wait_end_of_query: '1' },
    sql: 'SELECT version(), timezone()',
    finds: /^\d+\.\d+[^\t]*\t(?:Etc\/)?UTC\n$/,
  },
  'reads settings': {
    params: { session_id: 'a', wait_end_of_query: '1', query_id: 'b' },
    sql: 'SELECT name, value, readonly FROM system.settings LIMIT 10000\n FORMAT Native',
    finds: /session_timezone[^]*enable_http_compression|enable_http_compression[^]*session_timezone/,
    format: 'Native',
  },
  'looks which protocol is spoken': {
    params: { session_id: 'a', client_protocol_version: '54405' },
    sql: 'SELECT 1 AS check\n FORMAT Native',
    finds: /^<01><00><02>\xff{4}<00><01><01><05>check<05>UInt8<01>$/,
    format: 'Native',
  },
  'lists databases': { ...connect, sql: 'SHOW DATABASES\n FORMAT Native', finds: '\tanalytics' },
  'lists tables': { ...connect, sql: 'SHOW TABLES FROM `analytics`\n FORMAT Native', finds: '<06>clicks' },
  'looks for a table': { ...connect, sql: 'EXISTS TABLE `analytics`.`clicks`\n FORMAT Native', finds: 'UInt8<01>' },
  'describes a table': { ...connect, sql: 'DESCRIBE TABLE `analytics`.`clicks`\n FORMAT Native', finds: 'click_id' },
  'reads a comment': {
    ...connect,
    sql:
      "SELECT engine, engine_full, comment FROM system.tables WHERE database = 'analytics' AND name = 'clicks'\n" +
      ' FORMAT Native',
    finds: 'Clicks: each exactly once',
  },
  'lists functions': {
    ...connect,
    sql:
      'SELECT name FROM system.functions UNION ALL SELECT name FROM system.table_functions LIMIT 10000\n' +
      ' FORMAT Native',
    finds: 'toStartOfWeek',
  },
  'reads columns only': {
    ...connect,
    sql: 'SELECT tid, campaign_name FROM analytics.clicks LIMIT 0\n FORMAT JSON',
    finds: '"name": "campaign_name"',
    format: 'JSON',
  },
  'shows rows': {
    ...connect,
    sql: "SELECT * FROM analytics.clicks WHERE startsWith(tid, 'reader-0') LIMIT 100\n FORMAT Native",
    finds: 'reader-0-0',
  },
  'binds a value in a form': {
    ...connect,
    headers: { 'Accept-Encoding': 'lz4,zstd,br,gzip,deflate' },
    form: { query: 'SELECT count() FROM analytics.clicks WHERE tid = {v1:String}\n FORMAT Native', param_v1: "it's" },
    finds: /count\(\)<06>UInt64(?:<00>){8}$/,
  },
  'is asked for in another zone': {
    ...connect,
    params: { ...connect.params, session_timezone: 'Asia/Tokyo' },
    sql: 'SELECT toString(toDateTime(0)) AS at\n FORMAT Native',
    finds: '1970-01-01 09:00:00',
  },
});

/** The JDBC driver of version 1 (DBeaver, DataGrip, Tableau): compressed blocks, its own name for the database. */
const jdbc1 = {
  params: { compress: '1', extremes: '0', query_id: '0b6f7f0e-1f3e-4a47-a6f7-9d6c7a2f2c11' },
  headers: {
    Accept: '*/*',
    'X-ClickHouse-Database': 'default',
    'X-ClickHouse-Format': 'RowBinaryWithNamesAndTypes',
    'Content-Type': 'text/plain; charset=UTF-8',
  },
  format: 'RowBinaryWithNamesAndTypes',
};
const setting = (name: string, type: string, otherwise: string) =>
  `${type}(ifnull((select value from system.settings where name = '${name}'), '${otherwise}')) as ${name}`;
const jdbcOld = sent('JDBC 0.6', {
  pings: { method: 'GET', params: {}, finds: 'Ok.\n' },
  'asks for the server': {
    ...jdbc1,
    params: { extremes: '0' },
    sql:
      'select currentUser() user, timezone() timezone, version() version, ' +
      `${setting('readonly', 'toUInt8', '0')}, ${setting('wait_changes_become_visible_after_commit_mode', '', '')},` +
      `${setting('implicit_transaction', 'toInt8', '-1')}, ${setting('max_insert_block_size', 'toUInt64', '0')}, ` +
      `${setting('allow_experimental_lightweight_delete', 'toInt8', '-1')}, ${setting('custom_jdbc_config', '', '')}` +
      ' FORMAT RowBinaryWithNamesAndTypes',
    finds: /^\t<04>user<08>timezone[^]*custom_jdbc_config[^]*UTC/,
  },
  'lists schemas': {
    ...jdbc1,
    sql: "select name as TABLE_SCHEM, null as TABLE_CATALOG from system.databases where name like '%' order by name",
    finds: '\tanalytics',
  },
  'lists tables': {
    ...jdbc1,
    sql:
      'select null as TABLE_CAT, t.database as TABLE_SCHEM, t.name as TABLE_NAME, case ' +
      "when t.engine like '%Log' then 'LOG TABLE' when t.engine in ('Buffer', 'Memory', 'Set') then 'MEMORY TABLE' " +
      "when t.is_temporary != 0 then 'TEMPORARY TABLE' when t.engine like '%View' then 'VIEW' " +
      "when t.engine like 'Async%' or t.engine like 'System%' then 'SYSTEM TABLE' " +
      "when empty(t.data_paths) then 'REMOTE TABLE' else 'TABLE' end as TABLE_TYPE, t.comment as REMARKS, " +
      'null as TYPE_CAT, d.engine as TYPE_SCHEM, t.engine as TYPE_NAME, null as SELF_REFERENCING_COL_NAME, ' +
      'null as REF_GENERATION\nfrom system.tables t inner join system.databases d on t.database = d.name\n' +
      "where t.database like 'analytics' and t.name like '%' and TABLE_TYPE in ('TABLE','VIEW','DICTIONARY') " +
      'order by t.database, t.name',
    finds: /analytics[^]*<06>clicks[^]*VIEW[^]*Clicks: each exactly once/,
  },
  'lists columns': {
    ...jdbc1,
    sql:
      'select null as TABLE_CAT, database as TABLE_SCHEM, table as TABLE_NAME, name as COLUMN_NAME, ' +
      'toInt32(1111) as DATA_TYPE, type as TYPE_NAME, toInt32(0) as COLUMN_SIZE, 0 as BUFFER_LENGTH, ' +
      'cast(null as Nullable(Int32)) as DECIMAL_DIGITS, 10 as NUM_PREC_RADIX, ' +
      "toInt32(position(type, 'Nullable(') >= 1 ? 1 : 0) as NULLABLE, comment as REMARKS, " +
      'default_expression as COLUMN_DEF, position as ORDINAL_POSITION, ' +
      "position(type, 'Nullable(') >= 1 ? 'YES' : 'NO' as IS_NULLABLE FROM system.columns " +
      "WHERE database LIKE 'analytics' and table LIKE 'clicks' AND name LIKE '%'",
    finds: /click_id[^]*UUID[^]*campaign_name/,
  },
  'reads types': {
    ...jdbc1,
    sql: 'select name, alias_to from system.data_type_families order by name',
    finds: 'DateTime64',
  },
  'lists functions': {
    ...jdbc1,
    sql:
      "select * from (select null as FUNCTION_CAT, 'system' as FUNCTION_SCHEM, name as FUNCTION_NAME,\n" +
      "concat('case-', case_insensitive ? 'in' : '', 'sensitive function', is_aggregate ? ' for aggregation' : '') " +
      "as REMARKS,1 as FUNCTION_TYPE, name as SPECIFIC_NAME from system.functions where name like '%' union all\n" +
      "select null as FUNCTION_CAT, 'system' as FUNCTION_SCHEM, name as FUNCTION_NAME,\n" +
      "'case-sensitive table function' as REMARKS, 2 as FUNCTION_TYPE, name as SPECIFIC_NAME " +
      'from system.table_functions\nwhere name not in (select name from system.functions) and ' +
      "name like '%') where 1\norder by FUNCTION_CAT, FUNCTION_SCHEM, FUNCTION_NAME",
    finds: 'generateRandom',
  },
  'lists engines (DBeaver)': { ...jdbc1, sql: 'SELECT name FROM system.table_engines', finds: 'MergeTree' },
  'shows rows under an alias (DataGrip)': {
    ...jdbc1,
    sql: "SELECT t.*\nFROM analytics.clicks t\nWHERE startsWith(t.tid, 'reader-0')\nLIMIT 501",
    finds: 'reader-0-0',
  },
  'shows its statement (DBeaver)': {
    ...jdbc1,
    sql: 'SHOW CREATE TABLE analytics.clicks',
    finds: 'CREATE VIEW analytics.clicks',
  },
  'shows rows': {
    ...jdbc1,
    params: { ...jdbc1.params, max_result_rows: '200', result_overflow_mode: 'break' },
    sql: "SELECT * FROM analytics.clicks WHERE startsWith(tid, 'reader-0')",
    finds: 'reader-0-0',
  },
  counts: { ...jdbc1, sql: `${COUNT} FORMAT TSV`, finds: COUNTED, format: 'TSV' },
});

/** The JDBC driver of version 2 (Metabase and newer DBeaver): the same blocks; tables by joins of qualified names. */
const jdbc2 = {
  params: { compress: '1', query_id: '8a2c9df8-52d2-4f0e-a75e-2a8ea8e4b5ac' },
  headers: {
    'Content-Type': 'text/plain',
    'X-ClickHouse-Database': 'analytics',
    'X-ClickHouse-Format': 'RowBinaryWithNamesAndTypes',
    'X-ClickHouse-Query-Id': '8a2c9df8-52d2-4f0e-a75e-2a8ea8e4b5ac',
  },
  format: 'RowBinaryWithNamesAndTypes',
};
const jdbcNew = sent('JDBC 0.9', {
  'asks for the server': {
    ...jdbc2,
    sql: 'SELECT currentUser() AS user, timezone() AS timezone, version() AS version LIMIT 1',
    finds: /^<03><04>user<08>timezone<07>version/,
  },
  'lists schemas': {
    ...jdbc2,
    sql: "SELECT name AS TABLE_SCHEM, '' AS TABLE_CATALOG FROM system.databases ORDER BY name",
    finds: '\tanalytics',
  },
  'lists tables': {
    ...jdbc2,
    sql:
      "SELECT '' AS TABLE_CAT, t.database AS TABLE_SCHEM, t.name AS TABLE_NAME, " +
      "if(t.is_temporary = 1, concat('Temporary', t.engine), t.engine) AS TABLE_TYPE, t.comment AS REMARKS, " +
      'CAST(null as Nullable(String)) AS TYPE_CAT, d.engine AS TYPE_SCHEM, ' +
      'CAST(null as Nullable(String)) AS TYPE_NAME FROM system.tables t ' +
      "JOIN system.databases d ON system.tables.database = system.databases.name WHERE t.database LIKE 'analytics' " +
      "AND t.name LIKE '%' AND ( t.engine LIKE '%View' ) AND (t.is_temporary = 0)",
    finds: /analytics<06>clicks/,
  },
  'lists columns': {
    ...jdbc2,
    sql:
      "SELECT '' AS TABLE_CAT, database AS TABLE_SCHEM, table AS TABLE_NAME, name AS COLUMN_NAME, " +
      'toInt32(1111) AS DATA_TYPE, type AS TYPE_NAME, toInt32(IF (numeric_scale == 0, NULL, numeric_scale)) as ' +
      "DECIMAL_DIGITS, toInt32(position(type, 'Nullable(') >= 1 ?1 : 0) as NULLABLE, " +
      'system.columns.comment AS REMARKS, system.columns.default_expression AS COLUMN_DEF, ' +
      'character_octet_length::Nullable(Int32) AS CHAR_OCTET_LENGTH, ' +
      'toInt32(system.columns.position) AS ORDINAL_POSITION FROM system.columns ' +
      "WHERE database LIKE 'analytics' AND table LIKE 'clicks' AND name LIKE '%' " +
      'ORDER BY TABLE_SCHEM, TABLE_NAME, ORDINAL_POSITION',
    finds: /click_id[^]*UUID[^]*campaign_name/,
  },
  'reads keys': {
    ...jdbc2,
    sql:
      'SELECT NULL::Nullable(String) AS TABLE_CAT, system.tables.database AS TABLE_SCHEM, ' +
      'system.tables.name AS TABLE_NAME, trim(c.1) AS COLUMN_NAME, ' +
      "CAST(c.2 AS Int16) AS KEY_SEQ, 'PRIMARY' AS PK_NAME " +
      "FROM system.tables ARRAY JOIN arrayZip(splitByChar(',', primary_key), " +
      "arrayEnumerate(splitByChar(',', primary_key))) as c WHERE system.tables.primary_key <> '' " +
      "AND system.tables.database ILIKE 'analytics' AND system.tables.name ILIKE 'clicks' ORDER BY COLUMN_NAME",
    finds: /^<06>\tTABLE_CAT[^]*Int16<06>String$/,
  },
  'reads types': {
    ...jdbc2,
    sql:
      'SELECT name AS TYPE_NAME, CAST(attrs.c2 AS Nullable(Int32)) AS PRECISION, ' +
      'CAST(not(dt.case_insensitive) AS Boolean) AS CASE_SENSITIVE, if(empty(alias_to), name, alias_to) AS ' +
      "LOCAL_TYPE_NAME FROM system.data_type_families dt LEFT JOIN (SELECT * FROM VALUES ( ('Bool',1,false,0,0)," +
      "('UInt8',3,false,0,0)) ) as attrs ON (dt.name = attrs.c1) WHERE alias_to == '' ORDER BY name",
    finds: 'DateTime64',
  },
  'lists functions': {
    ...jdbc2,
    sql:
      "SELECT CAST(name as Nullable(String)) AS FUNCTION_NAME, concat(description, '(', origin, ')') AS REMARKS, " +
      "name AS SPECIFIC_NAME FROM system.functions WHERE name LIKE '%'",
    finds: 'toStartOfWeek',
  },
});

/**
 * What Metabase asks through it: when a connection is made, when it is synchronised, and for a question. Its driver is
 * modules/drivers/clickhouse of metabase/metabase; the list of engines is shorter here.
 */
const VIEWS_AND_TABLES =
  "(t.engine IN ('View','LiveView','WindowView','MaterializedView','Dictionary','Log','Memory','MergeTree')) OR " +
  "(t.engine NOT IN ('View','LiveView','WindowView','MaterializedView','Dictionary','Log','Memory','MergeTree') " +
  "AND NOT t.engine LIKE 'System%' AND NOT t.engine LIKE 'Async%' AND t.is_temporary = 0)";
const metabaseRequests = sent('Metabase', {
  'tries the connection': { ...jdbc2, sql: 'SELECT 1', finds: /UInt8<01>$/ },
  'asks for the version': {
    ...jdbc2,
    sql:
      "WITH s AS (SELECT version() AS ver, splitByChar('.', ver) AS verSplit) " +
      'SELECT s.ver, toInt32(verSplit[1]), toInt32(verSplit[2]) FROM s',
    finds: /\d+\.\d+/,
  },
  'asks whether it is a cloud': {
    ...jdbc2,
    sql: "SELECT value='1' FROM system.settings WHERE name='cloud_mode'",
    finds: /UInt8<00>$/,
  },
  'asks for the zone': { ...jdbc2, sql: 'SELECT timezone() AS tz', finds: 'UTC' },
  'lists tables and views': {
    ...jdbc2,
    sql:
      "SELECT '' AS TABLE_CAT, t.database AS TABLE_SCHEM, t.name AS TABLE_NAME, " +
      "if(t.is_temporary = 1, concat('Temporary', t.engine), t.engine) AS TABLE_TYPE, t.comment AS REMARKS, " +
      'CAST(null as Nullable(String)) AS TYPE_CAT, d.engine AS TYPE_SCHEM, ' +
      'CAST(null as Nullable(String)) AS TYPE_NAME, CAST(null as Nullable(String)) AS SELF_REFERENCING_COL_NAME, ' +
      'CAST(null as Nullable(String)) AS REF_GENERATION FROM system.tables t ' +
      "JOIN system.databases d ON system.tables.database = system.databases.name WHERE t.database LIKE 'analytics' " +
      `AND t.name LIKE '%' AND ( ${VIEWS_AND_TABLES}) AND (t.is_temporary = 0)`,
    finds: /analytics<06>clicks/,
  },
  'lists columns, of a table whose name has an underscore': {
    ...jdbc2,
    sql:
      "SELECT '' AS TABLE_CAT, database AS TABLE_SCHEM, table AS TABLE_NAME, name AS COLUMN_NAME, " +
      "type AS TYPE_NAME, toInt32(position(type, 'Nullable(') >= 1 ?1 : 0) as NULLABLE, " +
      'system.columns.comment AS REMARKS, system.columns.default_expression AS COLUMN_DEF ' +
      "FROM system.columns WHERE database LIKE 'analytics' AND table LIKE 'ad\\\\_spend' AND name LIKE '%' " +
      'ORDER BY TABLE_SCHEM, TABLE_NAME, system.columns.position',
    finds: /ad_spend[^]*campaign_id/,
  },
  'reads columns where the driver knows none': {
    ...jdbc2,
    sql: 'SELECT * FROM `analytics`.`clicks` WHERE 1 <> 1 LIMIT 0',
    finds: 'campaign_name',
  },
  'takes a sample for fingerprints': {
    ...jdbc2,
    sql:
      '-- Metabase\nSELECT `analytics`.`clicks`.`click_time` AS `click_time`, ' +
      'substring(`analytics`.`clicks`.`tid`, 1, 1234) AS `substring1` FROM `analytics`.`clicks` ' +
      "WHERE startsWith(`analytics`.`clicks`.`tid`, 'reader-0') LIMIT 10000",
    finds: 'reader-0-0',
  },
  'lists values for filters': {
    ...jdbc2,
    sql:
      '-- Metabase\nSELECT `analytics`.`clicks`.`campaign_name` AS `campaign_name` FROM `analytics`.`clicks` ' +
      'GROUP BY `analytics`.`clicks`.`campaign_name` ORDER BY `analytics`.`clicks`.`campaign_name` ASC LIMIT 1001',
    finds: 'Reader 0',
  },
  'counts in a zone': {
    ...jdbc2,
    params: { ...jdbc2.params, session_timezone: 'America/New_York', select_sequential_consistency: '1' },
    sql:
      '-- Metabase:: userID: 1 queryType: MBQL queryHash: 0\n' +
      'SELECT `analytics`.`clicks`.`campaign_name` AS `campaign_name`, toString(toDateTime(0)) AS `at`, ' +
      'COUNT(*) AS `count` ' +
      "FROM `analytics`.`clicks` WHERE startsWith(`analytics`.`clicks`.`tid`, 'reader-0') " +
      'GROUP BY `analytics`.`clicks`.`campaign_name` ORDER BY `analytics`.`clicks`.`campaign_name` ASC',
    finds: 'Reader 0<13>1969-12-31 19:00:00',
  },
});

/** clickhouse-go over HTTP, through which Grafana's plug-in asks; it adds five seconds to its caller's patience. */
const go = {
  params: {
    client_protocol_version: '54460',
    database: 'analytics',
    default_format: 'Native',
    max_execution_time: '64',
  },
  headers: { 'User-Agent': 'clickhouse-go/2.40.1 grafana/12.0.0 (lv:go/1.24.2; os:linux)' },
  format: 'Native',
};
const grafana = {
  ...go,
  params: { ...go.params, enable_http_compression: '1' },
  headers: { ...go.headers, 'Accept-Encoding': 'gzip' },
};
const clickhouseGo = [
  ...sent('clickhouse-go', {
    'says hello': {
      ...go,
      sql: 'SELECT displayName(), version(), revision(), timezone()',
      finds:
        /^<01><00><02>\xff{4}<00><04><01><0d>displayName\(\)<06>String<00>[^]*\nrevision\(\)<06>UInt32<00>[^]*UTC$/,
    },
    pings: { ...go, sql: 'SELECT 1', finds: /^<01><00><02>\xff{4}<00><01><01><01>1<05>UInt8<00><01>$/ },
    'in compressed blocks': {
      ...go,
      params: { ...go.params, compress: '1' },
      sql: 'SELECT 1',
      finds: /^<01><00><02>\xff{4}<00><01><01><01>1<05>UInt8<00><01>$/,
    },
  }),
  ...sent("Grafana's plug-in", {
    'lists databases': { ...grafana, sql: 'SHOW DATABASES', finds: '\tanalytics' },
    'lists tables': { ...grafana, sql: 'SHOW TABLES FROM "analytics"', finds: '<06>clicks' },
    'describes a table': { ...grafana, sql: 'DESC TABLE "analytics"."clicks"', finds: 'campaign_name' },
    'lists columns': {
      ...grafana,
      sql: "SELECT name, type, table FROM system.columns WHERE database IN ('analytics') AND table = 'clicks'",
      finds: 'campaign_name',
    },
    'lists databases for a variable': {
      ...grafana,
      sql: "SELECT name FROM system.databases WHERE name NOT IN ('INFORMATION_SCHEMA', 'information_schema')",
      finds: '\tanalytics',
    },
    'lists functions': {
      ...grafana,
      sql:
        'SELECT name, is_aggregate, case_insensitive, alias_to, origin, description, syntax, arguments, ' +
        'returned_value, examples, categories FROM system.functions LIMIT 10000',
      finds: 'toStartOfWeek',
    },
    'reads values': {
      ...grafana,
      sql: 'SELECT DISTINCT "campaign_name" FROM "analytics"."clicks" WHERE "campaign_name" IS NOT NULL LIMIT 1000',
      finds: 'Reader 0',
    },
    'draws a line': {
      ...grafana,
      sql:
        'SELECT toStartOfInterval(toDateTime(received_at), INTERVAL 1 day) AS time, campaign_name, count() AS clicks ' +
        'FROM analytics.clicks GROUP BY time, campaign_name ORDER BY time ASC LIMIT 1000',
      finds: 'Reader 0',
    },
  }),
  ...sent("Altinity's plug-in", {
    'lists columns': {
      method: 'GET',
      params: {
        query:
          'SELECT database, table, name, type FROM system.columns ' +
          "WHERE database NOT IN ('system','INFORMATION_SCHEMA') ORDER BY database, table FORMAT JSON",
        add_http_cors_header: '1',
      },
      finds: '"table": "clicks"',
      format: 'JSON',
    },
    'draws a line': {
      params: { add_http_cors_header: '1', enable_http_compression: '1', database: 'analytics' },
      headers: { 'Accept-Encoding': 'gzip' },
      sql: `${COUNT} FORMAT JSON`,
      finds: COUNTED,
      format: 'JSON',
    },
  }),
];

/** The ODBC driver as Power BI's connector sets it up: settings of SQL compatibility, its own binary format. */
const odbc = {
  params: {
    default_format: 'ODBCDriver2',
    database: 'analytics',
    enable_http_compression: '1',
    cast_keep_nullable: '1',
    prefer_column_name_to_alias: '1',
  },
  headers: {
    'Accept-Encoding': 'zstd',
    'User-Agent': 'PowerBi/0.1.5 clickhouse-odbc/1.4.3 (Windows) UNICODE',
  },
  format: 'ODBCDriver2',
};
const nothing = (columns: readonly string[]) => columns.map((name) => ` CAST(NULL, 'Nullable(String)') AS ${name}`);
const TABLE_COLUMNS = 'ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME';
/** One type of SQLGetTypeInfo: its name, code, size and the quote of its literals. */
const odbcType = (name: string, code: number, size: number, quote: string) =>
  `SELECT cast('${name}', 'String') AS TYPE_NAME, cast(${code}, 'Int16') AS DATA_TYPE, ` +
  `cast(${size}, 'Nullable(Int32)') AS COLUMN_SIZE, cast(${quote}, 'Nullable(String)') AS LITERAL_PREFIX, ` +
  `cast(${quote}, 'Nullable(String)') AS LITERAL_SUFFIX, cast(NULL, 'Nullable(String)') AS CREATE_PARAMS, ` +
  "cast(1, 'Int16') AS NULLABLE, cast(1, 'Int16') AS CASE_SENSITIVE, cast(3, 'Int16') AS SEARCHABLE, " +
  "cast(NULL, 'Nullable(Int16)') AS UNSIGNED_ATTRIBUTE, cast(0, 'Int16') AS FIXED_PREC_SCALE, " +
  "cast(NULL, 'Nullable(Int16)') AS AUTO_UNIQUE_VALUE, cast(NULL, 'Nullable(String)') AS LOCAL_TYPE_NAME, " +
  "cast(NULL, 'Nullable(Int16)') AS MINIMUM_SCALE, cast(NULL, 'Nullable(Int16)') AS MAXIMUM_SCALE, " +
  `cast(${code}, 'Int16') AS SQL_DATA_TYPE, cast(NULL, 'Nullable(Int16)') AS SQL_DATETIME_SUB, ` +
  "cast(NULL, 'Nullable(Int32)') AS NUM_PREC_RADIX, cast(NULL, 'Nullable(Int16)') AS INTERVAL_PRECISION";
const powerBi = sent('ODBC (Power BI)', {
  'verifies the connection': { ...odbc, sql: 'SELECT 1', finds: '1' },
  'asks for the version': { ...odbc, sql: 'select version()', finds: /\d+\.\d+/ },
  'lists databases': {
    ...odbc,
    sql:
      "SELECT CAST(name, 'Nullable(String)') AS TABLE_CAT," +
      `${nothing(['TABLE_SCHEM', 'TABLE_NAME', 'TABLE_TYPE', 'REMARKS']).join()} ` +
      `FROM system.databases ${TABLE_COLUMNS}`,
    finds: 'analytics',
  },
  'lists schemas, of which there are none': {
    ...odbc,
    sql:
      `SELECT${nothing(['TABLE_CAT', 'TABLE_SCHEM', 'TABLE_NAME', 'TABLE_TYPE', 'REMARKS']).join()} ` +
      `WHERE (1 == 0) ${TABLE_COLUMNS}`,
    finds: 'TABLE_SCHEM',
  },
  'lists types of tables': {
    ...odbc,
    sql:
      `SELECT${nothing(['TABLE_CAT', 'TABLE_SCHEM', 'TABLE_NAME']).join()}, ` +
      `CAST('TABLE', 'Nullable(String)') AS TABLE_TYPE,${nothing(['REMARKS']).join()} ${TABLE_COLUMNS}`,
    finds: 'TABLE',
  },
  'lists tables': {
    ...odbc,
    sql:
      "SELECT CAST(database, 'Nullable(String)') AS TABLE_CAT, CAST(NULL, 'Nullable(String)') AS TABLE_SCHEM, " +
      "CAST(name, 'Nullable(String)') AS TABLE_NAME, CAST('TABLE', 'Nullable(String)') AS TABLE_TYPE, " +
      "CAST(NULL, 'Nullable(String)') AS REMARKS FROM system.tables WHERE (1 == 1) " +
      "AND isNotNull(TABLE_CAT) AND coalesce(TABLE_CAT, '') LIKE 'analytics' AND isNotNull(TABLE_TYPE) AND (1 == 0 " +
      `OR coalesce(TABLE_TYPE, '') LIKE 'TABLE' OR coalesce(TABLE_TYPE, '') LIKE 'VIEW') ${TABLE_COLUMNS}`,
    finds: /analytics[^]*clicks/,
  },
  'lists columns': {
    ...odbc,
    sql:
      "SELECT cast(database, 'Nullable(String)') AS TABLE_CAT, cast('', 'Nullable(String)') AS TABLE_SCHEM, " +
      "cast(table, 'String') AS TABLE_NAME, cast(name, 'String') AS COLUMN_NAME, cast(0, 'Int16') AS DATA_TYPE, " +
      "cast(type, 'String') AS TYPE_NAME, cast(NULL, 'Nullable(Int32)') AS COLUMN_SIZE, " +
      "cast(0, 'Nullable(Int32)') AS BUFFER_LENGTH, cast(NULL, 'Nullable(Int16)') AS DECIMAL_DIGITS, " +
      "cast(NULL, 'Nullable(Int16)') AS NUM_PREC_RADIX, cast(0, 'Int16') AS NULLABLE, " +
      "cast(NULL, 'Nullable(String)') AS REMARKS, cast(NULL, 'Nullable(String)') AS COLUMN_DEF, " +
      "cast(0, 'Int16') AS SQL_DATA_TYPE, cast(NULL, 'Nullable(Int16)') AS SQL_DATETIME_SUB, " +
      "cast(0, 'Nullable(Int32)') AS CHAR_OCTET_LENGTH, cast(position, 'Int32') AS ORDINAL_POSITION, " +
      "cast(NULL, 'Nullable(String)') AS IS_NULLABLE FROM system.columns WHERE (1 == 1) " +
      "AND isNotNull(TABLE_CAT) AND coalesce(TABLE_CAT, '') LIKE 'analytics' AND TABLE_NAME LIKE 'clicks' " +
      'ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME, ORDINAL_POSITION',
    finds: /click_id[^]*UUID[^]*campaign_name/,
  },
  'reads types': {
    ...odbc,
    sql:
      `SELECT * FROM (${odbcType('UUID', -11, 35, 'NULL')} UNION ALL ${odbcType('String', 12, 1048575, "'\\''")} ` +
      `UNION ALL ${odbcType('String', -9, 1048575, "'\\''")}) ORDER BY DATA_TYPE`,
    finds: /UUID[^]*String/,
  },
  'shows rows of a preview': {
    ...odbc,
    sql:
      'select "_"."campaign_name", "_"."tid", "_"."click_time" from "analytics"."clicks" "_" ' +
      `where startsWith("_"."tid", 'reader-0') LIMIT 1000 OFFSET 0`,
    finds: 'reader-0-0',
  },
  'counts with a bound value': {
    ...odbc,
    params: { ...odbc.params, param_odbc_positional_1: 'Reader 0' },
    sql:
      'select "campaign_name", count(1) as "C1" from "analytics"."clicks" ' +
      'where "campaign_name" = {odbc_positional_1:Nullable(String)} group by "campaign_name"',
    finds: /Reader 0<01><00><00><00>CLICKS$/,
  },
});

/** Tableau's JDBC connector: what version 1 of the driver asks, in a session and with settings of its own. */
const tableau = {
  ...jdbc1,
  params: { ...jdbc1.params, join_use_nulls: '1', session_id: 'tableau-jdbc-connector-1764230400000-42' },
};
const tableauClicks = 'SELECT "clicks"."campaign_name" AS "campaign_name", ';
const tableauRequests = sent('Tableau', {
  'reads the columns of a question': { ...tableau, sql: 'SELECT * FROM "analytics"."clicks" LIMIT 0', finds: 'tid' },
  'lists schemas': {
    ...tableau,
    sql: "select name as TABLE_SCHEM, null as TABLE_CATALOG from system.databases where name like '%' order by name",
    finds: '\tanalytics',
  },
  'draws bars': {
    ...tableau,
    sql:
      `${tableauClicks}SUM(1) AS "sum_Number of Records_ok" FROM "analytics"."clicks" "clicks" ` +
      'GROUP BY "campaign_name"',
    finds: 'Reader 0',
  },
  'asks for the largest ones': {
    ...tableau,
    sql:
      `${tableauClicks}COUNT(DISTINCT "clicks"."tid") AS "ctd_tid_ok" FROM "analytics"."clicks" "clicks" ` +
      'INNER JOIN (SELECT "clicks"."campaign_name" AS "campaign_name", COUNT(1) AS "X__alias__0" ' +
      'FROM "analytics"."clicks" "clicks" GROUP BY "campaign_name" ORDER BY "X__alias__0" DESC LIMIT 1000) "t0" ' +
      'ON ("clicks"."campaign_name" = "t0"."campaign_name") GROUP BY "campaign_name"',
    finds: 'Reader 0',
  },
});

/** DBeaver's own statements, beside those of its driver: in one session a connection. */
const dbeaver = { ...jdbc2, params: { ...jdbc2.params, session_id: 'sess_2b1c8a30-54f5-4f2c-8d39-6a0e6d1f7b55' } };
const dbeaverRequests = sent('DBeaver', {
  'asks for the version': { ...dbeaver, sql: 'SELECT VERSION()', finds: /\d+\.\d+/ },
  'lists databases': { ...dbeaver, sql: 'SHOW DATABASES', finds: '\tanalytics' },
  'lists tables': {
    ...dbeaver,
    sql:
      'SELECT name as TABLE_NAME, engine as TABLE_TYPE, database as TABLE_SCHEM,comment as REMARKS, * ' +
      "FROM system.tables\nWHERE database = 'analytics'",
    finds: /clicks[^]*View[^]*Clicks: each exactly once/,
  },
  'lists engines': { ...dbeaver, sql: 'SELECT name FROM system.table_engines', finds: 'MergeTree' },
  'shows rows': {
    ...dbeaver,
    params: { ...dbeaver.params, max_result_rows: '200', result_overflow_mode: 'break' },
    sql: "SELECT * FROM analytics.clicks c WHERE startsWith(tid, 'reader-0')\nLIMIT 0, 200",
    finds: 'reader-0-0',
  },
});

/** Spark's JDBC source over version 2 of the driver: whether the table is there, its columns, then a part. */
const sparkRequests = sent('Spark by JDBC', {
  'looks for the table': { ...jdbc2, sql: 'SELECT 1 FROM analytics.clicks WHERE 1=0', finds: /UInt8$/ },
  'reads its columns': { ...jdbc2, sql: 'SELECT * FROM analytics.clicks WHERE 1=0', finds: 'campaign_name' },
  'reads a part': {
    ...jdbc2,
    sql:
      'SELECT "campaign_name","tid" FROM analytics.clicks  WHERE (("tid" IS NOT NULL)) ' +
      'AND ("campaign_id" < 1000000 or "campaign_id" is null)    ',
    finds: 'reader-0-0',
  },
});

const others = [
  ...sent('a client of information_schema', {
    'lists schemas': {
      params: { default_format: 'JSONCompact' },
      sql: 'SELECT schema_name FROM information_schema.schemata',
      finds: '"analytics"',
      format: 'JSONCompact',
    },
    'lists tables': {
      params: { default_format: 'TabSeparatedWithNamesAndTypes' },
      sql:
        'SELECT table_schema, table_name, table_type FROM information_schema.tables ' +
        "WHERE table_schema = 'analytics'",
      finds: 'analytics\tclicks\tVIEW\n',
      format: 'TabSeparatedWithNamesAndTypes',
    },
    'lists columns': {
      sql:
        'SELECT COLUMN_NAME, DATA_TYPE FROM INFORMATION_SCHEMA.COLUMNS ' +
        "WHERE TABLE_SCHEMA = 'analytics' AND TABLE_NAME = 'clicks' ORDER BY ORDINAL_POSITION",
      finds: 'click_id\tUUID\n',
    },
  }),
  ...sent('curl', {
    'counts as text': { sql: COUNT, finds: /^Reader 0\tCLICKS\n$/ },
    'counts by GET': { method: 'GET', params: { query: COUNT }, finds: /^Reader 0\tCLICKS\n$/ },
    'sends a form of its own accord': {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      sql: COUNT,
      finds: /^Reader 0\tCLICKS\n$/,
    },
    'with --compressed': {
      params: { enable_http_compression: '1' },
      headers: { 'Accept-Encoding': 'deflate, gzip, br, zstd' },
      sql: COUNT,
      finds: /^Reader 0\tCLICKS\n$/,
    },
    'reads Arrow': { sql: `${COUNT} FORMAT Arrow`, finds: /^ARROW1[^]*ARROW1$/, format: 'Arrow' },
  }),
  ...sent('.NET', {
    counts: {
      params: {
        enable_http_compression: 'true',
        default_format: 'RowBinaryWithNamesAndTypes',
        database: 'analytics',
        session_id: 'ado',
        session_timeout: '60',
        session_check: '1',
        buffer_size: '65536',
      },
      headers: { 'Accept-Encoding': 'gzip, deflate', 'Content-Type': 'text/sql' },
      sql: COUNT,
      finds: 'Reader 0',
      format: 'RowBinaryWithNamesAndTypes',
    },
  }),
];

export const CLIENT_REQUESTS: readonly ClientRequest[] = [
  ...clickhouseConnect,
  ...jdbcOld,
  ...jdbcNew,
  ...metabaseRequests,
  ...clickhouseGo,
  ...powerBi,
  ...tableauRequests,
  ...dbeaverRequests,
  ...sparkRequests,
  ...others,
];
