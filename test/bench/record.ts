/** What benchmarks tell `adtrail plan`: with `RECORD=true` they write their figures to src/plan/measured.json. */
import fs from 'node:fs';
import path from 'node:path';
import recorded from '../../src/plan/measured.json';

const FILE = path.join(__dirname, '..', '..', 'src', 'plan', 'measured.json');
const DIGITS = 3;

/** Replaces these figures; the others stay. Without `RECORD=true` nothing is written. */
export function record(figures: Partial<typeof recorded>): void {
  if (process.env.RECORD !== 'true') return;
  const before = JSON.parse(fs.readFileSync(FILE, 'utf8')) as typeof recorded;
  const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(DIGITS))]);
  const after = { ...before, ...(Object.fromEntries(rounded) as Partial<typeof recorded>) };
  fs.writeFileSync(FILE, `${JSON.stringify(after, null, 2)}\n`);
}
