/** Wires the places that backups are kept at: how the embedded ClickHouse reaches them, and the keys of buckets. */
import path from 'node:path';
import type { StoreOptions } from '../backup/open-store';
import type { Config } from '../config';
import { backupsIn } from '../embedded/clickhouse/engine-config';

/** Where the embedded ClickHouse of a data folder reaches backups. */
export const engineFolder = (dataDir: string) => backupsIn(path.join(dataDir, 'clickhouse'));

export const backupPlaces = ({ dataDir, clickhouse, backupDir, backupS3 }: Config): StoreOptions => ({
  dataDir,
  backupDir,
  engineFolder: clickhouse.url === undefined ? engineFolder(dataDir) : undefined,
  s3: backupS3,
});
