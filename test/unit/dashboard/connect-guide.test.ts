/**
 * The tools in docs/guides/connect.md are those of the page Connect, with the same settings; WRITE_FIXTURES=true writes
 * them anew. Each names drivers that are replayed.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { LOAD_INTO_BIGQUERY } from '../../../dashboard/src/pages/connect/lakes';
import {
  ENGINES,
  EXAMPLES,
  findTools,
  GROUP_NAMES,
  GROUPS,
  readFacts,
  readPlace,
  TOOL_NAMES,
  type Step,
} from '../../../dashboard/src/pages/connect/tools';
import { CLIENT_REQUESTS } from '../../support/sql/clickhouse-clients';

const file = path.join(__dirname, '../../../docs/guides/connect.md');
/** `HOST` stands for the host, which a URL would write in small letters. */
const place = { ...readPlace('http://host:8123', 'USER', 'PASSWORD'), address: 'http://HOST:8123', host: 'HOST' };

/** A paragraph in lines of at most 120 characters; `first` begins the first one. */
function wrap(text: string, first = ''): string {
  const lines = [first.trimEnd()];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line.length + 1 + word.length > 120) lines.push(`${' '.repeat(first.length)}${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

const writeStep = (step: Step): string =>
  step.type === 'code'
    ? ['```' + step.language, step.code, '```'].join('\n')
    : step.fields.map(([label, value]) => `- ${label}: \`${value}\``).join('\n');

const writeTools = () =>
  GROUPS.flatMap((group) => [
    `### ${GROUP_NAMES[group]}`,
    ...TOOL_NAMES.map(readFacts)
      .filter((one) => one.group === group)
      .flatMap(({ name, where, engine, steps, notes }) => [
        wrap(`**${name}**: ${where}. ${ENGINES[engine]}`),
        ...steps(place).map(writeStep),
        ...(notes.length > 0 ? [wrap(notes.join(' '))] : []),
      ]),
  ]).join('\n\n');

test('the guide has the tools of the page, each with its settings', () => {
  const text = fs.readFileSync(file, 'utf8');
  const [begin, end] = ['<!-- tools: from dashboard/src/pages/connect/tools.ts -->', '<!-- end of tools -->'];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  expect(to).toBeGreaterThan(from - 1);
  const tools = `\n\n${writeTools()}\n\n`;
  if (process.env.WRITE_FIXTURES === 'true') fs.writeFileSync(file, text.slice(0, from) + tools + text.slice(to));
  else expect(text.slice(from, to)).toBe(tools);
});

test('whatever asks ClickHouse is replayed, and told in the table of the guide', () => {
  const replayed = new Set(CLIENT_REQUESTS.map(({ client }) => client));
  const asking = TOOL_NAMES.map(readFacts).filter(({ engine }) => engine === 'any');
  expect(asking.map(({ name, asks }) => [name, asks, replayed.has(asks)])).toEqual(
    asking.map(({ name, asks }) => [name, asks, true]),
  );
});

test('the settings are those of the address, user and password, whatever is in them', () => {
  const odd = readPlace('https://ch.example', 'reader_1', "a'b\\c:/@");
  const written = (tool: (typeof TOOL_NAMES)[number]) => readFacts(tool).steps(odd).map(writeStep).join('\n');
  expect(written('metabase')).toContain('- Port: `443`');
  expect(written('superset')).toContain(
    "clickhousedb://reader_1:a'b%5Cc%3A%2F%40@ch.example:443/analytics?secure=true",
  );
  expect(written('pandas')).toContain("password='a\\'b\\\\c:/@'");
  expect(written('curl')).toContain(`--user 'reader_1:a'\\''b\\c:/@'`);
  expect(written('powerbi')).toContain('SSLMode=require');
  expect(written('client')).toContain('--secure');
  for (const statement of Object.values(EXAMPLES))
    expect(TOOL_NAMES.some((tool) => written(tool).includes(statement))).toBe(true);
});

test('a tool is found by name, kind, place and driver', () => {
  expect(findTools(' ODBC ')).toEqual(['powerbi']);
  expect(findTools('notebooks')).toEqual(['pandas', 'polars']);
  expect(findTools('nothing of the kind')).toEqual([]);
  expect(findTools('')).toEqual(TOOL_NAMES);
});

/** Programs that the step for BigQuery calls: `bq` tells its arguments, each in brackets. */
const programs = (manifest: object) => `
  gcloud() {
    [ "$3" = gs://bucket/prefix/installs/day=2026-11-01/manifest.json ] && echo '${JSON.stringify(manifest)}'
  }
  jq() { node -pe "JSON.parse(require('fs').readFileSync(0))$1"; }
  bq() { printf '[%s]' "$@"; }
`;

test.each([
  [{ revision: 12, rows: 5 }, '[load]', '[gs://bucket/prefix/installs/day=2026-11-01/r12/*.parquet]'],
  [{ revision: 2, rows: 0 }, '[rm]', '[adtrail.installs$20261101]'],
])('BigQuery loads the revision of the manifest, and empties a day without rows: %j', (manifest, verb, last) => {
  const script = programs(manifest) + LOAD_INTO_BIGQUERY.period.join('\n');
  const called = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  expect([called.startsWith(verb), called.endsWith(last)]).toEqual([true, true]);
  expect(called).toContain('[adtrail.installs$20261101]');
});
