/** A connection to the embedded PostgreSQL of a running service, for what no endpoint can arrange. */
import fs from 'node:fs';
import path from 'node:path';
import { connectPostgres, type Postgres } from '../../src/db/postgres';
import type { RunningService } from './service';

export function postgresUrl(service: RunningService): string {
  const port = fs.readFileSync(path.join(service.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  const password = fs.readFileSync(path.join(service.dataDir, 'postgres-password'), 'utf8').trim();
  return `postgres://adtrail:${password}@127.0.0.1:${port}/postgres`;
}

export const postgresOf = (service: RunningService): Postgres => connectPostgres(postgresUrl(service));
