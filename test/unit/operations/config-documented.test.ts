/**
 * The table of docs/configuration.md is the configuration: every variable, its default, and nothing that does not
 * exist.
 */
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..', '..');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

/** The variables that src/config.ts reads, with the text of their defaults. */
function variablesOfSource(): Map<string, string> {
  const declarations = read('src/config.ts').matchAll(/^ {6}([A-Z][A-Z0-9_]+): (.*),$/gm);
  return new Map([...declarations].map(([, name, text]) => [name as string, text as string]));
}

/** The rows of the document's table of variables: name, and the cell with the default. */
function variablesOfDocument(): Map<string, string> {
  const [, section = ''] = /## Variables\n([\s\S]*?)\n## /.exec(read('docs/configuration.md')) ?? [];
  return new Map(
    [...section.matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]*) \|/gm)].map(([, name, cell]) => [
      name as string,
      (cell as string).trim(),
    ]),
  );
}

test('the source declares its variables in the form that this test understands', () => {
  expect(variablesOfSource().size).toBeGreaterThanOrEqual(21);
});

test('the document lists exactly the variables that the service reads', () => {
  expect([...variablesOfDocument().keys()].sort()).toEqual([...variablesOfSource().keys()].sort());
});

test.each([...variablesOfDocument()])('%s has the default that the document says (%s)', (name, cell) => {
  const declared = variablesOfSource().get(name) ?? '';
  const [, text] = /default: (.*?) ?\}\)$/.exec(declared) ?? [];
  const said = /^`([^`]*)`$/.exec(cell)?.[1];
  const points = [...(text ?? '').matchAll(/\{ points: (\d+), seconds: (\d+)/g)];
  if (text === 'undefined') expect(said).toBeUndefined();
  else if (points.length > 0) expect(said).toBe(points.map(([, n, seconds]) => `${n}/${seconds}s`).join());
  else if (name === 'ROLES') expect(said).toBe('api,s2s,links,collect,attribution');
  else expect(said).toBe((text ?? '').replace(/^'|'$|[[\]_ ]/g, ''));
});
