#!/usr/bin/env node
/** The command line: what each command does is in src/commands. */
import { Command } from 'commander';
import { addBackup } from './commands/backup';
import { addDbtSources } from './commands/dbt-sources';
import { addFiles } from './commands/files';
import { addMcp } from './commands/mcp';
import { addOperations } from './commands/operations';
import { addPostbacks } from './commands/postbacks';
import { addServe } from './commands/serve';
import { addWorkspace } from './commands/workspace';
import { ConfigError } from './config';
import { StartError } from './errors';
import { ImportError } from './commands/import';
import { describeError } from './lib/log';

const program = new Command('adtrail').description(
  'Attributes app installs and web visits to marketing campaigns and reports on them',
);
for (const add of [addServe, addWorkspace, addFiles, addDbtSources, addOperations, addBackup, addPostbacks, addMcp])
  add(program, process.env);

program.parseAsync().then(
  () => process.exit(process.exitCode ?? 0),
  (error: unknown) => {
    // Errors that the operator can correct are printed as a sentence; all others are bugs and printed with their stack.
    const isExpected = error instanceof ConfigError || error instanceof StartError || error instanceof ImportError;
    process.stderr.write(`adtrail: ${isExpected ? error.message : describeError(error)}\n`);
    process.exit(1);
  },
);
