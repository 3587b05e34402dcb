/**
 * What many share, an address, a device or a click, holds up nobody else, and its own installs are decided as any
 * others are (docs/contract/attribution.md). Everything waits when the worker begins.
 */
import { attribute, type ModelInstall, type ModelTouch } from '../../support/attribution/attribution-model';
import { appEvent, collectApp, type Json } from '../../support/collect/collect-client';
import type { Begin } from '../../support/one-service';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually, type RunningService } from '../../support/service';

export function hotIdentifier(begin: Begin): void {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const CLICKS = 60_000;
  const HOT = 600;
  const IMPRESSIONS = 220;
  const ON_DEVICE = 230;
  const OF_ONE_CLICK = 300;
  const MANY = 5_000;
  /** At most this many touches of a kind count for one identifier (docs/contract/). */
  const LIMIT = 10_000;

  const ADDRESS = '203.0.113.9';
  const LIMITED_ADDRESS = '203.0.113.10';
  const GAID = '38400000-8cf0-11bd-b23e-000000000001';
  const OTHER_GAID = '38400000-8cf0-11bd-b23e-000000000002';
  const CLICK = '38400000-8cf0-41bd-b23e-000000000003';
  const APP = 'com.acme.shop';
  const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36';
  const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36';

  const project = (name: string) => ({
    name,
    account: name,
    timezone: 'UTC',
    server_keys: [`server-key-of-${name}`],
    apps: [{ platform: 'ANDROID', app_id: APP }],
    partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true, view_through: true }],
    campaigns: [
      { display_id: 'one', name: 'One' },
      { display_id: 'views', name: 'Views', partner: 'Mobi Ads' },
    ],
  });

  interface Decision {
    readonly install_id: string;
    readonly rule: string;
    readonly touch_id: string | null;
    readonly reinstall: number;
    readonly received_ms: number;
    readonly decided_ms: number;
    readonly shown: readonly string[];
  }

  const now = Date.now();
  /** Whole seconds, so that all clocks agree on it. */
  const base = Math.floor((now - HOUR) / 1_000) * 1_000;
  const hot: readonly Json[] = Array.from({ length: HOT }, (_, i) =>
    appEvent('install', {
      install_id: `hot-${i}`,
      // Every tenth was made while the clicks were.
      time: new Date(i % 10 === 0 ? base - i * 1_000 + 500 : now - i).toISOString(),
      ip: ADDRESS,
      ua: ANDROID,
      ...(i % 20 < 10 ? { gaid: GAID.replace('000000000001', String(i).padStart(12, '1')) } : {}),
    }),
  );

  let service: RunningService;
  let decisions: ReadonlyMap<string, Decision>;
  let touches: readonly ModelTouch[];
  let id: number;

  const send = async (name: string, events: readonly Json[]) => {
    for (let from = 0; from < events.length; from += 1_000) {
      const some = events.slice(from, from + 1_000);
      const { accepted, body } = await collectApp(service, some, { 'service-key': `server-key-of-${name}` });
      if (accepted !== some.length) throw new Error(JSON.stringify(body).slice(0, 500));
    }
  };
  const installs = (count: number, name: (i: number) => string, more: Json) =>
    Array.from({ length: count }, (_, i) => appEvent('install', { install_id: name(i), ...more }));
  const startsWith = (prefix: string) =>
    [...decisions.values()].filter(({ install_id }) => install_id.startsWith(prefix));
  const byReceipt = (a: Decision, b: Decision) =>
    a.received_ms - b.received_ms || (a.install_id < b.install_id ? -1 : 1);

  beforeAll(async () => {
    service = await begin({ ROLES: 'api,collect' });
    await service.apply({
      accounts: [{ name: 'Hostile' }, { name: 'Honest' }],
      partners: [{ name: 'Mobi Ads', tokens: ['token-of-mobi'] }],
      projects: ['Hostile', 'Honest'].map(project),
    });
    id = await idByName(service, 'projects', 'Hostile');
    const ofBoth = `project_id IN (${id}, ${await idByName(service, 'projects', 'Honest')})`;
    const { campaigns } = (await service.admin('GET', `/projects/${id}/campaigns`)).body as {
      campaigns: { id: number; display_id: string }[];
    };
    const campaign = (name: string) => campaigns.find(({ display_id }) => display_id === name)?.id as number;
    const partner = await idByName(service, 'partners', 'Mobi Ads');
    const clicks = (columns: Record<string, string>, count: number) =>
      service.clickhouse.command({
        query: `INSERT INTO adtrail.clicks (
          project_id, bucket, campaign_id, click_id, click_time, received_at, partner_id, kind, tid, version,
          ${Object.keys(columns).join(', ')}
        )
        SELECT
          ${id}, toDate(click_time), ${campaign('one')}, id, time AS click_time, received, 0, 'import', toString(id),
          9007199254740991 - toUnixTimestamp64Micro(toDateTime64(received, 6)), ${Object.values(columns).join(', ')}
        FROM (
          SELECT number, generateUUIDv4() AS id,
            fromUnixTimestamp64Milli(toInt64(${base}) - toInt64(number) * 50, 'UTC') AS time,
            -- Reported later than anything was installed.
            if(number % 11 = 0, fromUnixTimestamp64Milli(toInt64(${now}), 'UTC') + INTERVAL 1 DAY, time) AS received
          FROM numbers(${count})
        )`,
      });
    // Few of these can be credited: they name another app, carry an ID, or came from another system.
    await clicks(
      {
        ip: `'${ADDRESS}'`,
        app_id: `['', '${APP}', 'com.acme.other', 'com.acme.third'][
          if(number % 97 = 0, 1 + number % 2, 3 + number % 2)
        ]`,
        ua: `['', '${ANDROID}', '${WINDOWS}'][1 + intDiv(number, 97) % 3]`,
        gaid: `if(number % 5 < 2, toUUID('${OTHER_GAID}'), NULL)`,
      },
      CLICKS,
    );
    // The last one is the only one of the app, and the first that does not count for an install after all of them.
    await clicks(
      { ip: `'${LIMITED_ADDRESS}'`, app_id: `if(number = ${LIMIT}, '${APP}', 'com.acme.other')` },
      LIMIT + 1,
    );
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.clicks (
        project_id, bucket, campaign_id, click_id, click_time, received_at, partner_id, kind, app_id, tid, version
      )
      SELECT ${id}, toDate(click_time), ${campaign('one')}, toUUID('${CLICK}'),
        fromUnixTimestamp64Milli(toInt64(${base}), 'UTC') AS click_time, click_time, 0, 'import', '${APP}', 'one', 1`,
    });
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.impressions (
        project_id, bucket, campaign_id, impression_id, impression_time, received_at, partner_id, app_id, tid, gaid,
        version
      )
      SELECT ${id}, toDate(impression_time), ${campaign('views')}, generateUUIDv4(),
        fromUnixTimestamp64Milli(toInt64(${base}) - toInt64(number) * 1000, 'UTC') AS impression_time, impression_time,
        ${partner}, '${APP}', toString(number), toUUID('${GAID}'), number + 1
      FROM numbers(${IMPRESSIONS})`,
    });
    await send('Hostile', hot);
    await send('Hostile', [
      appEvent('install', { install_id: 'limited-after', ip: LIMITED_ADDRESS }),
      appEvent('install', {
        install_id: 'limited-before',
        ip: LIMITED_ADDRESS,
        time: new Date(base - 1).toISOString(),
      }),
    ]);
    await send(
      'Hostile',
      installs(ON_DEVICE, (i) => `device-${String(i).padStart(3, '0')}`, { gaid: GAID }),
    );
    await send(
      'Hostile',
      installs(OF_ONE_CLICK, (i) => `click-${i}`, { referrer: `svc_ia_id=${CLICK}` }),
    );
    await send(
      'Hostile',
      installs(MANY, (i) => `many-${i}`, {}),
    );
    await send(
      'Honest',
      installs(3, (i) => `honest-${i}`, { ip: ADDRESS }),
    );
    const all = HOT + 2 + ON_DEVICE + OF_ONE_CLICK + MANY + 3;
    await eventually(
      'all installs are stored',
      async () => {
        const [row] = await service.rows<{ n: string }>(
          `SELECT count() AS n FROM adtrail.install_queue WHERE ${ofBoth}`,
        );
        return Number(row?.n) >= all ? true : undefined;
      },
      60_000,
    );
    await service.stop();
    await service.restart({ ROLES: 'api,collect,attribution' });
    await eventually(
      'all installs are decided',
      async () => {
        const [row] = await service.rows<{ n: string }>(
          `SELECT uniqExact(install_id) AS n FROM adtrail.installs WHERE ${ofBoth}`,
        );
        return Number(row?.n) >= all ? true : undefined;
      },
      180_000,
    );
    const rows = await service.rows<Decision>(`
    SELECT install_id, rule, touch_id, reinstall, toUnixTimestamp64Milli(received_at) AS received_ms,
      toUnixTimestamp64Milli(decided_at) AS decided_ms, candidates.touch_id AS shown
    FROM adtrail.installs WHERE ${ofBoth}`);
    expect(rows).toHaveLength(all);
    decisions = new Map(
      rows.map((row) => [
        row.install_id,
        { ...row, received_ms: Number(row.received_ms), decided_ms: Number(row.decided_ms) },
      ]),
    );
    const stored = await service.rows<Json & { time: string; received: string }>(`
    SELECT toString(click_id) AS id, toUnixTimestamp64Milli(click_time) AS time,
      toUnixTimestamp64Milli(received_at) AS received, app_id AS app, os, ifNull(toString(gaid), '') AS gaid, ip
    FROM adtrail.clicks WHERE project_id = ${id} AND ip = '${ADDRESS}'`);
    touches = stored.map(
      ({ time, received, ...more }) =>
        ({
          ...more,
          kind: 'import',
          campaign: 'one',
          idfa: '',
          lookbackHours: null,
          time: Number(time),
          received: Number(received),
        }) as unknown as ModelTouch,
    );
  }, 900_000);

  test('an install of another account is decided while most of the others wait', () => {
    const honest = Math.max(...startsWith('honest-').map(({ decided_ms }) => decided_ms));
    const before = (prefix: string) => startsWith(prefix).filter(({ decided_ms }) => decided_ms < honest).length;
    expect(startsWith('honest-').map(({ rule }) => rule)).toEqual(['organic', 'organic', 'organic']);
    expect(before('hot-')).toBeLessThan(HOT / 2);
    expect(before('many-')).toBeLessThan(MANY / 2);
  });

  test('installs from a busy address are decided as the model does, whatever run they fall into', () => {
    const world = (chosen: readonly Json[]) => ({
      project: {
        clickWindowDays: { default: 7 },
        ipClickWindowHours: 24,
        viewWindowHours: 24,
        ctvWindowHours: 24,
        reinstallWindowDays: 90,
        switches: {},
        campaigns: {},
      },
      touches,
      installs: chosen.map(({ install_id, time, gaid }): ModelInstall => ({
        installId: install_id as string,
        app: APP,
        platform: 'ANDROID',
        time: Date.parse(time as string),
        received: decisions.get(install_id as string)?.received_ms as number,
        gaid: (gaid as string | undefined) ?? '',
        idfa: '',
        ip: ADDRESS,
        os: 'android',
        referrerClickId: null,
        referrerClickTime: null,
        installBeginTime: null,
        attribution: null,
      })),
      events: [],
    });
    const chosen = hot.filter((_, i) => i % 20 === 0 || i % 50 === 7);
    const expected = attribute(world(chosen));
    const found = [...expected.keys()].map((id) => [id, decisions.get(id)?.touch_id, decisions.get(id)?.rule]);
    expect(found).toEqual([...expected].map(([id, { touchId, rule }]) => [id, touchId, rule]));
    // Else they would show little.
    expect(new Set([...expected.values()].map(({ touchId }) => touchId)).size).toBeGreaterThan(20);

    const latest = [...touches].sort((a, b) => b.time - a.time).map(({ id }) => id);
    for (const { install_id } of chosen)
      expect(decisions.get(install_id as string)?.shown).toEqual(latest.slice(0, 100));
  });

  test('of an identifier 10,000 touches count for an install, whatever other installs of the run have', () => {
    expect(decisions.get('limited-after')).toMatchObject({ rule: 'organic', touch_id: null });
    expect(decisions.get('limited-before')).toMatchObject({ rule: 'ip_click' });
  });

  test('the impressions of one device go to its installs in the order of receipt, many in one run', async () => {
    const impressions = await service.rows<{ id: string }>(
      `SELECT toString(impression_id) AS id FROM adtrail.impressions
       WHERE project_id = ${id}
       ORDER BY impression_time DESC`,
    );
    const inOrder = startsWith('device-').sort(byReceipt);
    const credited = (install: Decision) => ({ rule: install.rule, touch_id: install.touch_id });
    expect(inOrder.map(credited)).toEqual(
      inOrder.map((_, i) =>
        i < IMPRESSIONS
          ? { rule: 'device_impression', touch_id: impressions[i]?.id }
          : { rule: 'organic', touch_id: null },
      ),
    );
    const [row] = await service.rows<{ runs: string }>(
      "SELECT uniqExact(run_id) AS runs FROM adtrail.attribution_candidates WHERE startsWith(install_id, 'device-')",
    );
    expect(Number(row?.runs)).toBeLessThan(30);
  });

  test('a click that all referrers name is credited to all', () => {
    expect(new Set(startsWith('click-').map(({ rule, touch_id }) => `${rule} ${touch_id}`))).toEqual(
      new Set([`referrer ${CLICK}`]),
    );
  });
}
