/**
 * `make bench-trace`: where the slowest hundredth of the answers comes from. At half load the service's process notes
 * what it does to the millisecond, and the load when each request was sent: of each kind of work, how much of the time
 * it goes on, and how much of the slowest requests' time. What goes on twice as often then is what they wait for.
 */
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../support/service';
import { load, NPM_START_FLAGS, readPort, say, SECONDS, startBench, WARM_UP_SECONDS } from './ingest-setup';

const RATE = Number(process.env.RATE ?? 9_000);
const TRACER = path.join(__dirname, 'trace-process.js');

/** A piece of time, in milliseconds since 1970. */
interface Piece {
  readonly from: number;
  readonly to: number;
}
type Event = readonly [kind: string, begin: number, ms: number];

/** Milliseconds since the beginning at which something of this goes on, each once. */
function millisecondsIn(pieces: readonly Piece[], begin: number): Set<number> {
  const all = new Set<number>();
  for (const { from, to } of pieces) for (let ms = Math.floor(from - begin); ms <= to - begin; ms++) all.add(ms);
  return all;
}

const percent = (share: number) => `${(100 * share).toFixed(1).padStart(5)} %`;

async function main(): Promise<void> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'trace');
  const service = await startBench({ TRACE_FILE: file }, [...NPM_START_FLAGS, '--require', TRACER]);
  const port = readPort(service);
  await load(port, { seconds: 5 });
  const begin = Date.now() + WARM_UP_SECONDS * 1_000;
  const options = { rate: RATE, seconds: WARM_UP_SECONDS + SECONDS, warmUpSeconds: WARM_UP_SECONDS };
  const { p50, p99, slowest } = await load(port, options);
  const end = Date.now();
  await service.dispose();

  const events = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event)
    .filter(([, at, ms]) => at + ms >= begin && at <= end);
  fs.rmSync(folder, { recursive: true });
  const slow = millisecondsIn(
    slowest.map(([from, ms]) => ({ from, to: from + ms })),
    begin,
  );
  say(`${RATE} clicks/s for ${SECONDS} s: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  say(`Slow answers are awaited in ${slow.size} of ${end - begin} milliseconds. What goes on:`);
  say(
    '| | times | p50, longest | of all the time | of the time of slow answers |\n| --- | ---: | ---: | ---: | ---: |',
  );
  for (const kind of new Set(events.map(([name]) => name))) {
    const own = events.filter(([name]) => name === kind);
    const times = own.map(([, , ms]) => ms).sort((a, b) => a - b);
    const during = millisecondsIn(
      own.map(([, from, ms]) => ({ from, to: from + ms })),
      begin,
    );
    const together = [...slow].filter((ms) => during.has(ms)).length;
    const took = `${times[Math.floor(times.length / 2)]?.toFixed(1)}, ${times.at(-1)?.toFixed(0)} ms`;
    const shares = `${percent(during.size / (end - begin))} | ${percent(together / slow.size)}`;
    say(`| ${kind} | ${own.length} | ${took} | ${shares} |`);
  }
}

void main();
