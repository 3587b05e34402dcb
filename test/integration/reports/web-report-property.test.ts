/** Random histories of visitors, on which the service and the reference model agree exactly. */
import fc from 'fast-check';
import { isbot } from 'isbot';
import type { Postgres } from '../../../src/db/postgres';
import { readPostgres } from '../../support/postgres';
import { isOnCluster } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { rounds } from '../../support/soak';
import { BOT, BROWSER, collect, reportData, webWorkspace, type Json } from '../../support/collect/web';
import { modelReport, type ModelCampaign, type ModelEvent, type ModelQuery } from '../../support/reports/web-model';

const service = sharedService();
let postgres: Postgres;
beforeAll(() => (postgres = readPostgres(service)));
afterAll(() => postgres.close());

const own = {
  domains: new Set<string>(),
  website: 'acme.example',
  isCampaign: (displayId: string) => CAMPAIGNS.some(({ display_id }) => display_id === displayId),
};
const SEED = Number(process.env.SEED ?? 20260301);
const BATCH = 4;
/** On a cluster, where a question takes four times as long, one batch shows that the shards agree. */
const RUNS = Number(process.env.RUNS ?? rounds(isOnCluster() ? BATCH : 2 * BATCH, 40));

/** Around midnight in Kolkata (18:30 UTC) and in UTC, close enough together for ties. */
const TIMES = [
  '2026-02-27T18:29:59.999Z',
  '2026-02-27T18:30:00.000Z',
  '2026-02-27T18:30:00.001Z',
  '2026-02-27T23:59:59.999Z',
  '2026-02-28T00:00:00.000Z',
  '2026-02-28T06:00:00.000Z',
  '2026-02-28T18:29:00.000Z',
  '2026-02-28T18:31:00.000Z',
  '2026-03-01T12:00:00.000Z',
];
const LANDINGS: readonly (readonly [string, string])[] = [
  ['', ''],
  ['', ''],
  ['', 'https://www.google.com/'],
  ['?utm_source=fb&utm_medium=paid&utm_id=meta-a&utm_content=11', ''],
  ['?utm_source=ig&utm_medium=paid&utm_id=meta-b&ad_set_id=5', ''],
  ['?utm_source=fb&utm_medium=paid&utm_id=777', ''],
  ['?gclid=x&gad_campaignid=900&utm_id=900', ''],
  ['?utm_source=news&utm_medium=email&utm_id=spring', ''],
  ['?c=spring', ''],
  ['?c=meta1&utm_campaign=Summer', ''],
  ['?c=shoes', ''],
  ['?utm_campaign=Summer', ''],
  ['?utm_source=News&utm_medium=email&utm_campaign=summer', ''],
  ['', 'https://blog.example.org/'],
  ['', 'https://acme.example/other'],
  ['?fbclid=y', ''],
];
const NAMES = ['signup', 'Sign_Up', 'purchase', 'Order_Completed', 'add_to_cart', 'Search'];

const event = fc.record({
  id: fc.nat(40),
  visitor: fc.nat(3),
  session: fc.nat(2),
  time: fc.constantFrom(...TIMES),
  landing: fc.constantFrom(...LANDINGS),
  name: fc.option(fc.constantFrom(...NAMES), { freq: 1 }),
  user: fc.option(fc.nat(1)),
  revenue: fc.constantFrom(undefined, 0.005, 9.995, 100, 19.99),
  bot: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const pause = fc.record({
  campaign: fc.constantFrom('spring', 'meta1', 'google1'),
  from: fc.constantFrom(...TIMES),
  length: fc.option(fc.constantFrom(1, 1000, 3_600_000, 86_400_000)),
});
const history = fc.record({
  deliveries: fc.array(fc.array(event, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 }),
  pauses: fc.uniqueArray(pause, { maxLength: 2, selector: ({ campaign }) => campaign }),
});

const CAMPAIGNS: readonly ModelCampaign[] = [
  { display_id: 'spring', name: 'Spring' },
  { display_id: 'meta1', name: 'Meta one', network: 'META', network_campaign_id: '777', utm_ids: ['meta-a', 'meta-b'] },
  { display_id: 'google1', name: 'Google one', network: 'GOOGLE', network_campaign_id: '900' },
];

const range = { from: '2026-02-27', to: '2026-03-01' };
const QUERIES: readonly ModelQuery[] = [
  { ...range, group_by: 'campaign', attribution: 'last_touch', events: ['add_to_cart', 'signup', 'never'] },
  { ...range, group_by: 'campaign', attribution: 'first_touch' },
  {
    ...range,
    from: '2026-02-28',
    to: '2026-02-28',
    group_by: 'campaign',
    attribution: 'last_touch',
    events: ['add_to_cart'],
  },
  { ...range, group_by: 'channel', attribution: 'last_touch' },
  { ...range, from: '2026-02-28', group_by: 'source', attribution: 'first_touch' },
  { ...range, group_by: 'network_campaign', network: 'meta', attribution: 'last_touch' },
  { ...range, group_by: 'ad_set', network: 'meta', attribution: 'last_touch' },
  { ...range, group_by: 'ad', network: 'meta', attribution: 'first_touch' },
  { ...range, group_by: 'source', channel: 'email', attribution: 'last_touch' },
  { ...range, group_by: 'campaign', search: 'SUM', attribution: 'last_touch' },
  { ...range, group_by: 'channel', utm_source: 'News', attribution: 'last_touch' },
];

const toEvent = (one: typeof event extends fc.Arbitrary<infer T> ? T : never): ModelEvent => ({
  event_id: `e${String(one.id).padStart(2, '0')}`,
  type: one.name ? 'event' : 'page_view',
  ...(one.name ? { name: one.name } : {}),
  time: one.time,
  visitor_id: `v${one.visitor}`,
  session_id: `s${one.session}`,
  url: `https://acme.example/${one.landing[0]}`,
  referrer: one.landing[1],
  ...(one.user === null ? {} : { user_id: `u${one.user}` }),
  ...(one.revenue === undefined ? {} : { revenue: one.revenue }),
  ua: one.bot ? BOT : BROWSER,
});

const FIELDS = [
  'visitors',
  'sessions',
  'page_views',
  'signups',
  'unique_signup_users',
  'conversion',
  'purchases',
  'revenue',
  'custom_events',
];
const pick = (row: Json, fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, row[field]]));
const byId = (a: Json, b: Json) => String(a.id).localeCompare(String(b.id));

let runs = 0;
async function check({ deliveries, pauses }: typeof history extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const suffix = `web-report-property-${runs++}`;
  await service.apply(
    webWorkspace(suffix, {
      campaigns: CAMPAIGNS.map(({ display_id, name, ...more }) => ({ display_id, name, ...more })),
    }),
  );
  const spans = pauses.map(({ campaign, from, length }) => ({
    campaign,
    from: Date.parse(from),
    until: length === null ? null : Date.parse(from) + length,
  }));
  for (const { campaign, from, until } of spans) {
    await postgres.rows(
      `INSERT INTO campaign_pauses (campaign_id, paused_at, unpaused_at)
       SELECT id, to_timestamp($3 / 1000.0), to_timestamp($4 / 1000.0)
       FROM campaigns
       WHERE display_id = $1 AND project_id = (SELECT id FROM projects WHERE name = $2)`,
      [campaign, `Project ${suffix}`, from, until],
    );
  }
  const campaigns = CAMPAIGNS.map((campaign) => ({
    ...campaign,
    pauses: spans.filter((span) => span.campaign === campaign.display_id),
  }));
  const accepted: ModelEvent[] = [];
  for (const [i, delivery] of deliveries.entries()) {
    const events = delivery.map(toEvent);
    const answer = await collect(service, { 'service-key': `server-key-of-${suffix}` }, events);
    expect(answer).toEqual({ status: 202, body: { accepted: events.length, rejected: [] } });
    accepted.push(...events);
    // In between the report is pulled too: what is derived must give way to what arrives later.
    for (const query of i === deliveries.length - 1 ? QUERIES : QUERIES.slice(0, 1))
      await compare(suffix, accepted, campaigns, query);
  }
}

async function compare(
  suffix: string,
  accepted: readonly ModelEvent[],
  campaigns: readonly ModelCampaign[],
  query: ModelQuery,
): Promise<void> {
  const expected = modelReport(accepted, campaigns, own, isbot, query);
  const { events, ...parameters } = query;
  const data = await reportData(service, `server-key-of-${suffix}`, {
    ...parameters,
    ...(events ? { events: events.join(',') } : {}),
    limit: '100',
  });
  const fields = ['id', 'source', 'merged', 'paused', ...FIELDS];
  expect({
    query,
    rows: data.campaigns.map((row) => pick(row, fields)).sort(byId),
    totals: pick(data.totals, FIELDS),
    total: data.pagination.total,
  }).toEqual({
    query,
    rows: expected.rows.map((row) => pick(row, fields)).sort(byId),
    totals: pick(expected.totals, FIELDS),
    total: expected.rows.length,
  });
}

test(`service and model agree on random histories (SEED=${SEED} RUNS=${RUNS})`, async () => {
  // Histories are played together, so that they wait together.
  const batch = fc.array(history, { minLength: BATCH, maxLength: BATCH });
  await fc.assert(
    fc.asyncProperty(batch, async (histories) => {
      await Promise.all(histories.map(check));
    }),
    { seed: SEED, numRuns: Math.ceil(RUNS / BATCH), endOnFailure: true },
  );
}, 900_000);
