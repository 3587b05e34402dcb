/** No regular expression of the service takes more than linear time over what others send. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { root } from '../../support/paths';

/** Over texts that nobody but us writes, or that are cut before: file, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  'src/db/cluster-ddl.ts': 'migrations of this repository',
  'src/tables/ddl.ts': 'migrations of this repository',
  'src/db/reader.ts': 'settings of this repository',
  'src/db/views.ts': 'views of this repository',
  'src/backup/open-store.ts': 'what the operator has configured',
  'src/net/user-agent.ts': 'the first 1,000 characters of a user agent',
};

/** Every literal of a folder with the files that it is in; the dashboard's meet what its own user writes. */
function literalsBelow(folder: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })) {
    const file = path.relative(root, path.join(entry.parentPath, entry.name));
    if (!file.endsWith('.ts') || file.startsWith('dashboard/src/')) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.set(node.text, [...(found.get(node.text) ?? []), file]);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest));
  }
  return found;
}

const found = literalsBelow('src');

/** Looking at all of them takes ten seconds: those that were linear are, as long as the program that says so is. */
const KNOWN = path.join(root, 'node_modules', '.cache', `recheck-${readVersion()}.json`);
const known = new Set(existsSync(KNOWN) ? (JSON.parse(readFileSync(KNOWN, 'utf8')) as string[]) : []);
function readVersion(): string {
  const file = path.join(root, 'node_modules', 'recheck', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

const check = (literal: string) => {
  const end = literal.lastIndexOf('/');
  return checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: 20_000, randomSeed: 1 }).status;
};

test('a pattern that tries every run of blanks anew is found', () => {
  expect(check('/\\s*x/')).toBe('vulnerable');
  expect(check('/[.\\s]*$/')).toBe('vulnerable');
  expect(check('/^[.\\s]*x/')).toBe('safe');
});

test('every pattern over foreign text is linear', () => {
  const literals = [...found].filter(([, files]) => files.some((file) => !(file in EXEMPT)));
  expect(literals.length).toBeGreaterThan(200);
  const wrong = literals.flatMap(([literal, files]) => {
    const status = known.has(literal) ? 'safe' : check(literal);
    return status === 'safe' ? [] : [{ literal, files, status }];
  });
  expect(wrong).toEqual([]);
  mkdirSync(path.dirname(KNOWN), { recursive: true });
  writeFileSync(KNOWN, JSON.stringify(literals.map(([literal]) => literal)));
}, 600_000);

test('no exemption is left over', () => {
  const files = new Set([...found.values()].flat());
  expect(Object.keys(EXEMPT).filter((file) => !files.has(file))).toEqual([]);
});
