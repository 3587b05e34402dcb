/** The commands that set up a running service: apply, first-link. */
import type { Command } from 'commander';
import { readConfig } from '../config';
import { applyDocument } from '../demo/first-start';
import { firstLink } from './first-link';
import { readAdminToken, print, readDocument, serviceAt, chooseTarget, URL_OPTION, type Env } from './target';

export function addWorkspace(program: Command, env: Env): void {
  program
    .command('apply')
    .argument('<file>', 'the workspace as a JSON document')
    .option(...URL_OPTION)
    .description('apply a workspace document to a running service; secrets it generates are printed this once')
    .action(async (file: string, options: { url?: string }) => {
      const config = readConfig(env);
      const answer = await applyDocument(serviceAt(config, options), readAdminToken(config), readDocument(file));
      print(`${JSON.stringify(answer, null, 2)}\n`);
    });

  program
    .command('first-link')
    .option(...URL_OPTION)
    .description('print a link that makes an operator of the dashboard, once, within a day')
    .action(async (options: { url?: string }) => {
      print(`${await firstLink(chooseTarget(env, options))}\n`);
    });
}
