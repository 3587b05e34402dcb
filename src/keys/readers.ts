/** ClickHouse users that see one project: of the embedded engine in a table that it asks, of a server its own users. */
import { randomBytes } from 'node:crypto';
import { changeAs, type Actor } from '../configuration/change';
import { mustExist } from '../configuration/must-exist';
import { findReaderPlace, type ReaderEntry, type ReaderPlace } from '../db/project-readers';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { rolesWith } from '../http/permissions';
import { newSecret } from '../lib/secrets';
import * as queries from './queries';

export interface Readers {
  readonly address: string;
  readonly embedded: boolean;
  readonly readers: ReaderEntry[];
}

export interface ProjectReaders {
  /** Where ClickHouse is, and the users that see the project. @throws ApiError 404 when there is no such project. */
  list(projectId: number): Promise<Readers>;
  /** @throws ApiError 404 when there is no such project, 409 when ClickHouse does not let the service make users. */
  create(actor: Actor, projectId: number): Promise<{ user: string; password: string }>;
  /** @throws ApiError 404 when the project has no such user. */
  revoke(actor: Actor, projectId: number, user: string): Promise<void>;
  /**
   * Brings the users to what the configuration says: those end that have lost their maker, and those of suspended
   * accounts do not come in.
   */
  sync(): Promise<void>;
}

/** Users that were made here; whose project it is stands in their name. */
const NAME = /^reader_(\d{1,9})_[0-9a-f]{8}$/;

export function projectReaders(
  postgres: Postgres,
  clickhouse: ClickHouse,
  cluster: string | undefined,
  url: string,
): ProjectReaders {
  let isRenewed = false;
  /** Once per start: users that an earlier version made have what it knew of. */
  async function renew(place: ReaderPlace): Promise<void> {
    if (isRenewed) return;
    for (const { user } of [...(await place.list('reader_')), ...(await place.list('console_'))]) {
      const projectId = /^(?:reader|console)_(\d{1,9})_[0-9a-f]{8}$/.exec(user)?.[1];
      if (projectId !== undefined) await place.renew(user, Number(projectId));
    }
    isRenewed = true;
  }
  async function bringUpTo(place: ReaderPlace): Promise<void> {
    const there = (await place.list('reader_')).filter(({ user }) => NAME.test(user));
    if (there.length === 0) return;
    const names = there.map(({ user }) => user);
    const projects = names.map((name) => Number(NAME.exec(name)?.[1]));
    for (const { name, project_id, ended, suspended } of await queries.readReaders(
      postgres,
      names,
      projects,
      rolesWith('connections'),
    )) {
      const isSuspended = there.find(({ user }) => user === name)?.suspended;
      if (ended) await place.remove(name, project_id);
      else if (suspended !== isSuspended) await place.suspend(name, suspended);
    }
  }
  return {
    async list(projectId) {
      await mustExist(postgres, 'projects', projectId);
      const place = await findReaderPlace(clickhouse, cluster);
      const there = await place.list(`reader_${projectId}_`);
      const readers = there.map(({ user, created_at }) => ({ user, created_at }));
      // The URL may hold the service's own password.
      return { address: new URL(url).origin, embedded: place.embedded, readers };
    },
    async create(actor, projectId) {
      await mustExist(postgres, 'projects', projectId);
      const user = `reader_${projectId}_${randomBytes(4).toString('hex')}`;
      const password = newSecret('reader');
      const place = await findReaderPlace(clickhouse, cluster);
      await changeAs(postgres, actor, async (db) => {
        await queries.createReader(db, user, projectId, actor.userId ?? null);
        await place.add(user, projectId, password);
      });
      // Before anybody knows the password: the account may be suspended, and the maker no member any more.
      await bringUpTo(place);
      return { user, password };
    },
    async revoke(actor, projectId, user) {
      const place = await findReaderPlace(clickhouse, cluster);
      if (Number(NAME.exec(user)?.[1]) !== projectId || !(await place.has(user)))
        throw new ApiError(404, 'Reader not found.');
      await changeAs(postgres, actor, (db) => queries.endReader(db, user));
      await place.remove(user, projectId);
    },
    async sync() {
      try {
        const place = await findReaderPlace(clickhouse, cluster);
        await renew(place);
        await bringUpTo(place);
      } catch (error) {
        // Where the service may not make users it has made none.
        if (!(error instanceof ApiError)) throw error;
      }
    },
  };
}
