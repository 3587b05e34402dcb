/** Runs a command of the built service as an operator would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ADMIN_TOKEN, cleanEnvironment, root } from '../service';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** Without what npm and Node say by themselves. */
  readonly stderr: string;
}

/** Runs `adtrail` with these arguments to its end; `onStart` is told its process ID. */
export async function adtrail(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  onStart: (pid: number) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), ...args], {
    env: { ...cleanEnvironment(), ADMIN_TOKEN, ...env },
  });
  onStart(child.pid as number);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
