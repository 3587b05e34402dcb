/**
 * What is asked again is answered without computing it, and never by what was true before (docs/contract/queries.md).
 */
import { appEvent, type Json } from '../../support/collect/collect-client';
import { caughtUp } from '../../support/caught-up';
import { postEvents, putSpend } from '../../support/reports/app-report';
import { ask } from '../../support/reports/query';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('kept-answers');
const KEY = own('key');
const APP = own('com.kept');
const DAY_MS = 86_400_000;
/** Days that are long over: nothing moves with the clock. */
const DAYS = { from: '2026-01-01', to: '2026-01-31' };
const noon = (day: string) => `${day}T12:00:00Z`;

const makeDocument = (project: Json = {}) =>
  own.document({
    accounts: [{ name: 'Kept' }],
    projects: [
      {
        name: 'Kept',
        account: 'Kept',
        timezone: 'UTC',
        currency: 'ISK',
        server_keys: ['key'],
        apps: [{ platform: 'ANDROID', app_id: APP }],
        network_accounts: [{ network: 'META', external_customer_id: 'kept' }],
        campaigns: [{ display_id: 'kept', name: 'Before', network: 'META', network_campaign_id: '88001' }],
        ...project,
      },
    ],
  });

const install = (id: string, time: string, more: Json = {}) =>
  appEvent('install', { app_id: APP, install_id: own(id), event_id: own(`install-${id}`), time, ...more });
const fromMeta = { attribution: { network: 'meta', network_campaign_id: '88001' } };

const QUESTION = {
  source: 'app',
  metrics: ['installs', 'revenue', 'spend', 'roas'],
  dimensions: ['campaign'],
  ...DAYS,
  include: ['organic', 'totals'],
};
const BY_DAY = { ...QUESTION, metrics: ['installs'], dimensions: ['day'] };
const VISITS = { source: 'web', metrics: ['visitors', 'page_views'], dimensions: [], ...DAYS };

/** The answer, asked until it has what is expected, and then once more: it stays so. */
async function untilAnswered(question: object, expected: object): Promise<void> {
  await eventually(
    'the answer that is right now',
    async () => {
      const { results, totals } = await ask(service, KEY, question);
      try {
        expect({ results, totals }).toMatchObject(expected);
        return true;
      } catch {
        return undefined;
      }
    },
    2_000,
  );
  const { results, totals } = await ask(service, KEY, question);
  expect({ results, totals }).toMatchObject(expected);
}

beforeAll(async () => {
  await service.apply(makeDocument());
  await postEvents(service, KEY, [
    install('1', noon('2026-01-10'), fromMeta),
    appEvent('payment', {
      app_id: APP,
      install_id: own('1'),
      event_id: own('payment-1'),
      time: noon('2026-01-11'),
      amount: 10,
      currency: 'ISK',
    }),
    install('2', '2026-01-12T23:30:00Z'),
  ]);
  await caughtUp(service);
});

describe('an answer that was given before', () => {
  it('is given again, with up to when it is complete now', async () => {
    await untilAnswered(QUESTION, { totals: [2, 10, 0, null] });
    const first = await ask(service, KEY, QUESTION);
    const again = await ask(service, KEY, QUESTION);
    expect(again.results).toEqual(first.results);
    await postEvents(service, KEY, [install('later', new Date(Date.now() - DAY_MS).toISOString())]);
    await caughtUp(service);
    const later = await ask(service, KEY, QUESTION);
    expect(later.totals).toEqual(first.totals);
    expect(Date.parse(String(later.meta.complete_until))).toBeGreaterThan(
      Date.parse(String(first.meta.complete_until)),
    );
  });

  it('is not given once spend is known', async () => {
    await putSpend(service, KEY, [
      { campaign_id: 'kept', date: '2026-01-10', spend: '5.00', currency: 'ISK', clicks: 1, impressions: 2 },
    ]);
    await untilAnswered(QUESTION, { totals: [2, 10, 5, 2] });
    await putSpend(service, KEY, [
      { campaign_id: 'kept', date: '2026-01-10', spend: '4.00', currency: 'UYU', clicks: 1, impressions: 2 },
    ]);
    await untilAnswered(QUESTION, { totals: [2, 10, 0, null] });
  });

  it('is not given once an exchange rate is known, or another one', async () => {
    await service.apply({
      ...makeDocument(),
      exchange_rates: [
        { date: '2026-01-01', currency: 'UYU', usd: 2.5 },
        { date: '2026-01-01', currency: 'ISK', usd: 1 },
      ],
    });
    await untilAnswered(QUESTION, { totals: [2, 10, 10, 1] });
  });

  it('is not given once events have come late', async () => {
    await postEvents(service, KEY, [install('3', noon('2026-01-15'), fromMeta)]);
    await caughtUp(service);
    await untilAnswered(QUESTION, { totals: [3, 10, 10, 1] });
  });

  it('is not given once the campaign is called otherwise', async () => {
    await untilAnswered(QUESTION, { results: [{ labels: ['Before'] }, {}] });
    await service.apply(
      makeDocument({
        campaigns: [{ display_id: 'kept', name: 'After', network: 'META', network_campaign_id: '88001' }],
      }),
    );
    await untilAnswered(QUESTION, { results: [{ labels: ['After'] }, {}] });
  });

  it('is not given in another time zone', async () => {
    await untilAnswered(BY_DAY, {
      results: [{ dimensions: ['2026-01-10'] }, { dimensions: ['2026-01-12'] }, { dimensions: ['2026-01-15'] }],
    });
    await service.apply(
      makeDocument({
        timezone: 'Asia/Tokyo',
        campaigns: [{ display_id: 'kept', name: 'After', network: 'META', network_campaign_id: '88001' }],
      }),
    );
    await untilAnswered(BY_DAY, {
      results: [{ dimensions: ['2026-01-10'] }, { dimensions: ['2026-01-13'] }, { dimensions: ['2026-01-15'] }],
    });
  });

  it('is not given once more has been visited', async () => {
    const visit = (id: string) => ({
      event_id: own(id),
      type: 'page_view',
      time: '2026-01-20T12:00:00Z',
      visitor_id: own(id),
      session_id: own(id),
      url: 'https://kept.example/',
    });
    const send = (id: string) =>
      service.request('/collect/v1/web', {
        method: 'POST',
        headers: { 'service-key': KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify({ events: [visit(id)] }),
      });
    expect((await send('one')).status).toBe(202);
    await untilAnswered(VISITS, { results: [{ metrics: [1, 1] }] });
    expect((await send('two')).status).toBe(202);
    await untilAnswered(VISITS, { results: [{ metrics: [2, 2] }] });
  });
});
