#!/usr/bin/env node
/** The command line: adtrail serve, demo, migrate, first-link, apply, import, export, ingest and others. */
import fs from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { backUp, describeBackups, move, placeOf, restore, verifyBackup } from './backups';
import { ConfigError, readConfig, readerPasswordFile, type Config } from './config';
import { applyDemo, applyDocument, demoToken, welcome, type ReaderPassword } from './demo';
import { describePages, firstLink } from './first-link';
import { runDemo } from './demo/run';
import { askDoctor } from './doctor-report';
import { FORMAT_NAMES } from './export/formats';
import { RECORD_KINDS } from './export/routes';
import { saveQuery, saveRecords, type Source } from './export/save';
import { importFile, ImportError, type Target } from './import';
import { describeIngest, forgetIngestProcess } from './ingest-status';
import { startListening, type ListenAnswer } from './listen';
import { describeError } from './log';
import { StartError } from './errors';
import { migrateOnce, serve } from './main';
import { describePlans, planFor, trafficOf } from './plan/plan';
import { replayPostbacks } from './replay-postbacks';
import { isSigningSecret } from './secrets';
import { isDay } from './time';

const program = new Command('adtrail').description(
  'Attributes app installs and web visits to marketing campaigns and reports on them',
);

program
  .command('serve', { isDefault: true })
  .description('start the service; the configuration comes from the environment')
  .option('--demo', 'apply a demo workspace where there is none yet and print commands to try it')
  .action(async (options: { demo?: true }) => {
    const config = readConfig(process.env);
    await serve(config, async ({ port, clickhouseUrl, adminToken }) => {
      if (!options.demo) return;
      const service = addressOf(config.host, port);
      const token = demoToken(config.dataDir);
      await applyDemo(service, adminToken, token);
      process.stdout.write(
        welcome(
          {
            service,
            clickhouse: clickhouseUrl,
            readerPassword: readerPasswordOf(config),
            adminTokenFile: adminTokenFile(config),
            pages: await describePages({ service, adminToken }),
          },
          token,
        ),
      );
    });
  });

program
  .command('demo')
  .description(
    'start the service on free ports and a folder of its own, fill it with 60 days of simulated traffic, and ' +
      'print its reports',
  )
  .option('--installs <number>', 'about how many installs; everything else is in proportion', wholeNumber, 3_000)
  .option('--exit', 'end after the reports instead of serving on')
  .action(async ({ installs, exit }: { installs: number; exit?: true }) => {
    const config = readConfig({
      ...DEMO_DEFAULTS,
      ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')),
    });
    // The printed commands can be repeated at once: reports have no limit here.
    await serve({ ...config, workers: 1, limits: { ...config.limits, reporting: null } }, async (at) => {
      await runDemo({
        ...at,
        service: addressOf(config.host, at.port),
        dataDir: config.dataDir,
        readerPassword: readerPasswordOf(config),
        installs,
      });
      if (!exit) {
        const pages = await describePages({ service: addressOf(config.host, at.port), adminToken: at.adminToken });
        process.stdout.write(`${pages}\n\n`);
      }
      process.stdout.write(
        exit ? 'Done.\n' : 'The service goes on, without its limit of one report a minute. Stop with Ctrl-C.\n',
      );
      if (exit) process.kill(process.pid, 'SIGTERM');
    });
  });

program
  .command('first-link')
  .option('--url <url>', 'address of the running service; default: HOST and PORT of the environment')
  .description('print a link that makes an operator of the dashboard, once, within a day')
  .action(async (options: { url?: string }) => {
    process.stdout.write(`${await firstLink(targetOf(options))}\n`);
  });

program
  .command('migrate')
  .description('bring PostgreSQL and ClickHouse to the newest schema and end')
  .action(async () => {
    const applied = await migrateOnce(readConfig(process.env));
    process.stdout.write(
      applied.length > 0 ? applied.map((name) => `applied ${name}\n`).join('') : 'nothing to apply\n',
    );
  });

program
  .command('apply')
  .argument('<file>', 'the workspace as a JSON document')
  .option('--url <url>', 'address of the running service; default: HOST and PORT of the environment')
  .description('apply a workspace document to a running service; secrets it generates are printed this once')
  .action(async (file: string, options: { url?: string }) => {
    const config = readConfig(process.env);
    const answer = await applyDocument(serviceAt(config, options), adminTokenOf(config), readDocument(file)).catch(
      (error: Error) => {
        throw new StartError(error.message);
      },
    );
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  });

const imports = program
  .command('import')
  .description('send the rows of a file to a running service; interrupted, the same command goes on where it stopped');
const FORMS = 'CSV with a header, or one JSON object a line in a file named .ndjson';

imports
  .command('spend')
  .argument('<file>', `ad spend: ${FORMS}`)
  .requiredOption(
    '--key <key>',
    'server key of the project; or SERVICE_KEY in the environment',
    process.env.SERVICE_KEY,
  )
  .option('--url <url>', 'address of the running service; default: HOST and PORT of the environment')
  .description('import ad spend; a file may be sent again, its rows replace those of the same keys')
  .action((file: string, options: { key: string; url?: string }) =>
    runImport(file, {
      url: `${serviceAt(readConfig(process.env), options)}/collect/v1/spend`,
      method: 'PUT',
      headers: { 'service-key': options.key },
      field: 'rows',
    }),
  );

imports
  .command('clicks')
  .argument('<file>', `clicks: ${FORMS}; c, tid, click_time, and app_id, d, gaid, idfa, ip, ua, s2, s3, s4`)
  .requiredOption('--project <name or id>', 'the project whose campaigns they are for')
  .option('--url <url>', 'address of the running service; default: HOST and PORT of the environment')
  .description('import clicks of any age with their original times, under the IDs that S2S gives')
  .action(async (file: string, options: { project: string; url?: string }) => {
    const config = readConfig(process.env);
    const service = serviceAt(config, options);
    const headers = { Authorization: `Bearer ${adminTokenOf(config)}` };
    const id = await findByName(service, headers.Authorization, 'project', options.project);
    await runImport(file, {
      url: `${service}/admin/v1/projects/${id}/clicks`,
      method: 'POST',
      headers,
      field: 'clicks',
    });
  });

program
  .command('export')
  .requiredOption(
    '--key <key>',
    'server key of the project; or SERVICE_KEY in the environment',
    process.env.SERVICE_KEY,
  )
  .option('--query <file>', 'a query as JSON; all its rows go to the file of --out')
  .option('--records <kind>', `${RECORD_KINDS.join(', ')}: a file a day goes to the folder of --out`)
  .option('--from <day>', 'of records: first day of receipt, UTC')
  .option('--to <day>', 'of records: last day of receipt, UTC')
  .option('--format <format>', `of records: ${FORMAT_NAMES.join(', ')}`, 'ndjson')
  .requiredOption('--out <path>', `file, whose name ends in .${FORMAT_NAMES.join(', .')}; or folder`)
  .option('--url <url>', 'address of the running service; default: HOST and PORT of the environment')
  .description('save the rows of a query, or records, as files; days of records that are there are not asked for again')
  .action(async (options: ExportOptions) => {
    const from = { service: serviceAt(readConfig(process.env), options), key: options.key };
    process.stdout.write(`${await runExport(from, options)}\n`);
  });

const ingest = program.command('ingest').description('look after the ingest logs of a running service');
const targetOf = (options: { url?: string }) => {
  const config = readConfig(process.env);
  return { service: serviceAt(config, options), adminToken: adminTokenOf(config) };
};
const URL_OPTION = [
  '--url <url>',
  'address of the running service; default: HOST and PORT of the environment',
] as const;

ingest
  .command('status')
  .option(...URL_OPTION)
  .description('say what waits in the log of each process, and up to when everything is in ClickHouse')
  .action(async (options: { url?: string }) => {
    process.stdout.write(`${await describeIngest(targetOf(options))}\n`);
  });

ingest
  .command('forget')
  .argument('<name>', 'the process, as `adtrail ingest status` names it')
  .option(...URL_OPTION)
  .description('forget a process that is left behind and whose log is lost')
  .action(async (name: string, options: { url?: string }) => {
    await forgetIngestProcess(targetOf(options), name);
    process.stdout.write('forgotten\n');
  });

program
  .command('doctor')
  .option(...URL_OPTION)
  .description('examine a running service: engines, clocks, disks, parts, backlogs; says what to do')
  .action(async (options: { url?: string }) => {
    const { text, isWrong } = await askDoctor(targetOf(options));
    process.stdout.write(`${text}\n`);
    if (isWrong) process.exitCode = 1;
  });

const backup = program.command('backup').description('take backups, and look after them');
const PLACE = 'a folder, or s3://bucket/prefix';

backup
  .command('take', { isDefault: true })
  .argument('<to>', PLACE)
  .option('--whole', 'copy everything, and not only what the newest backup there does not have')
  .option(...URL_OPTION)
  .description('take a backup while the service runs, or of its engines while it does not')
  .action(async (to: string, options: { whole?: true; url?: string }) => {
    const target = () => targetOf(options);
    const done = await backUp(readConfig(process.env), target, { to: placeOf(to), whole: options.whole ?? false });
    process.stdout.write(`${done}\n`);
  });

backup
  .command('verify')
  .argument('<from>', PLACE)
  .option('--id <id>', 'which backup; default: the newest')
  .description('restore a backup into a folder of its own, compare each table with the manifest, and remove it')
  .action(async (from: string, { id }: { id?: string }) => {
    process.stdout.write(`${await verifyBackup(readConfig(process.env), placeOf(from), id)}\n`);
  });

backup
  .command('list')
  .argument('<from>', PLACE)
  .description('list the backups at a place')
  .action(async (from: string) => {
    process.stdout.write(`${await describeBackups(readConfig(process.env), placeOf(from))}\n`);
  });

program
  .command('restore')
  .argument('<from>', PLACE)
  .option('--id <id>', 'which backup; default: the newest')
  .option('--send-postbacks', 'send what waited when the backup was taken; without it that is held')
  .description('restore a backup into an empty DATA_DIR, or the empty databases of DATABASE_URL and CLICKHOUSE_URL')
  .action(async (from: string, options: { id?: string; sendPostbacks?: true }) => {
    const messages = options.sendPostbacks ? 'send' : 'hold';
    const done = await restore(readConfig(process.env), { from: placeOf(from), id: options.id, messages });
    process.stdout.write(`${done}\n`);
  });

program
  .command('move')
  .option('--from <folder>', 'DATA_DIR of the stopped service', './data')
  .description('bring the data of embedded engines to the servers of DATABASE_URL and CLICKHOUSE_URL')
  .action(async ({ from }: { from: string }) => {
    process.stdout.write(`${await move(readConfig(process.env), from)}\n`);
  });

program
  .command('replay-postbacks')
  .requiredOption('--project <name or id>', 'the project whose postbacks and webhooks are sent once more')
  .option('--from <day>', 'first day on which the events were received, UTC')
  .option('--to <day>', 'last day, UTC')
  .option('--postback <id>', 'one message alone, instead of days')
  .option('--partner <name or id>', 'what this partner was told, alone')
  .option('--webhook <id>', 'what this webhook was sent, alone', wholeNumber)
  .option('--event <event>', 'install, ..., or event:<name>, alone')
  .option('--outcome <outcome>', 'what ended so, alone: sent, dead or dropped')
  .option('--install <id>', 'what was told of this install, alone')
  .option('--send', 'send them; without it nothing is sent, and only counted')
  .option(...URL_OPTION)
  .description('send postbacks and webhooks of a project once more, under their own IDs')
  .action(async (options: ReplayOptions) => {
    const target = targetOf(options);
    const authorization = `Bearer ${target.adminToken}`;
    const project = await findByName(target.service, authorization, 'project', options.project);
    const partner =
      options.partner === undefined
        ? undefined
        : await findByName(target.service, authorization, 'partner', options.partner);
    const { from, to, postback, webhook, event, outcome, install, send = false } = options;
    const fields = {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(postback !== undefined && { postback_id: postback }),
      ...(partner !== undefined && { partner_id: partner }),
      ...(webhook !== undefined && { webhook_id: webhook }),
      ...(event !== undefined && { event }),
      ...(outcome !== undefined && { outcome }),
      ...(install !== undefined && { install_id: install }),
    };
    const messages = await replayPostbacks(target, project, fields, send);
    process.stdout.write(send ? `sent once more: ${messages}\n` : `would send ${messages}; --send sends them\n`);
  });

program
  .command('plan')
  .requiredOption('--clicks-per-day <numbers>', 'clicks and impressions; several with commas between', loads)
  .option('--installs-per-day <number>', 'default: 1 % of the clicks', load)
  .option('--events-per-day <number>', 'events of apps; default: 20 % of the clicks', load)
  .option('--days <number>', 'how long records are kept; default: 365', wholeNumber)
  .description('print what so much traffic needs, as a table; docs/operations.md says what it rests on')
  .action((options: PlanOptions) => {
    const { clicksPerDay, ...more } = options;
    process.stdout.write(
      describePlans(clicksPerDay.map((clicks) => planFor(trafficOf({ ...more, clicksPerDay: clicks })))),
    );
  });

program
  .command('listen')
  .option('--port <number>', 'where to listen', portOf, 9_000)
  .option('--host <address>', 'at which address of this machine', '127.0.0.1')
  .option('--secret <secret>', 'secret of the webhook, whsec_...: its signatures are checked')
  .option('--answer <answer>', 'what requests are answered with: a status from 200 to 599, or hang', answerOf, 200)
  .option('--every <number>', 'answer only every so many requests so, and the others with 200', wholeNumber, 1)
  .description('print postbacks and webhooks as they arrive; for who builds what receives them')
  .action(async (options: { port: number; host: string; secret?: string; answer: ListenAnswer; every: number }) => {
    const { secret, host } = options;
    if (secret !== undefined && !isSigningSecret(secret))
      throw new StartError('--secret takes whsec_ and Base64 of 24 to 64 bytes.');
    const write = (text: string) => void process.stdout.write(text);
    const listening = await startListening({ ...options, secret, write, now: () => Date.now() });
    write(`listening at ${addressOf(host, listening.port)}; stop with Ctrl-C\n`);
    write(`A service sends here if it runs with OUTBOX_ALLOW_PRIVATE=127.0.0.1/32.\n\n`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    await listening.close();
  });

interface PlanOptions {
  readonly clicksPerDay: readonly number[];
  readonly installsPerDay?: number;
  readonly eventsPerDay?: number;
  readonly days?: number;
}

interface ReplayOptions {
  readonly project: string;
  readonly from?: string;
  readonly to?: string;
  readonly postback?: string;
  readonly partner?: string;
  readonly webhook?: number;
  readonly event?: string;
  readonly outcome?: string;
  readonly install?: string;
  readonly send?: true;
  readonly url?: string;
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

async function runImport(file: string, target: Target): Promise<void> {
  const { accepted, rejected } = await importFile(file, target);
  process.stdout.write(`${accepted} rows accepted, ${rejected} rejected\n`);
  if (rejected > 0) process.exitCode = 1;
}

/** Where the demo runs unless the environment says otherwise: beside a service that runs already. */
const DEMO_DEFAULTS = { PORT: '0', CLICKHOUSE_HTTP_PORT: '0', DATA_DIR: './data/demo' };

/** @throws InvalidArgumentError for what cannot be answered with. */
function answerOf(text: string): ListenAnswer {
  if (text === 'hang') return text;
  if (!/^[2-5]\d\d$/.test(text)) throw new InvalidArgumentError('takes a status from 200 to 599, or hang');
  return Number(text);
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('takes a port from 0 to 65535');
  return Number(text);
}

/** So many a day, up to what no installation has. */
function load(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new InvalidArgumentError('takes a whole number from 1 to 999999999999');
  return Number(text);
}

function loads(text: string): number[] {
  return text.split(',').map(load);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('takes a whole number from 1 to 999999');
  return Number(text);
}

/** The ID of a project or partner, by its name or ID. */
async function findByName(
  service: string,
  authorization: string,
  what: 'project' | 'partner',
  wanted: string,
): Promise<number> {
  const headers = { Authorization: authorization };
  const response = await fetch(`${service}/admin/v1/${what}s`, { headers }).catch((error: Error) => {
    throw new StartError(`No service answers at ${service}: ${error.message}`);
  });
  const answer = (await response.json()) as Record<string, { id: number; name: string }[]> & { msg?: string };
  if (!response.ok) throw new StartError(answer.msg ?? `The service answered ${response.status}`);
  const found = (answer[`${what}s`] ?? []).filter(({ id, name }) => name === wanted || String(id) === wanted);
  if (found.length !== 1)
    throw new StartError(
      found.length === 0
        ? `There is no ${what} ${wanted}.`
        : `Several ${what}s are named ${wanted}; name one by its ID: ${found.map(({ id }) => id).join(', ')}.`,
    );
  return found[0]?.id as number;
}

const serviceAt = (config: Config, { url }: { url?: string }) =>
  url?.replace(/\/$/, '') ?? addressOf(config.host, config.port);
const addressOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

function readDocument(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(`Cannot read ${file} as JSON: ${(error as Error).message}`);
  }
}

const readerPasswordOf = (config: Config): ReaderPassword =>
  config.clickhouse.readerPassword === undefined
    ? { file: readerPasswordFile(config.dataDir) }
    : { variable: 'CLICKHOUSE_READER_PASSWORD' };

const adminTokenFile = (config: Config) => path.join(config.dataDir, 'admin-token');

/** The token of ADMIN_TOKEN, else the one that the service generated into its data folder. */
function adminTokenOf(config: Config): string {
  if (config.adminToken) return config.adminToken;
  const file = adminTokenFile(config);
  if (!fs.existsSync(file))
    throw new StartError(
      `There is no admin token: set ADMIN_TOKEN, or DATA_DIR to the folder of the running service (${file} does ` +
        'not exist).',
    );
  return fs.readFileSync(file, 'utf8').trim();
}

program.parseAsync().then(
  () => process.exit(process.exitCode ?? 0),
  (error: unknown) => {
    // Errors that the operator can correct are printed as a sentence; all others are bugs and printed with their stack.
    const isExpected = error instanceof ConfigError || error instanceof StartError || error instanceof ImportError;
    process.stderr.write(`adtrail: ${isExpected ? error.message : describeError(error)}\n`);
    process.exit(1);
  },
);
