/** The alerts of deploy/prometheus and the dashboards of deploy/grafana ask for metrics that the service has. */
import { createMetrics } from '../../../src/metrics/metrics';
import { expressions, namesIn, panels, read, rules } from '../../support/operations/promql';

/** Labels that Prometheus itself adds, about what it scrapes. */
const SCRAPED = ['instance', 'job'];
const HISTOGRAM = { _bucket: ['le'], _sum: [], _count: [] };

/** The labels of each series that the service exports, by the name of the series. */
async function exported(): Promise<Map<string, readonly string[]>> {
  const { registry } = createMetrics();
  const series = new Map<string, readonly string[]>();
  for (const metric of registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[]) {
    const type = (await registry.getSingleMetric(metric.name)?.get())?.type as unknown as string;
    const labels = [...metric.labelNames, ...SCRAPED];
    if (type !== 'histogram') series.set(metric.name, labels);
    else for (const [end, more] of Object.entries(HISTOGRAM)) series.set(metric.name + end, [...labels, ...more]);
  }
  return series;
}

test('what an expression names is found', () => {
  expect(namesIn('sum by (le, a) (rate(b_total{c="d"}[$__rate_interval])) > 0')).toEqual({
    errors: 0,
    series: ['b_total'],
    labels: ['le', 'a', 'c'],
  });
  expect(namesIn('sum(rate(').errors).toBeGreaterThan(0);
});

describe.each([
  ['alert', expressions.alerts],
  ['panel', expressions.panels],
])('every %s', (_kind, all) => {
  test.each(all)('%s', async (_name, expr) => {
    const known = await exported();
    const { errors, series, labels } = namesIn(expr);
    expect(errors).toBe(0);
    expect(series.length).toBeGreaterThan(0);
    expect(series.filter((name) => !known.has(name))).toEqual([]);
    const allowed = new Set(series.flatMap((name) => known.get(name) ?? []));
    expect(labels.filter((label) => !allowed.has(label))).toEqual([]);
  });
});

test('alerts have names of their own, a severity, and say what happened and what to do', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, labels, annotations, expr, for: pending } of rules) {
    expect(alert).toMatch(/^Adtrail[A-Z][A-Za-z]+$/);
    expect(['warning', 'critical']).toContain(labels.severity);
    expect(pending ?? '1m').toMatch(/^\d+m$/);
    expect([annotations.summary, annotations.description].every((text) => text.length > 10)).toBe(true);
    // A label that is told of is one that the alert still has.
    const told = [...`${annotations.summary} ${annotations.description}`.matchAll(/\$labels\.(\w+)/g)];
    const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? (/\bmax\(|absent\(/.test(expr) ? [] : SCRAPED);
    expect(told.map(([, label]) => label).filter((label) => !grouped.includes(label as string))).toEqual([]);
  }
});

test('what operators are told to alert on has an alert', () => {
  const lines = read('docs/operations.md').match(/^\| `adtrail_\w+.*alert on any \|$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(4);
  const alerted = rules.map(({ expr }) => expr).join(' ');
  expect(
    lines.map((line) => /adtrail_\w+/.exec(line)?.[0] as string).filter((name) => !alerted.includes(name)),
  ).toEqual([]);
});

test('every metric of the service is in docs/operations.md', () => {
  const text = read('docs/operations.md');
  const named = new Set(text.match(/adtrail_\w+/g));
  const short = [...text.matchAll(/`(adtrail_\w+?)_[a-z]+(?:\{\w+\})?`((?:, `_\w+`)+)/g)].flatMap(([, stem, ends]) =>
    (ends ?? '').split('`').flatMap((end) => (end.startsWith('_') ? [`${stem}${end}`] : [])),
  );
  const known = new Set([...named, ...short]);
  const metrics = createMetrics().registry.getMetricsAsArray() as unknown as { name: string }[];
  const own = metrics.map(({ name }) => name).filter((name) => name.startsWith('adtrail_'));
  expect(own.filter((name) => !known.has(name))).toEqual([]);
});

test('panels have IDs of their own and stand beside each other', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
});
