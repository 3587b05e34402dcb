/** Runs `adtrail import` as an operator would. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ADMIN_TOKEN, cleanEnvironment, root } from '../service';

export function startImport(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), 'import', ...args], {
    env: { ...cleanEnvironment(), ADMIN_TOKEN, ...env },
  });
}

/** What it wrote and how it ended, without how far it was every few seconds. */
export async function finishImport(child: ChildProcess): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr: stderr.replace(/^\d+ %: .*\n/gm, '') };
}
