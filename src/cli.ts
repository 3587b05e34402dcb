#!/usr/bin/env node
/** The command line: adtrail serve, demo, migrate, apply and import. */
import fs from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { ConfigError, readConfig, type Config } from './config';
import { applyDemo, applyDocument, demoToken, welcome } from './demo';
import { runDemo } from './demo/run';
import { importSpend } from './import-spend';
import { describeError } from './log';
import { migrateOnce, serve, StartError } from './main';

const program = new Command('adtrail').description('Attributes app installs and web visits to marketing campaigns and reports on them');

program
  .command('serve', { isDefault: true })
  .description('start the service; the configuration comes from the environment')
  .option('--demo', 'apply a demo workspace where there is none yet and print commands to try it')
  .action(async (options: { demo?: true }) => {
    const config = readConfig(process.env);
    await serve(config, async ({ port, clickhouseUrl, clickhousePassword, adminToken }) => {
      if (!options.demo) return;
      const service = addressOf(config.host, port);
      const token = demoToken(config.dataDir);
      await applyDemo(service, adminToken, token);
      process.stdout.write(welcome({ service, clickhouse: clickhouseUrl, clickhousePassword, adminTokenFile: adminTokenFile(config) }, token));
    });
  });

program
  .command('demo')
  .description('start the service on free ports and a folder of its own, fill it with 60 days of simulated traffic, and print its reports')
  .option('--installs <number>', 'about how many installs; everything else is in proportion', wholeNumber, 3_000)
  .option('--exit', 'end after the reports instead of serving on')
  .action(async ({ installs, exit }: { installs: number; exit?: true }) => {
    const config = readConfig({ ...DEMO_DEFAULTS, ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')) });
    // Whoever tries the printed commands gets the reports as often as he likes.
    await serve({ ...config, workers: 1, limits: { ...config.limits, reporting: null } }, async (at) => {
      await runDemo({ ...at, service: addressOf(config.host, at.port), dataDir: config.dataDir, installs });
      process.stdout.write(exit ? 'Done.\n' : 'The service goes on, without its limit of one report a minute. Stop with Ctrl-C.\n');
      if (exit) process.kill(process.pid, 'SIGTERM');
    });
  });

program
  .command('migrate')
  .description('bring PostgreSQL and ClickHouse to the newest schema and end')
  .action(async () => {
    const applied = await migrateOnce(readConfig(process.env));
    process.stdout.write(applied.length > 0 ? applied.map((name) => `applied ${name}\n`).join('') : 'nothing to apply\n');
  });

program
  .command('apply')
  .argument('<file>', 'the workspace as a JSON document')
  .option('--url <url>', 'address of the running service; default: HOST and PORT of the environment')
  .description('apply a workspace document to a running service; secrets it generates are printed this once')
  .action(async (file: string, options: { url?: string }) => {
    const config = readConfig(process.env);
    const url = options.url?.replace(/\/$/, '') ?? addressOf(config.host, config.port);
    const answer = await applyDocument(url, adminTokenOf(config), readDocument(file)).catch((error: Error) => {
      throw new StartError(error.message);
    });
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  });

const imports = program.command('import').description('send a file to a running service');

imports
  .command('spend')
  .argument('<file>', 'ad spend: CSV with a header, or one JSON object a line in a file named .ndjson')
  .requiredOption('--key <key>', 'server key of the project; or SERVICE_KEY in the environment', process.env.SERVICE_KEY)
  .option('--url <url>', 'address of the running service; default: HOST and PORT of the environment')
  .description('import ad spend; a file may be sent again, its rows replace those of the same keys')
  .action(async (file: string, options: { key: string; url?: string }) => {
    const config = readConfig(process.env);
    const url = options.url?.replace(/\/$/, '') ?? addressOf(config.host, config.port);
    const rejections: string[] = [];
    const { accepted, rejected } = await importSpend({ file, url, key: options.key, onRejected: (row, reason, field) => rejections.length < MAX_TOLD && rejections.push(`row ${row}: ${reason} ${field}`) }).catch((error: Error) => {
      throw new StartError(error.message);
    });
    process.stdout.write(`${accepted} rows accepted, ${rejected} rejected\n`);
    if (rejections.length > 0) process.stderr.write(`${rejections.join('\n')}\n${rejected > MAX_TOLD ? `and ${rejected - MAX_TOLD} more\n` : ''}`);
    if (rejected > 0) process.exitCode = 1;
  });

/** Where the demo runs unless the environment says otherwise: beside a service that runs already. */
const DEMO_DEFAULTS = { PORT: '0', CLICKHOUSE_HTTP_PORT: '0', DATA_DIR: './data/demo' };

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('takes a whole number from 1 to 999999');
  return Number(text);
}

/** So many rejected rows of a file are told one by one. */
const MAX_TOLD = 20;

const addressOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

function readDocument(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(`Cannot read ${file} as JSON: ${(error as Error).message}`);
  }
}

const adminTokenFile = (config: Config) => path.join(config.dataDir, 'admin-token');

/** The token of ADMIN_TOKEN, else the one that the service generated into its data folder. */
function adminTokenOf(config: Config): string {
  if (config.adminToken) return config.adminToken;
  const file = adminTokenFile(config);
  if (!fs.existsSync(file)) throw new StartError(`There is no admin token: set ADMIN_TOKEN, or DATA_DIR to the folder of the running service (${file} does not exist).`);
  return fs.readFileSync(file, 'utf8').trim();
}

program.parseAsync().then(
  () => process.exit(process.exitCode ?? 0),
  (error: unknown) => {
    // A reason that the operator can act upon is told as it is; anything else is a fault of ours and comes with its place.
    const told = error instanceof ConfigError || error instanceof StartError;
    process.stderr.write(`adtrail: ${told ? error.message : describeError(error)}\n`);
    process.exit(1);
  },
);
