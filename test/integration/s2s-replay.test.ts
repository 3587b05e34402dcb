/** 100,000 real clicks replayed over HTTP, twice: every one is accepted, and counted once. */
import { everythingStored } from '../support/ingest-log';
import { sendAll } from '../support/raw-client';
import { startService, type RunningService } from '../support/service';
import { readCsv, testWithData } from '../support/shared-data';
import { TOKEN } from '../support/workspace';

const FILE = 'talkingdata-clicks.csv';
const HOUR_MS = 3_600_000;

interface Replay {
  /** Requests in the order of the file. */
  readonly targets: string[];
  readonly perChannel: Map<string, number>;
}

/** One campaign a channel, `ip` one-to-one as a public IPv4 address, click times in the last day in their own order. */
function replay(): Replay {
  const clicks = readCsv<'ip' | 'channel' | 'click_time'>(FILE);
  const times = clicks.map((click) =>
    Date.parse(`${click.click_time.replace(/ (\d):/, ' 0$1:').replace(' ', 'T')}:00Z`),
  );
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const from = Date.now() - 20 * HOUR_MS;
  const perChannel = new Map<string, number>();
  const targets = clicks.map(({ ip, channel }, i) => {
    perChannel.set(channel, (perChannel.get(channel) ?? 0) + 1);
    const n = Number(ip);
    const moved = from + Math.floor((((times[i] as number) - first) / (last - first)) * 19 * HOUR_MS);
    const address = `11.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    return `/v1/click/com.replay?c=channel-${channel}&tid=row-${i}&ip=${address}&click_time=${moved}`;
  });
  return { targets, perChannel };
}

let service: RunningService | undefined;
afterAll(() => service?.dispose());

testWithData(FILE)(
  'the per-campaign counts equal the per-channel counts of the file, and the same after a second replay',
  async () => {
    const { targets, perChannel } = replay();
    expect(targets).toHaveLength(100_000);
    service = await startService({ ACCEPT_AFTER: 'log' });
    await service.apply({
      accounts: [{ name: 'Replay' }],
      partners: [{ name: 'Replay Ads', tokens: [TOKEN] }],
      projects: [
        {
          name: 'Replay',
          account: 'Replay',
          timezone: 'UTC',
          apps: [{ platform: 'ANDROID', app_id: 'com.replay' }],
          partner_switches: [{ partner: 'Replay Ads', s2s_clicks: true }],
          campaigns: [...perChannel.keys()].map((channel) => ({
            display_id: `channel-${channel}`,
            name: `Channel ${channel}`,
            partner: 'Replay Ads',
          })),
        },
      ],
    });
    const port = Number(new URL(service.url).port);
    for (let delivery = 1; delivery <= 2; delivery++) {
      let accepted = 0;
      const others: unknown[] = [];
      await sendAll(port, `X-Service-Token: ${TOKEN}\r\n`, 128, targets.values(), (_target, response) => {
        if (response?.status === 200) accepted += 1;
        else others.push(response);
      });
      expect(others).toEqual([]);
      expect(accepted).toBe(100_000);
      await everythingStored(service);
      const rows = await service.rows<{ channel: string; clicks: number }>(
        `SELECT replaceOne(campaign_display_id, 'channel-', '') AS channel, toUInt32(count()) AS clicks
         FROM analytics.clicks
         GROUP BY channel`,
      );
      expect(new Map(rows.map((row) => [row.channel, row.clicks]))).toEqual(perChannel);
    }
    const [distinct] = await service.rows(
      `SELECT toUInt32(uniqExact(ip)) AS ips, toUInt32(countIf(click_time > now() - INTERVAL 1 DAY)) AS recent
       FROM analytics.clicks`,
    );
    expect(distinct).toEqual({ ips: new Set(readCsv<'ip'>(FILE).map((row) => row.ip)).size, recent: 100_000 });
  },
  900_000,
);
