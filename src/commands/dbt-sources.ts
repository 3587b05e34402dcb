/** `adtrail dbt-sources`: the views of analytics as the sources of a dbt project, told by their comments. */
import fs from 'node:fs';
import type { Command } from 'commander';
import { readConfig } from '../config';
import { askService } from '../lib/ask-service';
import { print, serviceAt, URL_OPTION, type Env } from './target';

/** What `GET /api/v1/schema` answers (docs/contract/sql.md). */
export interface Schema {
  readonly database: string;
  readonly tables: readonly {
    readonly name: string;
    readonly comment: string;
    readonly columns: readonly {
      readonly name: string;
      readonly type: string;
      readonly comment: string;
      readonly personal_data: string | null;
    }[];
  }[];
}

/** The longest line of a file of dbt. */
const MAX_LINE = 110;
/** Readers of one project see no row of it. */
const LEFT_OUT = new Set(['audit_log']);

/** Columns that no two records of a project share. */
const KEYS: Readonly<Record<string, string>> = {
  app_events: 'id',
  campaigns: 'campaign_id',
  clicks: 'click_id',
  ctv_impressions: 'impression_id',
  impressions: 'impression_id',
  installs: 'install_id',
  web_events: 'event_id',
};
/** The tests of a key look at the project that the models read, and at no other. */
const KEY_TESTS = ['unique', 'not_null'].flatMap((kind) => [
  `              - ${kind}:`,
  '                  config:',
  `                    where: "project_id = {{ var('project_id') }}"`,
]);

export function addDbtSources(program: Command, env: Env): void {
  program
    .command('dbt-sources')
    .requiredOption('--key <key>', 'server key of any project; or SERVICE_KEY in the environment', env.SERVICE_KEY)
    .option('--out <file>', 'where to; default: standard output')
    .option(...URL_OPTION)
    .description('write sources.yml of a dbt project from the comments of the views of a running service')
    .action(async (options: { key: string; out?: string; url?: string }) => {
      const service = serviceAt(readConfig(env), options);
      const text = writeSources(
        await askService<Schema>(service, '/api/v1/schema', { headers: { 'service-key': options.key } }),
      );
      if (options.out === undefined) return print(text);
      fs.writeFileSync(options.out, text);
      print(`sources written to ${options.out}\n`);
    });
}

/** The text of sources.yml: a table for each view, with what each column is and whether it is personal. */
export function writeSources({ database, tables }: Schema): string {
  const lines = [
    '# Written by `adtrail dbt-sources` from the comments of the views: do not edit.',
    'version: 2',
    '',
    'sources:',
    '  - name: adtrail',
    `    schema: "{{ var('adtrail_schema', '${database}') }}"`,
    '    description: Views of adtrail. Each has every record exactly once.',
    '    tables:',
  ];
  for (const { name, comment, columns } of tables.filter((table) => !LEFT_OUT.has(table.name))) {
    lines.push(`      - name: ${name}`, ...writeText(8, 'description', comment), '        columns:');
    for (const column of columns) {
      lines.push(`          - name: ${column.name}`, ...writeText(12, 'data_type', column.type));
      if (column.comment !== '') lines.push(...writeText(12, 'description', column.comment));
      if (column.personal_data !== null)
        lines.push(
          '            config:',
          '              meta:',
          `                personal_data: ${column.personal_data}`,
        );
      if (KEYS[name] === column.name) lines.push('            data_tests:', ...KEY_TESTS);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** A field of YAML with a text in quotes; in several lines, which readers put together, where it is long. */
function writeText(indent: number, field: string, text: string): string[] {
  const margin = ' '.repeat(indent);
  // dbt reads braces in pairs as a template.
  const plain = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\{([{%#])/g, '{ $1')
    .trim();
  const line = `${margin}${field}: ${JSON.stringify(plain)}`;
  if (line.length <= MAX_LINE) return [line];
  const lines = [`${margin}${field}: >-`];
  let last = '';
  for (const word of plain.split(' ')) {
    if (last !== '' && indent + 3 + last.length + word.length > MAX_LINE) {
      lines.push(`${margin}  ${last}`);
      last = word;
    } else last = last === '' ? word : `${last} ${word}`;
  }
  return [...lines, `${margin}  ${last}`];
}
