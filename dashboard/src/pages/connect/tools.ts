/**
 * How each tool is told where ClickHouse is and who asks: what the page shows, and what docs/guides/connect.md is
 * written from (test/unit/dashboard/connect-guide.test.ts).
 */
import { shellWord } from '../../shell';
import {
  LOAD_INTO_BIGQUERY,
  LOAD_INTO_SNOWFLAKE,
  READ_WITH_DUCKDB,
  READ_WITH_PANDAS,
  READ_WITH_POLARS,
  READ_WITH_SPARK,
} from './lakes';

/** Where ClickHouse is, and who asks. */
export interface Place {
  /** Scheme, host and port, without a slash at the end. */
  readonly address: string;
  readonly host: string;
  readonly port: string;
  readonly isSecure: boolean;
  readonly user: string;
  readonly password: string;
}

/** What is entered in a form, or pasted as it is. */
export type Step =
  | { readonly type: 'fields'; readonly fields: readonly (readonly [label: string, value: string])[] }
  | { readonly type: 'code'; readonly language: 'sh' | 'python' | 'sql' | 'text'; readonly code: string };

export const GROUPS = ['dashboards', 'desks', 'notebooks', 'files', 'shells'] as const;
export type Group = (typeof GROUPS)[number];

export interface ToolFacts {
  readonly name: string;
  readonly group: Group;
  /** Where in the tool the connection is made. */
  readonly where: string;
  /** The driver that asks, by which its statements are replayed in tests. */
  readonly asks: string;
  /** Whether the embedded ClickHouse is enough. */
  readonly engine: 'any' | 'server' | 'none';
  readonly steps: (place: Place) => readonly Step[];
  readonly notes: readonly string[];
}

export const DATABASE = 'analytics';
const NATIVE_PORTS = { plain: '9000', secure: '9440' } as const;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Statements of the snippets, which a test sends as they stand. */
export const EXAMPLES = {
  count: 'SELECT count() FROM installs',
  days: 'SELECT toDate(install_time) AS day, count() AS installs FROM installs GROUP BY day',
  arrow: 'SELECT install_time, campaign_name, rule FROM analytics.installs FORMAT Arrow',
  parquet: 'SELECT install_time, campaign_name, rule FROM analytics.installs FORMAT Parquet',
} as const;

export function readPlace(address: string, user: string, password: string): Place {
  const { protocol, hostname, port } = new URL(address);
  return {
    address,
    host: hostname,
    port: port || (DEFAULT_PORTS[protocol] as string),
    isSecure: protocol === 'https:',
    user,
    password,
  };
}

const code = (language: (Step & { type: 'code' })['language'], ...lines: readonly string[]): Step => ({
  type: 'code',
  language,
  code: lines.join('\n'),
});
const fields = (all: Readonly<Record<string, string>>): Step => ({ type: 'fields', fields: Object.entries(all) });
const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');
/** A text of Python or SQL. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const login = ({ user, password }: Place) => shellWord(`${user}:${password}`);
const jdbc = (place: Place) =>
  fields({ URL: `jdbc:clickhouse:${place.address}/${DATABASE}`, Username: place.user, Password: place.password });

const OWN_FILES = 'The files come from the service, whatever engine it has: Parquet of a scheduled export.';
const MOST_ROWS = 'A statement gives at most 10 million rows. For more, take files.';
const LAKE =
  'A scheduled export of Parquet is read by its manifests, by the day and by the hour alike, never by all files of ' +
  'its folder: those of the revision before stay for a day.';
const KEYS = 'Keys of the bucket come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION).';
const LOAD_AGAIN = 'Load a period again whenever written_at of its manifest has changed.';

export const TOOLS = {
  metabase: {
    name: 'Metabase',
    group: 'dashboards',
    where: 'Admin settings > Databases > Add database > ClickHouse',
    asks: 'Metabase',
    engine: 'any',
    steps: ({ host, port, isSecure, user, password }) => [
      fields({
        Host: host,
        Port: port,
        'Database name': DATABASE,
        Username: user,
        Password: password,
        'Use a secure connection (SSL)': onOff(isSecure),
      }),
    ],
    notes: [],
  },
  superset: {
    name: 'Superset',
    group: 'dashboards',
    where: 'Settings > Database connections > + Database > ClickHouse Connect, or SQLAlchemy URI',
    asks: 'clickhouse-connect',
    engine: 'any',
    steps: ({ host, port, isSecure, user, password }) => [
      code(
        'text',
        `clickhousedb://${user}:${encodeURIComponent(password)}@${host}:${port}/${DATABASE}` +
          (isSecure ? '?secure=true' : ''),
      ),
    ],
    notes: ['It needs pip install clickhouse-connect where Superset runs.'],
  },
  grafana: {
    name: 'Grafana',
    group: 'dashboards',
    where: 'Connections > Add new connection > ClickHouse (plug-in of Grafana Labs)',
    asks: 'clickhouse-go',
    engine: 'any',
    steps: ({ host, port, isSecure, user, password }) => [
      fields({
        'Server address': host,
        'Server port': port,
        Protocol: 'HTTP',
        'Secure connection': onOff(isSecure),
        Username: user,
        Password: password,
        'Default database': DATABASE,
      }),
    ],
    notes: [
      'The native protocol, its default, works with a server of yours alone. There, set the query timeout to 50 s: ' +
        'it adds five, and a server refuses more than 60.',
      'A dashboard for this plug-in is in deploy/grafana/adtrail-campaigns.json.',
      "Altinity's plug-in takes the same address with basic authentication.",
    ],
  },
  tableau: {
    name: 'Tableau',
    group: 'dashboards',
    where: 'Connect > To a server > ClickHouse JDBC by ClickHouse, with the JDBC driver 0.6',
    asks: 'Tableau',
    engine: 'any',
    steps: ({ host, port, isSecure, user, password }) => [
      fields({ Server: host, Port: port, Username: user, Password: password, SSL: onOff(isSecure) }),
    ],
    notes: [`Then choose the schema ${DATABASE}.`],
  },
  powerbi: {
    name: 'Power BI',
    group: 'dashboards',
    where: 'Get data > ClickHouse, with the ClickHouse ODBC driver (Unicode)',
    asks: 'ODBC (Power BI)',
    engine: 'any',
    steps: ({ host, port, isSecure, user, password }) => [
      fields({
        Server: host,
        Port: port,
        Database: DATABASE,
        ...(isSecure && { Options: 'SSLMode=require' }),
        'User name': user,
        Password: password,
      }),
    ],
    notes: ['Import is quicker than DirectQuery, which asks anew for each click.'],
  },
  dbeaver: {
    name: 'DBeaver',
    group: 'desks',
    where: 'New database connection > ClickHouse > Connect by URL',
    asks: 'DBeaver',
    engine: 'any',
    steps: (place) => [jdbc(place)],
    notes: [
      'Leave Read-only connection off: it sends SET, which users of this kind may not, and may not write anyway.',
    ],
  },
  datagrip: {
    name: 'DataGrip',
    group: 'desks',
    where: 'New > Data source > ClickHouse, connection type URL only',
    asks: 'JDBC 0.6',
    engine: 'any',
    steps: (place) => [jdbc(place)],
    notes: [`Choose ${DATABASE} under Schemas.`],
  },
  pandas: {
    name: 'pandas',
    group: 'notebooks',
    where: 'pip install clickhouse-connect pandas',
    asks: 'clickhouse-connect',
    engine: 'any',
    steps: ({ host, port, isSecure, user, password }) => [
      code(
        'python',
        'import clickhouse_connect',
        '',
        'client = clickhouse_connect.get_client(',
        `    host='${host}', port=${port}, secure=${isSecure ? 'True' : 'False'},`,
        `    username='${user}', password=${quoted(password)}, database='${DATABASE}')`,
        'days = client.query_df(',
        `    '${EXAMPLES.days}')`,
      ),
      code('python', ...READ_WITH_PANDAS),
    ],
    notes: [MOST_ROWS, LAKE, `That takes pip install pyarrow. ${KEYS}`],
  },
  polars: {
    name: 'polars',
    group: 'notebooks',
    where: 'pip install polars requests',
    asks: 'curl',
    engine: 'any',
    steps: ({ address, user, password }) => [
      code(
        'python',
        'import io, polars, requests',
        '',
        'answer = requests.post(',
        `    '${address}/', auth=('${user}', ${quoted(password)}),`,
        `    data='${EXAMPLES.arrow}')`,
        'answer.raise_for_status()',
        'installs = polars.read_ipc(io.BytesIO(answer.content))',
      ),
      code('python', ...READ_WITH_POLARS),
    ],
    notes: [MOST_ROWS, LAKE, `That takes pip install pyarrow. ${KEYS}`],
  },
  duckdb: {
    name: 'DuckDB',
    group: 'files',
    where: 'One statement is one file, which DuckDB reads; or the files of a scheduled export',
    asks: 'curl',
    engine: 'any',
    steps: (place) => [
      code(
        'sh',
        `curl -f ${shellWord(`${place.address}/`)} --user ${login(place)} -o installs.parquet \\`,
        `  --data ${shellWord(EXAMPLES.parquet)}`,
      ),
      code('sql', "SELECT rule, count(*) FROM read_parquet('installs.parquet') GROUP BY rule;"),
      code('sql', ...READ_WITH_DUCKDB),
    ],
    notes: ['UUIDs in the file of a statement are bytes: write toString(click_id). Those of exports are texts.', LAKE],
  },
  spark: {
    name: 'Spark',
    group: 'files',
    where: 'The files of a scheduled export, or ClickHouse by JDBC',
    asks: 'Spark by JDBC',
    engine: 'any',
    steps: ({ address, user, password }) => [
      code('python', ...READ_WITH_SPARK),
      code(
        'python',
        "spark.read.format('jdbc').options(",
        `    url='jdbc:clickhouse:${address}/${DATABASE}', dbtable='${DATABASE}.installs',`,
        `    user='${user}', password=${quoted(password)}, driver='com.clickhouse.jdbc.ClickHouseDriver').load()`,
      ),
    ],
    notes: [LAKE],
  },
  bigquery: {
    name: 'BigQuery',
    group: 'files',
    where: 'Load the files of a scheduled export',
    asks: 'nothing',
    engine: 'none',
    steps: () => [
      code('sh', ...LOAD_INTO_BIGQUERY.keys),
      code('text', ...LOAD_INTO_BIGQUERY.destination),
      code('sh', ...LOAD_INTO_BIGQUERY.table),
      code('sh', ...LOAD_INTO_BIGQUERY.period),
    ],
    notes: [
      OWN_FILES,
      "They reach Google's storage over its S3 interface: the keys of the first step are those of the destination in " +
        'the second. The third makes a table whose partition is the day of the export, and the fourth loads a day.',
      'By the hour the table has --time_partitioning_type=HOUR, the period is day=2026-11-01/hour=13 and its ' +
        'partition adtrail.installs$2026110113.',
      LOAD_AGAIN,
    ],
  },
  snowflake: {
    name: 'Snowflake',
    group: 'files',
    where: 'Load the files of a scheduled export, from a stage on its bucket',
    asks: 'nothing',
    engine: 'none',
    steps: () => [code('sql', ...LOAD_INTO_SNOWFLAKE.table), code('sql', ...LOAD_INTO_SNOWFLAKE.period)],
    notes: [
      OWN_FILES,
      'The first step makes stage and table, once; the second loads a day in place of what was loaded of it before. ' +
        'By the hour a period is day=2026-11-01/hour=13.',
      'With STORAGE_INTEGRATION in the place of CREDENTIALS Snowflake keeps no key.',
      LOAD_AGAIN,
    ],
  },
  curl: {
    name: 'curl',
    group: 'shells',
    where: 'Any HTTP client works',
    asks: 'curl',
    engine: 'any',
    steps: (place) => [
      code(
        'sh',
        `curl ${shellWord(`${place.address}/?database=${DATABASE}`)} --user ${login(place)} \\`,
        `  --data ${shellWord(EXAMPLES.count)}`,
      ),
    ],
    notes: [],
  },
  client: {
    name: 'clickhouse-client',
    group: 'shells',
    where: 'The native protocol, which the embedded ClickHouse does not speak',
    asks: 'native protocol',
    engine: 'server',
    steps: ({ host, isSecure, user, password }) => [
      code(
        'sh',
        `clickhouse-client --host ${host} --port ${isSecure ? NATIVE_PORTS.secure : NATIVE_PORTS.plain}` +
          `${isSecure ? ' --secure' : ''} \\`,
        `  --user ${user} --password ${shellWord(password)} --database ${DATABASE}`,
      ),
    ],
    notes: ['The native port is 9000, or 9440 with TLS, unless your server says otherwise.'],
  },
} as const satisfies Readonly<Record<string, ToolFacts>>;

export type Tool = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as Tool[];
export const readFacts = (tool: Tool): ToolFacts => TOOLS[tool];

export const GROUP_NAMES: Readonly<Record<Group, string>> = {
  dashboards: 'Dashboards',
  desks: 'SQL desks',
  notebooks: 'Notebooks',
  files: 'Files and warehouses',
  shells: 'Command line',
};

/** What the engine must be for a tool, in words. */
export const ENGINES: Readonly<Record<ToolFacts['engine'], string>> = {
  any: 'Works with the embedded ClickHouse and with a server of yours.',
  server: 'Needs a ClickHouse server of yours.',
  none: 'Needs no connection to ClickHouse.',
};

/** The tools in which a text is found: in name, kind, driver or what they are told. */
export function findTools(search: string): Tool[] {
  const part = search.trim().toLowerCase();
  return TOOL_NAMES.filter((tool) => {
    const { name, group, where, asks } = readFacts(tool);
    return [name, GROUP_NAMES[group], where, asks].some((text) => text.toLowerCase().includes(part));
  });
}

/** Brings the port of the embedded ClickHouse to the machine of who reads. */
export function buildTunnel(address: string, host: string): string {
  const { port } = new URL(address);
  return `ssh -N -L ${port}:127.0.0.1:${port} ${host}`;
}
