/** Shows how far the demo is: a bar on a terminal, else a line for each kind of traffic. */
import { SingleBar } from 'cli-progress';
import type { Progress } from './fill';

export function showProgress(): Progress {
  return process.stdout.isTTY ? bars() : lines();
}

function bars(): Progress {
  let bar: SingleBar;
  return {
    start(what, total) {
      bar = new SingleBar({
        format: `  ${what.padEnd(12)} [{bar}] {percentage}% | {value} of {total}`,
        stream: process.stdout,
      });
      bar.start(total, 0);
    },
    add: (count) => bar.increment(count),
    stop: () => bar.stop(),
  };
}

function lines(): Progress {
  let [name, accepted] = ['', 0];
  return {
    start: (what) => ([name, accepted] = [what, 0]),
    add: (count) => (accepted += count),
    stop: () => process.stdout.write(`  ${name.padEnd(12)} ${accepted} accepted\n`),
  };
}
