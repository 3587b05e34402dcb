/** A version of the service that comes after this one: the same, with migrations more in both schemas. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../service';

/** The names are after those of all migrations that there will be. */
export const NEXT_MIGRATIONS = {
  'sql/migrations/9998_next.sql': `ALTER TABLE outbox ADD COLUMN next_version integer NOT NULL DEFAULT 1;
ALTER TABLE projects ADD COLUMN next_version integer NOT NULL DEFAULT 1`,
  'sql/migrations/9999_next.sql': 'ALTER TABLE ingest_processes ADD COLUMN next_version integer NOT NULL DEFAULT 1',
  'clickhouse/migrations/9999_next.sql': ['clicks', 'app_events', 'installs']
    .map(
      (table) =>
        `ALTER TABLE adtrail.${table} ADD COLUMN IF NOT EXISTS next_version UInt8 DEFAULT 1 COMMENT 'Next [none]';\n`,
    )
    .join(''),
} as const;

/** Puts the next version into a folder, from which it can be started. */
export function makeNextVersion(folder: string): string {
  for (const name of ['dist', 'sql', 'clickhouse'])
    fs.cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
    });
  fs.cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const [file, text] of Object.entries(NEXT_MIGRATIONS)) fs.writeFileSync(path.join(folder, file), text);
  return folder;
}
