/** Ten days of clicks of one project, made inside ClickHouse, as ingest stores them: the last day is yesterday. */
import type { Service } from '../support/service';

export const KEY = 'key-of-the-benchmark';
export const DAYS = 10;
const BATCH = 500_000;
const CAMPAIGNS = 50;
const DAY_MS = 86_400_000;

export const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** The workspace of the benchmark, with the exports of its project. */
export const documentWith = (exports: readonly object[]) => ({
  accounts: [{ name: 'Bench' }],
  partners: [{ name: 'Bench Ads', tokens: ['token-of-the-benchmark'] }],
  projects: [
    {
      name: 'Bench',
      account: 'Bench',
      timezone: 'UTC',
      server_keys: [KEY],
      apps: [{ platform: 'ANDROID', app_id: 'com.bench.app' }],
      campaigns: Array.from({ length: CAMPAIGNS }, (_, i) => ({
        display_id: `bench${i}`,
        name: `Bench ${i}`,
        partner: 'Bench Ads',
      })),
      exports,
    },
  ],
});

/** Stores `clicks`, as many a day, with what the clicks of `make bench-ingest` have; the project is the first one. */
export async function fillClicks(service: Service, clicks: number): Promise<void> {
  await service.apply(documentWith([]));
  for (let from = 0; from < clicks; from += BATCH)
    await service.clickhouse.command({
      query: `
        INSERT INTO adtrail.clicks (project_id, bucket, campaign_id, click_id, click_time, received_at, partner_id,
          kind, app_id, tid, s2, s3, gaid, ip, country, device_type, os_name, ua, version)
        SELECT 1, toDate(received_at), 1 + sipHash64(number) % ${CAMPAIGNS}, reinterpretAsUUID(sipHash128(number)),
          toDateTime64('${dayAgo(DAYS)}', 3, 'UTC')
            + toIntervalMillisecond(intDiv(number * ${DAYS * DAY_MS}, ${clicks})) AS received_at,
          received_at, 1, 's2s', 'com.bench.app', concat('${dayAgo(0)}-', toString(number)), 'placement-7',
          'creative-42', reinterpretAsUUID(sipHash128(number, 'device')),
          concat('203.0.', toString(number % 250), '.', toString(intDiv(number, 256) % 250)),
          ['DE', 'US', 'IN', 'BR'][1 + number % 4], 'mobile', 'Android',
          'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36',
          9007199254740991 - toUnixTimestamp64Micro(received_at::DateTime64(6, 'UTC')) - number % 1000
        FROM numbers(${from}, ${Math.min(BATCH, clicks - from)})`,
    });
}
