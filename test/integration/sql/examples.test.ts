/**
 * The examples of the SQL page: each runs on the engine and agrees with what else says the same: the queries endpoint,
 * or where it does not count that, another endpoint or what was sent.
 */
import { buildExamples } from '../../../dashboard/src/pages/sql/examples';
import { caughtUp } from '../../support/caught-up';
import { startReceiver, type Receiver } from '../../support/deliveries/receiver';
import { decided } from '../../support/reports/app-report';
import { ownNames } from '../../support/workspace/own-names';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { DECISIONS, sendRecords } from '../../support/sql/example-records';
import { askSame, dayIn, DAY, EXPECTED, NOW, SAME, type Rows, type Zone } from '../../support/sql/example-rows';

const service = sharedService();
const own = ownNames('sql-examples');
const ZONES = ['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia'] as const;
const PARTNER = 'Zone Ads';

const zones = new Map<string, Zone>();
let receiver: Receiver;

const buildDocument = (hook: string) =>
  own.document({
    accounts: [{ name: 'Acme' }],
    partners: [{ name: PARTNER, tokens: ['token'] }],
    projects: ZONES.map((timezone, at) => ({
      name: timezone,
      account: 'Acme',
      timezone,
      currency: 'EUR',
      server_keys: [timezone],
      apps: [{ platform: 'ANDROID', app_id: `com.examples.zone${at}` }],
      partner_switches: [{ partner: PARTNER, s2s_clicks: true }],
      campaigns: [
        { display_id: `zone${at}`, name: `Campaign ${at}`, network: 'META', network_campaign_id: `m${at}` },
        { display_id: `ads${at}`, name: `Ads ${at}`, partner: PARTNER },
      ],
      webhooks: [{ url: `${hook}/zone${at}`, events: ['install'] }],
    })),
  });

beforeAll(async () => {
  receiver = await startReceiver();
  await service.apply(buildDocument(receiver.url));
  for (const [at, timezone] of ZONES.entries()) {
    const key = own(timezone);
    const events = await sendRecords({
      ...{ service, key, token: own('token'), appId: `com.examples.zone${at}`, now: NOW },
      campaigns: { network: `zone${at}`, networkId: `m${at}`, partner: `ads${at}` },
      id: (text) => own(`${timezone}-${text}`),
      gaid: (n) => `7e8a0000-0000-4000-8000-${String(at * 1000 + n).padStart(12, '0')}`,
      day: dayIn(timezone, NOW - DAY),
    });
    const project = await idByName(service, 'projects', key);
    zones.set(timezone, { service, timezone, key, project, events });
    await decided(service, project, DECISIONS);
    await receiver.waitFor(`/zone${at}`);
  }
  await caughtUp(service);
}, 180_000);
afterAll(() => receiver.close());

async function run(key: string, query: string): Promise<{ columns: { name: string }[]; rows: Rows }> {
  const response = await service.request('/api/v1/sql', {
    method: 'POST',
    headers: { 'service-key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const body = (await response.json()) as { msg?: string; columns: { name: string }[]; rows: Rows };
  expect({ query, status: response.status, msg: body.msg }).toEqual({ query, status: 200, msg: undefined });
  return body;
}

const hasFigures = (row: readonly unknown[]) => row.slice(1).some((value) => value !== 0 && value !== null);
const sorted = (rows: Rows) => [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe.each(ZONES)('in %s', (timezone) => {
  const examples = buildExamples({ timezone, currency: 'EUR' });

  test.each(examples.map(({ name, query }) => [name, query] as const))('%s', async (name, query) => {
    const zone = zones.get(timezone) as Zone;
    const same = SAME[name];
    // Refusals are counted, and messages noted, a little later.
    await eventually(`${name} has rows`, async () => {
      const { rows } = await run(zone.key, query);
      return rows.length > 0 ? true : undefined;
    });
    const { rows } = await run(zone.key, query);
    if (!same) {
      const expected = await EXPECTED[name]?.(zone);
      expect(sorted(rows)).toEqual(sorted(expected ?? []));
      return;
    }
    const isNamed = (row: unknown[]) =>
      !['ROAS by campaign', 'Quality of partners'].includes(name) || isCampaign(row[0]);
    const expected = (await askSame(zone, same)).filter((row) => isNamed(row) && hasFigures(row));
    expect(expected.length).toBeGreaterThan(0);
    const shown = rows.map((row) => same.columns.map((at) => row[at])).filter(hasFigures);
    expect(sorted(shown)).toEqual(sorted(expected));
  });
});

/** Organic installs have no spend and no partner. */
const isCampaign = (name: unknown) => name !== 'organic' && name !== '';

test('there are twenty, each with a name of its own, and all are compared', () => {
  const examples = buildExamples({ timezone: "Odd'/Zone", currency: 'EUR' });
  expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
  expect(examples.length).toBeGreaterThanOrEqual(20);
  expect([...Object.keys(SAME), ...Object.keys(EXPECTED)].sort()).toEqual(examples.map(({ name }) => name).sort());
  for (const { query } of examples) expect(query).not.toContain("'Odd'/");
});
