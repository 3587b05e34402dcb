/**
 * The SQL of twenty typical questions and of web reports, as it is committed in test/fixtures/sql for reviewers to
 * read. It changes only on purpose: WRITE_FIXTURES=true writes the files anew.
 */
import fs from 'node:fs';
import path from 'node:path';
import { withValues } from '../../../src/figures/literals';
import { readValues } from '../../../src/openapi/operation';
import { readQueryInput } from '../../../src/questions/query-input';
import { buildStatement } from '../../../src/questions/statements';
import { reportParameters, toReportInput } from '../../../src/web-report/input';
import { pageStatement } from '../../../src/web-report/queries';
import { TYPICAL } from '../../support/reports/typical-questions';

const folder = path.join(__dirname, '../../fixtures/sql');
const ABOUT = { project_id: 7, today: '2026-02-01', timezone: 'Europe/Berlin', currency: 'EUR', pauses: [] };

const statementFor = (question: object, place: 'adtrail' | 'analytics') =>
  buildStatement(readQueryInput(question), ABOUT, { place });

test.each(TYPICAL)('%s', (name, question) => {
  const { text, params } = statementFor(question, 'analytics');
  const asked = JSON.stringify(question, null, 1)
    .replace(/\n */g, ' ')
    .replace(/.{1,110}(?: |$)/g, '-- $&\n');
  expectCommitted(name, `${asked.replace(/ +$/gm, '')}${withValues(text, params)}\n`);
});

function expectCommitted(name: string, sql: string): void {
  const file = path.join(folder, `${name}.sql`);
  if (process.env.WRITE_FIXTURES === 'true') fs.writeFileSync(file, sql);
  expect(sql).toBe(fs.readFileSync(file, 'utf8'));
}

/** Web reports by what they ask for, between them all parts of their statement. */
const WEB_REPORTS: [name: string, asked: string, isPaused: boolean][] = [
  ['web-report-by-campaign', 'events=add_to_cart', false],
  ['web-report-of-google', 'channel=google&search=1&sort_field=name&sort_order=ascending', false],
  ['web-report-by-source', 'group_by=source&attribution=first_touch&utm_campaign=Spring', true],
];

test.each(WEB_REPORTS)('%s', (name, asked, isPaused) => {
  const range = '&from=2026-01-01&to=2026-01-31';
  const input = toReportInput(
    readValues(reportParameters, new URLSearchParams(asked + range)),
    new Date('2026-01-01'),
    Date.parse('2026-02-01'),
  );
  const { text, params } = pageStatement(input, {
    projectId: 7,
    pauses: isPaused ? [{ campaign_id: 5, from_ms: 1_767_225_600_000, until_ms: null }] : [],
    listsGoogle: input.filters.channel === 'google',
  });
  expectCommitted(name, `-- ${asked}${range}\n${withValues(text, params)}\n`);
});

test('there is no file without its question', () =>
  expect(fs.readdirSync(folder).sort()).toEqual([...TYPICAL, ...WEB_REPORTS].map(([name]) => `${name}.sql`).sort()));

test.each(TYPICAL)('%s reads no table that it does not need', (_, question, tables) => {
  const { text } = statementFor(question, 'adtrail');
  expect([...new Set([...text.matchAll(/\badtrail\.(\w+)/g)].map(([, table]) => table))].sort()).toEqual(tables);
});

test('what is shown is what runs, but for the place that it reads', () => {
  for (const [, question] of TYPICAL) {
    const [runs, shown] = [statementFor(question, 'adtrail'), statementFor(question, 'analytics')];
    const withoutPlace = (text: string) =>
      text
        .replace(/^-- query\n/, '')
        .replace('analytics.tracked_clicks', 'analytics.clicks')
        .replace(/\b(?:adtrail|analytics)\.(\w+( AS (?!OF)\w+)?)( FINAL)?/g, '$1')
        // The views have no keys of events, by which most of them are left out before they are compared.
        .replace(/\n +-- Keys of install events[\s\S]*?\n +PREWHERE .*/, '');
    expect(withoutPlace(shown.text)).toBe(withoutPlace(runs.text));
  }
});

describe('values that are written in', () => {
  test.each([
    ['{a:String}', { a: `it's \\ {b:String}` }, `'it\\'s \\\\ {b:String}'`],
    ['{a:Array(String)}', { a: [`'`, ''] }, `['\\'', '']`],
    ['{a:Array(Array(UInt64))}', { a: [[1, 2], []] }, '[[1, 2], []]'],
    ['{a:Date} - {b:UInt8}', { a: '2026-01-01', b: 7 }, "toDate('2026-01-01') - 7"],
  ])('%s', (text, params, written) => expect(withValues(text, params)).toBe(written));
});
