/** The documents and comments are true to the repository: the files and sections that they name exist. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../support/paths';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && fs.existsSync(path.join(root, file)));
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const documents = tracked.filter((file) => file.endsWith('.md'));
const code = tracked.filter((file) => /^(src|clickhouse|sql|test)\/.*\.(ts|js|sql)$/.test(file));

/** Paths of the repository in a document: in code quotes, below one of its folders, without placeholders. */
const readPaths = (text: string) =>
  [...text.matchAll(/`((?:src|clickhouse|sql|test|docs|scripts|deploy)\/[A-Za-z0-9_./-]+)`/g)].map(
    (match) => match[1] as string,
  );

test.each(documents)('%s names files that exist', (file) => {
  expect(readPaths(read(file)).filter((name) => !fs.existsSync(path.join(root, name)))).toEqual([]);
});

test.each(documents)('the links of %s lead somewhere', (file) => {
  const links = [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1] as string);
  const missing = links.filter((link) => !fs.existsSync(path.join(root, path.dirname(file), link)));
  expect(missing).toEqual([]);
});

/** The anchors that a document has: its headings as GitHub writes them, a number behind those that are there again. */
function listAnchors(file: string): Set<string> {
  const anchors = new Set<string>();
  const lines = read(file)
    .replace(/^```[^]*?^```/gm, '')
    .matchAll(/^#{1,6} (.*)$/gm);
  for (const [, heading = ''] of lines) {
    const plain = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = plain;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${plain}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

test.each(documents)('the anchors of links in %s are headings', (file) => {
  const links = [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)];
  const missing = links.filter(([, to = '', anchor = '']) => {
    const target = to === '' ? file : path.join(path.dirname(file), to);
    return target.endsWith('.md') && !listAnchors(target).has(decodeURIComponent(anchor));
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

/** A row of figures cannot be broken. */
const isTableRow = (file: string, line: string) => /^docs\/benchmarks/.test(file) && line.startsWith('|');

test('no line is longer than 120 characters', () => {
  const long = tracked
    // Statements stand there as they run, and operations a line each.
    .filter((file) => !/(^package-lock\.json|\.(png|webp|svg|gz)|^test\/fixtures\/operations\.txt)$/.test(file))
    .filter((file) => !/^(test\/fixtures\/(erasure|airbyte)|deploy\/grafana)\//.test(file))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, i) => (line.length > 120 && !isTableRow(file, line) ? [`${file}:${i + 1}`] : [])),
    );
  expect(long).toEqual([]);
});

test('comments point at chapters of the contract that exist, and at no document outside the repository', () => {
  const named = code.flatMap((file) =>
    [...read(file).matchAll(/docs\/contract[\w/-]*\.md/g)].map(([chapter]) => ({ file, chapter })),
  );
  // What migrations say stays as it was when they were written.
  const now = named.filter(({ file }) => !file.includes('/migrations/'));
  expect(now.length).toBeGreaterThan(100);
  expect(now.filter(({ chapter }) => !fs.existsSync(path.join(root, chapter)))).toEqual([]);
  const outside = new RegExp(`\\b(${['spec', 'decisions', 'house'].join('|')})\\.md`);
  expect(code.filter((file) => outside.test(read(file)))).toEqual([]);
});

/** The tables that the migrations of an engine leave, by name. */
const listTables = (folder: string) => {
  const text = code
    .filter((file) => file.startsWith(folder))
    .map(read)
    .join('\n');
  const find = (verb: string) =>
    [...text.matchAll(new RegExp(`^${verb} TABLE (?:IF (?:NOT )?EXISTS )?(?:adtrail\\.)?(\\w+)`, 'gm'))].map(
      ([, name]) => name as string,
    );
  const dropped = new Set(find('DROP'));
  return find('CREATE').filter((name) => !dropped.has(name));
};

test.each([
  ['folder of src/', fs.readdirSync(path.join(root, 'src')).filter((name) => !name.endsWith('.ts'))],
  ['table of ClickHouse', listTables('clickhouse/migrations/')],
  ['table of PostgreSQL', listTables('sql/migrations/')],
])('the architecture says what each %s is for', (_, names) => {
  const architecture = read('docs/architecture.md');
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !new RegExp(`\`(adtrail\\.)?${name}/?\``).test(architecture))).toEqual([]);
});

test('the README and each version of the changelog are short, and SQL has no text macros', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
  const versions = read('CHANGELOG.md')
    .split(/^(?=## )/m)
    .map((text) => text.trim().split('\n').length);
  expect(Math.max(...versions)).toBeLessThanOrEqual(40);
  expect(code.filter((file) => file.endsWith('.sql') && read(file).includes('{{'))).toEqual([]);
});
