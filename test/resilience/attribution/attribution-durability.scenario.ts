/**
 * No install is lost, none is decided twice, and no decision changes: whatever is killed, repeated or decides beside
 * (docs/contract/attribution.md).
 */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent, SERVER_KEY, type Json } from '../../support/collect/collect-client';
import type { Begin } from '../../support/one-service';
import { postgresUrl } from '../../support/postgres';
import { ADMIN_TOKEN, CLICKHOUSE_PASSWORD, eventually, startService, type RunningService } from '../../support/service';
import { TOKEN, workspace } from '../../support/workspace/workspace';
import { rounds, seeded, some } from '../../support/soak';

export function attributionDurability(begin: Begin): void {
  const [SHOP, ...OTHERS] = workspace.projects;
  const random = seeded();
  let service: RunningService;

  beforeAll(async () => {
    service = await begin();
    await service.apply({ ...workspace, projects: [{ ...SHOP, server_keys: [SERVER_KEY] }, ...OTHERS] });
  });

  interface Decision {
    readonly install_id: string;
    readonly decision: string;
  }

  /** Everything that was decided of installs whose ID begins so, row by row: one row twice would be two decisions. */
  const decisions = (prefix: string) =>
    service.rows<Decision>(
      `SELECT install_id, toString((rule, touch_id, campaign_id, reinstall, decided_at)) AS decision
     FROM adtrail.installs
     WHERE startsWith(install_id, '${prefix}')
     ORDER BY install_id`,
    );

  /**
   * Installs without end, some on devices with a click or an impression, some sent twice; resolves with those
   * acknowledged once `work`, which sees them, is done.
   */
  async function underLoad(
    prefix: string,
    at: () => RunningService,
    work: (soFar: ReadonlySet<string>) => Promise<void>,
  ): Promise<Set<string>> {
    const acknowledged = new Set<string>();
    let stopped = false;
    let n = 0;
    const send = async () => {
      let last: Json[] = [];
      while (!stopped) {
        const gaid = crypto.randomUUID();
        if (n % 3 === 0)
          await fetch(
            `${at().url}/v1/${n % 40 ? 'click' : 'impression'}/com.acme.shop?c=AbC123&tid=${gaid}&gaid=${gaid}`,
            { headers: { 'X-Service-Token': TOKEN } },
          ).catch(() => undefined);
        const fresh = Array.from({ length: 20 }, () =>
          appEvent('install', { install_id: `${prefix}${(n += 1)}`, gaid: n % 4 === 0 ? gaid : crypto.randomUUID() }),
        );
        // Repeats of installs that may be decided by now, in any order.
        const events = [...fresh, ...last].sort(() => random() - 0.5);
        const response = await fetch(`${at().url}/collect/v1/app`, {
          method: 'POST',
          headers: { 'service-key': SERVER_KEY },
          body: JSON.stringify({ events }),
        }).catch(() => undefined);
        if (response?.status === 202) for (const event of events) acknowledged.add(event.install_id as string);
        else await sleep(20);
        last = fresh.slice(0, 5);
        await sleep(20);
      }
    };
    const senders = Promise.all([send(), send(), send()]);
    try {
      await work(acknowledged);
    } finally {
      stopped = true;
      await senders;
    }
    return acknowledged;
  }

  const someMore = async (soFar: ReadonlySet<string>) => {
    const goal = soFar.size + 100;
    await eventually('100 more are acknowledged', () => (soFar.size >= goal ? true : undefined), 30_000);
  };

  /** Waits until all of them are decided, and expects each to be so once. */
  async function expectDecidedOnce(prefix: string, acknowledged: ReadonlySet<string>): Promise<Decision[]> {
    expect(acknowledged.size).toBeGreaterThan(100);
    const rows = await eventually(
      `${acknowledged.size} installs are decided`,
      async () => {
        const found = await decisions(prefix);
        const ids = new Set(found.map(({ install_id }) => install_id));
        return [...acknowledged].every((id) => ids.has(id)) ? found : undefined;
      },
      40_000,
    );
    expect(new Set(rows.map(({ install_id }) => install_id)).size).toBe(rows.length);
    return rows;
  }

  async function expectUnchanged(prefix: string, before: readonly Decision[]): Promise<void> {
    const now = new Map((await decisions(prefix)).map(({ install_id, decision }) => [install_id, decision]));
    for (const { install_id, decision } of before)
      expect({ install_id, decision: now.get(install_id) }).toEqual({ install_id, decision });
  }

  async function noImpressionTwice(prefix: string): Promise<void> {
    const credited = await service.rows<{ touch_id: string }>(
      `SELECT toString(touch_id) AS touch_id FROM adtrail.installs
     WHERE rule = 'device_impression' AND startsWith(install_id, '${prefix}')`,
    );
    expect(credited.length).toBeGreaterThan(0);
    expect(new Set(credited.map(({ touch_id }) => touch_id)).size).toBe(credited.length);
  }

  test.each(Array.from({ length: rounds(1, 4) }, (_, i) => i + 1))(
    'round %i: the service killed at a random moment while installs pour in',
    async (round) => {
      const prefix = `kill${round}-`;
      let before: Decision[] = [];
      const acknowledged = await underLoad(
        prefix,
        () => service,
        async (soFar) => {
          await someMore(soFar);
          await sleep(1_000 + random() * 1_500);
          before = await decisions(prefix);
          await service.kill();
          await service.restart();
          await someMore(soFar);
        },
      );
      await expectDecidedOnce(prefix, acknowledged);
      await expectUnchanged(prefix, before);
      await noImpressionTwice(prefix);
    },
  );

  test.each(some(['1', '4'], 1, random))(
    'two services with %s deciders each decide every install once, also when killed',
    async (deciders) => {
      const prefix = `two-by-${deciders}-`;
      await service.stop();
      await service.restart({ ATTRIBUTION_DECIDERS: deciders });
      const other = await startService({
        DATABASE_URL: postgresUrl(service),
        CLICKHOUSE_URL: service.clickhouseUrl,
        CLICKHOUSE_PASSWORD,
        ADMIN_TOKEN,
        ATTRIBUTION_DECIDERS: deciders,
      });
      try {
        let before: Decision[] = [];
        let requests = 0;
        const acknowledged = await underLoad(
          prefix,
          () =>
            requests++ % 2 === 0 || other.child.exitCode !== null || other.child.signalCode !== null ? service : other,
          async (soFar) => {
            for (let kill = 0; kill < rounds(1, 3); kill++) {
              await someMore(soFar);
              await sleep(1_000 + random() * 1_000);
              before = await decisions(prefix);
              await other.kill();
              await other.restart();
            }
          },
        );
        await expectDecidedOnce(prefix, acknowledged);
        await expectUnchanged(prefix, before);
        await noImpressionTwice(prefix);
      } finally {
        await other.dispose();
      }
    },
  );

  test('everything sent again, shuffled, changes no decision', async () => {
    const devices = Array.from({ length: 200 }, () => crypto.randomUUID());
    const click = async (gaid: string) =>
      expect(
        (
          await service.request(`/v1/click/com.acme.shop?c=AbC123&tid=again-${gaid}&gaid=${gaid}`, {
            headers: { 'X-Service-Token': TOKEN },
          })
        ).status,
      ).toBe(200);
    const send = async (events: Json[]) =>
      expect(
        (
          await service.request('/collect/v1/app', {
            method: 'POST',
            headers: { 'service-key': SERVER_KEY },
            body: JSON.stringify({ events }),
          })
        ).status,
      ).toBe(202);
    await Promise.all(devices.slice(0, 50).map(click));
    const installs = devices.flatMap((gaid, i) => [
      appEvent('install', { install_id: `again-${i}`, gaid }),
      appEvent('open', { install_id: `again-${i}`, gaid }),
    ]);
    await send(installs);
    const before = await expectDecidedOnce('again-', new Set(devices.map((_, i) => `again-${i}`)));
    expect(before.filter(({ decision }) => decision.includes('device_click'))).toHaveLength(50);
    // Touches that come too late, and every event again in another order, in other batches and under other event IDs.
    await Promise.all(devices.slice(0, 100).map(click));
    const again = [...installs, ...installs.map((event) => ({ ...event, event_id: crypto.randomUUID() }))].sort(
      () => random() - 0.5,
    );
    for (let from = 0; from < again.length; from += 90) await send(again.slice(from, from + 90));
    await expectDecidedOnce('again-after', new Set(await sendMarkers(send)));
    await expectUnchanged('again-', before);
    expect((await decisions('again-')).filter(({ install_id }) => !install_id.startsWith('again-after'))).toHaveLength(
      200,
    );
  });

  /** Installs received after everything before: once they are decided, nothing before is left to be. */
  async function sendMarkers(send: (events: Json[]) => Promise<void>): Promise<string[]> {
    const ids = Array.from({ length: 101 }, (_, i) => `again-after-${i}`);
    await send(ids.map((install_id) => appEvent('install', { install_id })));
    return ids;
  }
}
