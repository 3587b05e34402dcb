/** Reads and checks the configuration; the only reader of process.env (docs/contract/running.md). */
import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import path from 'node:path';
import { EnvError, cleanEnv, makeValidator } from 'envalid';
import { LANE_LOCKS } from './db/advisory-lock';
import { readHost, type Host } from './http/host';
import { LOG_LEVELS, type LogLevel } from './lib/log';
import { PROCESS_ROLES, type ProcessRole } from './lib/process-roles';
import { isLoopback } from './net/loopback';
import { STORE_IP, type StoreIp } from './net/stored-ip';
import { parseUrl } from './lib/parse-url';

const ACCEPT_AFTER = ['log', 'clickhouse'] as const;
/** Where a record has to be before its request is answered: in the ingest log, or in ClickHouse too. */
export type AcceptAfter = (typeof ACCEPT_AFTER)[number];

const TRACING_PROTOCOLS = ['http/protobuf', 'http/json'] as const;
/** How spans are written. */
export type TracingProtocol = (typeof TRACING_PROTOCOLS)[number];

/** `points` requests in each window of `seconds`; null when the limit is off. */
export type Limit = { readonly points: number; readonly seconds: number } | null;

interface S3Keys {
  readonly endpoint: string;
  readonly region: string;
  readonly key: string;
  readonly secret: string;
}

export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What its button says. */
  readonly name: string;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly roles: ReadonlySet<ProcessRole>;
  /** HTTP worker processes; with 1 the main process serves alone. */
  readonly workers: number;
  /** How many deciders of installs run beside each other: 1, or one for each lane. */
  readonly deciders: number;
  readonly logLevel: LogLevel;
  readonly dataDir: string;
  /** Undefined: PostgreSQL is embedded. */
  readonly databaseUrl: string | undefined;
  readonly clickhouse: {
    /** Undefined: ClickHouse is embedded. */
    readonly url: string | undefined;
    readonly httpPort: number;
    /** Niceness of the embedded engine, 0 to 19: it gives way to requests where cores are scarce. */
    readonly nice: number;
    readonly password: string | undefined;
    /** The password of the user `reader`; undefined: generated. */
    readonly readerPassword: string | undefined;
    readonly cluster: string | undefined;
    /** Days after which personal data of touches is blanked; undefined: never. */
    readonly ttlDays: number | undefined;
  };
  /** FSYNC: what is accepted survives the loss of the machine's power; without it the death of any process. */
  readonly fsync: boolean;
  /** Where records go before they are in ClickHouse. */
  readonly ingest: {
    readonly folder: string;
    /** For all processes of this machine together. */
    readonly maxMb: number;
    /** What an answer waits for. */
    readonly acceptAfter: AcceptAfter;
    /** How long it waits for ClickHouse at most, in milliseconds. */
    readonly acceptTimeoutMs: number;
    /** A process that has told nothing for so long holds up no decision. */
    readonly graceSeconds: number;
  };
  /** Milliseconds between two looks for what derived tables have to take in, at least; MB that a statement may take. */
  readonly derive: { readonly pauseMs: number; readonly memoryMb: number };
  /** What is stored of IP addresses, and the secret of their hashes; undefined: made once into the data folder. */
  readonly storeIp: StoreIp;
  readonly ipHashSecret: string | undefined;
  readonly redisUrl: string | undefined;
  readonly adminToken: string | undefined;
  /** What secrets are sealed with at rest; undefined: made once into the data folder. */
  readonly sealKey: string | undefined;
  /** What they were sealed with before; undefined: nothing else. */
  readonly sealKeyBefore: string | undefined;
  readonly trustProxy: number;
  /** The address at which people reach the service, without a path; undefined: as each request has reached it. */
  readonly publicUrl: string | undefined;
  /** The hosts of PUBLIC_URL and OWN_HOSTS, at which the service itself is reached. */
  readonly ownHosts: readonly string[];
  /** DNS servers that domains are looked up by; undefined: those of the machine. */
  readonly dnsServers: readonly string[] | undefined;
  /** Undefined: links are shown to who makes them. */
  readonly mail: { readonly url: string; readonly from: string } | undefined;
  /** A provider of identities (OpenID Connect); undefined: people sign in with passwords only. */
  readonly oidc: OidcConfig | undefined;
  readonly s2sEnabled: boolean;
  readonly datacenterRanges: string | undefined;
  readonly limits: {
    readonly data: Limit;
    readonly management: Limit;
    readonly ip: Limit;
    readonly reporting: Limit;
    readonly query: Limit;
    readonly s2sCampaign: Limit;
    /** Trials of S2S requests, by partner. */
    readonly s2sTrial: Limit;
    /** For the collectors, without a server key. */
    readonly collect: { readonly key: Limit; readonly address: Limit };
    /** What a public key may send in a day; null for no bound. */
    readonly quotas: { readonly events: number; readonly entities: number; readonly eventsOfOne: number } | null;
    readonly links: Limit;
    /** For one person, under /admin/v1 and /auth/v1. */
    readonly person: Limit;
    /** Links that one person makes for others, and that are made for one account or partner. */
    readonly invitations: Limit;
    /** Connections of an address to a process at a time; undefined for any number. */
    readonly connections: number | undefined;
    /** Wrong admin tokens. */
    readonly admin: Limit;
    /** Wrong passwords, codes and links, by account and source address together. */
    readonly signIn: Limit;
  };
  readonly outbox: {
    /** Networks that are not public, and that messages may be sent to. */
    readonly allowPrivate: readonly Network[];
    /** Seconds to wait after each failed attempt; after the last one a message is given up. */
    readonly retries: readonly number[];
  };
  /** Folders of backups are this one or below it; undefined: there are none. */
  readonly backupDir: string | undefined;
  /** What backups at s3:// are written and read with; undefined: nobody. */
  readonly backupS3: S3Keys | undefined;
  /** Scheduled exports. */
  readonly exports: {
    /** Folders are this one or below it; undefined: there are none. */
    readonly folder: string | undefined;
    /** What the operator's exports to buckets are written with; undefined: there are none. */
    readonly s3: S3Keys | undefined;
    /** Whether projects declare some of their own. */
    readonly byProjects: boolean;
    /** Rows that a part may have, about. */
    readonly partRows: number;
    /** How long a former revision stays. */
    readonly keepSeconds: number;
    /** How often recent periods are compared with what was written. */
    readonly checkSeconds: number;
    /** How long one may take at a time. */
    readonly turnSeconds: number;
  };
  /** How spans are sent; undefined where they are not. */
  readonly tracing: { readonly protocol: TracingProtocol } | undefined;
  /** What one app report may cost in ClickHouse. */
  readonly report: { readonly seconds: number; readonly memoryMb: number };
}

/** A network, for example of address 10.0.0.0 and prefix 8. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
}

/** The configuration is wrong; `message` names every variable and what it takes. */
export class ConfigError extends Error {}

/** Where a generated password of ClickHouse's user `reader` is kept. */
export const readerPasswordFile = (dataDir: string) => path.join(dataDir, 'clickhouse-reader-password');

/** Where a generated key is kept that secrets are sealed with at rest. */
export const sealKeyFile = (dataDir: string) => path.join(dataDir, 'seal-key');

const integer = (min: number, max: number) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new EnvError(`takes a whole number from ${min} to ${max}`);
    return value;
  });

/** One decider for everything, or one for each lane of attribution. */
const deciders = makeValidator<number>((text) => {
  const counts = ['1', String(LANE_LOCKS.length)];
  if (!counts.includes(text)) throw new EnvError(`takes ${counts.join(' or ')}`);
  return Number(text);
});

const flag = makeValidator<boolean>((text) => {
  if (text !== 'true' && text !== 'false') throw new EnvError('takes true or false');
  return text === 'true';
});

const url = (...protocols: string[]) =>
  makeValidator<string>((text) => {
    if (!protocols.includes(parseUrl(text)?.protocol.slice(0, -1) ?? ''))
      throw new EnvError(`takes a URL that starts with ${protocols.map((p) => `${p}://`).join(' or ')}`);
    return text;
  });

// envalid takes null for a missing value: a limit that is off stays a word until the end.
const limit = makeValidator<NonNullable<Limit> | 'off'>((text) => {
  if (text === 'off') return text;
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,5})s$/.exec(text);
  if (!match) throw new EnvError('takes POINTS/SECONDSs, for example 30/1s, or off');
  return { points: Number(match[1]), seconds: Number(match[2]) };
});

const limitPair = makeValidator<readonly [NonNullable<Limit>, NonNullable<Limit>] | 'off'>((text) => {
  if (text === 'off') return text;
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,5})s(?:,([1-9]\d{0,8})\/([1-9]\d{0,5})s)?$/.exec(text);
  if (!match) throw new EnvError('takes POINTS/SECONDSs for both scopes, two of them with a comma between, or off');
  const [, points, seconds, otherPoints = points, otherSeconds = seconds] = match;
  return [
    { points: Number(points), seconds: Number(seconds) },
    { points: Number(otherPoints), seconds: Number(otherSeconds) },
  ];
});

const quota = makeValidator<readonly [number, number, number] | 'off'>((text) => {
  if (text === 'off') return text;
  const match = /^([1-9]\d{0,11}),([1-9]\d{0,11}),([1-9]\d{0,8})$/.exec(text);
  if (!match)
    throw new EnvError('takes EVENTS,ENTITIES,EVENTS_OF_ONE a day, for example 50000000,10000000,100000, or off');
  return [Number(match[1]), Number(match[2]), Number(match[3])];
});

const unlessOff = (value: NonNullable<Limit> | 'off'): Limit => (value === 'off' ? null : value);

const roles = makeValidator<ReadonlySet<ProcessRole>>((text) => {
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name): name is ProcessRole => (PROCESS_ROLES as readonly string[]).includes(name)))
    throw new EnvError(`takes a comma-separated list of ${PROCESS_ROLES.join(', ')}`);
  return new Set(names);
});

const text = makeValidator<string>((value) => value);

const token = makeValidator<string>((value) => {
  if (!/^[\x21-\x7e]{20,256}$/.test(value))
    throw new EnvError('takes 20 to 256 printable ASCII characters without spaces');
  return value;
});

const oneValue = <T extends string>(values: readonly T[]) =>
  makeValidator<T>((text) => {
    const value = values.find((one) => one === text);
    if (!value) throw new EnvError(`takes one of ${values.join(', ')}`);
    return value;
  });

const networks = makeValidator<readonly Network[]>((text) =>
  text.split(',').map((one) => {
    const [address = '', bits, ...more] = one.trim().split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const isNetwork = isIP(address) !== 0 && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= longest;
    if (!isNetwork || more.length > 0)
      throw new EnvError('takes a comma-separated list of networks, for example 10.0.0.0/8,fd00::/8');
    return { address, prefix: Number(bits) };
  }),
);

const hosts = makeValidator<readonly string[]>((text) => {
  const names = text.split(',').map((one) => readHost(one.trim()));
  if (!names.every((one): one is Host => one !== undefined && one.name === one.withPort.replace(/^\[|\]$/g, '')))
    throw new EnvError('takes a comma-separated list of hosts, for example adtrail.acme.example,10.0.0.7');
  return names.map(({ name }) => name);
});

const servers = makeValidator<readonly string[]>((text) => {
  const addresses = text.split(',').map((one) => one.trim());
  try {
    new Resolver().setServers(addresses);
  } catch {
    throw new EnvError('takes a comma-separated list of addresses, for example 192.0.2.53,192.0.2.54:5353');
  }
  return addresses;
});

const waits = makeValidator<readonly number[]>((text) => {
  const seconds = text.split(',').map((one) => one.trim());
  if (seconds.length > 20 || !seconds.every((one) => /^[1-9]\d{0,6}$/.test(one)))
    throw new EnvError('takes up to 20 waits in seconds, separated by commas, for example 10,60,300');
  return seconds.map(Number);
});

const identifier = makeValidator<string>((value) => {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value))
    throw new EnvError('takes a name of letters, digits and underscores');
  return value;
});

interface Sending {
  readonly PUBLIC_URL?: string;
  readonly SMTP_URL?: string;
  readonly SMTP_FROM?: string;
}

/** A mailed link must not lead where the sender of some request wants: the address is configured. */
function readMail({ PUBLIC_URL, SMTP_URL, SMTP_FROM }: Sending): Config['mail'] {
  if (!SMTP_URL) return undefined;
  if (!PUBLIC_URL || !SMTP_FROM) throw new ConfigError('SMTP_URL needs PUBLIC_URL and SMTP_FROM too');
  return { url: SMTP_URL, from: SMTP_FROM };
}

interface Hosts {
  readonly PUBLIC_URL?: string;
  readonly OWN_HOSTS?: readonly string[];
}

function readOwnHosts({ PUBLIC_URL, OWN_HOSTS = [] }: Hosts): readonly string[] {
  const known = PUBLIC_URL ? readHost(new URL(PUBLIC_URL).host) : undefined;
  return [...(known ? [known.name] : []), ...OWN_HOSTS];
}

/**
 * What others reach has to know its own hosts, or one of them could become a domain of a project: what requests say of
 * it their senders choose.
 *
 * @throws ConfigError
 */
export function refuseUnknownHosts({ host, ownHosts }: Config): void {
  if (ownHosts.length === 0 && !isLoopback(host))
    throw new ConfigError(
      `HOST ${host} is reached by others: set PUBLIC_URL to the address of the service, or OWN_HOSTS to its hosts`,
    );
}

/** A bucket of `BACKUP` or `EXPORT`, by its variables; undefined where there are no keys. */
function readS3(name: 'BACKUP' | 'EXPORT', env: Readonly<Record<string, unknown>>): S3Keys | undefined {
  const [endpoint, region, key, secret] = ['ENDPOINT', 'REGION', 'KEY', 'SECRET'].map(
    (one) => env[`${name}_S3_${one}`] as string,
  ) as [string, string, string, string];
  if (!key && !secret) return undefined;
  if (!key || !secret) throw new ConfigError(`${name}_S3_KEY needs ${name}_S3_SECRET, and the other way round`);
  return { endpoint, region, key, secret };
}

interface Provider {
  readonly PUBLIC_URL?: string;
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_CLIENT_SECRET?: string;
  readonly OIDC_NAME: string;
}

function readOidc(env: Provider): OidcConfig | undefined {
  const { PUBLIC_URL, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!issuer) return undefined;
  if (!clientId || !clientSecret || !PUBLIC_URL)
    throw new ConfigError('OIDC_ISSUER needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and PUBLIC_URL too');
  return { issuer, clientId, clientSecret, name: env.OIDC_NAME };
}

/**
 * Reads the environment into one frozen Config. A variable that is set but empty counts as unset.
 *
 * @throws ConfigError naming each wrong variable and what it takes.
 */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const env = cleanEnv(
    set,
    {
      HOST: text({ default: '127.0.0.1' }),
      PORT: integer(0, 65535)({ default: 8080 }),
      ROLES: roles({ default: new Set(PROCESS_ROLES) }),
      WORKERS: integer(1, 256)({ default: 1 }),
      ATTRIBUTION_DECIDERS: deciders({ default: 1 }),
      LOG_LEVEL: oneValue(LOG_LEVELS)({ default: 'info' }),
      DATA_DIR: text({ default: './data' }),
      DATABASE_URL: url('postgres', 'postgresql')({ default: undefined }),
      CLICKHOUSE_URL: url('http', 'https')({ default: undefined }),
      CLICKHOUSE_HTTP_PORT: integer(0, 65535)({ default: 8123 }),
      CLICKHOUSE_NICE: integer(0, 19)({ default: 10 }),
      CLICKHOUSE_PASSWORD: text({ default: undefined }),
      CLICKHOUSE_READER_PASSWORD: text({ default: undefined }),
      CLICKHOUSE_CLUSTER: identifier({ default: undefined }),
      CLICKHOUSE_TTL_DAYS: integer(1, 36500)({ default: undefined }),
      FSYNC: flag({ default: true }),
      ACCEPT_AFTER: oneValue(ACCEPT_AFTER)({ default: 'log' }),
      INGEST_LOG_DIR: text({ default: undefined }),
      INGEST_LOG_MAX_MB: integer(1, 100_000_000)({ default: 10_240 }),
      INGEST_GRACE: integer(2, 86_400)({ default: 30 }),
      ACCEPT_TIMEOUT_MS: integer(100, 600_000)({ default: 3_000 }),
      DERIVE_PAUSE_MS: integer(50, 60_000)({ default: 150 }),
      DERIVE_MEMORY_MB: integer(500, 1_048_576)({ default: 4_000 }),
      STORE_IP: oneValue(STORE_IP)({ default: 'full' }),
      IP_HASH_SECRET: text({ default: undefined }),
      REDIS_URL: url('redis', 'rediss')({ default: undefined }),
      ADMIN_TOKEN: token({ default: undefined }),
      SEAL_KEY: token({ default: undefined }),
      SEAL_KEY_BEFORE: token({ default: undefined }),
      TRUST_PROXY: integer(0, 32)({ default: 0 }),
      S2S_ENABLED: flag({ default: true }),
      DATACENTER_RANGES: text({ default: undefined }),
      LIMIT_DATA: limit({ default: { points: 30, seconds: 1 } }),
      LIMIT_MANAGEMENT: limit({ default: { points: 10, seconds: 1 } }),
      LIMIT_IP: limit({ default: { points: 30, seconds: 1 } }),
      LIMIT_REPORTING: limit({ default: { points: 1, seconds: 60 } }),
      LIMIT_QUERY: limit({ default: { points: 120, seconds: 60 } }),
      LIMIT_S2S_CAMPAIGN: limit({ default: { points: 2000, seconds: 1 } }),
      LIMIT_VALIDATE: limit({ default: { points: 20, seconds: 1 } }),
      // prettier-ignore
      LIMIT_COLLECT: limitPair({ default: [{ points: 200, seconds: 1 }, { points: 100, seconds: 1 }] }),
      QUOTA_COLLECT: quota({ default: [50_000_000, 10_000_000, 100_000] }),
      LIMIT_LINKS: limit({ default: { points: 50, seconds: 1 } }),
      MAX_CONNECTIONS: integer(0, 1_000_000)({ default: 4_000 }),
      LIMIT_PERSON: limit({ default: { points: 30, seconds: 1 } }),
      LIMIT_INVITATIONS: limit({ default: { points: 50, seconds: 3600 } }),
      LIMIT_ADMIN: limit({ default: { points: 300, seconds: 60 } }),
      LIMIT_SIGN_IN: limit({ default: { points: 10, seconds: 600 } }),
      PUBLIC_URL: url('http', 'https')({ default: undefined }),
      OWN_HOSTS: hosts({ default: undefined }),
      DNS_SERVERS: servers({ default: undefined }),
      SMTP_URL: url('smtp', 'smtps')({ default: undefined }),
      SMTP_FROM: text({ default: undefined }),
      OIDC_ISSUER: url('http', 'https')({ default: undefined }),
      OIDC_CLIENT_ID: text({ default: undefined }),
      OIDC_CLIENT_SECRET: text({ default: undefined }),
      OIDC_NAME: text({ default: 'Single-sign-on' }),
      OUTBOX_ALLOW_PRIVATE: networks({ default: undefined }),
      OUTBOX_RETRIES: waits({ default: [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400] }),
      BACKUP_DIR: text({ default: undefined }),
      BACKUP_S3_ENDPOINT: url('http', 'https')({ default: 'https://s3.amazonaws.com' }),
      BACKUP_S3_REGION: text({ default: 'us-east-1' }),
      BACKUP_S3_KEY: text({ default: undefined }),
      BACKUP_S3_SECRET: text({ default: undefined }),
      EXPORT_DIR: text({ default: undefined }),
      EXPORT_BY_PROJECTS: flag({ default: true }),
      EXPORT_S3_ENDPOINT: url('http', 'https')({ default: 'https://s3.amazonaws.com' }),
      EXPORT_S3_REGION: text({ default: 'us-east-1' }),
      EXPORT_S3_KEY: text({ default: undefined }),
      EXPORT_S3_SECRET: text({ default: undefined }),
      EXPORT_PART_ROWS: integer(1, 100_000_000)({ default: 1_000_000 }),
      EXPORT_KEEP_SECONDS: integer(0, 31_536_000)({ default: 86_400 }),
      EXPORT_CHECK_SECONDS: integer(1, 86_400)({ default: 900 }),
      EXPORT_TURN_SECONDS: integer(1, 86_400)({ default: 3_600 }),
      REPORT_SECONDS: integer(1, 25)({ default: 20 }),
      OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https')({ default: undefined }),
      OTEL_EXPORTER_OTLP_PROTOCOL: oneValue(TRACING_PROTOCOLS)({ default: 'http/protobuf' }),
      OTEL_SDK_DISABLED: flag({ default: false }),
      REPORT_MEMORY_MB: integer(1, 1048576)({ default: 2500 }),
    },
    {
      reporter: ({ errors }) => {
        const wrong = Object.entries(errors).map(([name, error]) => `${name} ${error?.message ?? 'is wrong'}`);
        if (wrong.length > 0) throw new ConfigError(wrong.join('\n'));
      },
    },
  );
  const [collectKey, collectAddress] = env.LIMIT_COLLECT === 'off' ? [null, null] : env.LIMIT_COLLECT;
  const [events, entities, eventsOfOne] = env.QUOTA_COLLECT === 'off' ? [] : env.QUOTA_COLLECT;
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    roles: env.ROLES,
    workers: env.WORKERS,
    deciders: env.ATTRIBUTION_DECIDERS,
    logLevel: env.LOG_LEVEL,
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    clickhouse: {
      url: env.CLICKHOUSE_URL,
      httpPort: env.CLICKHOUSE_HTTP_PORT,
      nice: env.CLICKHOUSE_NICE,
      password: env.CLICKHOUSE_PASSWORD,
      readerPassword: env.CLICKHOUSE_READER_PASSWORD,
      cluster: env.CLICKHOUSE_CLUSTER,
      ttlDays: env.CLICKHOUSE_TTL_DAYS,
    },
    fsync: env.FSYNC,
    ingest: {
      folder: path.resolve(env.INGEST_LOG_DIR ?? path.join(env.DATA_DIR, 'ingest')),
      maxMb: env.INGEST_LOG_MAX_MB,
      acceptAfter: env.ACCEPT_AFTER,
      acceptTimeoutMs: env.ACCEPT_TIMEOUT_MS,
      graceSeconds: env.INGEST_GRACE,
    },
    derive: { pauseMs: env.DERIVE_PAUSE_MS, memoryMb: env.DERIVE_MEMORY_MB },
    storeIp: env.STORE_IP,
    ipHashSecret: env.IP_HASH_SECRET,
    redisUrl: env.REDIS_URL,
    adminToken: env.ADMIN_TOKEN,
    sealKey: env.SEAL_KEY,
    sealKeyBefore: env.SEAL_KEY_BEFORE,
    trustProxy: env.TRUST_PROXY,
    publicUrl: env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin,
    ownHosts: readOwnHosts(env),
    dnsServers: env.DNS_SERVERS,
    mail: readMail(env),
    oidc: readOidc(env),
    s2sEnabled: env.S2S_ENABLED,
    datacenterRanges: env.DATACENTER_RANGES,
    limits: {
      data: unlessOff(env.LIMIT_DATA),
      management: unlessOff(env.LIMIT_MANAGEMENT),
      ip: unlessOff(env.LIMIT_IP),
      reporting: unlessOff(env.LIMIT_REPORTING),
      query: unlessOff(env.LIMIT_QUERY),
      s2sCampaign: unlessOff(env.LIMIT_S2S_CAMPAIGN),
      s2sTrial: unlessOff(env.LIMIT_VALIDATE),
      collect: { key: collectKey, address: collectAddress },
      quotas: events && entities && eventsOfOne ? { events, entities, eventsOfOne } : null,
      links: unlessOff(env.LIMIT_LINKS),
      person: unlessOff(env.LIMIT_PERSON),
      invitations: unlessOff(env.LIMIT_INVITATIONS),
      admin: unlessOff(env.LIMIT_ADMIN),
      // Behind a proxy every connection is the proxy's.
      connections: env.TRUST_PROXY > 0 ? undefined : env.MAX_CONNECTIONS || undefined,
      signIn: unlessOff(env.LIMIT_SIGN_IN),
    },
    outbox: { allowPrivate: env.OUTBOX_ALLOW_PRIVATE ?? [], retries: env.OUTBOX_RETRIES },
    backupDir: env.BACKUP_DIR && path.resolve(env.BACKUP_DIR),
    backupS3: readS3('BACKUP', env),
    exports: {
      folder: env.EXPORT_DIR && path.resolve(env.EXPORT_DIR),
      s3: readS3('EXPORT', env),
      byProjects: env.EXPORT_BY_PROJECTS,
      partRows: env.EXPORT_PART_ROWS,
      keepSeconds: env.EXPORT_KEEP_SECONDS,
      checkSeconds: env.EXPORT_CHECK_SECONDS,
      turnSeconds: env.EXPORT_TURN_SECONDS,
    },
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_SDK_DISABLED
        ? { protocol: env.OTEL_EXPORTER_OTLP_PROTOCOL }
        : undefined,
    report: { seconds: env.REPORT_SECONDS, memoryMb: env.REPORT_MEMORY_MB },
  });
}
