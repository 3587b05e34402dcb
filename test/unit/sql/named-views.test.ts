/** Each view of `analytics` that a comment, a document, an example or a text names is there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../support/paths';

const VIEWS = path.join(root, 'clickhouse', 'views');
const views = new Set(readdirSync(VIEWS).map((file) => file.replace(/\.sql$/, '')));
/** Tests try names that are not there; what comes from elsewhere names its own. */
const READ = /^(?:src|dashboard\/src|clickhouse|sql|docs|clients|deploy|integrations)\/|^[A-Z]+\.md$/;

function listNames(): { name: string; file: string }[] {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  return files
    .filter((file) => READ.test(file) && existsSync(path.join(root, file)) && !/\.(?:png|gz|ico|woff2)$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return [...text.matchAll(/\banalytics\.[a-z]\w*/g)].map(([name]) => ({ name, file }));
    });
}

test('each view that is named exists', () => {
  const names = listNames();
  expect(new Set(names.map(({ name }) => name)).size).toBeGreaterThan(12);
  expect(names.filter(({ name }) => !views.has(name))).toEqual([]);
});

test('the comment of a view names no view that is not there', () => {
  for (const file of readdirSync(VIEWS)) {
    const comment = /^COMMENT '(.*)'/m.exec(readFileSync(path.join(VIEWS, file), 'utf8'))?.[1] ?? '';
    // A word with an underscore is a name: of a table, which is shown by a view.
    for (const [name] of comment.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g))
      expect({ file, name, exists: views.has(`analytics.${name}`) }).toEqual({ file, name, exists: true });
  }
});

test('the contract has a row for each view', () => {
  const contract = readFileSync(path.join(root, 'docs', 'contract', 'views.md'), 'utf8');
  const shown = [...views].filter((name) => name.startsWith('analytics.')).map((name) => name.split('.')[1]);
  expect(shown.filter((name) => !contract.includes(`| \`${name}\` |`))).toEqual([]);
});
