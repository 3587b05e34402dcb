/** S2S over several processes, an end of the service, a ClickHouse that takes nothing, and real clicks. */
import { everythingStored } from '../../support/ingest/ingest-log';
import type { Begin } from '../../support/one-service';
import { sendAll } from '../../support/s2s/raw-client';
import {
  ENDPOINTS,
  accept,
  goodRequest,
  newTid,
  overHttp,
  reject,
  readRow,
  send,
  type S2sEndpoints,
  type S2sRequest,
} from '../../support/s2s/s2s-client';
import { orderedMistakes, spoilt } from '../../support/s2s/s2s-cases';
import { eventually, type RunningService } from '../../support/service';
import { readCsv, testWithData } from '../../support/shared-data';
import { rounds } from '../../support/soak';
import { GAID, TOKEN, workspace } from '../../support/workspace/workspace';

export function s2sWorkers(begin: Begin): void {
  const FILE = 'talkingdata-clicks.csv';
  /** So many of the 100,000 clicks of the file are sent. */
  const CLICKS = rounds(20_000, 100_000);
  const HOUR_MS = 3_600_000;

  let service: RunningService;
  let s2s: S2sEndpoints;
  beforeAll(async () => {
    service = await begin({ WORKERS: '2' });
    s2s = overHttp(service);
    await service.apply(workspace);
  });

  const restart = async (env?: NodeJS.ProcessEnv) => {
    const code = await service.stop();
    expect({ code, output: code === 0 ? '' : service.output().slice(-2_000) }).toEqual({ code: 0, output: '' });
    await service.restart(env);
  };

  /** The counts by endpoint and outcome, and how many processes have counted. */
  async function readCounts(): Promise<{ counts: Record<string, number>; processes: number }> {
    const rows = await service.rows<{ what: string; requests: number; processes: string[] }>(
      `SELECT concat(kind, ' ', outcome) AS what, toUInt32(sum(requests)) AS requests,
       groupUniqArray(toString(process)) AS processes
     FROM adtrail.s2s_requests FINAL GROUP BY what`,
    );
    return {
      counts: Object.fromEntries(rows.map(({ what, requests }) => [what, requests])),
      processes: new Set(rows.flatMap(({ processes }) => processes)).size,
    };
  }

  test('every request counts once, whichever process took it, and also where the service ends soon after', async () => {
    const sendMany = (times: number, request: () => S2sRequest) =>
      Promise.all(Array.from({ length: times }, () => send(s2s, request())));
    await sendMany(40, () => goodRequest('click', { tid: 'the same' }));
    await sendMany(20, () => goodRequest('ctv', { ip: '10.0.0.1' }));
    await sendMany(10, () => ({ ...goodRequest('click'), token: 'wrong' }));
    const first = { 'click accepted': 40, 'ctv_impression invalid_ip': 20, 'click invalid_token': 10 };
    const sorted = (counts: object) => JSON.stringify(Object.entries(counts).sort());
    await eventually('all are counted', async () =>
      sorted((await readCounts()).counts) === sorted(first) ? true : undefined,
    );
    await sendMany(5, () => goodRequest('impression'));
    await restart();
    await sendMany(5, () => goodRequest('impression'));
    await eventually('those before and after the restart are counted', async () =>
      (await readCounts()).counts['impression accepted'] === 10 ? true : undefined,
    );
    const { counts, processes } = await readCounts();
    expect(counts).toEqual({ ...first, 'impression accepted': 10 });
    expect(processes).toBeGreaterThan(1);
    // Counts tell nothing of a request but what it was for.
    const columns = await service.rows<{ comment: string }>(
      `SELECT comment FROM system.columns WHERE database = 'adtrail' AND table = 's2s_requests'`,
    );
    expect(columns.filter(({ comment }) => !comment.endsWith('[none]'))).toEqual([]);
    const unknown = await service.rows(
      `SELECT DISTINCT project_id, campaign_id, partner_id FROM adtrail.s2s_requests FINAL
     WHERE outcome = 'invalid_token'`,
    );
    expect(unknown).toEqual([{ project_id: 0, campaign_id: 0, partner_id: 0 }]);
  });

  test('one batch, sent many times to both processes at once, has one answer and stores each record once', async () => {
    const tids = Array.from({ length: 200 }, () => newTid('batch'));
    const body = tids
      .map((tid) => JSON.stringify({ kind: 'click', app_id: 'com.acme.shop', c: 'AbC123', tid, gaid: GAID }))
      .join('\n');
    const post = async () => {
      // A connection each: a process keeps the ones that it has.
      const headers = { 'X-Service-Token': TOKEN, Connection: 'close' };
      const response = await service.request('/v1/batch', { method: 'POST', headers, body });
      return (await response.json()) as { accepted: number; results: { click_id: string }[] };
    };
    const [first, ...others] = await Promise.all(Array.from({ length: 12 }, post));
    expect(first?.accepted).toBe(200);
    for (const other of others) expect(other).toEqual(first);
    const rows = await eventually('all are stored', async () => {
      const stored = await service.rows<{ click_id: string }>(
        `SELECT click_id FROM analytics.clicks WHERE tid IN (${tids.map((tid) => `'${tid}'`).join()})`,
      );
      return stored.length >= 200 ? stored : undefined;
    });
    expect(rows.map(({ click_id }) => click_id).sort()).toEqual(first?.results.map(({ click_id }) => click_id).sort());
  });

  test('a record survives a restart: the same ID, and the first values', async () => {
    const requests = ENDPOINTS.map((endpoint) => goodRequest(endpoint, { tid: newTid('restart'), s2: 'before' }));
    const ids = await Promise.all(requests.map((request) => accept(s2s, request)));
    await restart();
    for (const [i, request] of requests.entries()) {
      expect(await accept(s2s, { ...request, params: { ...request.params, s2: 'after' } })).toBe(ids[i]);
      expect(await readRow(s2s, request.endpoint, ids[i] as string)).toMatchObject({ s2: 'before' });
    }
  });

  test('503 while ClickHouse takes nothing, with Retry-After, and mistakes first; a retry is stored once', async () => {
    const [engine] = service.enginePids().clickhouse;
    const requests = ENDPOINTS.map((endpoint) => goodRequest(endpoint, { tid: newTid('again') }));
    process.kill(engine as number, 'SIGSTOP');
    try {
      const answers = await Promise.all(requests.map((request) => reject(s2s, request, 503, 'unavailable')));
      for (const { headers } of answers) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      for (const mistake of orderedMistakes('ctv', 'query').slice(-2))
        await reject(s2s, spoilt(s2s, 'ctv', 'query', [mistake]), mistake.status, mistake.reason);
    } finally {
      process.kill(engine as number, 'SIGCONT');
    }
    for (const request of requests) {
      const { body } = await eventually('it is accepted', async () => {
        const answer = await send(s2s, request);
        if (answer.status !== 200) expect(answer).toMatchObject({ status: 503, body: { reason: 'unavailable' } });
        return answer.status === 200 ? answer : undefined;
      });
      await readRow(s2s, request.endpoint, String(body.click_id ?? body.impression_id));
    }
  });

  /**
   * Real clicks in the order of the file, of one campaign for each channel: `ip` one-to-one as a public IPv4 address,
   * click times in the last day in their own order.
   */
  function readReplay(): { targets: string[]; perChannel: Map<string, number>; ips: number } {
    const clicks = readCsv<'ip' | 'channel' | 'click_time'>(FILE).slice(0, CLICKS);
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
    return { targets, perChannel, ips: new Set(clicks.map(({ ip }) => ip)).size };
  }

  testWithData(FILE)(
    'real clicks, sent twice: each is accepted, and the counts per campaign are those per channel of the file',
    async () => {
      const { targets, perChannel, ips } = readReplay();
      expect(targets).toHaveLength(CLICKS);
      await restart({ ACCEPT_AFTER: 'log' });
      await service.apply({
        projects: [
          {
            name: 'Replay',
            account: 'Acme',
            timezone: 'UTC',
            apps: [{ platform: 'ANDROID', app_id: 'com.replay' }],
            partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
            campaigns: [...perChannel.keys()].map((channel) => ({
              display_id: `channel-${channel}`,
              name: `Channel ${channel}`,
              partner: 'Mobi Ads',
            })),
          },
        ],
      });
      const port = Number(new URL(service.url).port);
      for (let delivery = 1; delivery <= 2; delivery++) {
        const others: unknown[] = [];
        let accepted = 0;
        await sendAll(port, `X-Service-Token: ${TOKEN}\r\n`, 128, targets.values(), (_target, response) => {
          if (response?.status === 200) accepted += 1;
          else others.push(response);
        });
        expect([accepted, others]).toEqual([CLICKS, []]);
        await everythingStored(service);
        const rows = await service.rows<{ channel: string; clicks: number }>(
          `SELECT replaceOne(campaign_display_id, 'channel-', '') AS channel, toUInt32(count()) AS clicks
         FROM analytics.clicks
         WHERE app_id = 'com.replay'
         GROUP BY channel`,
        );
        expect(new Map(rows.map((row) => [row.channel, row.clicks]))).toEqual(perChannel);
      }
      const [distinct] = await service.rows(
        `SELECT toUInt32(uniqExact(ip)) AS ips, toUInt32(countIf(click_time > now() - INTERVAL 1 DAY)) AS recent
       FROM analytics.clicks
       WHERE app_id = 'com.replay'`,
      );
      expect(distinct).toEqual({ ips, recent: CLICKS });
    },
    900_000,
  );
}
