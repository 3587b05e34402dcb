/** The examples of the SQL page: each runs on the engine, and those of figures agree with the queries endpoint. */
import { buildExamples } from '../../../dashboard/src/pages/sql/examples';
import { decided, postEvents, putSpend } from '../../support/reports/app-report';
import { ownNames } from '../../support/workspace/own-names';
import { ask } from '../../support/reports/query';
import { idByName } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const own = ownNames('sql-examples');
const ZONES = ['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia'] as const;
const NOW = Date.now();
const HOUR = 3_600_000;

const document = own.document({
  accounts: [{ name: 'Acme' }],
  projects: ZONES.map((timezone, at) => ({
    name: timezone,
    account: 'Acme',
    timezone,
    currency: 'EUR',
    server_keys: [timezone],
    apps: [{ platform: 'ANDROID', app_id: `com.examples.zone${at}` }],
    campaigns: [{ display_id: `zone${at}`, name: `Campaign ${at}`, network: 'META', network_campaign_id: `m${at}` }],
  })),
});

const dayIn = (timezone: string, at: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(at);

beforeAll(async () => {
  await service.apply(document);
  for (const [at, timezone] of ZONES.entries()) {
    const base = { app_id: `com.examples.zone${at}` };
    const events = Array.from({ length: 24 }, (_, n) => n + 1).flatMap((n) => {
      // Every few hours of the last week, so that some lie on either side of midnight in each zone.
      const time = new Date(NOW - n * 7 * HOUR).toISOString();
      const install_id = own(`${timezone}-${n}`);
      const attribution = n % 3 === 0 ? {} : { attribution: { network: 'META', network_campaign_id: `m${at}` } };
      return [
        { ...base, type: 'install', event_id: own(`${timezone}-i${n}`), install_id, time, ...attribution },
        {
          ...base,
          type: 'payment',
          event_id: own(`${timezone}-p${n}`),
          install_id,
          time: new Date(NOW - n * 7 * HOUR + HOUR).toISOString(),
          payment_type: 'purchase',
          amount: 1.25,
          currency: 'EUR',
        },
        ...(n % 2 === 0 ? [{ ...base, type: 'signup', event_id: own(`${timezone}-s${n}`), install_id, time }] : []),
      ];
    });
    await postEvents(service, own(timezone), events);
    await putSpend(service, own(timezone), [
      { campaign_id: `zone${at}`, date: dayIn(timezone, NOW - 24 * HOUR), spend: '12.5', currency: 'EUR' },
    ]);
    await decided(service, await idByName(service, 'projects', own(timezone)), 24);
  }
}, 180_000);

async function run(key: string, query: string): Promise<{ columns: { name: string }[]; rows: unknown[][] }> {
  const response = await service.request('/api/v1/sql', {
    method: 'POST',
    headers: { 'service-key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const body = (await response.json()) as { msg?: string; columns: { name: string }[]; rows: unknown[][] };
  expect({ query, status: response.status, msg: body.msg }).toEqual({ query, status: 200, msg: undefined });
  return body;
}

/** What the endpoint is asked for the same figures; columns of the example that are compared. */
interface Same {
  readonly source: string;
  readonly metrics: string[];
  readonly dimensions: string[];
  readonly columns: number[];
  readonly filters?: unknown[];
}
const SAME: Record<string, Same> = {
  'Installs by country': { source: 'app', metrics: ['installs'], dimensions: ['country'], columns: [0, 1] },
  'Sign-ups per day': { source: 'app', metrics: ['signups'], dimensions: ['day'], columns: [0, 1] },
  'Organic share per day': {
    source: 'app',
    metrics: ['installs'],
    dimensions: ['day'],
    columns: [0, 1],
    filters: [['is', 'campaign', ['organic']]],
  },
  'Installs per day': { source: 'app', metrics: ['installs'], dimensions: ['day'], columns: [0, 1] },
  'Installs by campaign': { source: 'app', metrics: ['installs'], dimensions: ['campaign'], columns: [0, 1] },
  'Revenue per day': { source: 'app', metrics: ['revenue'], dimensions: ['day'], columns: [0, 1] },
  'Spend per day': { source: 'app', metrics: ['spend'], dimensions: ['day'], columns: [0, 1] },
  'ROAS by campaign': {
    source: 'app',
    metrics: ['revenue', 'spend', 'roas'],
    dimensions: ['campaign'],
    columns: [0, 1, 2, 3],
  },
};

const hasFigures = (row: readonly unknown[]) => row.slice(1).some((value) => value !== 0 && value !== null);

describe.each(ZONES)('in %s', (timezone) => {
  const examples = buildExamples({ timezone, currency: 'EUR' });

  test.each(examples.map(({ name, query }) => [name, query] as const))('%s', async (name, query) => {
    const { rows } = await run(own(timezone), query);
    const same = SAME[name];
    if (!same) return;
    const { results } = await ask(service, own(timezone), {
      source: same.source,
      metrics: same.metrics,
      dimensions: same.dimensions,
      ...(same.filters && { filters: same.filters }),
      from: dayIn(timezone, NOW - 27 * 24 * HOUR),
      to: dayIn(timezone, NOW),
    });
    const expected = results
      .filter(({ dimensions }) => name !== 'ROAS by campaign' || dimensions[0] !== 'organic')
      .map(({ dimensions, metrics }) => [...dimensions, ...metrics])
      .filter(hasFigures);
    const byFirst = (a: unknown[], b: unknown[]) => String(a[0]).localeCompare(String(b[0]));
    expect(expected.length).toBeGreaterThan(0);
    const shown = rows.map((row) => same.columns.map((at) => row[at])).filter(hasFigures);
    expect(shown.sort(byFirst)).toEqual(expected.sort(byFirst));
  });
});

test('there are twenty, each with a name of its own, and they say what they count', () => {
  const examples = buildExamples({ timezone: "Odd'/Zone", currency: 'EUR' });
  expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
  expect(examples.length).toBeGreaterThanOrEqual(20);
  expect(Object.keys(SAME).filter((name) => !examples.some((one) => one.name === name))).toEqual([]);
  for (const { query } of examples) expect(query).not.toContain("'Odd'/");
});
