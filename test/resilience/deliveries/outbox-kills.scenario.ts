/**
 * The service and its engines killed in the middle of settling and sending: every message arrives, at least once, and
 * no event has two (docs/contract/postbacks.md).
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent } from '../../support/collect/collect-client';
import { startReceiver, type Receiver } from '../../support/deliveries/receiver';
import type { Begin } from '../../support/one-service';
import { eventually, temporaryFolder, within, type RunningService } from '../../support/service';
import { TOKEN, workspace } from '../../support/workspace/workspace';
import { rounds } from '../../support/soak';

export function outboxKills(begin: Begin): void {
  const KEY = 'server-key-of-outbox-kills';
  /** Statements of ClickHouse in which the service is killed, and kills at any other time. */
  const STATEMENTS = ['outbox.settle', 'outbox.settled-events', 'outbox.macros'];
  const KILLS = rounds(6, 30);
  const INSTALLS = 4;
  const WITHIN_MS = 120_000;

  const folder = temporaryFolder();
  const killFile = path.join(folder, 'statement');
  const env = {
    NODE_OPTIONS: `--require ${path.join(__dirname, '..', '..', 'support', 'ingest', 'kill-at-statement.js')}`,
    KILL_FILE: killFile,
    OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
    OUTBOX_RETRIES: '1,1,1,1,1,1,1,1',
  };
  let service: RunningService;
  let receiver: Receiver;
  const sent: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await begin(env);
    const template = (event: string) => ({
      event,
      method: 'GET',
      url: `${receiver.url}/postback?id={postback_id}&event={event_name}&install={install_id}`,
    });
    await service.apply({
      ...workspace,
      partners: workspace.partners.map((partner) =>
        partner.name === 'Mobi Ads' ? { ...partner, postbacks: ['install', 'payment'].map(template) } : partner,
      ),
      projects: workspace.projects.map((project) =>
        project.name === 'Acme Shop'
          ? { ...project, server_keys: [KEY], webhooks: [{ url: `${receiver.url}/hook`, events: ['*'] }] }
          : project,
      ),
    });
  }, 360_000);
  afterAll(async () => {
    await receiver?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Credited installs with a payment each: sent again until they are accepted, as partners and apps do. */
  async function send(batch: readonly string[]): Promise<void> {
    const old = Date.now() - 3_600_000;
    await eventually('the batch is accepted', async () => {
      const clicks = batch.map((gaid) =>
        fetch(`${service.url}/v1/click/com.acme.shop?c=AbC123&tid=${gaid}&gaid=${gaid}&click_time=${old}`, {
          headers: { 'X-Service-Token': TOKEN },
        }).catch(() => undefined),
      );
      if ((await Promise.all(clicks)).some((answer) => answer?.status !== 200)) return undefined;
      const events = batch.flatMap((gaid) => [
        appEvent('install', { event_id: `install-${gaid}`, install_id: gaid, gaid }),
        appEvent('payment', { event_id: `payment-${gaid}`, install_id: gaid, amount: 1, currency: 'USD' }),
      ]);
      const answer = await fetch(`${service.url}/collect/v1/app`, {
        method: 'POST',
        headers: { 'service-key': KEY },
        body: JSON.stringify({ events }),
      }).catch(() => undefined);
      return answer?.status === 202 ? true : undefined;
    });
  }

  /** Kills the service in a statement, or it or one of its engines after a while, and has it running again. */
  async function kill(round: number): Promise<void> {
    const statement = STATEMENTS[round % 6];
    if (statement) {
      await eventually(`it is killed in ${statement}`, () => service.child.signalCode ?? undefined, 20_000);
      fs.rmSync(killFile);
    } else {
      // From before anything is settled until most of it is sent.
      await sleep(round * 60);
      const { postgres, clickhouse } = service.enginePids();
      const pid = [postgres[0], clickhouse[0], service.child.pid][round % 3];
      process.kill(pid as number, 'SIGKILL');
      await sleep(500);
      if (service.child.exitCode === null && service.child.signalCode === null) await service.kill();
    }
    await service.restart(env);
  }

  test(`${KILLS} kills: every message arrives, each event has one, and installs come before payments`, async () => {
    for (let round = 0; round < KILLS; round++) {
      const batch = Array.from({ length: INSTALLS }, () => crypto.randomUUID());
      sent.push(...batch);
      // Receivers fail too.
      receiver.answer('/postback', 503, 200, 'hang', 200);
      const statement = STATEMENTS[round % 6];
      if (statement) fs.writeFileSync(killFile, statement);
      const sending = send(batch);
      await kill(round);
      await sending;
    }
    const expected = sent.flatMap((install) => [`install ${install}`, `payment ${install}`]).sort();
    const told = (ids: Map<string, Set<string>>) => [...ids.keys()].sort();
    const postbacks = () => {
      const ids = new Map<string, Set<string>>();
      for (const { query } of receiver.at('/postback')) {
        if (!sent.includes(query.get('install') ?? '')) continue;
        const about = `${query.get('event')} ${query.get('install')}`;
        ids.set(about, (ids.get(about) ?? new Set()).add(query.get('id') ?? ''));
      }
      return ids;
    };
    const webhooks = () => {
      const ids = new Map<string, Set<string>>();
      for (const { body, headers } of receiver.at('/hook')) {
        const { type, data } = JSON.parse(body) as { type: string; data: { install_id: string } };
        if (!sent.includes(data.install_id)) continue;
        const about = `${type} ${data.install_id}`;
        ids.set(about, (ids.get(about) ?? new Set()).add(headers['webhook-id'] as string));
      }
      return ids;
    };
    await within(
      'everything has arrived',
      () => (postbacks().size >= expected.length && webhooks().size >= expected.length ? true : undefined),
      WITHIN_MS,
    ).catch((error: Error) => {
      const missing = expected.filter((about) => !postbacks().has(about) || !webhooks().has(about));
      throw new Error(`${error.message}: ${missing.join(', ')}\n${service.output().slice(-4_000)}`);
    });
    await eventually('nothing waits', async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      return /^adtrail_outbox_pending\{[^}]*\} [1-9]/m.test(metrics) ? undefined : true;
    });
    expect(told(postbacks())).toEqual(expected);
    expect(told(webhooks())).toEqual(expected);
    const twice = [...postbacks(), ...webhooks()].filter(([, ids]) => ids.size !== 1);
    expect(twice).toEqual([]);
    const first = (event: string, install: string) =>
      receiver
        .at('/postback')
        .findIndex(({ query }) => query.get('event') === event && query.get('install') === install);
    expect(sent.filter((install) => first('payment', install) < first('install', install))).toEqual([]);
  }, 900_000);
}
