/** The commands `adtrail backup`, `restore` and `move`: of a running service over HTTP, else on its engines. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { Readable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import { listBackups, readManifest, type Manifest } from '../backup/manifest';
import { openStore } from '../backup/open-store';
import type { Messages } from '../backup/postgres-copy';
import { restoreBackup } from '../backup/restore';
import { restoreSecrets } from '../backup/secrets';
import type { Store } from '../stores/store';
import { takeBackup, type Progress, type TakeOptions, type Tell } from '../backup/take';
import { sealKeyFile, type Config } from '../config';
import { connectClickHouse } from '../db/clickhouse';
import { startClickHouse } from '../embedded/clickhouse/start';
import { StartError } from '../errors';
import { jsonRequest, reachService, withAdminToken } from '../lib/ask-service';
import { createLog } from '../lib/log';
import { chooseSealKey, takeFolders, withEngines, type EngineAddresses } from '../main';
import { createSeals } from '../lib/seal';
import { newSecret } from '../lib/secrets';
import { version } from '../lib/version';
import { backupPlaces, engineFolder } from '../wiring/backup-places';
import type { AdminTarget } from './target';

const number = new Intl.NumberFormat('en-US');

/** A folder as the service is told it, and a bucket as it is. */
export const resolvePlace = (text: string) => (text.startsWith('s3://') ? text : path.resolve(text));

/** Takes a backup: by the service where one answers, else of its engines. Resolves with what was done, in words. */
export async function backUp(
  config: Config,
  target: () => AdminTarget,
  { to, ...options }: TakeOptions & { readonly to: string },
): Promise<string> {
  const manifest = (await isRunning(target))
    ? await askForBackup(target(), to, options)
    : await withBar((tell) => backUpStopped(config, to, options, tell));
  return describeTaken(manifest, to);
}

/** Restores a backup into empty engines. */
export async function restore(
  config: Config,
  { from, id, messages }: { readonly from: string; readonly id: string | undefined; readonly messages: Messages },
): Promise<string> {
  takeFolders(config);
  const { manifest, missing } = await withBar((tell) => restoreInto(config, from, id, messages, tell));
  return [
    `restored ${manifest.id}: ${describeContent(manifest)}`,
    ...missing,
    ...(messages === 'hold'
      ? ['Postbacks and webhooks of what was restored are held: docs/operations.md, Backups.']
      : []),
  ].join('\n');
}

/** Restores a backup into a separate folder, which is removed, and compares every table with the manifest. */
export async function verifyBackup(config: Config, from: string, id: string | undefined): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adtrail-verify-'));
  try {
    const into = { ...embedded(config, folder), sealKey: knownSealKey(config) };
    const { manifest, missing } = await withBar((tell) => restoreInto(into, from, id, 'hold', tell));
    return [`backup ${manifest.id} is whole: ${describeContent(manifest)}`, ...missing].join('\n');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The backups at a place, a line for each. */
export async function describeBackups(config: Config, from: string): Promise<string> {
  const store = openStore(from, { ...backupPlaces(config), engineFolder: undefined });
  const { finished, unfinished } = await listBackups(store);
  const manifests = await Promise.all(finished.map((id) => readManifest(store, id)));
  const lines = manifests.map(
    (one) => `${one.id}  complete until ${one.complete_until}, ${one.base ? `adds to ${one.base}` : 'whole'}`,
  );
  return [...lines, ...unfinished.map((id) => `${id}  not finished`)].join('\n') || 'no backups';
}

/** Brings the data of a stopped service from the embedded engines of a folder to servers. */
export async function move(config: Config, from: string): Promise<string> {
  if (!config.databaseUrl || !config.clickhouse.url)
    throw new StartError('Set DATABASE_URL and CLICKHOUSE_URL to the servers that the data go to.');
  const source = embedded(config, path.resolve(from));
  if (!fs.existsSync(path.join(source.dataDir, 'postgres')))
    throw new StartError(`${source.dataDir} holds no data of embedded engines; --from takes a DATA_DIR.`);
  takeFolders(source);
  if (path.resolve(config.ingest.folder) !== path.resolve(source.ingest.folder)) takeFolders(config);
  const via = fs.mkdtempSync(path.join(path.dirname(source.dataDir), 'adtrail-move-'));
  try {
    const { manifest } = await withBar(async (tell) => {
      await backUpEngines({ ...source, backupDir: via }, via, { whole: true, withSealKey: true }, tell);
      return restoreInto({ ...config, backupDir: via }, via, undefined, 'send', tell);
    });
    return (
      `moved: ${describeContent(manifest)}\n` +
      `Start the service with these servers, and do not start it on the engines of ${source.dataDir} again.`
    );
  } finally {
    fs.rmSync(via, { recursive: true, force: true });
  }
}

/** The same configuration on the embedded engines of a folder. */
const embedded = (config: Config, dataDir: string): Config => ({
  ...config,
  dataDir,
  databaseUrl: undefined,
  clickhouse: { ...config.clickhouse, url: undefined, cluster: undefined },
  ingest: { ...config.ingest, folder: path.join(dataDir, 'ingest') },
});

async function isRunning(target: () => AdminTarget): Promise<boolean> {
  let service: string;
  try {
    ({ service } = target());
  } catch {
    // There is no admin token yet: nothing runs.
    return false;
  }
  return fetch(`${service}/healthz`).then(
    () => true,
    () => false,
  );
}

async function askForBackup(
  { service, adminToken }: AdminTarget,
  to: string,
  { whole, withSealKey }: TakeOptions,
): Promise<Manifest> {
  const headers = withAdminToken(adminToken);
  const request = jsonRequest({ method: 'POST', headers, body: { to, whole, with_seal_key: withSealKey } });
  const { body } = await reachService(`${service}/admin/v1/backups`, request);
  return withBar(async (tell) => {
    for await (const line of readline.createInterface({ input: Readable.fromWeb(body as never) })) {
      const told = JSON.parse(line) as { progress?: Progress; backup?: Manifest; failure?: string };
      if (told.failure !== undefined) throw new StartError(told.failure);
      if (told.backup) return told.backup;
      if (told.progress) tell(told.progress);
    }
    throw new StartError('The service ended while it took the backup.');
  });
}

async function backUpStopped(config: Config, to: string, options: TakeOptions, tell: Tell): Promise<Manifest> {
  takeFolders(config);
  return backUpEngines(config, to, options, tell);
}

/** Nobody writes: what the logs hold stays in them, and is copied. */
async function backUpEngines(config: Config, to: string, options: TakeOptions, tell: Tell): Promise<Manifest> {
  const { dataDir, ingest, clickhouse: of } = config;
  const sealKey = chooseSealKey(config);
  const seals = createSeals(sealKey, []);
  return withEngines(config, (at) => {
    const parts = { ...at, cluster: of.cluster, dataDir, logs: ingest.folder, seals, sealKey, version };
    const store = openStore(to, backupPlaces(config));
    return takeBackup({ ...parts, settle: undefined, now: () => Date.now() }, store, options, tell);
  });
}

async function restoreInto(
  config: Config,
  from: string,
  id: string | undefined,
  messages: Messages,
  tell: Tell,
): Promise<{ readonly manifest: Manifest; readonly missing: readonly string[] }> {
  const listed = openStore(from, { ...backupPlaces(config), engineFolder: undefined });
  const manifest = await chosen(listed, id);
  fs.mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
  const missing = await restoreSecrets(config.dataDir, knownSealKey(config), listed, manifest);
  await withEngines(config, (at) => {
    const restoreFrom = (store: Store, reader: EngineAddresses['clickhouse']) => {
      const parts = { ...at, cluster: config.clickhouse.cluster, logs: config.ingest.folder, reader, messages };
      return restoreBackup(parts, store, manifest, tell);
    };
    if (config.clickhouse.url === undefined) return restoreFrom(openStore(from, backupPlaces(config)), at.clickhouse);
    return withReader(config, from, restoreFrom);
  });
  return { manifest, missing };
}

/** The key that a service of a configuration has; undefined where it would make one. */
const knownSealKey = ({ sealKey, dataDir }: Config): string | undefined =>
  sealKey ?? (fs.existsSync(sealKeyFile(dataDir)) ? fs.readFileSync(sealKeyFile(dataDir), 'utf8').trim() : undefined);

/** An embedded ClickHouse that reads the backup, for servers that cannot reach it. */
async function withReader(
  config: Config,
  from: string,
  work: (store: Store, reader: EngineAddresses['clickhouse']) => Promise<void>,
): Promise<void> {
  const folder = fs.mkdtempSync(path.join(config.dataDir, 'restore-'));
  const password = newSecret('clickhouse');
  const passwords = { default: password, reader: password };
  const engine = await startClickHouse(
    path.join(folder, 'clickhouse'),
    { httpPort: 0, nice: 0 },
    passwords,
    createLog('warn'),
  );
  const reader = connectClickHouse(engine.url, password);
  try {
    await reader.command('CREATE DATABASE adtrail ENGINE = Atomic');
    await work(openStore(from, { ...backupPlaces(config), engineFolder: engineFolder(folder) }), reader);
  } finally {
    await reader.close();
    await engine.stop(ENGINE_GRACE_MS);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const ENGINE_GRACE_MS = 5_000;

/** The manifest of the backup that is named, else of the newest. */
async function chosen(store: Store, id: string | undefined): Promise<Manifest> {
  const { finished } = await listBackups(store);
  const found = id === undefined ? finished.at(-1) : finished.find((one) => one === id);
  if (found === undefined)
    throw new StartError(
      id === undefined ? `There is no backup in ${store.name}.` : `There is no backup ${id} in ${store.name}.`,
    );
  return readManifest(store, found);
}

const sumRows = (tables: readonly { readonly rows: number }[]) => tables.reduce((sum, { rows }) => sum + rows, 0);

const describeContent = ({ clickhouse, postgres, ingest_log: log }: Manifest) =>
  `${number.format(sumRows(clickhouse))} rows in ${clickhouse.length} tables of ClickHouse, ` +
  `${number.format(sumRows(postgres))} in ${postgres.length} of PostgreSQL, ${log.length} files of ingest logs`;

function describeTaken(manifest: Manifest, to: string): string {
  const missing = manifest.missing_logs.map(
    ({ name, host }) => `not in it: what waits in the log of ${name} on ${host}; its disk must outlive the machine`,
  );
  const basis = manifest.base ? `adds to ${manifest.base}` : 'whole';
  return [
    `backup ${manifest.id} in ${to}, ${basis}: ${describeContent(manifest)}`,
    `everything accepted before ${manifest.complete_until} is in it`,
    ...missing,
  ].join('\n');
}

/** Draws how far it is, where somebody looks. */
async function withBar<T>(work: (tell: Tell) => Promise<T>): Promise<T> {
  const bar = new SingleBar({ format: '{bar} {percentage}% {stage}', hideCursor: true, clearOnComplete: true });
  bar.start(1, 0, { stage: 'starting' });
  try {
    return await work(({ stage, done, total }) => {
      bar.setTotal(Math.max(1, total));
      bar.update(done, { stage });
    });
  } finally {
    bar.stop();
  }
}
