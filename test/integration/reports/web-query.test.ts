/** Queries of web visits (docs/contract/queries.md): worked cases, and random histories on which a model agrees. */
import fc from 'fast-check';
import { isbot } from 'isbot';
import type { Postgres } from '../../../src/db/postgres';
import { putSpend } from '../../support/reports/app-report';
import { readPostgres } from '../../support/postgres';
import { ask, askBoth, drawLegal, readReader, type QueryAnswer } from '../../support/reports/query';
import { idByName } from '../../support/s2s/s2s-client';
import { rounds, seeded, some } from '../../support/soak';
import { answered, isOnCluster } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { BOT, BROWSER, collect, reportData, webWorkspace, type Json } from '../../support/collect/web';
import type { ModelCampaign, ModelEvent } from '../../support/reports/web-model';
import { modelWebQuery, type ModelSpend, type Origin, type WebQuestion } from '../../support/reports/web-query-model';

const service = sharedService();
let postgres: Postgres;
beforeAll(() => (postgres = readPostgres(service)));
afterAll(() => postgres.close());

const SEED = Number(process.env.SEED ?? 20261123);
const RUNS = Number(process.env.RUNS ?? 4);
const BATCH = 4;

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 ' +
  'Mobile/15E148 Safari/604.1';
const ORIGINS: Readonly<Record<string, Omit<Origin, 'country'>>> = {
  [BROWSER]: { device: 'desktop', browser: 'Chrome', os: 'Linux' },
  [IPHONE]: { device: 'mobile', browser: 'Safari', os: 'iOS' },
  [BOT]: { device: '', browser: '', os: '' },
};
const COUNTRIES: Readonly<Record<string, string>> = { '8.8.8.8': 'US', '217.80.10.1': 'DE' };

const range = { source: 'web', from: '2026-02-26', to: '2026-03-02' } as const;
const readRows = ({ results }: QueryAnswer) => results.map(({ dimensions, metrics }) => [...dimensions, ...metrics]);

describe('worked cases', () => {
  const key = 'server-key-of-web-query';
  const visit = (visitor: string, session: string, time: string, page: string, more: Json = {}) => ({
    event_id: `${visitor}-${session}-${time}-${String(more.name)}`,
    type: 'page_view',
    time: `2026-03-0${time}:00Z`,
    visitor_id: visitor,
    session_id: session,
    url: `https://acme.example${page}`,
    ip: '8.8.8.8',
    ua: BROWSER,
    ...more,
  });
  const event = (name: string, more: Json = {}) => ({ type: 'event', name, ...more });

  beforeAll(async () => {
    await service.apply(
      webWorkspace('web-query', {
        timezone: 'Europe/Berlin',
        currency: 'EUR',
        network_accounts: [{ network: 'META', external_customer_id: 'act' }],
        campaigns: [
          { display_id: 'wq-meta', name: 'Meta', network: 'META', network_campaign_id: '770', utm_ids: ['wq-a'] },
          { display_id: 'wq-mail', name: 'Newsletter' },
        ],
      }),
    );
    const facebook = '/?utm_source=fb&utm_medium=paid&utm_id=wq-a';
    const answer = await collect(service, { 'service-key': key }, [
      // One who came by an ad, read two pages in three minutes, and bought.
      visit('a', '1', '1T10:00', facebook, { referrer: 'https://www.facebook.com/' }),
      visit('a', '1', '1T10:02', '/pricing'),
      visit('a', '1', '1T10:03', '/pricing', event('purchase', { revenue: 30 })),
      // One who left at once, on a telephone in Germany, just before midnight in Berlin, and came back after it.
      visit('b', '1', '1T22:59', '/news?utm_source=list&utm_medium=email&utm_id=wq-mail', {
        ip: '217.80.10.1',
        ua: IPHONE,
      }),
      visit('b', '2', '1T23:01', '/signup', { ip: '217.80.10.1', ua: IPHONE }),
      visit('b', '2', '1T23:02', '/signup', { ip: '217.80.10.1', ua: IPHONE, ...event('Sign_Up') }),
      visit('c', '1', '2T12:00', '/', { referrer: 'https://news.example.org/best/' }),
      visit('bot', '1', '2T12:00', '/', { ua: BOT }),
    ]);
    expect(answer).toEqual({ status: 202, body: { accepted: 8, rejected: [] } });
    await putSpend(service, key, [
      { date: '2026-03-01', network: 'META', account: 'act', campaign_id: '770', spend: 12, currency: 'EUR' },
    ]);
  });

  test('every metric by campaign, with totals', async () => {
    const metrics = ['visitors', 'sessions', 'page_views', 'bounce_rate', 'session_seconds', 'signups', 'conversion'];
    const answer = await ask(service, key, {
      ...range,
      metrics: [...metrics, 'purchases', 'revenue', 'spend', 'roas', 'cpa', 'event:Sign_Up'],
      dimensions: ['campaign'],
      order_by: [['campaign', 'asc']],
      include: ['totals'],
    });
    expect(answer.body).toMatchObject({
      results: [
        { dimensions: [''], labels: [''], metrics: [1, 1, 1, 100, 0, 0, 0, 0, 0, 0, null, null, 0] },
        { dimensions: ['770'], labels: ['Meta'], metrics: [1, 1, 2, 0, 180, 0, 0, 1, 30, 12, 2.5, null, 0] },
        { dimensions: ['wq-mail'], labels: ['Newsletter'], metrics: [1, 2, 2, 50, 30, 1, 100, 0, 0, 0, null, 0, 1] },
      ],
      totals: [3, 4, 5, 50, 60, 1, 33.33, 1, 30, 12, 2.5, 12, 1],
      meta: { rows: 3, currency: 'EUR', timezone: 'Europe/Berlin' },
      query: { source: 'web', model: 'last_touch' },
    });
    expect(answer.body.query).not.toHaveProperty('view');
    expect(Date.parse(answer.meta.complete_until as string)).toBeGreaterThan(Date.now() - 3_600_000);
  });

  test('the statement of an answer gives a reader of the project the same rows', async () => {
    const reader = await readReader(service, await idByName(service, 'projects', 'Project web-query'));
    for (const [metrics, dimensions, filters = []] of [
      [
        ['visitors', 'spend', 'roas', 'event:Sign_Up'],
        ['campaign', 'channel'],
      ],
      [
        ['visitors', 'sessions', 'bounce_rate'],
        ['landing_page', 'country', 'hour'],
      ],
      [['visitors', 'conversion', 'revenue'], ['source', 'month'], [['is', 'os', ['IOS', 'Windows', '']]]],
      [['spend'], ['ad_set', 'week'], [['contains', 'campaign_name', ['meta']]]],
    ] as [string[], string[], unknown[]?][]) {
      const { rows, shown } = await askBoth(service, key, reader, { ...range, metrics, dimensions, filters });
      expect([metrics, shown]).toEqual([metrics, rows]);
    }
  });

  test('days are those of the project', async () => {
    const answer = await ask(service, key, { ...range, metrics: ['visitors', 'sessions'], dimensions: ['day'] });
    expect(readRows(answer)).toEqual([
      ['2026-03-01', 2, 2],
      ['2026-03-02', 2, 2],
    ]);
    const hours = await ask(service, key, { ...range, metrics: ['page_views'], dimensions: ['hour'] });
    expect(readRows(hours)).toEqual([
      ['2026-03-01 11', 2],
      ['2026-03-01 23', 1],
      ['2026-03-02 00', 1],
      ['2026-03-02 13', 1],
    ]);
  });

  test.each<[string, string[], unknown[][]]>([
    [
      'where visitors are and what they use',
      ['country', 'device', 'os', 'browser'],
      [
        ['US', 'desktop', 'Linux', 'Chrome', 2],
        ['DE', 'mobile', 'iOS', 'Safari', 1],
      ],
    ],
    [
      'where sessions came from',
      ['referrer'],
      [
        ['', 1],
        ['facebook.com', 1],
        ['news.example.org/best/', 1],
      ],
    ],
    [
      'where they began',
      ['landing_page'],
      [
        ['acme.example/', 2],
        ['acme.example/news', 1],
        ['acme.example/signup', 1],
      ],
    ],
    [
      'where they ended',
      ['exit_page'],
      [
        ['acme.example/', 1],
        ['acme.example/news', 1],
        ['acme.example/pricing', 1],
        ['acme.example/signup', 1],
      ],
    ],
    [
      'what was read',
      ['page'],
      [
        ['acme.example/', 2],
        ['acme.example/news', 1],
        ['acme.example/pricing', 1],
        ['acme.example/signup', 1],
      ],
    ],
    [
      'source and medium',
      ['source', 'medium'],
      [
        ['example.org', '', 1],
        ['fb', 'paid', 1],
        ['list', 'email', 1],
      ],
    ],
  ])('%s', async (_, dimensions, expected) => {
    const answer = await ask(service, key, { ...range, metrics: ['visitors'], dimensions });
    expect(readRows(answer)).toEqual(expected);
  });

  test.each([
    ['0001-01-01', '9999-12-31'],
    ['1970-01-01', '2149-06-06'],
  ])('a range has all that is in it, however long: %s to %s', async (from, to) => {
    const question = { metrics: ['visitors', 'page_views'], dimensions: ['campaign'], order_by: [['campaign', 'asc']] };
    const few = await ask(service, key, { ...range, ...question });
    expect(readRows(await ask(service, key, { ...range, ...question, from, to }))).toEqual(readRows(few));
    expect(few.results).toHaveLength(3);
  });

  test('filters keep what passes, and a metric counts within it', async () => {
    const answer = await ask(service, key, {
      ...range,
      metrics: ['visitors', 'page_views'],
      filters: [
        ['contains', 'page', ['PRICING']],
        ['is_not', 'country', ['DE']],
      ],
    });
    expect(readRows(answer)).toEqual([[1, 1]]);
  });

  test('a comparison stands beside the rows of the same dimensions', async () => {
    const answer = await ask(service, key, {
      ...range,
      from: '2026-03-02',
      to: '2026-03-02',
      metrics: ['visitors', 'revenue'],
      dimensions: ['channel'],
      compare: 'previous_period',
    });
    expect(answer.results).toEqual([
      { dimensions: ['email'], labels: ['email'], metrics: [1, 0], comparison: [1, 0] },
      { dimensions: ['referral'], labels: ['referral'], metrics: [1, 0], comparison: [0, 0] },
    ]);
  });

  test('the web report says the same, where it is asked the same', async () => {
    // Around midnight in Berlin and in Kolkata nothing happened on these days.
    const asked = { from: '2026-02-01', to: '2026-03-31' };
    for (const model of ['last_touch', 'first_touch']) {
      const data = await reportData(service, key, { ...asked, attribution: model, limit: '100' });
      const answer = await ask(service, key, {
        source: 'web',
        ...asked,
        model,
        metrics: ['visitors', 'sessions', 'page_views', 'signups', 'conversion', 'purchases', 'revenue'],
        dimensions: ['campaign'],
      });
      const fields = ['visitors', 'sessions', 'page_views', 'signups', 'conversion', 'purchases', 'revenue'];
      expect(readRows(answer).sort()).toEqual(
        data.campaigns.map((row) => [row.id ?? '', ...fields.map((field) => row[field])]).sort(),
      );
    }
  });

  test('spend that nobody tells is null, and named', async () => {
    const asked = { ...range, metrics: ['visitors', 'spend', 'roas', 'cpa'], include: ['totals'] };
    const byCountry = await ask(service, key, { ...asked, dimensions: ['country'] });
    expect([readRows(byCountry), byCountry.totals, byCountry.meta.unknown]).toEqual([
      [
        ['US', 2, null, null, null],
        ['DE', 1, null, null, null],
      ],
      [3, null, null, null],
      ['spend', 'roas', 'cpa'],
    ]);
    const ofSource = await ask(service, key, {
      ...asked,
      dimensions: ['campaign'],
      filters: [['is', 'source', ['fb']]],
    });
    expect([readRows(ofSource), ofSource.totals]).toEqual([[['770', 1, null, null, null]], [1, null, null, null]]);
    const known = await ask(service, key, { ...asked, dimensions: ['channel'] });
    expect(known.meta).not.toHaveProperty('unknown');
    expect(known.totals).toEqual([3, 12, 2.5, 12]);
  });

  test('what dimensions hold', async () => {
    const values = async (parameters: string) => {
      const path = `/api/v1/reporting/values?source=web&${parameters}`;
      const response = await service.request(path, { headers: { 'service-key': key } });
      return ((await response.json()) as { values: Json[] }).values.map(({ value, label, count }) => [
        value,
        label,
        count,
      ]);
    };
    expect(await values('dimension=browser')).toEqual([
      ['Chrome', 'Chrome', 2],
      ['Safari', 'Safari', 1],
    ]);
    expect(await values('dimension=campaign&search=META')).toEqual([['770', 'Meta', 1]]);
    expect(await values('dimension=campaign_name&search=letter')).toEqual([['Newsletter', 'Newsletter', 1]]);
    expect(await values('dimension=page&search=PRIC')).toEqual([['acme.example/pricing', 'acme.example/pricing', 1]]);
    for (const dimension of ['channel', 'network_campaign', 'ad_set', 'ad', 'source', 'medium', 'referrer', 'device'])
      expect((await values(`dimension=${dimension}`)).length).toBeGreaterThan(0);
  });

  test('as a file', async () => {
    const response = await answered(() =>
      service.request('/api/v1/reporting/query?format=csv', {
        method: 'POST',
        headers: { 'service-key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...range, metrics: ['visitors', 'bounce_rate'], dimensions: ['campaign'] }),
      }),
    );
    expect((await response.text()).trim().split('\n').sort()).toEqual([
      ',,1,100',
      '770,Meta,1,0',
      'campaign,campaign_name,visitors,bounce_rate',
      'wq-mail,Newsletter,1,50',
    ]);
  });
});

describe('random histories', () => {
  /** Around midnight in New York (05:00 UTC) and in UTC, close enough together for ties. */
  const TIMES = [
    '2026-02-27T04:59:59.999Z',
    '2026-02-27T05:00:00.000Z',
    '2026-02-27T05:00:00.001Z',
    '2026-02-27T23:59:59.999Z',
    '2026-02-28T00:00:00.000Z',
    '2026-02-28T06:00:00.000Z',
    '2026-03-01T04:30:00.250Z',
    '2026-03-01T05:30:00.000Z',
    '2026-03-01T12:00:00.000Z',
  ];
  const LANDINGS: readonly (readonly [string, string])[] = [
    ['', ''],
    ['', ''],
    ['', 'https://www.google.com/'],
    ['?utm_source=fb&utm_medium=paid&utm_id=meta-a&utm_content=11', ''],
    ['?utm_source=ig&utm_medium=paid&utm_id=meta-b&ad_set_id=5', 'https://l.instagram.com/a/b?c=d'],
    ['?gclid=x&gad_campaignid=900&utm_id=900', 'https://www.google.com/'],
    ['?c=google1', ''],
    ['?utm_source=news&utm_medium=email&utm_id=spring', ''],
    ['?utm_source=News&utm_medium=Email&utm_campaign=summer', ''],
    ['', 'https://blog.example.org/'],
    ['', 'https://www.acme.example/other'],
  ];
  const CAMPAIGNS: readonly ModelCampaign[] = [
    { display_id: 'spring', name: 'Spring' },
    {
      display_id: 'meta1',
      name: 'Meta one',
      network: 'META',
      network_campaign_id: '777',
      utm_ids: ['meta-a', 'meta-b'],
    },
    { display_id: 'google1', name: 'Google one', network: 'GOOGLE', network_campaign_id: '900' },
  ];
  const own = {
    domains: new Set<string>(),
    website: 'acme.example',
    isCampaign: (displayId: string) => CAMPAIGNS.some(({ display_id }) => display_id === displayId),
  };
  const SPEND: readonly ModelSpend[] = [
    { date: '2026-02-27', network: 'META', network_campaign_id: '777', ad_set_id: '5', cents: 1234 },
    { date: '2026-02-27', network: 'META', network_campaign_id: '777', ad_set_id: '6', cents: 66 },
    { date: '2026-02-28', network: 'GOOGLE', network_campaign_id: '900', ad_set_id: '', cents: 501 },
    { date: '2026-03-05', network: 'GOOGLE', network_campaign_id: '900', ad_set_id: '', cents: 99 },
  ];

  const oneEvent = fc.record({
    id: fc.nat(40),
    visitor: fc.nat(3),
    session: fc.nat(2),
    time: fc.constantFrom(...TIMES),
    path: fc.constantFrom('', 'pricing', 'Blog/Ä?x=1&'),
    landing: fc.constantFrom(...LANDINGS),
    name: fc.option(fc.constantFrom('signup', 'Sign_Up', 'purchase', 'Order_Completed', 'add_to_cart'), { freq: 1 }),
    revenue: fc.constantFrom(undefined, 0.005, 9.995, 100, 19.99, -3),
    ip: fc.constantFrom('8.8.8.8', '217.80.10.1', undefined),
    ua: fc.constantFrom(BROWSER, BROWSER, IPHONE, BOT),
  });
  const pause = fc.record({
    campaign: fc.constantFrom('spring', 'meta1', 'google1'),
    from: fc.constantFrom(...TIMES),
    length: fc.option(fc.constantFrom(1, 1000, 3_600_000, 86_400_000)),
  });
  const history = fc.record({
    deliveries: fc.array(fc.array(oneEvent, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 }),
    pauses: fc.uniqueArray(pause, { maxLength: 2, selector: ({ campaign }) => campaign }),
  });
  type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

  const VISITS = ['visitors', 'sessions', 'page_views', 'bounce_rate', 'session_seconds', 'signups', 'conversion'];
  const ALL = [...VISITS, 'purchases', 'revenue', 'event:add_to_cart', 'event:signup'];
  const MONEY = ['visitors', 'revenue', 'spend', 'roas', 'cpa'];
  const QUESTIONS: readonly WebQuestion[] = [
    { ...range, metrics: ALL },
    { ...range, metrics: ALL, dimensions: ['campaign'], model: 'first_touch' },
    { ...range, metrics: MONEY, dimensions: ['campaign'] },
    { ...range, metrics: MONEY, dimensions: ['channel', 'day'] },
    { ...range, metrics: MONEY, dimensions: ['network_campaign', 'ad_set'] },
    { ...range, metrics: MONEY, dimensions: ['month'], filters: [['is', 'campaign_name', ['Meta one']]] },
    { ...range, metrics: MONEY, filters: [['contains_not', 'campaign', ['7']]] },
    { ...range, metrics: ALL, dimensions: ['source', 'medium'], from: '2026-02-28' },
    { ...range, metrics: ALL, dimensions: ['channel', 'ad'], filters: [['is', 'device', ['mobile']]] },
    { ...range, metrics: ALL, dimensions: ['referrer', 'landing_page', 'exit_page'] },
    { ...range, metrics: ALL, dimensions: ['page'], filters: [['contains', 'page', ['PRIC', 'ä']]] },
    { ...range, metrics: ALL, dimensions: ['country', 'device', 'browser', 'os'] },
    { ...range, metrics: ALL, dimensions: ['hour', 'country'], to: '2026-02-28' },
    { ...range, metrics: ALL, dimensions: ['week'], filters: [['is_not', 'referrer', ['']]] },
    { ...range, metrics: ALL, dimensions: ['day'], model: 'first_touch', filters: [['is', 'country', ['', 'DE']]] },
    { ...range, metrics: ['visitors'], filters: [['is', 'campaign', ['777', 'spring']]] },
  ];

  /** Random questions of each history beside those above. */
  const RANDOM = rounds(isOnCluster() ? 2 : 4, 60);
  const random = seeded();
  const drawQuestion = () =>
    drawLegal<WebQuestion>(
      random,
      'web',
      {
        metrics: [...ALL, 'spend', 'roas', 'cpa'],
        dimensions: [...new Set(QUESTIONS.flatMap(({ dimensions = [] }) => dimensions))],
        filters: [
          ['campaign', ['777', 'SPRING', '']],
          ['campaign_name', ['one', '']],
          ['channel', ['paid', 'meta']],
          ['medium', ['email', '']],
          ['ad_set', ['5', '']],
          ['device', ['mobile']],
          ['country', ['de', '']],
          ['page', ['acme.example/pricing']],
        ],
      },
      (draw) => ({
        source: 'web',
        model: draw(['last_touch', 'first_touch']),
        from: draw(['2026-02-26', '2026-02-27', '2026-02-28']),
        to: draw(['2026-02-28', '2026-03-02', '2026-04-01']),
      }),
    );

  const toEvent = (one: typeof oneEvent extends fc.Arbitrary<infer T> ? T : never): ModelEvent => {
    const query = one.path.includes('?') ? one.landing[0].replace('?', '') : one.landing[0];
    return {
      event_id: `e${String(one.id).padStart(2, '0')}`,
      type: one.name ? 'event' : 'page_view',
      ...(one.name ? { name: one.name } : {}),
      time: one.time,
      visitor_id: `v${one.visitor}`,
      session_id: `s${one.session}`,
      url: new URL(`https://acme.example/${one.path}${query}`).href,
      referrer: one.landing[1],
      ...(one.revenue === undefined ? {} : { revenue: one.revenue }),
      ...(one.ip === undefined ? {} : { ip: one.ip }),
      ua: one.ua,
    };
  };

  let runs = 0;
  async function check({ deliveries, pauses }: History): Promise<void> {
    // Drawn before anything is waited for: histories are played together, and each seed is to draw the same for each.
    const declared = some(QUESTIONS, isOnCluster() ? 5 : 10, random);
    const questions = [...declared, ...Array.from({ length: RANDOM }, () => drawQuestion())];
    const suffix = `web-query-histories-${runs++}`;
    const key = `server-key-of-${suffix}`;
    await service.apply(
      webWorkspace(suffix, {
        currency: 'USD',
        network_accounts: [
          { network: 'META', external_customer_id: 'act' },
          { network: 'GOOGLE', external_customer_id: '123' },
        ],
        campaigns: CAMPAIGNS.map((campaign) => ({ ...campaign })),
      }),
    );
    const spans = pauses.map(({ campaign, from, length }) => ({
      campaign,
      from: Date.parse(from),
      until: length === null ? null : Date.parse(from) + length,
    }));
    for (const { campaign, from, until } of spans)
      await postgres.rows(
        `INSERT INTO campaign_pauses (campaign_id, paused_at, unpaused_at)
         SELECT id, to_timestamp($3 / 1000.0), to_timestamp($4 / 1000.0)
         FROM campaigns
         WHERE display_id = $1 AND project_id = (SELECT id FROM projects WHERE name = $2)`,
        [campaign, `Project ${suffix}`, from, until],
      );
    const spent = await putSpend(
      service,
      key,
      SPEND.map(({ date, network, network_campaign_id, ad_set_id, cents }) => ({
        date,
        network,
        account: network === 'META' ? 'act' : '123',
        campaign_id: network_campaign_id,
        ...(ad_set_id ? { ad_set_id } : {}),
        spend: cents / 100,
        currency: 'USD',
      })),
    );
    expect(spent).toEqual({ accepted: SPEND.length, rejected: [] });
    const accepted: ModelEvent[] = [];
    for (const delivery of deliveries) {
      const events = delivery.map(toEvent);
      const answer = await collect(service, { 'service-key': key }, events);
      expect(answer).toEqual({ status: 202, body: { accepted: events.length, rejected: [] } });
      accepted.push(...events);
    }
    const world = {
      accepted,
      campaigns: CAMPAIGNS.map((campaign) => ({
        ...campaign,
        pauses: spans.filter((span) => span.campaign === campaign.display_id),
      })),
      spend: SPEND,
      own,
      timezone: 'America/New_York',
      isBot: isbot,
      readOrigin: ({ ip, ua = '' }: ModelEvent): Origin => ({
        country: COUNTRIES[ip ?? ''] ?? '',
        ...(ORIGINS[ua] as Omit<Origin, 'country'>),
      }),
    };
    const reader = await readReader(service, await idByName(service, 'projects', `Project ${suffix}`));
    for (const question of questions) {
      const expected = modelWebQuery(world, question);
      const asked = { ...question, limit: 10_000 };
      const answer = await ask(service, key, asked);
      expect({
        question,
        rows: Object.fromEntries(
          answer.results.map(({ dimensions, metrics }) => [JSON.stringify(dimensions), metrics]),
        ),
      }).toEqual({ question, rows: Object.fromEntries(expected) });
      const both = await askBoth(service, key, reader, asked);
      expect({ question, rows: both.shown }).toEqual({ question, rows: both.rows });
    }
  }

  test(`service and model agree (SEED=${SEED} RUNS=${RUNS})`, async () => {
    // Histories are played together, so that they wait together.
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: BATCH, maxLength: BATCH }), async (histories) => {
        await Promise.all(histories.map(check));
      }),
      { seed: SEED, numRuns: Math.ceil(RUNS / BATCH), endOnFailure: true },
    );
  }, 900_000);
});
