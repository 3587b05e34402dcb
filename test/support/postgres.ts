/** A connection to the embedded PostgreSQL of a running service, for what no endpoint can arrange. */
import fs from 'node:fs';
import path from 'node:path';
import { connectPostgres, type Postgres } from '../../src/db/postgres';
import type { Service } from './service';

/** The address of a database of the embedded PostgreSQL, as DATABASE_URL takes it. */
export function postgresUrl(service: Service, database = 'postgres'): string {
  const port = fs.readFileSync(path.join(service.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  const password = encodeURIComponent(fs.readFileSync(path.join(service.dataDir, 'postgres-password'), 'utf8').trim());
  return `postgres://adtrail:${password}@127.0.0.1:${port}/${database}`;
}

export const readPostgres = (service: Service): Postgres => connectPostgres(postgresUrl(service));
