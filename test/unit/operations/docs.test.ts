/** The documents and comments are true to the repository: the files and sections that they name exist. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../support/service';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && fs.existsSync(path.join(root, file)));
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const documents = tracked.filter((file) => file.endsWith('.md'));
const code = tracked.filter((file) => /^(src|clickhouse|sql|test)\/.*\.(ts|js|sql)$/.test(file));

/** Paths of the repository in a document: in code quotes, below one of its folders, without placeholders. */
const pathsOf = (text: string) =>
  [...text.matchAll(/`((?:src|clickhouse|sql|test|docs|scripts|deploy)\/[A-Za-z0-9_./-]+)`/g)].map(
    (match) => match[1] as string,
  );

test.each(documents)('%s names files that exist', (file) => {
  expect(pathsOf(read(file)).filter((name) => !fs.existsSync(path.join(root, name)))).toEqual([]);
});

test.each(documents)('the links of %s lead somewhere', (file) => {
  const links = [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1] as string);
  const missing = links.filter((link) => !fs.existsSync(path.join(root, path.dirname(file), link)));
  expect(missing).toEqual([]);
});

test('no line is longer than 120 characters', () => {
  const long = tracked
    .filter((file) => !/(^package-lock\.json|\.(png|svg|gz))$/.test(file))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, i) => (line.length > 120 ? [`${file}:${i + 1}`] : [])),
    );
  expect(long).toEqual([]);
});

test('comments point at sections of the contract that exist, and at no document outside the repository', () => {
  const headings = [...read('docs/contract.md').matchAll(/^## (.+)$/gm)].map((match) => match[1] as string);
  const wrong = code.flatMap((file) => {
    const text = read(file).replace(/\n\s*(?:\*|--|\/\/)?\s*/g, ' ');
    const named = [...text.matchAll(/docs\/contract\.md, ([A-Z][A-Za-z0-9]*(?: [a-z]+| API)?)/g)];
    return named
      .map((match) => match[1] as string)
      .filter((section) => !headings.some((heading) => section === heading || section.startsWith(`${heading} `)))
      .map((section) => `${file}: ${section}`);
  });
  expect(wrong).toEqual([]);
  const outside = new RegExp(`\\b(${['spec', 'decisions', 'house'].join('|')})\\.md`);
  expect(code.filter((file) => outside.test(read(file)))).toEqual([]);
});

test('the README is short, and SQL has no text macros', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
  expect(code.filter((file) => file.endsWith('.sql') && read(file).includes('{{'))).toEqual([]);
});
