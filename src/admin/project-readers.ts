/** ClickHouse users that see one project: of the embedded engine in a table that it asks, of a server its own users. */
import { randomBytes } from 'node:crypto';
import { findReaderPlace, type ReaderEntry } from '../db/project-readers';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { newSecret } from '../secrets';
import { mustExist } from './service';

export interface Readers {
  readonly address: string;
  readonly embedded: boolean;
  readonly readers: ReaderEntry[];
}

export interface ProjectReaders {
  /** Where ClickHouse is, and the users that see the project. @throws ApiError 404 when there is no such project. */
  list(projectId: number): Promise<Readers>;
  /** @throws ApiError 404 when there is no such project, 409 when ClickHouse does not let the service make users. */
  create(projectId: number): Promise<{ user: string; password: string }>;
  /** @throws ApiError 404 when the project has no such user. */
  revoke(projectId: number, user: string): Promise<void>;
}

export function projectReaders(
  postgres: Postgres,
  clickhouse: ClickHouse,
  cluster: string | undefined,
  url: string,
): ProjectReaders {
  return {
    async list(projectId) {
      await mustExist(postgres, 'projects', projectId);
      const place = await findReaderPlace(clickhouse, cluster);
      const readers = await place.list(`reader_${projectId}_`);
      // The URL may hold the service's own password.
      return { address: new URL(url).origin, embedded: place.embedded, readers };
    },
    async create(projectId) {
      await mustExist(postgres, 'projects', projectId);
      const user = `reader_${projectId}_${randomBytes(4).toString('hex')}`;
      const password = newSecret('reader');
      await (await findReaderPlace(clickhouse, cluster)).add(user, projectId, password);
      return { user, password };
    },
    async revoke(projectId, user) {
      const place = await findReaderPlace(clickhouse, cluster);
      if (!new RegExp(`^reader_${projectId}_[0-9a-f]{8}$`).test(user) || !(await place.has(user)))
        throw new ApiError(404, 'Reader not found.');
      await place.remove(user, projectId);
    },
  };
}
