/**
 * The lists of parameters and rejections in docs/contract/s2s.md say what the declarations say; WRITE_FIXTURES=true
 * writes them anew.
 */
import fs from 'node:fs';
import path from 'node:path';
import { KINDS, listNames, PARAMETERS, readParameter, type Kind } from '../../../src/s2s/parameters';
import { readRejection, REASONS } from '../../../src/s2s/reasons';

const file = path.join(__dirname, '../../../docs/contract/s2s.md');
const SHORT: Readonly<Record<Kind, string>> = { click: 'click', impression: 'impression', ctv_impression: 'CTV' };

const listKinds = (kinds: readonly Kind[]) =>
  kinds.length === KINDS.length ? 'all' : kinds.map((kind) => SHORT[kind]).join(', ');

/** An item of a list, in lines of at most 120 characters. */
function writeItem(text: string): string {
  const lines = ['-'];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line.length + 1 + word.length > 120) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}

const writeParameters = () =>
  (Object.keys(PARAMETERS) as (keyof typeof PARAMETERS)[]).map((name) => {
    const { description, endpoints, isStored } = readParameter(name);
    const kinds = KINDS.filter((kind) => endpoints[kind]);
    const required = kinds.filter((kind) => endpoints[kind] === 'required');
    const aliases = [...new Set(kinds.flatMap((kind) => listNames(kind, name).slice(1)))].map((one) => `\`${one}\``);
    const rule = [
      ...(required.length > 0 ? [`Required${required.length < kinds.length ? ` (${listKinds(required)})` : ''}.`] : []),
      description,
      ...(isStored ? ['Stored.'] : []),
    ];
    const named = `\`${name}\`${aliases.length > 0 ? ` (${aliases.join(', ')})` : ''}`;
    return writeItem(`${named}, ${listKinds(kinds)}: ${rule.join(' ')}`);
  });

const writeRejections = () =>
  REASONS.map((reason) => {
    const { status, kinds, help } = readRejection(reason);
    return writeItem(`${status} \`${reason}\`, ${listKinds(kinds)}: ${help}`);
  });

const LISTS: Readonly<Record<string, readonly string[]>> = {
  parameters: writeParameters(),
  rejections: writeRejections(),
};

test.each(Object.entries(LISTS))('the list of %s', (name, items) => {
  const text = fs.readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name}: from src/s2s -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  expect(to).toBeGreaterThan(from);
  const list = `\n\n${items.join('\n')}\n\n`;
  if (process.env.WRITE_FIXTURES === 'true') fs.writeFileSync(file, text.slice(0, from) + list + text.slice(to));
  else expect(text.slice(from, to)).toBe(list);
});
