/** Where ClickHouse users that see one project are: of the embedded engine in a table that it asks, else its own. */
import { ApiError } from '../errors';
import { sha256 } from '../secrets';
import type { ClickHouse } from './clickhouse';
import { projectReaderStatements } from './reader';
import { readQuery } from './sql';

export interface ReaderEntry {
  readonly user: string;
  /** Null where ClickHouse does not tell. */
  readonly created_at: string | null;
}

/** A user that is added again has the new password. */
export interface ReaderPlace {
  readonly embedded: boolean;
  /** @throws ApiError 409 when ClickHouse does not let the service make users. */
  add(user: string, projectId: number, password: string): Promise<void>;
  /** The users whose names begin so. @throws ApiError 409 as `add`. */
  list(prefix: string): Promise<ReaderEntry[]>;
  has(user: string): Promise<boolean>;
  remove(user: string, projectId: number): Promise<void>;
}

const sql = (name: string) => readQuery('clickhouse', `project-readers.${name}`);
const texts = {
  find: sql('find'),
  findOnServer: sql('find-on-server'),
  list: sql('list'),
  listOnServer: sql('list-on-server'),
  isEmbedded: sql('is-embedded'),
};

/** Whether this is the embedded ClickHouse. */
export async function isEmbedded(clickhouse: ClickHouse): Promise<boolean> {
  const [row] = await clickhouse.rows<{ embedded: number }>(texts.isEmbedded);
  return Boolean(row?.embedded);
}

/** Asks ClickHouse which of both it is. */
export const findReaderPlace = async (clickhouse: ClickHouse, cluster: string | undefined): Promise<ReaderPlace> =>
  (await isEmbedded(clickhouse)) ? inTable(clickhouse) : onServer(clickhouse, cluster);

type Entry = ReaderEntry & Record<string, unknown>;

function inTable(clickhouse: ClickHouse): ReaderPlace {
  const write = (row: object) =>
    clickhouse.insert('adtrail.project_readers', Object.keys(row), [JSON.stringify(Object.values(row))]);
  return {
    embedded: true,
    list: (prefix) => clickhouse.rows<Entry>(texts.list, { prefix }),
    add: (user, project_id, password) => write({ user, project_id, sha256: sha256(password) }),
    has: async (user) => (await clickhouse.rows(texts.find, { user })).length > 0,
    remove: (user, project_id) => write({ user, project_id, sha256: '', is_deleted: 1 }),
  };
}

function onServer(clickhouse: ClickHouse, cluster: string | undefined): ReaderPlace {
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await clickhouse.command(statement).catch(refused);
  };
  return {
    embedded: false,
    list: (prefix) => clickhouse.rows<Entry>(texts.listOnServer, { prefix }).catch(refused),
    add: (user, projectId, password) => run(projectReaderStatements.create(user, projectId, password, cluster)),
    has: async (user) => (await clickhouse.rows(texts.findOnServer, { user }).catch(refused)).length > 0,
    remove: (user) => run(projectReaderStatements.revoke(user, cluster)),
  };
}

/** Codes of what ClickHouse says when the service's user may not make users, or users cannot be made at all. */
const REFUSALS = new Set(['497', '514']);

function refused(error: unknown): never {
  if (REFUSALS.has((error as { code?: string }).code ?? ''))
    throw new ApiError(409, 'ClickHouse does not let the service make users.');
  throw error;
}
