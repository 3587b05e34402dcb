/** The tables of metrics and dimensions in docs/contract/queries.md, and what the API says of them, are the model's. */
import fs from 'node:fs';
import path from 'node:path';
import { SOURCES } from '../../../src/questions/query-input';
import { described } from '../../../src/questions/model';

const contract = fs.readFileSync(path.join(__dirname, '../../../docs/contract/queries.md'), 'utf8');

/** The names in the first column of the tables between two headings. */
function namesBetween(from: string, to: string, head: string): string[] {
  const section = contract.slice(contract.indexOf(from), contract.indexOf(to));
  const table = section.slice(section.indexOf(`| ${head} |`)).split('\n\n')[0] ?? '';
  const cells = table
    .split('\n')
    .slice(2)
    .map((line) => line.split(' | ')[0] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string));
}

test.each([
  ['app', '## App metrics', '## App dimensions', '## App dimensions', '## Web metrics'],
  ['web', '## Web metrics', '**Values.**', '## Web metrics', '**Values.**'],
] as const)('of %s', (source, metricsFrom, metricsTo, dimensionsFrom, dimensionsTo) => {
  const { documented, dimensions } = SOURCES[source];
  expect(namesBetween(metricsFrom, metricsTo, 'metric').sort()).toEqual([...documented].sort());
  const ofRows = dimensions.filter(({ isFilter }) => !isFilter).map(({ name }) => name);
  expect(namesBetween(dimensionsFrom, dimensionsTo, 'dimension').sort()).toEqual([...ofRows].sort());
});

test.each(['app', 'web'] as const)('every metric and dimension of %s has a label of its own and a format', (source) => {
  const { metrics, dimensions } = described[source];
  for (const all of [metrics, dimensions] as const) {
    const labels = all.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.filter((label) => !/^(?:[A-Z]|<name>)/.test(label))).toEqual([]);
  }
});

test('what depends on a day or an event is described once', () => {
  const of = (name: string) => described.app.metrics.find((metric) => metric.name === name);
  expect(of('ltv_dN')).toEqual({
    name: 'ltv_dN',
    label: 'LTV DN',
    about: 'Revenue per install up to day N',
    format: 'money',
  });
  expect(of('event_amount:<name>')).toEqual({ name: 'event_amount:<name>', label: '<name> amount', format: 'money' });
  expect(of('rolling_retention_dN')).toMatchObject({ label: 'Rolling retention DN', format: 'percent' });
  expect(of('roas_dN')).toMatchObject({ label: 'ROAS DN', format: 'ratio' });
  expect(of('installs')).toEqual({ name: 'installs', label: 'Installs', format: 'count' });
});
