/** The tarball of `@adtrail/client`, unpacked where a program finds it, with only what it depends on. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../service';

export const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Packs it into `folder`; returns the folder of modules. */
export function packClient(folder: string): string {
  const modules = path.join(folder, 'node_modules');
  const unpacked = path.join(modules, '@adtrail', 'client');
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], path.join(root, 'clients', 'typescript'));
  const [tarball = ''] = fs.readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  run('tar', ['-xzf', tarball], folder);
  fs.mkdirSync(path.dirname(unpacked), { recursive: true });
  fs.renameSync(path.join(folder, 'package'), unpacked);
  // With what it needs itself.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    fs.cpSync(path.join(root, 'node_modules', name), path.join(modules, name), { recursive: true });
  return modules;
}
