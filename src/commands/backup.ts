/** The commands of backups: backup, restore, move. */
import type { Command } from 'commander';
import { readConfig } from '../config';
import { print, chooseTarget, URL_OPTION, type Env } from './target';

const PLACE = 'a folder in BACKUP_DIR, or s3://bucket/prefix';

/** What takes long to load, and only these commands need. */
const tasks = () => import('./backup-tasks.js');

export function addBackup(program: Command, env: Env): void {
  const backup = program.command('backup').description('take backups, and look after them');

  backup
    .command('take', { isDefault: true })
    .argument('<to>', PLACE)
    .option('--whole', 'copy everything, and not only what the newest backup there does not have')
    .option('--with-seal-key', 'with the key that its secrets are sealed with; without it that is kept elsewhere')
    .option(...URL_OPTION)
    .description('take a backup while the service runs, or of its engines while it does not')
    .action(async (to: string, options: { whole?: true; withSealKey?: true; url?: string }) => {
      const target = () => chooseTarget(env, options);
      const { backUp, resolvePlace } = await tasks();
      const done = await backUp(readConfig(env), target, {
        to: resolvePlace(to),
        whole: options.whole ?? false,
        withSealKey: options.withSealKey ?? false,
      });
      print(`${done}\n`);
    });

  backup
    .command('verify')
    .argument('<from>', PLACE)
    .option('--id <id>', 'which backup; default: the newest')
    .description('restore a backup into a folder of its own, compare each table with the manifest, and remove it')
    .action(async (from: string, { id }: { id?: string }) => {
      const { verifyBackup, resolvePlace } = await tasks();
      print(`${await verifyBackup(readConfig(env), resolvePlace(from), id)}\n`);
    });

  backup
    .command('list')
    .argument('<from>', PLACE)
    .description('list the backups at a place')
    .action(async (from: string) => {
      const { describeBackups, resolvePlace } = await tasks();
      print(`${await describeBackups(readConfig(env), resolvePlace(from))}\n`);
    });

  program
    .command('restore')
    .argument('<from>', PLACE)
    .option('--id <id>', 'which backup; default: the newest')
    .option('--send-postbacks', 'send what waited when the backup was taken; without it that is held')
    .description('restore a backup into an empty DATA_DIR, or the empty databases of DATABASE_URL and CLICKHOUSE_URL')
    .action(async (from: string, options: { id?: string; sendPostbacks?: true }) => {
      const messages = options.sendPostbacks ? 'send' : 'hold';
      const { restore, resolvePlace } = await tasks();
      const done = await restore(readConfig(env), { from: resolvePlace(from), id: options.id, messages });
      print(`${done}\n`);
    });

  program
    .command('move')
    .option('--from <folder>', 'DATA_DIR of the stopped service', './data')
    .description('bring the data of embedded engines to the servers of DATABASE_URL and CLICKHOUSE_URL')
    .action(async ({ from }: { from: string }) => {
      const { move } = await tasks();
      print(`${await move(readConfig(env), from)}\n`);
    });
}
