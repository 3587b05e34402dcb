/**
 * `make bench-views`: the views that data engineers query, against their base tables, over a year of clicks: one record
 * by what is known of it, a campaign by its name, devices a day. CLICKS=1000000 makes it smaller.
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
            (project_id, bucket, campaign_id, click_id, click_time, received_at, kind, tid, gaid, version)
          SELECT
            1, toDate('2025-01-01') + intDiv(number * 365, ${CLICKS}) AS day, 1 + sipHash64(number) % 200,
            reinterpretAsUUID(sipHash128(number)), toDateTime64(day, 3, 'UTC'), toDateTime64(day, 3, 'UTC'), 's2s',
            concat('tid-', toString(number)), reinterpretAsUUID(sipHash128(intDiv(number, 3), 'device')), number
          FROM numbers(${from}, ${BATCH})
          SETTINGS max_threads = 1, materialize_skip_indexes_on_insert = ${isIndexed ? 1 : 0}`,
      });
      return performance.now() - started;
    };
    let seconds = 0;
    for (let from = 0; from < CLICKS; from += BATCH) seconds += (await fill(from)) / 1000;
    say(`${CLICKS} clicks over a year stored in ${seconds.toFixed(1)} s`);
    const number = Math.floor(CLICKS / 2);
    const look = async (what: string, sql: string) => {
      const times: number[] = [];
      for (let i = 0; i < REPEATS; i++) {
        const started = performance.now();
        await service.rows(sql);
        times.push(performance.now() - started);
      }
      times.sort((a, b) => a - b);
      say(`${what.padEnd(44)} ${Math.round(times[REPEATS >> 1] as number)} ms`);
    };
    for (const [what, condition] of [
      ['tid', `tid = 'tid-${number}'`],
      ['device', `gaid = reinterpretAsUUID(sipHash128(toUInt64(${Math.floor(number / 3)}), 'device'))`],
    ] as const) {
      await look(`${what}, view`, `SELECT count() FROM analytics.clicks WHERE ${condition}`);
      const without = `SELECT count() FROM analytics.clicks WHERE ${condition} SETTINGS use_skip_indexes = 0`;
      await look(`${what}, view, without its index`, without);
    }
    const id = `click_id = reinterpretAsUUID(sipHash128(toUInt64(${number})))`;
    await look('click ID, view', `SELECT count() FROM analytics.clicks WHERE ${id}`);
    const byName = "campaign_name = 'Bench 7'";
    await look('a campaign by its name, view', `SELECT count() FROM analytics.clicks WHERE ${byName}`);
    const byId = "campaign_id = (SELECT campaign_id FROM adtrail.campaigns WHERE name = 'Bench 7')";
    await look('a campaign by its ID, base table', `SELECT count() FROM adtrail.clicks WHERE ${byId}`);
    const devices = 'SELECT bucket, uniqExact(gaid) FROM';
    await look('devices a day, view', `${devices} analytics.clicks GROUP BY bucket`);
    await look('devices a day, base table', `${devices} adtrail.clicks GROUP BY bucket`);
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

void main();
