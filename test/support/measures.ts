/**
 * What the services of a test run cost, by test file: `make test-measure` prints it (measuring-reporter.js). Nothing is
 * measured unless ADTRAIL_TEST_MEASURES names a file.
 */
import fs from 'node:fs';
import path from 'node:path';

/** Linux counts the time of processes in hundredths of a second. */
const TICKS = 100;

/** Notes the end of a service's process. `clickhouse` answers the processes of its embedded ClickHouse. */
export function measure(clickhouse: () => readonly number[], more: { services?: 1; statements?: number } = {}): void {
  const file = process.env.ADTRAIL_TEST_MEASURES;
  if (file === undefined) return;
  const seconds = clickhouse().reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const test = typeof expect === 'undefined' ? 'shared' : path.basename(expect.getState().testPath ?? '');
  fs.appendFileSync(file, `${JSON.stringify({ test, seconds, ...more })}\n`);
}

export const isMeasured = () => process.env.ADTRAIL_TEST_MEASURES !== undefined;

/** Time of the processors that a process has used, with its threads. */
function cpuSeconds(pid: number): number {
  try {
    // The name of a process may have blanks: the fields are counted from behind it.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0;
  }
}
