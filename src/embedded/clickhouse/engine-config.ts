/** The engine's own configuration: which roles there are, and what each may do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The engine knows one user, who has no grants but two roles. A connection begins with both;
 * `SET ROLE reader` leaves it what data engineers may do. Neither role may reach a source: files, addresses, other
 * servers.
 */
const SERVICE_GRANTS = [
  'GRANT CHECK, SHOW, SELECT, INSERT, ALTER, CREATE, DROP, UNDROP TABLE, TRUNCATE, OPTIMIZE, BACKUP, KILL QUERY, ' +
    'MOVE PARTITION BETWEEN SHARDS, SYSTEM, SHOW ACCESS, dictGet, displaySecretsInShowAndSelect, INTROSPECTION ON *.*',
  'GRANT TABLE ENGINE ON *',
  'GRANT SET DEFINER ON *',
];
// Some pure table functions, zeros for one, need the grant on temporary tables; `readonly` refuses the tables. That on
// quotas shows one's own, which a server shows without it.
const READER_GRANTS = ['GRANT SELECT ON analytics.*', 'GRANT CREATE TEMPORARY TABLE, SHOW QUOTAS ON *.*'];

/** The folder of the data folder that backups are reached through, and nothing else can be written to by BACKUP. */
export const backupsIn = (folder: string) => join(folder, 'adtrail-backups');

/** Writes the configuration into the data folder and returns the arguments with which the engine reads it. */
export function writeEngineConfig(folder: string): string[] {
  const file = join(folder, 'adtrail-engine.xml');
  const userFiles = join(folder, 'user_files');
  mkdirSync(userFiles, { recursive: true, mode: 0o700 });
  const backups = backupsIn(folder);
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  writeFileSync(file, buildConfig(file, userFiles, backups), { mode: 0o600 });
  return [`--config-file=${file}`];
}

function buildConfig(file: string, userFiles: string, backups: string): string {
  return `<clickhouse>
  <users_config>${escaped(file)}</users_config>
  <display_name>adtrail</display_name>
  <user_files_path>${escaped(`${userFiles}/`)}</user_files_path>
  <backups><allowed_path>${escaped(`${backups}/`)}</allowed_path></backups>
  <macros><adtrail_embedded>1</adtrail_embedded></macros>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <roles>
    <service>${grants(SERVICE_GRANTS)}</service>
    <reader>${grants(READER_GRANTS)}</reader>
  </roles>
  <users>
    <default>
      <password/>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      ${grants(['GRANT service', 'GRANT reader'])}
    </default>
  </users>
</clickhouse>
`;
}

const grants = (statements: readonly string[]) =>
  `<grants>${statements.map((statement) => `<query>${statement}</query>`).join('')}</grants>`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
