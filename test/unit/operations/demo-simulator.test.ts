/** The traffic of the demo: the same for the same options, and of a believable size and shape. */
import { retentionCurve, appTable, type AppRow } from '../../../src/demo/print';
import { simulate } from '../../../src/demo/simulator';

const options = { seed: 7, until: Date.parse('2026-03-05T12:34:56.789Z'), installs: 400 };
const traffic = simulate(options);

test('the same options give the same traffic, another seed another', () => {
  expect(simulate(options)).toEqual(traffic);
  expect(simulate({ ...options, seed: 8 })).not.toEqual(traffic);
});

test('every event has an ID of its own, in the order of time, within the 60 days', () => {
  for (const events of [traffic.appEvents, traffic.webEvents]) {
    const times = events.map(({ time }) => time as string);
    expect(new Set(events.map(({ event_id: id }) => id)).size).toBe(events.length);
    expect(times).toEqual([...times].sort());
    expect((times[0] as string) >= '2026-01-04').toBe(true);
    expect((times.at(-1) as string) <= '2026-03-05T12:34:56.789Z').toBe(true);
  }
});

test('nothing happens in an app before its install, and every kind of event happens', () => {
  const installed = new Set<unknown>();
  for (const { type, install_id: id } of traffic.appEvents) {
    if (type === 'install') installed.add(id);
    expect(installed).toContain(id);
  }
  expect(new Set(traffic.appEvents.map(({ type }) => type))).toEqual(
    new Set(['install', 'open', 'signup', 'event', 'payment', 'refund', 'uninstall']),
  );
});

test('touches are of the last 24 hours, one a tid', () => {
  const touches = [...traffic.clicks, ...traffic.impressions];
  expect(touches.every(({ time }) => time <= options.until && options.until - time < 86_400_000)).toBe(true);
  expect(new Set(touches.map(({ tid }) => tid)).size).toBe(touches.length);
});

test('tables line up, and bars are as long as their share', () => {
  const row: AppRow = {
    name: 'One',
    clicks: '1,234',
    installs: '10',
    'sign-ups': '5',
    spend: '€20.00',
    revenue: '€30.00',
    roas: '1.50',
    classic_retention: { d1: 40, d7: 20, d14: 10, d30: '-' },
  };
  const lines = appTable([row, { ...row, name: 'A longer name', roas: undefined }]).split('\n');
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(retentionCurve(row).split('\n')).toEqual([
    `  D1  ${'█'.repeat(20)} 40%`,
    `  D7  ${'█'.repeat(10)} 20%`,
    `  D14 ${'█'.repeat(5)} 10%`,
    '  D30  -',
  ]);
});
