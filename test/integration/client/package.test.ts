/** The tarball of `@adtrail/client`: loaded by both kinds of modules, with types for both ways to resolve them. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { packClient, run } from '../../support/client/packed';
import { sharedService } from '../../support/shared-service';
import { root, temporaryFolder } from '../../support/service';

const service = sharedService();
const folder = temporaryFolder();
const unpacked = path.join(folder, 'node_modules', '@adtrail', 'client');
const filesBelow = (at: string) => fs.readdirSync(at, { recursive: true, encoding: 'utf8' }).sort();

beforeAll(() => void packClient(folder));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test('it has code and types of both kinds, the types of the API once, and one dependency', () => {
  const files = filesBelow(unpacked);
  for (const name of ['index.js', 'index.d.ts', 'generated.d.ts', 'types.d.ts'])
    for (const kind of ['esm', 'cjs']) expect(files).toContain(`dist/${kind}/${name}`);
  expect(files).toContain('README.md');
  expect(files.filter((name) => /(^|\/)src\/|tsconfig|\.mjs$/.test(name))).toEqual([]);
  const large = files.filter((name) => fs.statSync(path.join(unpacked, name)).size > 1_000_000);
  expect(large.filter((name) => name.endsWith('.ts'))).toEqual(['dist/esm/generated.d.ts']);
  const manifest = JSON.parse(fs.readFileSync(path.join(unpacked, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({ dependencies: { 'openapi-fetch': expect.any(String) as string } });
  expect(Object.keys((manifest as { dependencies: object }).dependencies)).toHaveLength(1);
});

test('it names nothing that only Node, or only a browser, has', () => {
  for (const name of filesBelow(unpacked).filter((one) => /^dist\/esm\/.*\.js$/.test(one)))
    expect(fs.readFileSync(path.join(unpacked, name), 'utf8')).not.toMatch(
      /node:|\b(process|Buffer|require|window|document)\b[.([]/,
    );
});

test.each([
  ['import', 'program.mjs', `import { createClient, ApiFailure } from '@adtrail/client';`],
  ['require', 'program.cjs', `const { createClient, ApiFailure } = require('@adtrail/client');`],
])('a program loads it by %s', (_, name, load) => {
  const asked = `createClient({ url: process.argv[2], serviceKey: 'no such key', maxRetries: 0 })`;
  fs.writeFileSync(
    path.join(folder, name),
    `${load}
    const client = ${asked};
    client.GET('/healthz').then(async ({ data }) => {
      const failure = await client.GET('/api/v1/campaigns').catch((error) => error);
      console.log(JSON.stringify([data, failure instanceof ApiFailure, failure.status, failure.code]));
    });`,
  );
  const answered = run(process.execPath, [name, service.url], folder);
  expect(JSON.parse(answered)).toEqual([{ status: 'ok' }, true, 401, 'unauthorized']);
});

/** What an export takes as its kind, and what it says. */
const KINDS = `import { createClient } from '@adtrail/client';
const client = createClient({ url: 'https://adtrail.example' });
const declared = { name: 'E', format: 'csv', every: 'day', destination: { type: 'folder', path: 'e' } } as const;
export async function declare(): Promise<'clicks' | 'question' | 'others'> {
  const { data } = await client.POST('/api/v1/exports', { body: { ...declared, kind: 'clicks' } });
  await client.POST('/api/v1/exports', { body: { ...declared, kind: { query: { source: 'app', metrics: [] } } } });
  // @ts-expect-error: there is no such kind
  await client.POST('/api/v1/exports', { body: { ...declared, kind: 'everything' } });
  if (typeof data.kind === 'object') return data.kind.query.source === 'app' ? 'question' : 'others';
  return data.kind === 'clicks' ? data.kind : 'others';
}
`;

test.each([
  ['node16', 'consumer.mts'],
  ['node16', 'consumer.cts'],
  ['bundler', 'consumer.ts'],
])('its types hold where modules are resolved as %s, in %s', (resolution, name) => {
  fs.copyFileSync(path.join(root, 'test', 'support', 'client', 'consumer.ts'), path.join(folder, name));
  fs.writeFileSync(path.join(folder, `kinds-${name}`), KINDS);
  const module = resolution === 'bundler' ? 'esnext' : 'node16';
  const config = {
    compilerOptions: {
      ...{ target: 'es2022', module, moduleResolution: resolution, strict: true, noEmit: true },
      ...{ lib: ['es2023', 'dom'], types: [], skipLibCheck: false },
    },
    files: [name, `kinds-${name}`],
  };
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});
