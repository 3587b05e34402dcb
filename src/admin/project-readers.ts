/** ClickHouse users that see one project: of the embedded engine in a table that it asks, of a server its own users. */
import { randomBytes } from 'node:crypto';
import { projectReaderStatements } from '../db/reader';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import { ApiError } from '../errors';
import { newSecret, sha256 } from '../secrets';
import { mustExist } from './service';

export interface ProjectReaders {
  /** @throws ApiError 404 when there is no such project, 409 when ClickHouse does not let the service make users. */
  create(projectId: number): Promise<{ user: string; password: string }>;
  /** @throws ApiError 404 when the project has no such user. */
  revoke(projectId: number, user: string): Promise<void>;
}

const sql = (name: string) => readQuery('clickhouse', `project-readers.${name}`);
const texts = { find: sql('find'), findOnServer: sql('find-on-server'), isEmbedded: sql('is-embedded') };

interface Place {
  add(user: string, projectId: number, password: string): Promise<void>;
  has(user: string): Promise<boolean>;
  remove(user: string, projectId: number): Promise<void>;
}

export function projectReaders(
  postgres: Postgres,
  clickhouse: ClickHouse,
  cluster: string | undefined,
): ProjectReaders {
  const findPlace = async () => {
    const [row] = await clickhouse.rows<{ embedded: number }>(texts.isEmbedded);
    return row?.embedded ? inTable(clickhouse) : onServer(clickhouse, cluster);
  };
  return {
    async create(projectId) {
      await mustExist(postgres, 'projects', projectId);
      const user = `reader_${projectId}_${randomBytes(4).toString('hex')}`;
      const password = newSecret('reader');
      await (await findPlace()).add(user, projectId, password);
      return { user, password };
    },
    async revoke(projectId, user) {
      const place = await findPlace();
      if (!new RegExp(`^reader_${projectId}_[0-9a-f]{8}$`).test(user) || !(await place.has(user)))
        throw new ApiError(404, 'Reader not found.');
      await place.remove(user, projectId);
    },
  };
}

function inTable(clickhouse: ClickHouse): Place {
  const write = (row: object) =>
    clickhouse.insert('adtrail.project_readers', Object.keys(row), [JSON.stringify(Object.values(row))]);
  return {
    add: (user, project_id, password) => write({ user, project_id, sha256: sha256(password) }),
    has: async (user) => (await clickhouse.rows(texts.find, { user })).length > 0,
    remove: (user, project_id) => write({ user, project_id, sha256: '', is_deleted: 1 }),
  };
}

function onServer(clickhouse: ClickHouse, cluster: string | undefined): Place {
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await clickhouse.command(statement).catch(refused);
  };
  return {
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
