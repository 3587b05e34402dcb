/** The source of integrations/airbyte, driven against the service as Airbyte drives it. */
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import fs from 'node:fs';
import { caughtUp } from '../../support/caught-up';
import { joinParts, MANIFEST, readManifest, readParts, type Json } from '../../support/exports/airbyte-manifest';
import { writeSchemas } from '../../support/exports/airbyte-schemas';
import { readStream, SourceError, type Sync } from '../../support/exports/airbyte-source';
import { decided, postEvents, putSpend } from '../../support/reports/app-report';
import { ask } from '../../support/reports/query';
import { idByName } from '../../support/s2s/s2s-client';
import { sharedService, startBeside } from '../../support/shared-service';
import type { RunningService } from '../../support/service';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('airbyte');
const DAY = 86_400_000;
const writeDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const started = Date.now();
const today = writeDay(started);
const yesterday = writeDay(started - DAY);
const INSTALLS = 5;
/** Three pages, the last of them full. */
const CAMPAIGNS = 300;
const gaid = (n: number) => `00000000-0000-4000-8000-a00000${n.toString().padStart(6, '0')}`;

let manifest = readManifest();
const find = (name: string) => manifest.streams.find((stream) => stream.name === name) ?? fail(name);
const fail = (name: string): never => {
  throw new Error(`There is no stream ${name}`);
};
const config = (more: Json = {}): Json => ({
  base_url: service.url,
  server_key: own('key'),
  start_date: writeDay(started - 3 * DAY),
  ...more,
});
const read = (name: string, sync: Partial<Sync> = {}) =>
  readStream(find(name), { config: config(), now: () => started, ...sync });
const sendClick = async (tid: string) => {
  const query = new URLSearchParams({ c: own('c-0'), tid, gaid: gaid(99) }).toString();
  const answer = await service.request(`/v1/click/com.airbyte.shop?${query}`, {
    headers: { 'X-Service-Token': own('token') },
  });
  expect(answer.status).toBe(200);
};

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'A' }],
      partners: [{ name: 'Air Ads', tokens: ['token'] }],
      projects: [
        {
          name: 'Shop',
          account: 'A',
          timezone: 'UTC',
          server_keys: ['key'],
          apps: [{ platform: 'ANDROID', app_id: 'com.airbyte.shop' }],
          partner_switches: [{ partner: 'Air Ads', s2s_clicks: true, s2s_traffic: true }],
          campaigns: Array.from({ length: CAMPAIGNS }, (_, n) => ({
            display_id: own(`c-${n}`),
            name: `Campaign ${n}`,
            partner: 'Air Ads',
          })),
        },
      ],
    }),
  );
  const id = await idByName(service, 'projects', own('Shop'));
  const clicks = Array.from({ length: INSTALLS }, (_, n) => ({
    c: own('c-0'),
    tid: `airbyte-${n}`,
    app_id: 'com.airbyte.shop',
    gaid: gaid(n),
    click_time: `${yesterday}T12:00:00.000Z`,
  }));
  const imported = await service.admin('POST', `/projects/${id}/clicks`, { clicks });
  expect([imported.status, imported.body.rejected]).toEqual([200, []]);
  await caughtUp(service);
  const base = (n: number) => ({ install_id: `airbyte-${n}`, app_id: 'com.airbyte.shop', gaid: gaid(n) });
  const at = (n: number) => new Date(started - 3_600_000 + n * 1_000).toISOString();
  await postEvents(
    service,
    own('key'),
    Array.from({ length: INSTALLS }, (_, n) => [
      { ...base(n), event_id: `airbyte-i-${n}`, type: 'install', time: at(n) },
      { ...base(n), event_id: `airbyte-p-${n}`, type: 'payment', time: at(n + 60), amount: 4.2, currency: 'USD' },
    ]).flat(),
  );
  await putSpend(service, own('key'), [{ campaign_id: own('c-0'), date: yesterday, spend: '7.5', currency: 'USD' }]);
  await decided(service, id, INSTALLS);
  await caughtUp(service);
}, 240_000);

test('the schemas are what the service declares; WRITE_FIXTURES=true writes them anew', async () => {
  const request = async (path: string, body?: Json) => {
    const answer = await service.request(path, {
      headers: { 'service-key': own('key'), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer;
  };
  const schemas = await writeSchemas(manifest.streams, request);
  const { written, generated } = readParts();
  if (process.env.WRITE_FIXTURES === 'true') {
    fs.writeFileSync(MANIFEST, joinParts(written, schemas));
    manifest = readManifest();
  } else expect(generated).toBe(schemas);
});

describe('a full sync', () => {
  const ajv = addFormats(new Ajv({ strict: false }));

  test.each(readManifest().streams.map(({ name }) => name))(
    '%s: every record is as the schema says, once',
    async (name) => {
      const { schema_loader, primary_key } = find(name);
      const { records } = await read(name);
      const declared = Object.keys(schema_loader.schema.properties as Json);
      const isValid = ajv.compile(schema_loader.schema);
      for (const record of records) {
        expect([record, isValid(record), isValid.errors]).toEqual([record, true, null]);
        expect(Object.keys(record).filter((field) => !declared.includes(field))).toEqual([]);
      }
      const keys = records.map((record) => JSON.stringify(primary_key.map((field) => record[field])));
      expect(keys.filter((key, n) => keys.indexOf(key) < n)).toEqual([]);
      const expected: Readonly<Record<string, number>> = {
        clicks: INSTALLS,
        installs: INSTALLS,
        app_events: 2 * INSTALLS,
        ad_spend: 1,
        campaigns: CAMPAIGNS,
      };
      if (name in expected) expect([name, records.length]).toEqual([name, expected[name]]);
    },
  );

  test('pages of campaigns, until one is not full', async () => {
    const { records, requests } = await read('campaigns');
    expect(requests).toEqual([1, 2, 3, 4].map((page) => `/api/v1/campaigns?page=${page}&limit=100 200`));
    const sent = Array.from({ length: CAMPAIGNS }, (_, n) => own(`c-${n}`));
    expect(records.map(({ display_id }) => display_id).sort()).toEqual(sent.sort());
  });

  test('figures are those of a question over the same days', async () => {
    const { records, requests } = await read('app_report', {
      config: config({ start_date: writeDay(started - 100 * DAY) }),
    });
    expect(requests).toHaveLength(15);
    const { results } = await ask(service, own('key'), {
      source: 'app',
      metrics: ['installs', 'clicks', 'revenue', 'spend'],
      dimensions: ['day', 'campaign', 'platform'],
      from: writeDay(started - 100 * DAY),
      to: today,
    });
    const theirs = results.map((row) => [...row.dimensions, ...row.metrics].join());
    const ours = records.map(({ day, campaign, platform, installs, clicks, revenue, spend }) =>
      [day, campaign, platform, installs, clicks, revenue, spend].join(),
    );
    expect(ours.sort()).toEqual(theirs.sort());
    expect(records.reduce((sum, { installs }) => sum + Number(installs), 0)).toBe(INSTALLS);
  });
});

describe('an incremental sync', () => {
  test('asks for the days since the state, and the lookback, again', async () => {
    const first = await read('clicks');
    const days = [3, 2, 1, 0].map((ago) => writeDay(started - ago * DAY));
    const request = (day: string) => `/api/v1/export/clicks?format=ndjson&from=${day}&to=${day} 200`;
    expect(first.requests).toEqual(days.map(request));
    // The imported clicks tell the time at which they were made.
    expect(first.state).toEqual({ received_at: yesterday });
    await sendClick('airbyte-later');
    await caughtUp(service);
    const second = await read('clicks', { state: first.state });
    expect(second.requests).toEqual(days.slice(1).map(request));
    expect(second.state).toEqual({ received_at: today });
    const known = new Set(first.records.map(({ click_id }) => click_id));
    expect(second.records.filter(({ click_id }) => !known.has(click_id)).map(({ tid }) => tid)).toEqual([
      'airbyte-later',
    ]);
    const third = await read('clicks', { state: second.state });
    expect(third.requests).toEqual(days.slice(2).map(request));
    expect(third.records.map(({ tid }) => tid)).toContain('airbyte-later');
    expect(third.state).toEqual(second.state);
  });

  test('a longer lookback does not go before the first day', async () => {
    const { requests } = await read('installs', {
      state: { received_at: today },
      config: config({ lookback_days: 9 }),
    });
    expect(requests).toHaveLength(4);
  });

  test('a sync on the next day begins with what the last one saw', async () => {
    const { state } = await read('installs');
    expect(state).toEqual({ received_at: today });
    const { requests, records } = await read('installs', { state, now: () => started + DAY });
    expect(requests).toHaveLength(3);
    expect(records).toHaveLength(INSTALLS);
  });

  test('figures of the lookback are asked for a week at a time', async () => {
    const start_date = writeDay(started - 200 * DAY);
    const { requests, state } = await read('app_report', {
      state: { day: today },
      config: config({ start_date, report_lookback_days: 10 }),
    });
    const path = '/api/v1/reporting/query?format=ndjson';
    expect(requests).toEqual([
      `${path} ${writeDay(started - 10 * DAY)} to ${writeDay(started - 4 * DAY)} 200`,
      `${path} ${writeDay(started - 3 * DAY)} to ${today} 200`,
    ]);
    expect(state).toEqual({ day: today });
  });
});

describe('what is refused', () => {
  test('an unknown key fails with a sentence for whoever configures the source', async () => {
    const failed = await read('campaigns', { config: config({ server_key: 'unknown' }) }).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(SourceError);
    expect(failed).toMatchObject({
      message: 'The server key is unknown to this service.',
      failureType: 'config_error',
    });
  });

  test('over a limit the source waits as long as Retry-After says, and misses nothing', async () => {
    const limited: RunningService = await startBeside(service, { LIMIT_QUERY: '2/2s' });
    try {
      const slept: number[] = [];
      const { records, requests, waits } = await read('app_events', {
        config: config({ base_url: limited.url }),
        sleep: (seconds) => {
          slept.push(seconds);
          return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        },
      });
      expect(requests.filter((one) => one.endsWith(' 429')).length).toBe(1);
      expect(waits.length).toBe(1);
      expect(waits[0]).toBeGreaterThanOrEqual(2);
      expect(waits[0]).toBeLessThanOrEqual(3);
      expect(records).toHaveLength(2 * INSTALLS);
    } finally {
      await limited.dispose();
    }
  }, 120_000);
});
