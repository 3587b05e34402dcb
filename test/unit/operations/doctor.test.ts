/** What facts the doctor finds fault with, and that it says what to do. */
import { judge, type Status } from '../../../src/doctor/findings';
import type { Facts } from '../../../src/doctor/facts';

const NOW = Date.UTC(2026, 2, 1);
const GB = 1e9;
const clock = { clock: NOW, aheadMs: 3, uncertainMs: 5 };
const postgres = { version: '16.4', version_number: 160_004, connections: 12, most_connections: 100, ...clock };
const server = { node: 'n1', version: '26.7.2.1', ...clock };
const GOOD: Facts = {
  adtrail: '0.3.0',
  node: '26.1.0',
  postgres,
  clickhouse: [server],
  nodes: 1,
  redisAnswers: true,
  disks: [{ name: 'DATA_DIR', free: 50 * GB, total: 100 * GB }],
  brokenParts: [],
  manyParts: [],
  longMutations: [],
  waitingMessages: [],
  unreadable: [],
  rejectedFiles: 0,
};
const process = { name: 'a-process', host: 'box', state: 'alive', backlog: [] };
const STATUS: Status = {
  ready: true,
  checks: [],
  ingest: { processes: [process] },
  decisions: { undecided: 0, oldest_received_at: null },
  derived_tables: [{ name: 'touches', lag_seconds: 1 }],
  quarantine: [],
  exports: { state: 'ok', enabled: 2, failing: 0, late: 0, lag_seconds: 4, problems: [] },
};
const faults = (facts: Partial<Facts>, status: Partial<Status> = {}) =>
  judge({ ...GOOD, ...facts }, { ...STATUS, ...status }, NOW).filter(({ state }) => state !== 'ok');

test('an installation that is well has findings, and no advice', () => {
  const findings = judge(GOOD, STATUS, NOW);
  expect(findings.length).toBeGreaterThan(8);
  expect(findings.filter(({ state, advice }) => state !== 'ok' || advice !== '')).toEqual([]);
});

const backlog = (seconds: number) => ({
  ingest: { processes: [{ ...process, backlog: [{ table: 'clicks', records: 7, seconds }] }] },
});
const CASES: [string, Partial<Facts>, Partial<Status>, string, 'warning' | 'critical', RegExp][] = [
  ['an old Node', { node: '20.18.9' }, {}, 'adtrail', 'warning', /Node 20\.19/],
  ['PostgreSQL away', { postgres: undefined }, {}, 'PostgreSQL', 'critical', /Start it/],
  ['an old PostgreSQL', { postgres: { ...postgres, version_number: 120_009 } }, {}, 'PostgreSQL', 'warning', /13/],
  ['connections', { postgres: { ...postgres, connections: 81 } }, {}, 'PostgreSQL', 'warning', /max_connections/],
  ['ClickHouse away', { clickhouse: [] }, {}, 'ClickHouse', 'critical', /Start it/],
  ['an old ClickHouse', { clickhouse: [{ ...server, version: '25.8.1.1' }] }, {}, 'ClickHouse', 'warning', /26/],
  [
    'a node away',
    { clickhouse: [server, { ...server, node: 'n2' }], nodes: 3 },
    {},
    'Cluster of ClickHouse',
    'critical',
    /no other replica/,
  ],
  [
    'an old node',
    { clickhouse: [server, { ...server, node: 'n2', version: '25.8.1.1' }], nodes: 2 },
    {},
    'ClickHouse on n2',
    'warning',
    /26/,
  ],
  ['Redis away', { redisAnswers: false }, {}, 'Redis', 'critical', /limits by itself/],
  ['a clock', { postgres: { ...postgres, aheadMs: -2_000 } }, {}, 'Clock of PostgreSQL', 'warning', /NTP/],
  [
    'a clock of a minute',
    { clickhouse: [{ ...server, aheadMs: 60_000 }] },
    {},
    'Clock of ClickHouse',
    'critical',
    /NTP/,
  ],
  [
    'a full disk',
    { disks: [{ name: 'DATA_DIR', free: 0.5 * GB, total: 100 * GB }] },
    {},
    'Disk of DATA_DIR',
    'critical',
    /room/,
  ],
  ['a fuller disk', { disks: [{ name: 'x', free: 5 * GB, total: 100 * GB }] }, {}, 'Disk of x', 'warning', /room/],
  [
    'broken parts',
    { brokenParts: [{ table: 'adtrail.clicks', parts: 1, names: 'all_1_1_0' }] },
    {},
    'Parts of adtrail.clicks',
    'critical',
    /backup/,
  ],
  ['many parts', { manyParts: [{ table: 'clicks', parts: 500 }] }, {}, 'Parts of adtrail.clicks', 'warning', /Merges/],
  [
    'a change that fails',
    { longMutations: [{ table: 'clicks', mutations: 1, reason: 'no memory' }] },
    {},
    'Changes of adtrail.clicks',
    'critical',
    /system\.mutations/,
  ],
  ['rows set aside', { rejectedFiles: 2 }, {}, 'Ingest log', 'critical', /rejected/],
  ['a backlog', {}, backlog(45), 'Ingest log of a-process on box', 'warning', /too slow/],
  ['a long backlog', {}, backlog(700), 'Ingest log of a-process on box', 'critical', /too slow/],
  [
    'a process that is gone',
    {},
    { ingest: { processes: [{ ...process, state: 'left_behind' }] } },
    'Ingest log of a-process on box',
    'critical',
    /ingest forget/,
  ],
  [
    'nobody decides',
    {},
    { decisions: { undecided: 3, oldest_received_at: new Date(NOW - 600_000).toISOString() } },
    'Decisions',
    'critical',
    /role attribution/,
  ],
  [
    'a table that lags',
    {},
    { derived_tables: [{ name: 'touches', lag_seconds: 200 }] },
    'Derived table touches',
    'warning',
    /catches up/,
  ],
  [
    'quarantine',
    {},
    { quarantine: [{ worker: 'web-visitors', state: 'set_aside', entities: 4 }] },
    'Quarantine of web-visitors',
    'critical',
    /retry/,
  ],
  [
    'an export that fails',
    {},
    {
      exports: {
        ...STATUS.exports,
        state: 'warning',
        failing: 1,
        problems: [
          { name: 'Clicks', project: 'Shop', failing_since: '2026-02-28T23:00:00.000Z', error: 'AccessDenied' },
        ],
      },
    },
    'Scheduled exports',
    'warning',
    /keys, room and addresses/,
  ],
  [
    'postbacks that wait',
    { waitingMessages: [{ host: 'partner.example', messages: 9, seconds: 7_200 }] },
    {},
    'Postbacks',
    'warning',
    /receivers/,
  ],
];
test.each(CASES)('%s', (_, facts, status, about, state, advice) => {
  expect(faults(facts, status)).toEqual([
    { about, state, says: expect.any(String) as string, advice: expect.stringMatching(advice) as string },
  ]);
});

test('a small disk with room, and a large one with a small share of it, are well', () => {
  expect(faults({ disks: [{ name: 'small', free: 4 * GB, total: 8 * GB }] })).toEqual([]);
  expect(faults({ disks: [{ name: 'large', free: 200 * GB, total: 8_000 * GB }] })).toEqual([]);
});

test('while the engines are away, what is known is said', () => {
  const findings = judge({ ...GOOD, postgres: undefined, clickhouse: [] }, undefined, NOW);
  expect(findings.filter(({ state }) => state === 'critical').map(({ about }) => about)).toEqual([
    'PostgreSQL',
    'ClickHouse',
  ]);
});
