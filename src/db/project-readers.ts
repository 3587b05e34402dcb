/** Where ClickHouse users that see one project are: of the embedded engine in a table that it asks, else its own. */
import { ApiError } from '../errors';
import { hasName, type ErrorName } from '../lib/clickhouse-codes';
import { FILTERED_TABLES, projectFilters } from '../lib/project-only';
import { sha256 } from '../lib/secrets';
import type { ClickHouse } from './clickhouse';
import { projectReaderStatements, schemaGrants } from './reader';
import { readQuery } from './sql';

export interface ReaderEntry {
  readonly user: string;
  /** Null where ClickHouse does not tell. */
  readonly created_at: string | null;
}

/** A user whose account may be suspended: it is there, and does not come in. */
export interface ReaderState extends ReaderEntry {
  readonly suspended: boolean;
}

/** A user that is added again has the new password. */
export interface ReaderPlace {
  readonly embedded: boolean;
  /** @throws ApiError 409 when ClickHouse does not let the service make users. */
  add(user: string, projectId: number, password: string): Promise<void>;
  /** The users whose names begin so. @throws ApiError 409 as `add`. */
  list(prefix: string): Promise<ReaderState[]>;
  /** Keeps a user out, or lets it in again with the password that it had. */
  suspend(user: string, suspended: boolean): Promise<void>;
  /** Brings the settings of a user to what this version gives. */
  renew(user: string, projectId: number): Promise<void>;
  has(user: string): Promise<boolean>;
  remove(user: string, projectId: number): Promise<void>;
}

const texts = {
  find: readQuery('clickhouse', 'project-readers.find'),
  findOnServer: readQuery('clickhouse', 'project-readers.find-on-server'),
  list: readQuery('clickhouse', 'project-readers.list'),
  listOnServer: readQuery('clickhouse', 'project-readers.list-on-server'),
  suspend: readQuery('clickhouse', 'project-readers.suspend'),
  isEmbedded: readQuery('clickhouse', 'project-readers.is-embedded'),
};

/** What each ClickHouse has answered: it stays the one that it is. */
const known = new WeakMap<ClickHouse, boolean>();

/** Whether this is the embedded ClickHouse. */
export async function isEmbedded(clickhouse: ClickHouse): Promise<boolean> {
  const told = known.get(clickhouse);
  if (told !== undefined) return told;
  const [row] = await clickhouse.rows<{ embedded: number }>(texts.isEmbedded);
  const answer = Boolean(row?.embedded);
  known.set(clickhouse, answer);
  return answer;
}

/** Asks ClickHouse which of both it is. */
export const findReaderPlace = async (clickhouse: ClickHouse, cluster: string | undefined): Promise<ReaderPlace> =>
  (await isEmbedded(clickhouse)) ? inTable(clickhouse) : onServer(clickhouse, cluster);

type Entry = ReaderEntry & { suspended: number } & Record<string, unknown>;
const toState = ({ user, created_at, suspended }: Entry) => ({ user, created_at, suspended: suspended === 1 });

function inTable(clickhouse: ClickHouse): ReaderPlace {
  const write = (row: object) =>
    clickhouse.insert('adtrail.project_readers', Object.keys(row), [JSON.stringify(Object.values(row))]);
  return {
    embedded: true,
    list: async (prefix) => (await clickhouse.rows<Entry>(texts.list, { prefix })).map(toState),
    suspend: (user, suspended) => clickhouse.command(texts.suspend, { user, suspended: Number(suspended) }),
    // The engine gives every statement what this version knows.
    renew: () => Promise.resolve(),
    add: (user, project_id, password) => write({ user, project_id, sha256: sha256(password) }),
    has: async (user) => (await clickhouse.rows(texts.find, { user })).length > 0,
    remove: (user, project_id) => write({ user, project_id, sha256: '', is_deleted: 1 }),
  };
}

async function readFilters(clickhouse: ClickHouse, projectId: number): Promise<string> {
  const tables = await clickhouse.rows<{ full_name: string; has_project: number | boolean }>(FILTERED_TABLES);
  return projectFilters(
    tables.map(({ full_name, has_project }) => [full_name, Boolean(has_project)] as const),
    projectId,
  );
}

function onServer(clickhouse: ClickHouse, cluster: string | undefined): ReaderPlace {
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await clickhouse.command(statement).catch(refused);
  };
  return {
    embedded: false,
    list: async (prefix) => (await clickhouse.rows<Entry>(texts.listOnServer, { prefix }).catch(refused)).map(toState),
    suspend: (user, suspended) => run(projectReaderStatements.suspend(user, suspended, cluster)),
    async renew(user, projectId) {
      await run(projectReaderStatements.renew(user, await readFilters(clickhouse, projectId), cluster));
    },
    async add(user, projectId, password) {
      const filters = await readFilters(clickhouse, projectId);
      await run(projectReaderStatements.create(user, projectId, password, filters, cluster));
      // Where it may not grant this, the user is no less of use to those who write their own statements.
      await run(schemaGrants(user, cluster)).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
    },
    has: async (user) => (await clickhouse.rows(texts.findOnServer, { user }).catch(refused)).length > 0,
    remove: (user) => run(projectReaderStatements.revoke(user, cluster)),
  };
}

/** The service's user may not make users, or users cannot be made at all. */
const REFUSALS: ReadonlySet<ErrorName> = new Set(['ACCESS_DENIED', 'ACCESS_STORAGE_FOR_INSERTION_NOT_FOUND']);

function refused(error: unknown): never {
  if (hasName(error, REFUSALS)) throw new ApiError(409, 'ClickHouse does not let the service make users.');
  throw error;
}
