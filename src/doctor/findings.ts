/** What the facts mean, and what to do about it. */
import { describeUnreadable } from '../db/sealed-columns';
import { writeName } from '../lib/figures-text';
import { formatNodeName, type Clock, type Facts } from './facts';

/** `warning`: it still works, and will not for ever. `critical`: something is refused, late or lost. */
export type State = 'ok' | 'warning' | 'critical';

export interface Finding {
  readonly about: string;
  readonly state: State;
  readonly says: string;
  /** What to do; empty where nothing is. */
  readonly advice: string;
}

/** What the status of the installation says, as far as it is judged here (src/status/status.ts). */
export interface Status {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly required: boolean }[];
  readonly ingest: {
    readonly processes: readonly {
      readonly name: string;
      readonly host: string;
      readonly state: string;
      readonly backlog: readonly { readonly table: string; readonly records: number; readonly seconds: number }[];
    }[];
  };
  readonly decisions: { readonly undecided: number; readonly oldest_received_at: string | null };
  readonly derived_tables: readonly { readonly name: string; readonly lag_seconds: number }[];
  readonly quarantine: readonly { readonly worker: string; readonly state: string; readonly entities: number }[];
  readonly exports: {
    readonly state: State;
    readonly enabled: number;
    readonly failing: number;
    readonly late: number;
    readonly lag_seconds: number;
    readonly problems: readonly {
      readonly name: string;
      readonly project: string;
      readonly failing_since: string | null;
      readonly error: string | null;
    }[];
  };
}

const OLDEST_POSTGRES = 130_000;
const OLDEST_NODE = [20, 19];
/** The year that the version begins with, as in the embedded engine. */
const OLDEST_CLICKHOUSE = 26;
const CLOCK_MS = { warning: 1_000, critical: 30_000 };
/** A disk is short of room with less free than both the share and the bytes. */
const FREE = { warning: { share: 0.15, bytes: 10e9 }, critical: { share: 0.05, bytes: 1e9 } };
const CONNECTIONS_SHARE = 0.8;
const LAG_SECONDS = { warning: 120, critical: 1_800 };
const BACKLOG_SECONDS = { warning: 30, critical: 600 };
const UNDECIDED_MS = 300_000;

const ok = (about: string, says: string): Finding => ({ about, state: 'ok', says, advice: '' });
const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
const above = (value: number, { warning, critical }: { warning: number; critical: number }): State =>
  value >= critical ? 'critical' : value >= warning ? 'warning' : 'ok';

/** Every finding, what is in order included, in the order in which an operator would look. */
export function judge(facts: Facts, status: Status | undefined, now: number): Finding[] {
  return [
    ...engines(facts),
    ...clocks(facts),
    ...facts.disks.map(disk),
    ...storage(facts),
    ...(status ? [...ingest(status, facts), ...derived(status, now), scheduledExports(status)] : []),
    messages(facts),
    ...sealKey(facts),
  ];
}

function engines({ adtrail, node, postgres, clickhouse, nodes, redisAnswers }: Facts): Finding[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldest = 0, oldestMinor = 0] = OLDEST_NODE;
  const isOld = major < oldest || (major === oldest && minor < oldestMinor);
  return [
    {
      about: 'adtrail',
      state: isOld ? 'warning' : 'ok',
      says: `version ${adtrail} on Node ${node}`,
      advice: isOld ? `Use Node ${OLDEST_NODE.join('.')} or later.` : '',
    },
    postgres
      ? judgePostgres(postgres)
      : away('PostgreSQL', 'Administration and reports answer 503, ingest after 5 minutes.'),
    ...(clickhouse.length === 0
      ? [away('ClickHouse', 'Records wait in the ingest log, reports answer 503.')]
      : clickhouse.map((server) => judgeClickHouse(formatNodeName(server.node, clickhouse), server.version))),
    ...(clickhouse.length > 0 && clickhouse.length < nodes ? [nodesAway(clickhouse.length, nodes)] : []),
    ...(redisAnswers === undefined
      ? []
      : [redisAnswers ? ok('Redis', 'answers') : away('Redis', 'Each machine limits by itself.')]),
  ];
}

const away = (about: string, so: string): Finding => ({
  about,
  state: 'critical',
  says: 'does not answer',
  advice: `${so} Start it; what was accepted is kept.`,
});

const nodesAway = (answering: number, nodes: number): Finding => ({
  about: 'Cluster of ClickHouse',
  state: 'critical',
  says: `${answering} of ${nodes} nodes answer`,
  advice: 'Start the others: where a shard has no other replica, its records wait in the ingest log.',
});

function judgePostgres({
  version,
  version_number: number,
  connections,
  most_connections: most,
}: NonNullable<Facts['postgres']>) {
  const says = `version ${version}, ${connections} of ${most} connections`;
  if (number < OLDEST_POSTGRES)
    return { about: 'PostgreSQL', state: 'warning' as const, says, advice: 'Use version 13 or later.' };
  if (connections > most * CONNECTIONS_SHARE)
    return {
      about: 'PostgreSQL',
      state: 'warning' as const,
      says,
      advice: 'Raise max_connections: a process takes up to 10.',
    };
  return ok('PostgreSQL', says);
}

function judgeClickHouse(about: string, version: string): Finding {
  const isOld = Number(version.split('.')[0]) < OLDEST_CLICKHOUSE;
  const advice = isOld ? `Use version ${OLDEST_CLICKHOUSE} or later, as docker-compose.yml does.` : '';
  return { about, state: isOld ? 'warning' : 'ok', says: `version ${version}`, advice };
}

function clocks({ postgres, clickhouse }: Facts): Finding[] {
  const clock = (about: string, { aheadMs, uncertainMs }: Clock): Finding => {
    const off = Math.max(0, Math.abs(aheadMs) - uncertainMs);
    const state = above(off, CLOCK_MS);
    const says = off < 1 ? 'agrees with that of the service' : `is off that of the service by ${Math.round(off)} ms`;
    return { about, state, says, advice: state === 'ok' ? '' : 'Keep the machines in sync by NTP.' };
  };
  return [
    ...(postgres ? [clock('Clock of PostgreSQL', postgres)] : []),
    ...clickhouse.map((server) => clock(`Clock of ${formatNodeName(server.node, clickhouse)}`, server)),
  ];
}

function disk({ name, free, total }: Facts['disks'][number]): Finding {
  const isShort = ({ share, bytes }: { share: number; bytes: number }) => free < bytes && free < total * share;
  const state = isShort(FREE.critical) ? 'critical' : isShort(FREE.warning) ? 'warning' : 'ok';
  return {
    about: `Disk of ${name}`,
    state,
    says: `${gb(free)} free of ${gb(total)}`,
    advice: state === 'ok' ? '' : 'Make room or give it a larger disk; CLICKHOUSE_TTL_DAYS blanks old personal data.',
  };
}

function storage({ brokenParts, manyParts, longMutations }: Facts): Finding[] {
  const findings: Finding[] = [
    ...brokenParts.map(({ table, parts, names }) => ({
      about: `Parts of ${table}`,
      state: 'critical' as const,
      says: `${parts} are broken and set aside: ${names}`,
      advice: 'Their rows are missing: restore the table from a backup, then remove the folders in detached.',
    })),
    ...manyParts.map(({ table, parts }) => ({
      about: `Parts of adtrail.${table}`,
      state: 'warning' as const,
      says: `${parts} in one partition`,
      advice: 'Merges do not keep up with inserts: give ClickHouse more CPU or a faster disk.',
    })),
    ...longMutations.map(({ table, mutations, reason }): Finding => ({
      about: `Changes of adtrail.${table}`,
      state: reason === '' ? 'warning' : 'critical',
      says: `${mutations} have not ended${reason === '' ? '' : `: ${reason.slice(0, 200)}`}`,
      advice: 'Erasing persons waits for them: look into system.mutations.',
    })),
  ];
  return findings.length > 0 ? findings : [ok('Parts of ClickHouse', 'none is broken, merges keep up')];
}

function ingest({ ingest: { processes } }: Status, { rejectedFiles }: Facts): Finding[] {
  const rejected: Finding[] =
    rejectedFiles === 0
      ? []
      : [
          {
            about: 'Ingest log',
            state: 'critical',
            says: `${rejectedFiles} files of rows that ClickHouse refuses`,
            advice: 'They are in "rejected" of INGEST_LOG_DIR with their reasons; remove the files once dealt with.',
          },
        ];
  return [...processes.map(judgeProcess), ...rejected];
}

function judgeProcess({ name, host, state, backlog }: Status['ingest']['processes'][number]): Finding {
  const about = `Ingest log of ${name} on ${host}`;
  const records = backlog.reduce((sum, table) => sum + table.records, 0);
  const seconds = Math.max(0, ...backlog.map((table) => table.seconds));
  const says = records === 0 ? 'nothing waits' : `${records} records wait, the oldest for ${Math.round(seconds)} s`;
  if (state !== 'alive')
    return {
      about,
      state: 'critical',
      says: `left behind; ${says}`,
      advice: 'Start the process again, or, where its disk is lost, "adtrail ingest forget" it.',
    };
  const how = above(seconds, BACKLOG_SECONDS);
  const advice = 'ClickHouse is away or too slow: look at its load, and at the log for what it says.';
  return { about, state: how, says, advice: how === 'ok' ? '' : advice };
}

function derived({ decisions, derived_tables: tables, quarantine }: Status, now: number): Finding[] {
  const slow = tables.filter(({ lag_seconds: lag }) => lag >= LAG_SECONDS.warning);
  const { undecided, oldest_received_at: since } = decisions;
  const isLate = since !== null && now - Date.parse(since) > UNDECIDED_MS;
  const aside = quarantine.filter(({ state }) => state === 'set_aside');
  return [
    {
      about: 'Decisions',
      state: isLate ? 'critical' : 'ok',
      says: `${undecided} installs wait${since === null ? '' : ` since ${since}`}`,
      advice: isLate ? 'Run a process with the role attribution; the log says what fails.' : '',
    },
    ...(slow.length === 0 ? [ok('Derived tables', `${tables.length} are up to date`)] : []),
    ...slow.map(({ name, lag_seconds: lag }) => ({
      about: `Derived table ${name}`,
      state: above(lag, LAG_SECONDS),
      says: `is ${Math.round(lag)} s behind`,
      advice: 'After a large import or an upgrade it catches up by itself; else the log says what fails.',
    })),
    ...aside.map(({ worker, entities }) => ({
      about: `Quarantine of ${worker}`,
      state: 'critical' as const,
      says: `${entities} are set aside`,
      advice: 'GET /admin/v1/quarantine says why; give ClickHouse more memory and retry, or dismiss.',
    })),
  ];
}

function scheduledExports({ exports: { state, enabled, failing, late, lag_seconds: lag, problems } }: Status): Finding {
  const about = 'Scheduled exports';
  if (state === 'ok') return ok(about, `${enabled} are written in time`);
  const oldest = problems.find(({ failing_since: since }) => since !== null);
  const says = [
    `of ${enabled}, ${failing} fail and ${late} are late, the furthest by ${Math.round(lag)} s`,
    ...(oldest
      ? [`“${writeName(oldest.name)}” of ${writeName(oldest.project)} since ${oldest.failing_since}: ${oldest.error}`]
      : []),
  ];
  return {
    about,
    state,
    says: says.join('; '),
    advice: 'GET /admin/v1/projects/{id}/exports says which; look at keys, room and addresses of their destinations.',
  };
}

function sealKey({ unreadable }: Facts): Finding[] {
  if (unreadable === undefined) return [];
  if (unreadable.length === 0) return [ok('Seal key', 'opens everything that is sealed')];
  return [
    {
      about: 'Seal key',
      state: 'critical',
      says: `does not open ${describeUnreadable(unreadable)}`,
      advice:
        'Set SEAL_KEY, or DATA_DIR/seal-key, to the key that they were sealed with; where it is lost, ' +
        'docs/operations.md says how to replace them (The seal key).',
    },
  ];
}

function messages({ waitingMessages }: Facts): Finding {
  const [first] = waitingMessages;
  if (!first) return ok('Postbacks', 'none has waited for an hour');
  return {
    about: 'Postbacks',
    state: 'warning',
    says: waitingMessages
      .map(({ host, messages, seconds }) => `${messages} for ${host}, up to ${Math.round(seconds / 60)} minutes`)
      .join('; '),
    advice: 'Their receivers fail: the log of postbacks says with what.',
  };
}
