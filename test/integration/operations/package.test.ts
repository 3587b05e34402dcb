/** The package that `npm pack` makes works where only its dependencies are: `npm i <tarball> && npx adtrail serve`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { root, startService, temporaryFolder } from '../../support/service';

interface Manifest {
  readonly dependencies: Record<string, string>;
}

let folder: string;
let unpacked: string;
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const filesBelow = (name: string) =>
  fs.readdirSync(path.join(unpacked, name), { recursive: true, encoding: 'utf8' }).map((file) => path.join(name, file));

beforeAll(() => {
  folder = temporaryFolder();
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], root);
  const [tarball = ''] = fs.readdirSync(folder);
  run('tar', ['-xzf', tarball], folder);
  unpacked = path.join(folder, 'package');
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(unpacked, 'node_modules'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test("what it loads is among its dependencies, and none of them is the dashboard's", () => {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(unpacked, 'package.json'), 'utf8')) as Manifest;
  const known = new Set([...Object.keys(dependencies), ...builtinModules]);
  const loaded = filesBelow('dist')
    // What the build runs is not run where the package is.
    .filter((file) => /^dist\/(?!build\/|dashboard\/|browser\/).*\.js$/.test(file))
    .flatMap((file) => [
      ...fs.readFileSync(path.join(unpacked, file), 'utf8').matchAll(/\b(?:require|import)\(["']([^."'][^"']*)["']\)/g),
    ])
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  expect(loaded.length).toBeGreaterThan(50);
  expect([...new Set(loaded)].filter((name) => !known.has(name))).toEqual([]);
  expect(Object.keys(dependencies).filter((name) => /react|mantine|vite/.test(name))).toEqual([]);
});

test('it has the SQL and the dashboard, and neither sources nor tests', () => {
  const files = ['sql', 'clickhouse', 'dist'].flatMap(filesBelow);
  for (const file of ['sql/queries/workspace.sql', 'clickhouse/queries/ingest.sql', 'dist/dashboard/index.html'])
    expect(files).toContain(file);
  const held = ['LICENSE', 'README.md', 'clickhouse', 'dist', 'node_modules', 'package.json', 'sql'];
  expect(fs.readdirSync(unpacked).sort()).toEqual(held);
});

test('it starts, answers requests and shows the dashboard', async () => {
  const service = await startService({}, [], unpacked);
  try {
    const page = await service.request('/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const refused = await service.request('/v1/click/com.acme.shop?c=AbC123&tid=1', {
      headers: { 'X-Service-Token': 'nobody' },
    });
    expect([refused.status, await refused.json()]).toEqual([401, { status: 'rejected', reason: 'invalid_token' }]);
  } finally {
    await service.dispose();
  }
});
