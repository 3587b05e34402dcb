/** `adtrail plan`: what traffic needs, and that the documents say the same. */
import fs from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { addOperations } from '../../../src/commands/operations';
import recorded from '../../../src/plan/measured.json';
import { MEASURED } from '../../../src/plan/measured';
import { describePlans, planFor, completeTraffic } from '../../../src/plan/plan';

const root = path.resolve(__dirname, '..', '..', '..');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const plan = (clicksPerDay: number, more: object = {}) => planFor(completeTraffic({ clicksPerDay, ...more }));
/** Without the padding of columns. */
const cells = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/^-+$/, '---')));

/** What `adtrail plan` prints; throws what it refuses with. */
async function printed(args: readonly string[]): Promise<string> {
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    addOperations(program, {});
    for (const command of program.commands) command.copyInheritedSettings(program);
    await program.parseAsync(['plan', ...args], { from: 'user' });
    return written.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    written.mockRestore();
  }
}

test('the table of docs/operations.md is what the command prints', async () => {
  const [, args = '', table = ''] =
    /<!-- adtrail (plan .*) -->\n\n((?:\|.*\n)+)/.exec(read('docs/operations.md')) ?? [];
  const stdout = await printed(args.split(' ').slice(1));
  expect(cells(table)).toEqual(cells(stdout));
  expect(cells(table)[0]).toEqual(['', 'clicks a day', '1,000,000', '10,000,000', '100,000,000', '']);
});

test('what is not said is in proportion to the clicks', () => {
  expect(completeTraffic({ clicksPerDay: 1_000_000 })).toEqual({
    clicksPerDay: 1_000_000,
    installsPerDay: 10_000,
    eventsPerDay: 200_000,
    days: 365,
  });
  const all = { clicksPerDay: 5, installsPerDay: 6, eventsPerDay: 7, days: 8 };
  expect(completeTraffic(all)).toEqual(all);
});

test('figures follow from what was measured', () => {
  // 864 million clicks a day are 10,000 a second, and 40,000 at the peak.
  const large = plan(864_000_000, { installsPerDay: 1, eventsPerDay: 1, days: 10 });
  const { clickService, clickStored, clickTakenIn, clickBytes, touchBytes, keyBytes } = recorded;
  expect(large.peakClicks).toBeCloseTo(40_000);
  expect(large.serviceCores).toBeCloseTo(40_000 * clickService * 1e-6 * 2, 2);
  expect(large.clickhouseCores).toBeCloseTo(40_000 * (clickStored + clickTakenIn) * 1e-6 * 2 + 2, 2);
  expect(large.clickhouseDiskGb).toBeCloseTo((864e6 * 10 * (clickBytes + touchBytes + 2 * keyBytes)) / 0.6 / 1e9, 0);
  expect(large.logGb).toBeCloseTo((40_000 * 7_200 * 300) / 1e9, 1);
  expect(large.workers).toBe(Math.ceil(large.serviceCores));
});

test('more traffic, or longer, never needs less', () => {
  const sizes = [1e4, 1e5, 1e6, 1e7, 1e8, 1e9].map((clicks) => plan(clicks));
  const figures = [
    'serviceCores',
    'clickhouseCores',
    'workers',
    'serviceMemoryGb',
    'clickhouseDiskGb',
    'logGb',
    'shards',
  ];
  for (const figure of figures) {
    const values = sizes.map((one) => one[figure as 'workers']);
    expect(values).toEqual([...values].sort((a, b) => a - b));
  }
  expect(plan(1e7, { days: 730 }).clickhouseDiskGb).toBeGreaterThan(plan(1e7).clickhouseDiskGb);
});

test('little fits on one machine and needs no Redis; much needs shards, and says so first', () => {
  expect(plan(100_000)).toMatchObject({ shards: 0, redis: false, workers: 1, firstKnob: 'none' });
  const large = plan(1_000_000_000);
  expect(large.shards).toBeGreaterThan(1);
  expect(large).toMatchObject({ redis: true, firstKnob: '`CLICKHOUSE_CLUSTER`' });
  const installs = plan(1_000_000, { installsPerDay: 40_000_000, eventsPerDay: 1, days: 1 });
  expect(installs.peakInstalls).toBeGreaterThan(MEASURED.decider.value);
});

test.each(Object.entries(MEASURED))(
  '%s names a place that there is, with the number',
  (_name, { value, unit, from }) => {
    const [file = '', heading] = from.split(', ');
    const text = read(file);
    if (heading !== undefined) expect(text).toContain(heading);
    expect(value).toBeGreaterThan(0);
    expect(unit.length).toBeGreaterThan(3);
  },
);

test('every knob that it names is a variable of the service', () => {
  const knobs = read('src/plan/plan.ts').match(/\b[A-Z]+_[A-Z_]+(?==|`)/g) ?? [];
  expect(knobs.length).toBeGreaterThan(3);
  for (const knob of knobs) expect(read('src/config.ts')).toContain(`${knob}:`);
});

test('a table has a column for each plan', () => {
  const table = cells(describePlans([plan(1e6), plan(1e7)]));
  expect(new Set(table.map((row) => row.length))).toEqual(new Set([5]));
});

test.each([['0'], ['-1'], ['1e6'], ['1,'], ['many']])('%s is no number of clicks', async (text) => {
  await expect(printed([`--clicks-per-day=${text}`])).rejects.toThrow('takes a whole number');
});
