/**
 * The tables of parameters and rejections in docs/contract/s2s.md say what the declarations say; WRITE_FIXTURES=true
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

function parameterRows(): string[] {
  return (Object.keys(PARAMETERS) as (keyof typeof PARAMETERS)[]).map((name) => {
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
    return `| ${named} | ${listKinds(kinds)} | ${rule.join(' ')} |`;
  });
}

const rejectionRows = () =>
  REASONS.map((reason) => {
    const { status, kinds, help } = readRejection(reason);
    return `| ${status} | \`${reason}\` | ${listKinds(kinds)} | ${help} |`;
  });

const TABLES: Readonly<Record<string, readonly string[]>> = {
  parameters: ['| parameter | read by | rule |', '| --- | --- | --- |', ...parameterRows()],
  rejections: ['| HTTP | reason | endpoints | what helps |', '| --- | --- | --- | --- |', ...rejectionRows()],
};

test.each(Object.entries(TABLES))('the table of %s', (name, rows) => {
  const text = fs.readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name}: from src/s2s -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  expect(to).toBeGreaterThan(from);
  const table = `\n\n${rows.join('\n')}\n\n`;
  if (process.env.WRITE_FIXTURES === 'true') fs.writeFileSync(file, text.slice(0, from) + table + text.slice(to));
  else expect(text.slice(from, to)).toBe(table);
});
