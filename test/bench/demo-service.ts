/** `adtrail demo`, for benchmarks over its data. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { cleanEnvironment, root } from '../support/service';

export const INSTALLS = process.env.INSTALLS ?? '3000';

/** Starts the demo; resolves with the link that it prints, once its traffic is there. */
export function startDemo(folder: string, more: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), 'demo', '--installs', INSTALLS], {
    env: { ...cleanEnvironment(), DATA_DIR: path.join(folder, 'data'), LIMIT_IP: 'off', LIMIT_QUERY: 'off', ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise<{ link: string; stop: () => Promise<void> }>((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`The demo ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const link = /http:\S+\/welcome#\S+/.exec(output)?.[0];
      const stop = () =>
        new Promise<void>((stopped) => {
          child.removeAllListeners('exit').once('exit', () => stopped());
          child.kill('SIGTERM');
        });
      if (link) resolve({ link, stop });
    });
  });
}
