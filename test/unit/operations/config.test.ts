/** Every variable of the configuration: its default, what it takes, and the message when it is wrong. */
import path from 'node:path';
import { ConfigError, readConfig, refuseUnknownHosts, type Config } from '../../../src/config';

interface Variable {
  readonly name: string;
  readonly read: (config: Config) => unknown;
  readonly byDefault: unknown;
  readonly good: readonly (readonly [string, unknown])[];
  /** Values that are refused; none for a variable that takes any text. */
  readonly bad: readonly string[];
  /** What the message says that the variable takes. */
  readonly takes?: RegExp;
}

const limit = (name: string, read: (config: Config) => unknown, points: number, seconds: number): Variable => ({
  name,
  read,
  byDefault: { points, seconds },
  good: [
    ['1/1s', { points: 1, seconds: 1 }],
    ['250/60s', { points: 250, seconds: 60 }],
    ['off', null],
  ],
  bad: ['30', '30/s', '0/1s', '1/0s', '30/1m', '-1/1s', '1.5/1s', 'OFF', 'on', '30 / 1s', '1234567890/1s'],
  takes: /POINTS\/SECONDSs.*or off/,
});
const number = (
  name: string,
  read: (config: Config) => unknown,
  byDefault: unknown,
  min: number,
  max: number,
): Variable => ({
  name,
  read,
  byDefault,
  good: [
    [String(min), min],
    [String(max), max],
  ],
  bad: [String(max + 1), ...(min > 0 ? [String(min - 1)] : []), '-1', '1.5', '1e2', '0x10', 'abc', ' 1', 'NaN'],
  takes: new RegExp(`whole number from ${min} to ${max}`),
});
const flag = (name: string, read: (config: Config) => unknown, byDefault: boolean): Variable => ({
  name,
  read,
  byDefault,
  good: [
    ['true', true],
    ['false', false],
  ],
  bad: ['yes', '1', 'TRUE', 'on', 'truthy'],
  takes: /true or false/,
});
const anyText = (name: string, read: (config: Config) => unknown, byDefault: unknown): Variable => ({
  name,
  read,
  byDefault,
  good: [['some text', 'some text']],
  bad: [],
});

const VARIABLES: readonly Variable[] = [
  {
    ...anyText('HOST', (config) => config.host, '127.0.0.1'),
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
      ['localhost', 'localhost'],
    ],
  },
  number('PORT', (config) => config.port, 8080, 0, 65_535),
  {
    name: 'ROLES',
    read: (config) => [...config.roles],
    byDefault: ['api', 's2s', 'links', 'collect', 'attribution'],
    good: [
      ['s2s', ['s2s']],
      ['s2s,links', ['s2s', 'links']],
      [' api , s2s ', ['api', 's2s']],
      ['s2s,s2s', ['s2s']],
    ],
    bad: ['everything', 's2s,', 'S2S', 's2s;links', 's2s links'],
    takes: /comma-separated list of api, s2s, links, collect, attribution/,
  },
  number('WORKERS', (config) => config.workers, 1, 1, 256),
  {
    name: 'ATTRIBUTION_DECIDERS',
    read: (config) => config.deciders,
    byDefault: 1,
    good: [
      ['1', 1],
      ['4', 4],
    ],
    bad: ['0', '2', '5', '1.0', ' 4', 'four'],
    takes: /takes 1 or 4/,
  },
  {
    name: 'LOG_LEVEL',
    read: (config) => config.logLevel,
    byDefault: 'info',
    good: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    bad: ['INFO', 'verbose', '30'],
    takes: /one of trace, debug, info, warn, error, fatal, silent/,
  },
  {
    name: 'DATA_DIR',
    read: (config) => config.dataDir,
    byDefault: path.resolve('data'),
    good: [
      ['/srv/adtrail', '/srv/adtrail'],
      ['elsewhere', path.resolve('elsewhere')],
      ['/srv/../var/a', '/var/a'],
    ],
    bad: [],
  },
  {
    name: 'DATABASE_URL',
    read: (config) => config.databaseUrl,
    byDefault: undefined,
    good: [
      ['postgres://user:word@db:5432/adtrail', 'postgres://user:word@db:5432/adtrail'],
      ['postgresql://db/adtrail', 'postgresql://db/adtrail'],
    ],
    bad: ['mysql://db/adtrail', 'db:5432', 'not a url', 'http://db/adtrail'],
    takes: /URL that starts with postgres:\/\/ or postgresql:\/\//,
  },
  {
    name: 'CLICKHOUSE_URL',
    read: (config) => config.clickhouse.url,
    byDefault: undefined,
    good: [
      ['http://ch:8123', 'http://ch:8123'],
      ['https://ch.example:8443', 'https://ch.example:8443'],
    ],
    bad: ['clickhouse://ch:9000', 'ch:8123', 'tcp://ch', '//ch'],
    takes: /URL that starts with http:\/\/ or https:\/\//,
  },
  number('CLICKHOUSE_HTTP_PORT', (config) => config.clickhouse.httpPort, 8123, 0, 65_535),
  number('CLICKHOUSE_NICE', (config) => config.clickhouse.nice, 10, 0, 19),
  anyText('CLICKHOUSE_PASSWORD', (config) => config.clickhouse.password, undefined),
  anyText('CLICKHOUSE_READER_PASSWORD', (config) => config.clickhouse.readerPassword, undefined),
  flag('FSYNC', (config) => config.fsync, true),
  {
    name: 'ACCEPT_AFTER',
    read: (config) => config.ingest.acceptAfter,
    byDefault: 'log',
    good: [
      ['log', 'log'],
      ['clickhouse', 'clickhouse'],
    ],
    bad: ['LOG', 'disk', 'true'],
    takes: /one of log, clickhouse/,
  },
  {
    name: 'INGEST_LOG_DIR',
    read: (config) => config.ingest.folder,
    byDefault: path.resolve('data', 'ingest'),
    good: [['/srv/ingest', '/srv/ingest']],
    bad: [],
  },
  number('INGEST_LOG_MAX_MB', (config) => config.ingest.maxMb, 10_240, 1, 100_000_000),
  number('INGEST_GRACE', (config) => config.ingest.graceSeconds, 30, 2, 86_400),
  number('ACCEPT_TIMEOUT_MS', (config) => config.ingest.acceptTimeoutMs, 3_000, 100, 600_000),
  number('DERIVE_PAUSE_MS', (config) => config.derive.pauseMs, 150, 50, 60_000),
  number('DERIVE_MEMORY_MB', (config) => config.derive.memoryMb, 4_000, 500, 1_048_576),
  {
    name: 'CLICKHOUSE_CLUSTER',
    read: (config) => config.clickhouse.cluster,
    byDefault: undefined,
    good: [
      ['main', 'main'],
      ['_shards_2', '_shards_2'],
    ],
    bad: ["main'", 'my-cluster', '2shards', 'a b', 'a'.repeat(65)],
    takes: /letters, digits and underscores/,
  },
  {
    name: 'REDIS_URL',
    read: (config) => config.redisUrl,
    byDefault: undefined,
    good: [
      ['redis://cache:6379', 'redis://cache:6379'],
      ['rediss://:word@cache:6380/1', 'rediss://:word@cache:6380/1'],
    ],
    bad: ['cache:6379', 'http://cache', 'localhost'],
    takes: /URL that starts with redis:\/\/ or rediss:\/\//,
  },
  {
    name: 'ADMIN_TOKEN',
    read: (config) => config.adminToken,
    byDefault: undefined,
    good: [
      ['12345678901234567890', '12345678901234567890'],
      ['~!'.repeat(128), '~!'.repeat(128)],
    ],
    bad: [
      't',
      '12345678',
      'x'.repeat(19),
      'with a space in the token',
      'ünïcödé-token-of-the-tests',
      'x'.repeat(257),
      'tab\tinside-of-the-token',
    ],
    takes: /20 to 256 printable ASCII characters without spaces/,
  },
  number('TRUST_PROXY', (config) => config.trustProxy, 0, 0, 32),
  flag('S2S_ENABLED', (config) => config.s2sEnabled, true),
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    read: (config) => config.tracing,
    byDefault: undefined,
    good: [['http://collector:4318', { protocol: 'http/protobuf' }]],
    bad: ['collector:4318', 'grpc://collector:4317'],
    takes: /URL that starts with http:\/\/ or https:\/\//,
  },
  {
    name: 'OWN_HOSTS',
    read: (config) => config.ownHosts,
    byDefault: [],
    good: [
      ['a.example', ['a.example']],
      ['A.example., 10.0.0.7,[::1]', ['a.example', '10.0.0.7', '::1']],
    ],
    bad: ['a.example:80', 'http://a.example', 'x@a.example', 'a b', ','],
    takes: /comma-separated list of hosts/,
  },
  {
    name: 'DNS_SERVERS',
    read: (config) => config.dnsServers,
    byDefault: undefined,
    good: [['192.0.2.53,[2001:db8::53]:5353', ['192.0.2.53', '[2001:db8::53]:5353']]],
    bad: ['dns.example', '192.0.2.53:x', '192.0.2.53,,'],
    takes: /comma-separated list of addresses/,
  },
  {
    name: 'PUBLIC_URL',
    read: (config) => config.publicUrl,
    byDefault: undefined,
    good: [
      ['https://adtrail.acme.example', 'https://adtrail.acme.example'],
      ['http://10.0.0.1:8080/', 'http://10.0.0.1:8080'],
    ],
    bad: ['adtrail.acme.example', 'ftp://acme.example'],
    takes: /URL that starts with http:\/\/ or https:\/\//,
  },
  anyText('DATACENTER_RANGES', (config) => config.datacenterRanges, undefined),
  limit('LIMIT_DATA', (config) => config.limits.data, 30, 1),
  limit('LIMIT_MANAGEMENT', (config) => config.limits.management, 10, 1),
  limit('LIMIT_IP', (config) => config.limits.ip, 30, 1),
  limit('LIMIT_REPORTING', (config) => config.limits.reporting, 1, 60),
  limit('LIMIT_S2S_CAMPAIGN', (config) => config.limits.s2sCampaign, 2000, 1),
  limit('LIMIT_LINKS', (config) => config.limits.links, 50, 1),
  {
    name: 'OUTBOX_ALLOW_PRIVATE',
    read: (config) => config.outbox.allowPrivate,
    byDefault: [],
    good: [
      ['127.0.0.1/32', [{ address: '127.0.0.1', prefix: 32 }]],
      [
        '10.0.0.0/8, fd00::/8',
        [
          { address: '10.0.0.0', prefix: 8 },
          { address: 'fd00::', prefix: 8 },
        ],
      ],
    ],
    bad: ['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0/8', 'localhost/8', '10.0.0.0/8/8', '10.0.0.0/8,', 'all'],
    takes: /comma-separated list of networks/,
  },
  {
    name: 'OUTBOX_RETRIES',
    read: (config) => config.outbox.retries,
    byDefault: [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400],
    good: [
      ['1', [1]],
      ['10, 60', [10, 60]],
    ],
    bad: ['0', '-1', '1.5', '10;60', '10,', 'off', '12345678', Array(21).fill('1').join()],
    takes: /up to 20 waits in seconds/,
  },
  limit('LIMIT_SIGN_IN', (config) => config.limits.signIn, 10, 600),
  limit('LIMIT_PERSON', (config) => config.limits.person, 30, 1),
  limit('LIMIT_INVITATIONS', (config) => config.limits.invitations, 50, 3_600),
  limit('LIMIT_ADMIN', (config) => config.limits.admin, 300, 60),
  {
    name: 'QUOTA_COLLECT',
    read: (config) => config.limits.quotas,
    byDefault: { events: 50_000_000, entities: 10_000_000, eventsOfOne: 100_000 },
    good: [
      ['3,2,1', { events: 3, entities: 2, eventsOfOne: 1 }],
      ['off', null],
    ],
    bad: ['5', '5,5', '5,5,0', '5,5,5,5', '-1,5,5', '5,5,1.5', 'off,1,1'],
  },
  {
    name: 'LIMIT_COLLECT',
    read: (config) => config.limits.collect,
    byDefault: { key: { points: 200, seconds: 1 }, address: { points: 100, seconds: 1 } },
    good: [
      ['5/60s', { key: { points: 5, seconds: 60 }, address: { points: 5, seconds: 60 } }],
      ['5/60s,7/1s', { key: { points: 5, seconds: 60 }, address: { points: 7, seconds: 1 } }],
      ['off', { key: null, address: null }],
    ],
    bad: ['5', '5/60', '5/60s,', ',5/60s', '5/60s,7/1s,9/1s', '0/1s', 'off,5/1s'],
    takes: /POINTS\/SECONDSs for both scopes, two of them with a comma between, or off/,
  },
];

const messageFor = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'nothing was wrong';
};

describe.each(VARIABLES)('$name', ({ name, read, byDefault, good, bad, takes }) => {
  test('has its default, unset or empty', () => {
    expect(read(readConfig({}))).toEqual(byDefault);
    expect(read(readConfig({ [name]: '' }))).toEqual(byDefault);
  });

  test.each(good)('takes %j', (text, value) => {
    expect(read(readConfig({ [name]: text }))).toEqual(value);
  });

  if (takes) {
    test.each(bad)('refuses %j, and says what it takes', (text) => {
      const message = messageFor({ [name]: text });
      expect(message).toMatch(new RegExp(`^${name} takes `));
      expect(message).toMatch(takes);
      expect(message.split('\n')).toHaveLength(1);
    });
  }
});

test('what others reach knows its own hosts', () => {
  const start = (env: NodeJS.ProcessEnv) => () => refuseUnknownHosts(readConfig(env));
  for (const HOST of ['0.0.0.0', '::', '10.0.0.7', 'adtrail.example']) {
    expect(start({ HOST })).toThrow(`HOST ${HOST} is reached by others: set PUBLIC_URL`);
    expect(start({ HOST, PUBLIC_URL: 'http://adtrail.example' })).not.toThrow();
    expect(start({ HOST, OWN_HOSTS: '10.0.0.7' })).not.toThrow();
  }
  for (const HOST of ['127.0.0.1', 'localhost', '::1']) expect(start({ HOST })).not.toThrow();
  expect(readConfig({ PUBLIC_URL: 'https://A.example:8443/', OWN_HOSTS: 'b.example' }).ownHosts).toEqual([
    'a.example',
    'b.example',
  ]);
});

test('mail and a provider of identities need all that belongs to them', () => {
  const PUBLIC_URL = 'https://adtrail.acme.example';
  const mail = { SMTP_URL: 'smtp://mail:587', SMTP_FROM: 'adtrail@acme.example' };
  expect(readConfig({ ...mail, PUBLIC_URL }).mail).toEqual({ url: mail.SMTP_URL, from: mail.SMTP_FROM });
  expect(messageFor(mail)).toBe('SMTP_URL needs PUBLIC_URL and SMTP_FROM too');
  expect(messageFor({ SMTP_URL: mail.SMTP_URL, PUBLIC_URL })).toBe('SMTP_URL needs PUBLIC_URL and SMTP_FROM too');
  expect(readConfig({}).mail).toBeUndefined();
  const provider = { OIDC_ISSUER: 'https://id.acme.example', OIDC_CLIENT_ID: 'adtrail', OIDC_CLIENT_SECRET: 'secret' };
  expect(readConfig({ ...provider, PUBLIC_URL }).oidc).toEqual({
    issuer: 'https://id.acme.example',
    clientId: 'adtrail',
    clientSecret: 'secret',
    name: 'Single-sign-on',
  });
  expect(readConfig({ ...provider, PUBLIC_URL, OIDC_NAME: 'Acme' }).oidc?.name).toBe('Acme');
  expect(readConfig({}).oidc).toBeUndefined();
  for (const name of Object.keys(provider).slice(1))
    expect(messageFor({ ...provider, PUBLIC_URL, [name]: '' })).toMatch(/^OIDC_ISSUER needs /);
  expect(messageFor({ SMTP_URL: 'https://mail' })).toMatch(/^SMTP_URL takes /);
});

test('a bucket for backups needs both of its keys', () => {
  const keys = { BACKUP_S3_KEY: 'AKIA', BACKUP_S3_SECRET: 'secret' };
  const amazon = { endpoint: 'https://s3.amazonaws.com', region: 'us-east-1', key: 'AKIA', secret: 'secret' };
  expect(readConfig({}).backupS3).toBeUndefined();
  expect(readConfig(keys).backupS3).toEqual(amazon);
  const own = { BACKUP_S3_ENDPOINT: 'http://minio:9000', BACKUP_S3_REGION: 'eu-central-1' };
  expect(readConfig({ ...keys, ...own }).backupS3).toMatchObject({
    endpoint: 'http://minio:9000',
    region: 'eu-central-1',
  });
  for (const name of Object.keys(keys)) expect(messageFor({ ...keys, [name]: '' })).toMatch(/^BACKUP_S3_KEY needs /);
  expect(messageFor({ BACKUP_S3_ENDPOINT: 'minio:9000' })).toMatch(/^BACKUP_S3_ENDPOINT takes /);
});

test('scheduled exports go to a folder, and to buckets with both keys', () => {
  const pace = { byProjects: true, partRows: 1_000_000, keepSeconds: 86_400, checkSeconds: 900, turnSeconds: 3_600 };
  expect(readConfig({}).exports).toEqual({ folder: undefined, s3: undefined, ...pace });
  expect(readConfig({ EXPORT_DIR: 'out' }).exports.folder).toBe(path.resolve('out'));
  const keys = { EXPORT_S3_KEY: 'AKIA', EXPORT_S3_SECRET: 'secret' };
  const amazon = { endpoint: 'https://s3.amazonaws.com', region: 'us-east-1', key: 'AKIA', secret: 'secret' };
  expect(readConfig(keys).exports.s3).toEqual(amazon);
  for (const name of Object.keys(keys)) expect(messageFor({ ...keys, [name]: '' })).toMatch(/^EXPORT_S3_KEY needs /);
  for (const name of ['PART_ROWS', 'KEEP_SECONDS', 'CHECK_SECONDS', 'TURN_SECONDS'])
    expect(messageFor({ [`EXPORT_${name}`]: 'x' })).toMatch(new RegExp(`^EXPORT_${name} takes `));
});

test('every wrong variable is named, one a line', () => {
  const message = messageFor({ PORT: 'x', WORKERS: '0', S2S_ENABLED: 'maybe', HOST: '127.0.0.1' });
  expect(
    message
      .split('\n')
      .map((line) => line.split(' ')[0])
      .sort(),
  ).toEqual(['PORT', 'S2S_ENABLED', 'WORKERS']);
});

test('a message does not repeat the value, which may be a secret', () => {
  expect(messageFor({ ADMIN_TOKEN: 'my secret phrase' })).not.toContain('secret phrase');
  expect(messageFor({ DATABASE_URL: 'mysql://user:hunter22@db/x' })).not.toContain('hunter22');
});

test('the configuration cannot be changed, and does not read the environment of the process', () => {
  const config = readConfig({});
  expect(Object.isFrozen(config)).toBe(true);
  process.env.PORT = '9';
  try {
    expect(readConfig({}).port).toBe(8080);
  } finally {
    delete process.env.PORT;
  }
});

test('variables of other programs are nobody’s business', () => {
  expect(readConfig({ PATH: '/bin', NODE_ENV: 'anything', LIMIT: 'x' })).toEqual(readConfig({}));
});

test('spans are sent where there is an endpoint, and the SDK is not disabled', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';
  const tracing = (env: NodeJS.ProcessEnv) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...env }).tracing;
  expect(tracing({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })).toEqual({ protocol: 'http/json' });
  expect(tracing({ OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(tracing({ OTEL_SDK_DISABLED: 'false' })).toEqual({ protocol: 'http/protobuf' });
  expect(readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }).tracing).toBeUndefined();
  expect(messageFor({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toMatch(/takes one of http\/protobuf, http\/json$/);
  expect(messageFor({ OTEL_SDK_DISABLED: 'yes' })).toMatch(/takes true or false$/);
});
