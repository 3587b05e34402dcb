/** Copies of the configuration in ClickHouse, by several processes: what is copied of a change, and what never is. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { ClickHouseConfigSync } from '../../../src/configuration/clickhouse-config-sync';
import type { ClickHouse } from '../../../src/db/clickhouse';
import type { Postgres, Queryable, Row } from '../../../src/db/postgres';
import { readQuery } from '../../../src/db/sql';
import { rounds } from '../../support/soak';

const REVISION = readQuery('sql', 'configuration.revision');
const PROJECTS = readQuery('sql', 'configuration.copied-projects');
const CAMPAIGNS = readQuery('sql', 'configuration.changed-campaigns');
const COPIED = readQuery('clickhouse', 'configuration.copied-revision');

interface Copy {
  readonly value: unknown;
  readonly revision: number;
}

/** The rows of PostgreSQL and ClickHouse in memory: names of projects, and of campaigns with their own revision. */
function createWorld() {
  const projects: Record<number, string> = { 1: 'a', 2: 'a', 3: 'a' };
  const campaigns: Record<number, Copy> = {};
  let revision = 0;
  const copies = new Map<string, Copy>();
  const inserted: string[] = [];
  let failing: 'before' | 'after' | undefined;
  let slowness = 0;

  /** What a transaction that begins now sees. */
  const look = (): Queryable => {
    const seen = {
      revision,
      projects: Object.entries(projects).map(([id, name]) => ({ project_id: Number(id), name })),
      campaigns: Object.entries(campaigns)
        .map(([id, { value, revision }]) => ({ campaign_id: Number(id), project_id: 1, name: value, revision }))
        .sort((a, b) => a.revision - b.revision),
    };
    return {
      rows: <T extends Row>(sql: string, [since]: readonly unknown[] = []): Promise<T[]> => {
        let rows: Row[] = [];
        if (sql === PROJECTS) rows = seen.projects;
        else if (sql === CAMPAIGNS) rows = seen.campaigns.filter((one) => one.revision >= Number(since));
        else if (sql === REVISION) rows = [{ revision: seen.revision }];
        return Promise.resolve(rows as T[]);
      },
    };
  };
  const postgres = {
    rows: (sql: string) => look().rows(sql),
    session<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
      let seen: Queryable | undefined;
      return work({ rows: (sql, values) => (seen ??= look()).rows(sql, values) });
    },
  } as unknown as Postgres;
  const clickhouse = {
    rows: (sql: string) => {
      const known = [...copies].filter(([key]) => key.startsWith('adtrail.campaigns ')).map(([, one]) => one.revision);
      return Promise.resolve(sql === COPIED ? [{ revision: Math.max(0, ...known) }] : []);
    },
    async insert(table: string, columns: readonly string[], lines: readonly string[]) {
      const fails = failing;
      failing = undefined;
      if (fails === 'before') throw new Error('not stored');
      const turns = slowness;
      slowness = 0;
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      for (const line of lines) {
        const row = JSON.parse(line) as unknown[];
        const at = (name: string) => row[columns.indexOf(name)];
        const key = `${table} ${String(row[0])}`;
        inserted.push(key);
        const revision = at('revision') as number;
        if (revision >= (copies.get(key)?.revision ?? 0)) copies.set(key, { value: at('name'), revision });
      }
      if (fails === 'after') throw new Error('stored, and nobody knows');
    },
  } as unknown as ClickHouse;

  return {
    inserted,
    /** The next insert fails, before or after the rows are stored. */
    failNext: (when?: 'before' | 'after') => (failing = when),
    /** The next insert takes a while, and others do not. */
    slowNext: () => (slowness = 10),
    nameProject: (id: number, name: string) => ((revision += 1), (projects[id] = name)),
    nameCampaign: (id: number, name: string) => (campaigns[id] = { value: name, revision: (revision += 1) }),
    startProcess: () => new ClickHouseConfigSync(postgres, clickhouse),
    configured: () =>
      Object.fromEntries([
        ...Object.entries(projects).map(([id, name]) => [`adtrail.projects ${id}`, name]),
        ...Object.entries(campaigns).map(([id, { value }]) => [`adtrail.campaigns ${id}`, value]),
      ]) as Record<string, unknown>,
    copied: () => Object.fromEntries([...copies].map(([key, { value }]) => [key, value])),
  };
}

test('a change copies what has changed', async () => {
  const world = createWorld();
  const process = world.startProcess();
  await process.sync();
  expect(world.inserted.splice(0)).toHaveLength(3);
  world.nameProject(2, 'b');
  await process.sync();
  expect(world.inserted.splice(0)).toEqual(['adtrail.projects 2']);
  world.nameCampaign(7, 'summer');
  await process.sync();
  expect(world.inserted.splice(0)).toEqual(['adtrail.campaigns 7']);
  await process.sync();
  expect(world.inserted).toEqual([]);
});

test('what another process has copied in between is set right', async () => {
  const world = createWorld();
  const [first, second] = [world.startProcess(), world.startProcess()];
  await first.sync();
  world.nameProject(2, 'b');
  await second.sync();
  world.nameProject(2, 'a');
  await first.sync();
  expect(world.copied()).toEqual(world.configured());
});

const id = fc.integer({ min: 1, max: 2 });
const name = fc.constantFrom('a', 'b');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ project: id, name }) },
  { weight: 1, arbitrary: fc.record({ campaign: id, name }) },
  { weight: 4, arbitrary: fc.record({ process: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ process: fc.nat(1), meanwhile: name }) },
  { weight: 1, arbitrary: fc.record({ process: fc.nat(1), fails: fc.constantFrom('before', 'after') }) },
  { weight: 1, arbitrary: fc.record({ restart: fc.nat(1) }) },
);

test('whoever copies, and whatever fails: after a copy ClickHouse has what was configured', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const world = createWorld();
      const processes = [world.startProcess(), world.startProcess()];
      for (const one of steps) {
        if ('project' in one) world.nameProject(one.project, one.name);
        else if ('campaign' in one) world.nameCampaign(one.campaign, one.name);
        else if ('restart' in one) processes[one.restart] = world.startProcess();
        else {
          const process = processes[one.process] as ClickHouseConfigSync;
          if ('fails' in one) {
            world.failNext(one.fails);
            await process.sync().catch(() => undefined);
            world.failNext();
          }
          if ('meanwhile' in one) world.slowNext();
          const running = process.sync();
          if ('meanwhile' in one) {
            await setImmediate();
            world.nameProject(1, one.meanwhile);
            await process.sync();
          }
          await running;
          expect(world.copied()).toEqual(world.configured());
        }
      }
    }),
    { numRuns: rounds(500, 5_000) },
  ));
