/**
 * `make bench-views`: the views that data engineers query, against their base tables, over a year of clicks: one record
 * by what is known of it, a campaign by its name, clicks a campaign, devices a day; as ingest leaves the parts, then
 * merged. CLICKS=1000000 makes it smaller.
 */
import { startService } from '../support/service';

const CLICKS = Number(process.env.CLICKS ?? 10_000_000);
/** How often each query runs; the median counts. */
const REPEATS = 7;
const BATCH = 1_000_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const service = await startService({ ROLES: 'api' });
  try {
    await service.apply({
      accounts: [{ name: 'Bench' }],
      partners: [{ name: 'Bench Ads', tokens: ['token-of-the-benchmark'] }],
      projects: [
        {
          name: 'Bench',
          account: 'Bench',
          timezone: 'UTC',
          campaigns: Array.from({ length: 200 }, (_, i) => ({
            display_id: `bench${i}`,
            name: `Bench ${i}`,
            partner: 'Bench Ads',
          })),
        },
      ],
    });
    const fill = async (from: number, isIndexed = true) => {
      const started = performance.now();
      await service.clickhouse.command({
        query: `
          INSERT INTO adtrail.clicks
            (project_id, bucket, campaign_id, click_id, click_time, received_at, stored_at, kind, tid, gaid, version)
          SELECT
            1, toDate('2025-01-01') + intDiv(number * 365, ${CLICKS}) AS day, 1 + sipHash64(number) % 200,
            reinterpretAsUUID(sipHash128(number)), toDateTime64(day, 3, 'UTC') AS time, time, time, 's2s',
            concat('tid-', toString(number)), reinterpretAsUUID(sipHash128(intDiv(number, 3), 'device')), number
          FROM numbers(${from}, ${BATCH})
          SETTINGS max_threads = 1, materialize_skip_indexes_on_insert = ${isIndexed ? 1 : 0}`,
      });
      return performance.now() - started;
    };
    let seconds = 0;
    for (let from = 0; from < CLICKS; from += BATCH) seconds += (await fill(from)) / 1000;
    say(`${CLICKS} clicks over a year stored in ${seconds.toFixed(1)} s`);
    await compare(service, 'as ingest leaves them');
    for (let month = 202501; month <= 202512; month++)
      await service.clickhouse.command({ query: `OPTIMIZE TABLE adtrail.clicks PARTITION ${month} FINAL` });
    await compare(service, 'each month merged to one part, as it is a day after its end');
    // Last, since what is stored without its indexes is found without them.
    const stored = { with: [] as number[], without: [] as number[] };
    for (let round = 0; round < REPEATS; round++) {
      stored.with.push(await fill(CLICKS + round * BATCH));
      stored.without.push(await fill(CLICKS + (REPEATS + round) * BATCH, false));
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[REPEATS >> 1] as number;
    const cost = ((median(stored.with) - median(stored.without)) / BATCH) * 1000;
    say(`the indexes cost ${cost.toFixed(2)} µs a click when it is stored`);
  } finally {
    await service.dispose();
  }
}

/** Times of the queries, through the view and from the base table. */
async function compare(service: Awaited<ReturnType<typeof startService>>, state: string): Promise<void> {
  const [parts] = await service.rows<{ parts: string }>(
    "SELECT count() AS parts FROM system.parts WHERE active AND database = 'adtrail' AND table = 'clicks'",
  );
  say(`${parts?.parts} parts, ${state}:`);
  const measureTime = async (sql: string) => {
    const times: number[] = [];
    for (let i = 0; i < REPEATS; i++) {
      const started = performance.now();
      await service.rows(sql);
      times.push(performance.now() - started);
    }
    return Math.round(times.sort((a, b) => a - b)[REPEATS >> 1] as number);
  };
  const pair = async (what: string, view: string, base: string) => {
    const [viewed, direct] = [await measureTime(view), await measureTime(base)];
    say(`  ${what.padEnd(26)} view ${viewed} ms, base table ${direct} ms, ${(viewed / direct).toFixed(1)} times`);
  };
  const number = Math.floor(CLICKS / 2);
  const known = {
    tid: `tid = 'tid-${number}'`,
    device: `gaid = reinterpretAsUUID(sipHash128(toUInt64(${Math.floor(number / 3)}), 'device'))`,
    'click ID': `click_id = reinterpretAsUUID(sipHash128(toUInt64(${number})))`,
  };
  for (const [what, condition] of Object.entries(known)) {
    const few = await measureTime(`SELECT campaign_name, click_time, s2 FROM analytics.clicks WHERE ${condition}`);
    const all = await measureTime(`SELECT * FROM analytics.clicks WHERE ${condition}`);
    const unfiltered = `SELECT campaign_name, click_time, s2 FROM analytics.clicks WHERE ${condition}`;
    const without = await measureTime(`${unfiltered} SETTINGS use_skip_indexes = 0`);
    say(`  ${`by ${what}`.padEnd(26)} ${few} ms, all columns ${all} ms, without the filter ${without} ms`);
  }
  const named = "SELECT campaign_id FROM adtrail.campaigns WHERE name = 'Bench 7'";
  await pair(
    'a campaign by its name',
    "SELECT count() FROM analytics.clicks WHERE campaign_name = 'Bench 7'",
    `SELECT count() FROM adtrail.clicks WHERE campaign_id IN (${named})`,
  );
  const byCampaign = (table: string) => `SELECT campaign_id, count() FROM ${table} GROUP BY campaign_id`;
  await pair('clicks a campaign', byCampaign('analytics.clicks'), byCampaign('adtrail.clicks'));
  const devices = (table: string) => `SELECT bucket, uniqExact(gaid) FROM ${table} GROUP BY bucket`;
  await pair('devices a day', devices('analytics.clicks'), devices('adtrail.clicks'));
}

void main();
