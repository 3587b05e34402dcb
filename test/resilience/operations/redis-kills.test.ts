/**
 * Redis killed under load costs no request: each process counts for itself, and all count in one place again once it is
 * back (docs/contract/running.md).
 */
import {
  burst,
  click,
  readCount,
  expectOnlyLimited,
  limitedWorkspace,
  readStatuses,
  times,
} from '../../support/http/limits';
import { ownNames } from '../../support/workspace/own-names';
import { noRedisOfOurOwn, startRedis, testUnless } from '../../support/operations/redis';
import { eventually, startService, type RunningService } from '../../support/service';
import { startBeside } from '../../support/shared-service';

const own = ownNames('redis-kills');
const clicks = { own, next: 10 };

testUnless(noRedisOfOurOwn)(
  'every request is answered while Redis is away, and both processes share their limits again once it is back',
  async () => {
    const redis = await startRedis({ ownOnly: true });
    const env = {
      REDIS_URL: redis.url,
      LIMIT_S2S_CAMPAIGN: '300/8s',
      LIMIT_DATA: '50/5s',
      LIMIT_MANAGEMENT: '50/5s',
      LIMIT_IP: '100000/5s',
      // A request does not wait for ClickHouse, which answers late on a machine that is busy.
      ACCEPT_AFTER: 'log',
    };
    const services: RunningService[] = [];
    const one = (i: number) => services[i % 2] as RunningService;
    const list = (i: number, key: string) =>
      one(i).request('/api/v1/campaigns', { headers: { 'service-key': own(key) } });
    const create = (i: number) =>
      one(i).request('/api/v1/create-campaign', {
        method: 'POST',
        headers: { 'service-key': own('key-1') },
        body: '{"name":"Under load"}',
      });
    try {
      services.push(await startService(env));
      services.push(await startBeside(one(0), env));
      await one(0).apply(limitedWorkspace(own));
      await eventually('the other process knows the workspace', async () =>
        (await click(one(1), own, 'limited-0')).outcome === 'accepted' ? true : undefined,
      );

      const outcomes: Record<string, number> = {};
      let sent = 0;
      let loading = true;
      const load = times(24, async (i) => {
        for (let n = 0; loading; n++) {
          // A request to the API that is lost rejects, and fails the test.
          const outcome =
            i < 12
              ? (await click(one(i), own, `limited-${n % 10}`)).outcome
              : String((await (n % 5 === 0 ? create(i) : list(i, 'key-1'))).status);
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          sent += 1;
        }
      });
      const more = async (number: number) => {
        const goal = sent + number;
        await eventually(`${number} more answers`, () => (sent >= goal ? true : undefined), 60_000);
      };
      try {
        await more(500);
        await redis.kill();
        await more(2_500);
      } finally {
        loading = false;
        await Promise.all(load);
      }
      // Whether a limit is reached meanwhile depends on how busy the machine is; below it is.
      expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(['200', 'accepted']));
      const expected = ['200', '201', '429', 'accepted', 'rate_limited'];
      expect(Object.keys(outcomes).filter((outcome) => !expected.includes(outcome))).toEqual([]);
      for (const service of services) {
        expect(service.output()).not.toMatch(/Error:/);
        await eventually('ready without Redis', async () =>
          (await service.request('/readyz')).status === 200 ? true : undefined,
        );
      }

      const alone = await burst(services, 1_600, 8, clicks);
      expectOnlyLimited(alone.answers, 8);
      expect(readCount(alone.answers).accepted).toBeGreaterThanOrEqual(540);
      expect(readCount(alone.answers).accepted).toBeLessThanOrEqual(660);

      await redis.restart();
      const accepted = await eventually(
        'both share the limit of a campaign again',
        async () => {
          const { answers } = await burst(services, 900, 8, clicks);
          const count = readCount(answers).accepted ?? 0;
          return count <= 330 ? count : undefined;
        },
        40_000,
      );
      expect(accepted).toBeGreaterThanOrEqual(270);
      await eventually(
        'both share the limit of a key again',
        async () => {
          const since = performance.now();
          const answers = await readStatuses(times(200, (i) => list(i, 'key-2')));
          // A burst that spans two windows says nothing.
          return performance.now() - since < 4_000 && answers[200] === 50 ? true : undefined;
        },
        40_000,
      );
    } finally {
      for (const service of services.reverse()) await service.dispose();
      await redis.dispose();
    }
  },
  540_000,
);
