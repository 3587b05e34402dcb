/**
 * Both reports, pulled while everything pours in and the service is killed at random moments, deriving among them: what
 * they show in the end is what was acknowledged, by sums over analytics.* that share nothing with them.
 */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decided, report } from '../../support/reports/app-report';
import type { Begin } from '../../support/one-service';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually, type RunningService } from '../../support/service';
import { BROWSER, collect, report as webReport, reportData } from '../../support/collect/web';
import { rounds, seeded } from '../../support/soak';

export function reportDurability(begin: Begin): void {
  const KEY = 'server-key';
  const KILLS = rounds(2, 5);
  /** So many of each kind are acknowledged before each kill, and after the last. */
  const MORE = 15;
  const random = seeded();
  const LIMITS = { LIMIT_REPORTING: 'off', LIMIT_IP: 'off' };

  let service: RunningService;
  let projectId: number;
  beforeAll(async () => {
    service = await begin(LIMITS);
    await service.apply({
      accounts: [{ name: 'A' }],
      partners: [{ name: 'Report Ads', tokens: ['token'] }],
      projects: [
        {
          name: 'P',
          account: 'A',
          timezone: 'Asia/Kathmandu',
          created_at: '2026-01-01T00:00:00Z',
          web_campaigns: true,
          website: 'https://acme.example',
          server_keys: [KEY],
          apps: [{ platform: 'ANDROID', app_id: 'com.p' }],
          partner_switches: [{ partner: 'Report Ads', s2s_clicks: true }],
          campaigns: [
            { display_id: 'c1', name: 'One', partner: 'Report Ads' },
            { display_id: 'c2', name: 'Two', partner: 'Report Ads' },
          ],
        },
      ],
    });
    projectId = await idByName(service, 'projects', 'P');
  });

  /** IDs of what was acknowledged, by kind. */
  interface Acknowledged {
    readonly app: Set<string>;
    readonly web: Set<string>;
    readonly clicks: Set<string>;
  }

  /**
   * Sends app events, visits and clicks, a part of them twice, until `work`, which sees what is acknowledged, is done.
   */
  async function underLoad(work: (soFar: Acknowledged) => Promise<void>): Promise<Acknowledged> {
    const acknowledged: Acknowledged = { app: new Set(), web: new Set(), clicks: new Set() };
    let stopped = false;
    const post = async (path: string, events: readonly { event_id: string }[], to: Set<string>) => {
      const answer = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'service-key': KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify({ events }),
      }).catch(() => undefined);
      if (answer?.status === 202) for (const { event_id } of events) to.add(event_id);
      else await sleep(20);
      await sleep(15);
    };
    const loop = async (send: (n: number) => Promise<void>) => {
      for (let n = 0; !stopped; n++) await send(n);
    };
    let sentApp: { event_id: string }[] = [];
    let sentWeb: { event_id: string }[] = [];
    const senders = [
      loop(async (n) => {
        const install_id = `i${n}`;
        // Not later than the clock of the service, which would take such a time for its own.
        const at = Date.now() - 60_000;
        const event = (type: string, seconds: number, more: object = {}) => ({
          event_id: crypto.randomUUID(),
          type,
          time: new Date(at + seconds * 1000).toISOString(),
          app_id: 'com.p',
          install_id,
          ...more,
        });
        const fresh = [
          event('payment', 2, { amount: n % 97, currency: 'USD' }),
          event('signup', 1),
          ...(n % 5 === 0 ? [event('refund', 3, { amount: 1, currency: 'USD' })] : []),
          event('event', 4, { name: 'level' }),
          event('install', 0, {
            attribution: {
              campaign_display_id: n % 3 ? 'c1' : 'c2',
              touch_type: 'click',
              touched_at: new Date(at - 1000).toISOString(),
            },
          }),
        ];
        await post('/collect/v1/app', [...fresh, ...sentApp], acknowledged.app);
        sentApp = fresh.slice(0, 2);
      }),
      loop(async (n) => {
        const landing = ['?utm_source=news&utm_medium=email&utm_id=c1', '', '?gclid=x&utm_id=c2'][n % 3] as string;
        const event = (name: string | undefined, more: object = {}) => ({
          event_id: crypto.randomUUID(),
          type: name ? 'event' : 'page_view',
          ...(name ? { name } : {}),
          time: new Date().toISOString(),
          visitor_id: `v${n % 40}`,
          session_id: `s${n}`,
          url: `https://acme.example/${name ? '' : landing}`,
          ua: BROWSER,
          ...more,
        });
        const fresh = [
          event(undefined),
          event('signup', { user_id: `u${n % 30}` }),
          event('purchase', { revenue: 2.5 }),
        ];
        await post('/collect/v1/web', [...fresh, ...sentWeb], acknowledged.web);
        sentWeb = fresh.slice(1);
      }),
      loop(async (n) => {
        const tid = `t${n}`;
        const answer = await fetch(`${service.url}/v1/click/com.p?c=c1&tid=${tid}&gaid=${crypto.randomUUID()}`, {
          headers: { 'X-Service-Token': 'token' },
        }).catch(() => undefined);
        if (answer?.status === 200) acknowledged.clicks.add(tid);
        await sleep(10);
      }),
      // Whatever they show meanwhile, they answer, or the service is away.
      loop(async () => {
        for (const path of ['campaigns', 'web-campaigns']) {
          const answer = await fetch(`${service.url}/api/v1/reporting/${path}`, {
            headers: { 'service-key': KEY },
          }).catch(() => undefined);
          if (answer) expect([200, 503]).toContain(answer.status);
          await answer?.text().catch(() => undefined);
        }
        await sleep(100);
      }),
    ];
    try {
      await work(acknowledged);
    } finally {
      stopped = true;
      await Promise.all(senders);
    }
    return acknowledged;
  }

  const count = (n: number) => n.toLocaleString('en-US');
  const money = (n: number) => n.toLocaleString('en-US', { style: 'currency', currency: 'USD' });

  test('service killed again and again: in the end the reports show what was acknowledged, each once', async () => {
    const acknowledged = await underLoad(async (soFar) => {
      const sizes = () => [soFar.app.size, soFar.web.size, soFar.clicks.size];
      const someMore = async () => {
        const before = sizes();
        await eventually(
          'more of each kind is acknowledged',
          () => (sizes().every((size, kind) => size >= (before[kind] as number) + MORE) ? true : undefined),
          30_000,
        );
      };
      for (let i = 0; i < KILLS; i++) {
        await someMore();
        await sleep(random() * 1_500);
        await service.kill();
        await service.restart(LIMITS);
      }
      await someMore();
    });

    const stored = async (query: string) => new Set((await service.rows<{ id: string }>(query)).map(({ id }) => id));
    const [app, web, clicks] = [
      await stored(`SELECT event_id AS id FROM analytics.app_events WHERE project_id = ${projectId}`),
      await stored(`SELECT event_id AS id FROM analytics.web_events WHERE project_id = ${projectId}`),
      await stored(`SELECT tid AS id FROM analytics.clicks WHERE project_id = ${projectId}`),
    ];
    for (const [kind, ids, found] of [
      ['app', acknowledged.app, app],
      ['web', acknowledged.web, web],
      ['clicks', acknowledged.clicks, clicks],
    ] as const) {
      expect(ids.size).toBeGreaterThanOrEqual(MORE * (KILLS + 1));
      expect([kind, [...ids].filter((id) => !found.has(id))]).toEqual([kind, []]);
    }

    await decided(
      service,
      projectId,
      (
        await stored(
          `SELECT install_id AS id FROM analytics.app_events WHERE project_id = ${projectId} AND type = 'install'`,
        )
      ).size,
    );
    const byCampaign = await service.rows<{
      display_id: string;
      installs: number;
      signups: number;
      payments: number;
      revenue: number;
      levels: number;
      clicks: number;
    }>(`
    SELECT campaign_display_id AS display_id, toUInt32(uniqExact(install_id)) AS installs,
      toUInt32(countIf(event.type = 'signup')) AS signups, toUInt32(countIf(event.type = 'payment')) AS payments,
      toFloat64(sumIf(event.amount, event.type = 'payment') - sumIf(event.amount, event.type = 'refund')) AS revenue,
      toUInt32(countIf(event.name = 'level')) AS levels, if(display_id = 'c1', ${clicks.size}, 0) AS clicks
    FROM analytics.app_events AS event
    JOIN (SELECT install_id, campaign_display_id FROM analytics.installs
      WHERE project_id = ${projectId}) AS install USING install_id
    WHERE event.project_id = ${projectId}
    GROUP BY display_id ORDER BY display_id`);
    expect(byCampaign.map((row) => row.display_id)).toEqual(['c1', 'c2']);
    const expected = byCampaign.map(
      ({ display_id, installs, signups, payments, revenue, levels, clicks: clicked }) => ({
        display_id,
        installs: count(installs),
        'sign-ups': count(signups),
        revenue_event_count: count(payments),
        revenue: money(revenue),
        custom_events: { level: { count: count(levels) } },
        clicks: count(clicked),
      }),
    );
    const shown = async () =>
      (await report(service, KEY, { events: 'level', sort_field: 'created_at', sort_order: 'ascending' })).campaigns
        .map((row) => Object.fromEntries(Object.keys(expected[0] as object).map((field) => [field, row[field]])))
        .sort((a, b) => String(a.display_id).localeCompare(String(b.display_id)));
    // Within seconds of the last acknowledgement; and then it stays so.
    await eventually(
      'the report has everything',
      async () => (JSON.stringify(await shown()) === JSON.stringify(expected) ? true : undefined),
      20_000,
    ).catch(() => undefined);
    expect(await shown()).toEqual(expected);
    await sleep(3_000);
    expect(await shown()).toEqual(expected);

    const [visits] = await service.rows<{
      visitors: number;
      sessions: number;
      views: number;
      signups: number;
      users: number;
      revenue: number;
    }>(`
    SELECT toUInt32(uniqExact(visitor_id)) AS visitors, toUInt32(uniqExact(visitor_id, session_id)) AS sessions,
      toUInt32(countIf(type = 'page_view')) AS views, toUInt32(countIf(name = 'signup')) AS signups,
      toUInt32(uniqExactIf(user_id, name = 'signup')) AS users,
      toFloat64(sumIf(revenue, name = 'purchase')) AS revenue
    FROM analytics.web_events
    WHERE project_id = ${projectId}`);
    const { totals } = await reportData(service, KEY);
    expect(totals).toMatchObject({
      visitors: visits?.visitors,
      sessions: visits?.sessions,
      page_views: visits?.views,
      signups: visits?.signups,
      unique_signup_users: visits?.users,
      revenue: visits?.revenue,
    });
  }, 720_000);

  test('an app report does not wait for what web reports are derived from', async () => {
    const postgres = readPostgres(service);
    const answered: string[] = [];
    try {
      // As another process that is deriving would hold it.
      await postgres.tx(async (db) => {
        await db.rows('SELECT pg_advisory_xact_lock(7203006)');
        const visit = { event_id: 'waiting', type: 'page_view', visitor_id: 'waiting', session_id: 's', ua: BROWSER };
        const sent = [{ ...visit, time: '2026-02-02T00:00:00Z', url: 'https://acme.example/' }];
        expect((await collect(service, { 'service-key': KEY }, sent)).status).toBe(202);
        const web = webReport(service, KEY).then(({ status }) => answered.push(`web ${status}`));
        await sleep(100);
        expect((await report(service, KEY)).status).toBe(200);
        answered.push('app');
        await web;
      });
    } finally {
      await postgres.close();
    }
    // A report that could not be brought up to date is not given: 503, never 200 with less.
    expect(answered).toEqual(['app', 'web 503']);
  });
}
