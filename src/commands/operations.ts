/** The commands of operators: ingest, doctor, plan. */
import { InvalidArgumentError, type Command } from 'commander';
import { describePlans, planFor, completeTraffic } from '../plan/plan';
import { askDoctor } from './doctor-report';
import { describeIngest, forgetIngestProcess } from './ingest-status';
import { print, chooseTarget, URL_OPTION, wholeNumber, type Env } from './target';

export function addOperations(program: Command, env: Env): void {
  const ingest = program.command('ingest').description('look after the ingest logs of a running service');
  ingest
    .command('status')
    .option(...URL_OPTION)
    .description('say what waits in the log of each process, and up to when everything is in ClickHouse')
    .action(async (options: { url?: string }) => {
      print(`${await describeIngest(chooseTarget(env, options))}\n`);
    });

  ingest
    .command('forget')
    .argument('<name>', 'the process, as `adtrail ingest status` names it')
    .option(...URL_OPTION)
    .description('forget a process that is left behind and whose log is lost')
    .action(async (name: string, options: { url?: string }) => {
      await forgetIngestProcess(chooseTarget(env, options), name);
      print('forgotten\n');
    });

  program
    .command('doctor')
    .option(...URL_OPTION)
    .description('examine a running service: engines, clocks, disks, parts, backlogs; says what to do')
    .action(async (options: { url?: string }) => {
      const { text, isCritical } = await askDoctor(chooseTarget(env, options));
      print(`${text}\n`);
      if (isCritical) process.exitCode = 1;
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
      print(describePlans(clicksPerDay.map((clicks) => planFor(completeTraffic({ ...more, clicksPerDay: clicks })))));
    });
}

interface PlanOptions {
  readonly clicksPerDay: readonly number[];
  readonly installsPerDay?: number;
  readonly eventsPerDay?: number;
  readonly days?: number;
}

/** A number a day, up to what no installation has. */
function load(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new InvalidArgumentError('takes a whole number from 1 to 999999999999');
  return Number(text);
}

function loads(text: string): number[] {
  return text.split(',').map(load);
}
