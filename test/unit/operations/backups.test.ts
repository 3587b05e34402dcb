/** Where backups may be, what lists, manifests, logs and secrets of them are, and what is refused without an engine. */
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { copyLogs, restoreLogs } from '../../../src/backup/ingest-log-copy';
import { readManifest, writeManifest, type Manifest } from '../../../src/backup/manifest';
import { openStore } from '../../../src/backup/open-store';
import { copySecrets, restoreSecrets } from '../../../src/backup/secrets';
import { FolderStore, quoted } from '../../../src/stores/store';
import { describeBackups, resolvePlace, restore, verifyBackup } from '../../../src/commands/backup-tasks';
import { readConfig } from '../../../src/config';
import { createSeals } from '../../../src/lib/seal';
import { temporaryFolder } from '../../support/paths';

const folder = temporaryFolder();
const dataDir = path.join(folder, 'data');
fs.mkdirSync(dataDir);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const options = { dataDir, backupDir: folder as string | undefined, engineFolder: undefined, s3: undefined };
const open = (place: string, more: Partial<typeof options> = {}) => openStore(place, { ...options, ...more });
const notIn = (place: string) => `${place} is not in BACKUP_DIR, which is ${folder}.`;

/** What the commands of backups do (src/commands/backup.ts). */
const configured = (name = 'of-commands') => readConfig({ DATA_DIR: path.join(folder, name), BACKUP_DIR: folder });
const list = (place: string) => describeBackups(configured(), resolvePlace(place));
/** A folder of data stays the process's that has taken it. */
let restored = 0;
const restoreFrom = (place: string, id?: string) =>
  restore(configured(`of-restore-${restored++}`), { from: resolvePlace(place), id, messages: 'hold' as const });

test('a literal of ClickHouse holds any path', () => {
  expect(quoted(String.raw`/a\'b' c`)).toBe(String.raw`'/a\\\'b\' c'`);
});

describe('a place', () => {
  const ANY = 'A backup goes to a folder, by its absolute path, or s3://bucket/prefix.';
  test.each([
    ['backups', ANY],
    ['s3://x', ANY],
    ['/dev/null', notIn('/dev/null')],
    [`${folder}/../elsewhere`, notIn(`${path.dirname(folder)}/elsewhere`)],
    [`${folder}-beside`, notIn(`${folder}-beside`)],
    [`${folder}/nothing/here`, `${folder}/nothing/here cannot be made: there is no ${folder}/nothing.`],
    [`${dataDir}/backups`, `${dataDir}/backups is in DATA_DIR; name another folder.`],
    ['s3://adtrail-backups/x', 'For s3://, set BACKUP_S3_KEY and BACKUP_S3_SECRET.'],
  ])('%s is refused', (place, message) => {
    expect(() => open(place)).toThrow(message);
    expect(fs.readdirSync(dataDir)).toEqual([]);
  });

  test('a folder is refused where there is no BACKUP_DIR', () => {
    expect(() => open(folder, { backupDir: undefined })).toThrow(
      'For a folder, set BACKUP_DIR to the one that backups are kept in; else use s3://bucket/prefix.',
    );
  });

  test('a symbolic link that leads elsewhere is refused, for every command', async () => {
    const outside = fs.mkdtempSync(`${folder}-outside-`);
    const link = path.join(folder, 'link');
    fs.symlinkSync(outside, link);
    for (const place of [link, path.join(link, 'deeper')]) expect(() => open(place)).toThrow(notIn(place));
    const dangling = path.join(folder, 'dangling');
    fs.symlinkSync(path.join(outside, 'nothing'), dangling);
    expect(() => open(dangling)).toThrow(`${dangling} cannot be used: ENOENT.`);
    for (const command of [
      list,
      (from: string) => verifyBackup(configured(), resolvePlace(from), undefined),
      restoreFrom,
    ])
      await expect(command(link)).rejects.toThrow(notIn(link));
    expect(fs.readdirSync(outside)).toEqual([]);
    fs.rmSync(outside, { recursive: true });
  });

  test('a folder in BACKUP_DIR is made for its owner alone, and the engine reaches it by a link', async () => {
    const engineFolder = path.join(folder, 'engine');
    fs.mkdirSync(engineFolder);
    const place = path.join(folder, 'made');
    const store = openStore(place, { ...options, engineFolder });
    expect(fs.statSync(place).mode & 0o777).toBe(0o700);
    expect(fs.realpathSync(path.join(engineFolder, 'target'))).toBe(fs.realpathSync(place));
    expect([store.clickhouse("it's"), open(place).clickhouse('x')]).toEqual([
      "File('target/it\\'s')",
      `File('${place}/x')`,
    ]);
    await store.write('a/b', Readable.from(['text']));
    expect(fs.statSync(path.join(place, 'a', 'b')).mode & 0o777).toBe(0o600);
    expect([await store.files(''), await store.names()]).toEqual([['a/b'], ['a']]);
  });
});

const sums = { bytes: 1, sha256: 'a'.repeat(64) };
const manifest = (id: string, more: Partial<Manifest> = {}): Manifest => ({
  form: 1,
  id,
  base: null,
  adtrail: '1.0.0',
  engines: { postgres: '17', clickhouse: '25' },
  complete_until: '2026-01-02T03:04:05.000Z',
  taken_at: '2026-01-02T03:04:06.000Z',
  missing_logs: [],
  migrations: { postgres: [], clickhouse: [] },
  postgres: [],
  sequences: {},
  clickhouse: [],
  ingest_log: [],
  secrets: [],
  ...more,
});
const [FIRST, SECOND, BROKEN_OFF] = ['20260102T030405000Z', '20260102T030405001Z', '20260103T000000000Z'];
const readStore = (name: string) => {
  fs.mkdirSync(path.join(folder, name));
  return new FolderStore(path.join(folder, name), 'target');
};

describe('backups at a place', () => {
  test('are listed from the oldest, with what they add to', async () => {
    const place = path.join(folder, 'listed');
    const store = readStore('listed');
    expect(await list(place)).toBe('no backups');
    await writeManifest(store, manifest(SECOND, { base: FIRST }));
    await writeManifest(store, manifest(FIRST));
    await store.write(`${BROKEN_OFF}/postgres/x`, Readable.from(['x']));
    await store.write('of somebody else/manifest.json', Readable.from(['x']));
    expect(await list(place)).toBe(
      `${FIRST}  complete until 2026-01-02T03:04:05.000Z, whole\n` +
        `${SECOND}  complete until 2026-01-02T03:04:05.000Z, adds to ${FIRST}\n` +
        `${BROKEN_OFF}  not finished`,
    );
    await expect(restoreFrom(place, BROKEN_OFF)).rejects.toThrow(`There is no backup ${BROKEN_OFF} in ${place}.`);
  });

  test('are none: there is nothing to restore', async () => {
    const place = path.join(folder, 'empty');
    await expect(restoreFrom(place)).rejects.toThrow(`There is no backup in ${place}.`);
  });

  test.each<[string, (text: string) => string]>([
    ['is cut off', (text) => text.slice(0, -10)],
    ['is of another form', (text) => text.replace('"form": 1', '"form": 2')],
    ['says more than this version knows', (text) => text.replace('"form": 1', '"form": 1, "more": 1')],
    ['names a file elsewhere', (text) => text.replace('admin-token', '../admin-token')],
  ])('a manifest that %s is refused', async (what, change) => {
    const store = readStore(what);
    await writeManifest(store, manifest(FIRST, { secrets: [{ file: 'admin-token', ...sums }] }));
    expect((await readManifest(store, FIRST)).id).toBe(FIRST);
    const file = path.join(folder, what, FIRST, 'manifest.json');
    fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
    await expect(readManifest(store, FIRST)).rejects.toThrow(`the manifest of ${FIRST} cannot be read`);
  });
});

test('logs come as they are, without what says nothing, and damage is noticed', async () => {
  const [store, from, to] = [readStore('logs'), path.join(folder, 'log'), path.join(folder, 'log-again')];
  for (const file of [
    'lock',
    'one/lock',
    'one/1.clicks.ndjson',
    'one/2.other',
    'one/3.empty',
    '.new/1.clicks.ndjson',
  ]) {
    fs.mkdirSync(path.dirname(path.join(from, file)), { recursive: true });
    fs.writeFileSync(path.join(from, file), file.endsWith('empty') ? '' : 'a record\n');
  }
  const copied = await copyLogs(from, store, FIRST, (name) => !name.endsWith('other'));
  expect(copied).toEqual([{ file: 'one/1.clicks.ndjson', bytes: 9, sha256: expect.any(String) as string }]);
  const of = manifest(FIRST, { ingest_log: copied });
  await restoreLogs(to, store, of);
  expect(fs.readdirSync(to, { recursive: true })).toEqual(['one', 'one/1.clicks.ndjson']);
  expect(fs.readFileSync(path.join(to, 'one/1.clicks.ndjson'), 'utf8')).toBe('a record\n');
  fs.appendFileSync(path.join(folder, 'logs', FIRST, 'ingest-log', 'one/1.clicks.ndjson'), 'x');
  await expect(restoreLogs(to, store, of)).rejects.toThrow('is not what was written');
});

describe('secrets', () => {
  const KEY = 'seal_of_the_installation';
  const seals = createSeals(KEY, []);
  const source = path.join(folder, 'secrets-of');
  fs.mkdirSync(source);
  const SECRETS = { 'admin-token': 'token', 'ip-hash-secret': 'salt\n' };
  for (const [name, text] of Object.entries(SECRETS)) fs.writeFileSync(path.join(source, name), text);
  let n = 0;

  async function copied(key?: string) {
    const name = `sealed-${n++}`;
    const store = readStore(name);
    const secrets = await copySecrets(source, seals, key, store, FIRST);
    const at = path.join(folder, name, FIRST, 'secrets');
    const read = (file: string) => fs.readFileSync(path.join(at, file), 'utf8');
    return { store, read, at, manifest: manifest(FIRST, { secrets, seal_key: seals.mark }) };
  }
  async function restored({ store, manifest: of }: Awaited<ReturnType<typeof copied>>, key?: string, own = {}) {
    const into = path.join(folder, `opened-${n++}`);
    fs.mkdirSync(into);
    for (const [name, text] of Object.entries(own)) fs.writeFileSync(path.join(into, name), text as string);
    const missing = await restoreSecrets(into, key, store, of);
    const files = fs.readdirSync(into).map((name) => [name, fs.readFileSync(path.join(into, name), 'utf8')]);
    for (const [name = ''] of files) if (!(name in own)) expect(fs.statSync(path.join(into, name)).mode & 0o77).toBe(0);
    return { missing: missing.join('\n'), files: Object.fromEntries(files) as object };
  }

  test('are sealed in a backup, which has no key', async () => {
    const taken = await copied();
    expect(taken.manifest.secrets.map(({ file }) => file)).toEqual(Object.keys(SECRETS));
    expect(fs.readdirSync(taken.at)).toEqual(Object.keys(SECRETS));
    for (const file of Object.keys(SECRETS)) expect(taken.read(file)).toMatch(/^sealed:[0-9a-f]{8}:/);
  });

  test.each([
    ['no key', undefined, 'the seal key of the backup is not there (SEAL_KEY, DATA_DIR/seal-key): second factors'],
    ['another key', 'another-key-of-the-tests', 'the seal key of the backup is another one'],
  ])('with %s they stay closed, and what does not work is said', async (_, key, said) => {
    const { missing, files } = await restored(await copied(), key);
    expect(missing).toContain(said);
    expect(missing).toContain('not restored, for they are sealed with it: admin-token, ip-hash-secret');
    expect(files).toEqual({});
  });

  test('with the key they are as they were; those that are there stay', async () => {
    const taken = await copied();
    expect(await restored(taken, KEY)).toEqual({ missing: '', files: SECRETS });
    const own = { 'admin-token': 'mine' };
    expect(await restored(taken, KEY, own)).toEqual({ missing: '', files: { ...SECRETS, ...own } });
  });

  test('a backup with the key in it needs nothing else, and changes no key that is there', async () => {
    const taken = await copied(KEY);
    expect(taken.read('seal-key')).toBe(`${KEY}\n`);
    expect(await restored(taken)).toEqual({ missing: '', files: { ...SECRETS, 'seal-key': `${KEY}\n` } });
    expect((await restored(taken, 'another-key-of-the-tests')).files).toEqual({});
  });

  test('damage is noticed', async () => {
    const taken = await copied();
    fs.appendFileSync(path.join(taken.at, 'admin-token'), 'x');
    await expect(restored(taken, KEY)).rejects.toThrow('admin-token is not what was written');
  });
});
