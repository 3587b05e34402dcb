/** The S2S limit of a campaign: in one process, in several, over Redis, and without Redis. */
import { ownNames } from '../support/own-names';
import { eventually, startService, type RunningService, type Service } from '../support/service';
import { startBeside } from '../support/shared-service';
import { noRedis, noRedisOfOurOwn, startRedis, testUnless, type RedisServer } from '../support/redis';

const own = ownNames('limits');
const TOKEN = own('token-of-limited-ads');
const campaigns = Array.from({ length: 60 }, (_, i) => ({
  display_id: `limited-${i}`,
  name: `Campaign ${i}`,
  partner: 'Limited Ads',
}));
const workspace = own.document({
  accounts: [{ name: 'Limited' }],
  partners: [{ name: 'Limited Ads', tokens: ['token-of-limited-ads'] }],
  projects: [
    {
      name: 'Limited',
      account: 'Limited',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.limited' }],
      partner_switches: [{ partner: 'Limited Ads', s2s_clicks: true, s2s_traffic: true, view_through: true }],
      campaigns,
    },
  ],
});

/**
 * As delivered: a request does not wait for ClickHouse, which answers late on a machine that is busy with other suites,
 * and would then be the reason of a 503.
 */
const AS_DELIVERED = { ACCEPT_AFTER: 'log' };

interface Answer {
  readonly status: number;
  readonly outcome: string;
  readonly retryAfter: string | null;
}

let sent = 0;

/** One click; its outcome is `accepted`, the reason of the rejection, or the error of a request that got no answer. */
async function click(service: Service, campaign: string, query = 'ip=203.0.113.7'): Promise<Answer> {
  try {
    const response = await service.request(`/v1/click/com.limited?c=${campaign}&tid=limits-${sent++}&${query}`, {
      headers: { 'X-Service-Token': TOKEN },
    });
    const body = (await response.json()) as { status: string; reason?: string };
    return {
      status: response.status,
      outcome: body.reason ?? body.status,
      retryAfter: response.headers.get('retry-after'),
    };
  } catch (error) {
    return { status: 0, outcome: String((error as { cause?: unknown }).cause ?? error), retryAfter: null };
  }
}

let nextCampaign = 0;
const freshCampaign = () => {
  const campaign = campaigns.slice(0, 50)[nextCampaign++];
  if (!campaign) throw new Error('Out of campaigns that no test has used');
  return campaign.display_id;
};

/**
 * Sends `count` clicks for a campaign that nobody has used, spread over the services, all within one window: a burst
 * that took longer than the window says nothing about the limit and is made again with another campaign.
 */
async function burst(
  services: readonly Service[],
  count: number,
  seconds: number,
): Promise<{ campaign: string; answers: Answer[] }> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const campaign = freshCampaign();
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) => click(services[i % services.length] as Service, campaign)),
    );
    if (performance.now() - started < seconds * 900) return { campaign, answers };
  }
  throw new Error(`No burst of ${count} requests fitted into ${seconds} s`);
}

const count = (answers: readonly Answer[], outcome: string) =>
  answers.filter((answer) => answer.outcome === outcome).length;
/** How often each outcome occurred. */
const tally = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ outcome }) => outcome))].sort().map((outcome) => [outcome, count(answers, outcome)]),
  );

function expectOnlyLimited(answers: readonly Answer[], seconds: number): void {
  expect(Object.keys(tally(answers))).toEqual(['accepted', 'rate_limited']);
  for (const { status, outcome, retryAfter } of answers) {
    expect(status).toBe(outcome === 'accepted' ? 200 : 429);
    if (outcome === 'accepted') expect(retryAfter).toBeNull();
    else expect(retryAfter).toMatch(/^[1-9]\d*$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(seconds);
  }
}

describe('one process, 20 in 5 seconds', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ ...AS_DELIVERED, LIMIT_S2S_CAMPAIGN: '20/5s' });
    await service.apply(workspace);
  });
  afterAll(() => service?.dispose());

  /** How many clicks of a campaign are in ClickHouse. */
  const stored = async (campaign: string) => {
    const [row] = await service.rows<{ n: number }>(
      `SELECT toUInt32(count()) AS n
       FROM analytics.clicks
       WHERE campaign_display_id = '${campaign}'
         OR campaign_id = (SELECT campaign_id FROM adtrail.campaigns FINAL WHERE display_id = '${campaign}')`,
    );
    return row?.n;
  };

  test('accepts exactly as many, answers the others when to retry, and leaves other campaigns alone', async () => {
    const { campaign, answers } = await burst([service], 60, 5);
    expectOnlyLimited(answers, 5);
    expect(tally(answers)).toEqual({ accepted: 20, rate_limited: 40 });
    expect((await click(service, freshCampaign())).outcome).toBe('accepted');
    await eventually('the campaign is accepted again after its window', async () =>
      (await click(service, campaign)).outcome === 'accepted' ? true : undefined,
    );
  });

  test('the next window is as large as the first', async () => {
    const { campaign } = await burst([service], 21, 5);
    const accepted = await eventually(
      'a new window',
      async () => {
        const started = performance.now();
        if ((await click(service, campaign)).outcome !== 'accepted') return undefined;
        const answers = await Promise.all(Array.from({ length: 40 }, () => click(service, campaign)));
        return performance.now() - started < 4_500 ? 1 + count(answers, 'accepted') : undefined;
      },
      30_000,
    );
    expect(accepted).toBe(20);
  });

  test('a request that is refused for another reason uses up nothing', async () => {
    const answers = await eventually('refused and accepted requests within one window', async () => {
      const campaign = freshCampaign();
      const started = performance.now();
      const refused = await Promise.all(Array.from({ length: 60 }, () => click(service, campaign, 'gaid=not-a-uuid')));
      const good = await Promise.all(Array.from({ length: 20 }, () => click(service, campaign)));
      return performance.now() - started < 4_500 ? [...refused, ...good] : undefined;
    });
    expect(tally(answers)).toEqual({ accepted: 20, invalid_device_id: 60 });
  });

  test('what was refused is not stored', async () => {
    const { campaign, answers } = await burst([service], 60, 5);
    // Rows of a process are stored in the order in which they were accepted.
    const last = freshCampaign();
    expect((await click(service, last)).outcome).toBe('accepted');
    await eventually('the last click is stored', async () => ((await stored(last)) === 1 ? true : undefined), 60_000);
    expect(await stored(campaign)).toBe(count(answers, 'accepted'));
  });
});

test('off: nothing is limited', async () => {
  const service = await startService({ ...AS_DELIVERED, LIMIT_S2S_CAMPAIGN: 'off' });
  try {
    await service.apply(workspace);
    const answers = await Promise.all(Array.from({ length: 3_000 }, () => click(service, 'limited-0')));
    expect(tally(answers)).toEqual({ accepted: 3_000 });
  } finally {
    await service.dispose();
  }
});

test('two workers share 300 in 8 seconds within 10 %', async () => {
  const service = await startService({ ...AS_DELIVERED, LIMIT_S2S_CAMPAIGN: '300/8s', WORKERS: '2' });
  try {
    await service.apply(workspace);
    const { campaign, answers } = await burst([service], 900, 8);
    expectOnlyLimited(answers, 8);
    expect(count(answers, 'accepted')).toBeGreaterThanOrEqual(270);
    expect(count(answers, 'accepted')).toBeLessThanOrEqual(330);
    await eventually('accepted again after the window', async () =>
      (await click(service, campaign)).outcome === 'accepted' ? true : undefined,
    );
  } finally {
    await service.dispose();
  }
});

describe('with Redis', () => {
  let redis: RedisServer | undefined;
  const services: RunningService[] = [];

  /** Two service processes on one pair of engines and one Redis. */
  async function start(server: RedisServer): Promise<void> {
    const env = { ...AS_DELIVERED, LIMIT_S2S_CAMPAIGN: '300/8s', REDIS_URL: server.url };
    services.push(await startService(env));
    services.push(await startBeside(services[0] as RunningService, env));
    const [first, second] = services as [RunningService, RunningService];
    await first.apply(workspace);
    await eventually('the other process knows the workspace', async () =>
      (await click(second, freshCampaign())).outcome === 'accepted' ? true : undefined,
    );
  }

  afterEach(async () => {
    for (const service of services.splice(0).reverse()) await service.dispose();
    await redis?.dispose();
    redis = undefined;
  });

  testUnless(noRedis)('two service processes share 300 in 8 seconds within 10 %', async () => {
    redis = await startRedis();
    await start(redis);
    const { answers } = await burst(services, 900, 8);
    expectOnlyLimited(answers, 8);
    expect(count(answers, 'accepted')).toBeGreaterThanOrEqual(270);
    expect(count(answers, 'accepted')).toBeLessThanOrEqual(330);
  });

  testUnless(noRedisOfOurOwn)(
    'Redis killed under load: every request is accepted or rate-limited, each process goes on for itself, and both ' +
      'share again once Redis is back',
    async () => {
      redis = await startRedis({ ownOnly: true });
      await start(redis);
      const answers: Answer[] = [];
      let loading = true;
      const load = Array.from({ length: 16 }, async (_, i) => {
        for (let n = 0; loading; n++)
          answers.push(await click(services[i % 2] as RunningService, `limited-${50 + (n % 10)}`));
      });
      const more = async (number: number) => {
        const goal = answers.length + number;
        await eventually(`${number} more answers`, () => (answers.length >= goal ? true : undefined), 60_000);
      };
      try {
        await more(300);
        await redis.kill();
        await more(2_000);
      } finally {
        loading = false;
        await Promise.all(load);
      }
      expect(
        Object.keys(tally(answers)).filter((outcome) => outcome !== 'accepted' && outcome !== 'rate_limited'),
      ).toEqual([]);
      for (const service of services)
        await eventually('ready without Redis', async () =>
          (await service.request('/readyz')).status === 200 ? true : undefined,
        );

      const alone = await burst(services, 1_600, 8);
      expectOnlyLimited(alone.answers, 8);
      expect(count(alone.answers, 'accepted')).toBeGreaterThanOrEqual(540);
      expect(count(alone.answers, 'accepted')).toBeLessThanOrEqual(660);

      await redis.restart();
      const shared = await eventually(
        'both share one limit again',
        async () => {
          const accepted = count((await burst(services, 900, 8)).answers, 'accepted');
          return accepted <= 330 ? accepted : undefined;
        },
        40_000,
      );
      expect(shared).toBeGreaterThanOrEqual(270);
    },
    540_000,
  );
});
