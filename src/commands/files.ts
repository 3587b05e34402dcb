/** The commands that bring files to a running service, and from it: import, export. */
import type { Command } from 'commander';
import { withAdminToken } from '../lib/ask-service';
import { DEFAULT_CHARSET } from '../lib/charset';
import { readConfig } from '../config';
import { StartError } from '../errors';
import { FORMAT_NAMES } from '../files/formats';
import { RECORD_KINDS } from '../files/kinds';
import { saveQuery, saveRecords, type Source } from '../export/save';
import { importFile, type Target } from './import';
import { isDay } from '../lib/time';
import { findByName, print, readDocument, serviceAt, chooseTarget, URL_OPTION, type Env } from './target';

/** The columns of a file of clicks. */
const CLICK_COLUMNS = {
  required: ['c', 'tid', 'click_time'],
  optional: ['app_id', 'd', 'gaid', 'idfa', 'ip', 'ua', 's2', 's3', 's4'],
};
const CHARSET_OPTION = [
  '--charset <charset>',
  'of the file, for example windows-1252; a byte order mark says more',
  DEFAULT_CHARSET,
] as const;
const FORMS = 'CSV with a header, or one JSON object a line in a file named .ndjson';

export function addFiles(program: Command, env: Env): void {
  const imports = program
    .command('import')
    .description(
      'send the rows of a file to a running service; interrupted, the same command goes on where it stopped',
    );

  imports
    .command('spend')
    .argument('<file>', `ad spend: ${FORMS}`)
    .requiredOption('--key <key>', 'server key of the project; or SERVICE_KEY in the environment', env.SERVICE_KEY)
    .option(...CHARSET_OPTION)
    .option(...URL_OPTION)
    .description('import ad spend; a file may be sent again, its rows replace those of the same keys')
    .action(async (file: string, options: ImportOptions & { key: string }) => {
      const { fileReader, readRows, SPEND_COLUMNS } = await import('../collect/spend-input.js');
      await runImport(file, options, {
        url: `${serviceAt(readConfig(env), options)}/collect/v1/spend`,
        method: 'PUT',
        headers: { 'service-key': options.key },
        field: 'rows',
        columns: SPEND_COLUMNS,
        check: async (rows, isTable) => (await readRows(rows, isTable ? fileReader(rows) : undefined)).rejected,
      });
    });

  imports
    .command('clicks')
    .argument(
      '<file>',
      `clicks: ${FORMS}; ${CLICK_COLUMNS.required.join(', ')}, and ${CLICK_COLUMNS.optional.join(', ')}`,
    )
    .requiredOption('--project <name or id>', 'the project whose campaigns they are for')
    .option(...CHARSET_OPTION)
    .option(...URL_OPTION)
    .description('import clicks of any age with their original times, under the IDs that S2S gives')
    .action(async (file: string, options: ImportOptions & { project: string }) => {
      const target = chooseTarget(env, options);
      const headers = withAdminToken(target.adminToken);
      const id = await findByName(target, 'project', options.project);
      await runImport(file, options, {
        url: `${target.service}/admin/v1/projects/${id}/clicks`,
        method: 'POST',
        headers,
        field: 'clicks',
        columns: CLICK_COLUMNS,
      });
    });

  program
    .command('export')
    .requiredOption('--key <key>', 'server key of the project; or SERVICE_KEY in the environment', env.SERVICE_KEY)
    .option('--query <file>', 'a query as JSON; all its rows go to the file of --out')
    .option('--records <kind>', `${RECORD_KINDS.join(', ')}: a file a day goes to the folder of --out`)
    .option('--from <day>', 'of records: first day of receipt, UTC')
    .option('--to <day>', 'of records: last day of receipt, UTC')
    .option('--format <format>', `of records: ${FORMAT_NAMES.join(', ')}`, 'ndjson')
    .requiredOption('--out <path>', `file, whose name ends in .${FORMAT_NAMES.join(', .')}; or folder`)
    .option(...URL_OPTION)
    .description(
      'save the rows of a query, or records, as files; days of records that are there are not asked for again',
    )
    .action(async (options: ExportOptions) => {
      const from = { service: serviceAt(readConfig(env), options), key: options.key };
      print(`${await runExport(from, options)}\n`);
    });
}

interface ExportOptions {
  readonly key: string;
  readonly query?: string;
  readonly records?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: string;
  readonly out: string;
  readonly url?: string;
}

/** Resolves with what was written, in words. */
async function runExport(source: Source, options: ExportOptions): Promise<string> {
  const { query, records, from, to, format, out } = options;
  if (query !== undefined && records === undefined)
    return `bytes written to ${out}: ${await saveQuery(source, JSON.stringify(readDocument(query)), out)}`;
  if (records === undefined || query !== undefined) throw new StartError('Name either --query or --records.');
  if (!from || !to || !isDay(from) || !isDay(to))
    throw new StartError('--from and --to take days, written YYYY-MM-DD.');
  const files = await saveRecords(source, { kind: records, from, to, format, folder: out });
  return `files written to ${out}: ${files}`;
}

interface ImportOptions {
  readonly charset: string;
  readonly url?: string;
}

async function runImport(file: string, { charset }: ImportOptions, target: Target): Promise<void> {
  const { accepted, rejected } = await importFile(file, target, charset);
  print(`${accepted} rows accepted, ${rejected} rejected\n`);
  if (rejected > 0) process.exitCode = 1;
}
