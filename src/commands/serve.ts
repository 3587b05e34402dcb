/** The commands that start a service, or bring its engines forward: serve, demo, migrate. */
import type { Command } from 'commander';
import { readConfig, readerPasswordFile, type Config } from '../config';
import { applyDemo, demoToken, welcome, type ReaderPassword } from '../demo/first-start';
import { describePages } from './first-link';
import { formatAddress, adminTokenFile, print, wholeNumber, type Env } from './target';

export function addServe(program: Command, env: Env): void {
  program
    .command('serve', { isDefault: true })
    .description('start the service; the configuration comes from the environment')
    .option('--demo', 'apply a demo workspace where there is none yet and print commands to try it')
    .action(async (options: { demo?: true }) => {
      const config = readConfig(env);
      const { serve } = await import('../main.js');
      await serve(config, async ({ port, clickhouseUrl, adminToken }) => {
        if (!options.demo) return;
        const service = formatAddress(config.host, port);
        const token = demoToken(config.dataDir);
        await applyDemo(service, adminToken, token);
        print(
          welcome(
            {
              service,
              clickhouse: clickhouseUrl,
              readerPassword: locateReaderPassword(config),
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
        ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
      });
      const [{ serve }, { runDemo }] = await Promise.all([import('../main.js'), import('../demo/run.js')]);
      // The printed commands can be repeated at once: reports have no limit here.
      await serve({ ...config, workers: 1, limits: { ...config.limits, reporting: null } }, async (at) => {
        await runDemo({
          ...at,
          service: formatAddress(config.host, at.port),
          dataDir: config.dataDir,
          readerPassword: locateReaderPassword(config),
          installs,
        });
        if (!exit) {
          const pages = await describePages({
            service: formatAddress(config.host, at.port),
            adminToken: at.adminToken,
          });
          print(`${pages}\n\n`);
        }
        print(exit ? 'Done.\n' : 'The service goes on, without its limit of one report a minute. Stop with Ctrl-C.\n');
        if (exit) process.kill(process.pid, 'SIGTERM');
      });
    });

  program
    .command('migrate')
    .description('bring PostgreSQL and ClickHouse to the newest schema and end')
    .action(async () => {
      const config = readConfig(env);
      const { migrateOnce } = await import('../main.js');
      const applied = await migrateOnce(config);
      print(applied.length > 0 ? applied.map((name) => `applied ${name}\n`).join('') : 'nothing to apply\n');
    });
}

/** Where the demo runs unless the environment says otherwise: beside a service that runs already. */
const DEMO_DEFAULTS = { PORT: '0', CLICKHOUSE_HTTP_PORT: '0', DATA_DIR: './data/demo' };

const locateReaderPassword = (config: Config): ReaderPassword =>
  config.clickhouse.readerPassword === undefined
    ? { file: readerPasswordFile(config.dataDir) }
    : { variable: 'CLICKHOUSE_READER_PASSWORD' };
