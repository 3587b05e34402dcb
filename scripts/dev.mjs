/** `npm run dev`: builds and starts the service, and does both again whenever a source file changes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const WATCHED = ['src', 'dashboard/src', 'clickhouse', 'sql'];
/** How often changes are looked for. An editor or a checkout writes several files at once: they share one build. */
const POLL_MS = 300;

/** The steps of `npm run build`; the compiler remembers what it has compiled. */
const BUILD = [
  [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--incremental',
    '--tsBuildInfoFile',
    'dist/.tsbuildinfo',
  ],
  ['dist/build/datacenter-ranges.js'],
  ['dist/build/assets.js'],
  ['dist/build/api-types.js'],
  ['node_modules/vite/bin/vite.js', 'build', '--config', 'dashboard/vite.config.mts', '--logLevel', 'warn'],
];

let service;

const build = () => BUILD.every((args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0);

function start() {
  service = spawn(process.execPath, ['dist/cli.js', 'serve', ...process.argv.slice(2)], { stdio: 'inherit' });
  service.once('exit', (code, signal) => console.log(`The service ended (${signal ?? code}).`));
}

async function stop() {
  if (!service || service.exitCode !== null || service.signalCode !== null) return;
  const exited = once(service, 'exit');
  service.kill('SIGTERM');
  await exited;
}

/** What failed to build does not replace what runs. */
async function rebuild() {
  if (!build()) {
    console.log('The build failed; waiting for the next change.');
    return;
  }
  await stop();
  start();
}

let changed = false;
for (const path of WATCHED) {
  // What a build writes is no change.
  watch(path, { recursive: true }, (_, name) => (changed ||= !/(^|\/)generated/.test(name ?? '')));
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await stop();
    process.exit(0);
  });
}

await rebuild();
for (;;) {
  await sleep(POLL_MS);
  if (!changed) continue;
  changed = false;
  console.log('A source file has changed: building.');
  await rebuild();
}
