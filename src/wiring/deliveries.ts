/** Wires the sending of postbacks and webhooks: in every process of the attribution role. */
import type { Config } from '../config';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import type { Log } from '../lib/log';
import type { Metrics } from '../metrics/metrics';
import type { PendingMessages } from '../metrics/outbox';
import { createAddresses } from '../deliveries/addresses';
import { readPending } from '../deliveries/queries';
import { createSender, type Sender } from '../deliveries/sender';
import { startOutbox, type Outbox } from '../deliveries/worker';
import { runPeriodically } from '../lib/periodic';
import type { Seals } from '../lib/seal';
import type { Tracing } from '../tracing/tracing';

/** How often it is counted what waits. */
const COUNT_MS = 5_000;
/** Hosts that metrics tell apart; those after them are counted together. */
const MOST_HOSTS = 200;
const OTHERS = 'others';

export interface OutboxParts {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly metrics: Metrics;
  readonly seals: Seals;
  readonly tracing: Tracing;
  readonly log: Log;
  readonly now: () => number;
}

/** The sending of this process; what it is asked to try out goes by the same sender. */
export interface WiredOutbox extends Outbox {
  readonly sender: Sender;
}

export function wireOutbox({
  config,
  postgres,
  clickhouse,
  metrics,
  seals,
  tracing,
  log,
  now,
}: OutboxParts): WiredOutbox {
  const { allowPrivate, retries } = config.outbox;
  const sender = createSender(createAddresses(allowPrivate));
  if (!config.roles.has('attribution')) return { sender, wake: () => undefined, stop: () => sender.close() };
  const hosts = new Set<string>();
  const labelHost = (host: string) => {
    if (hosts.has(host)) return host;
    const destination = hosts.size < MOST_HOSTS ? host : OTHERS;
    hosts.add(destination);
    // An increase is seen from 0 on only.
    metrics.deliveries.inc({ destination, outcome: 'dead' }, 0);
    return destination;
  };
  let pending: readonly PendingMessages[] = [];
  metrics.onPendingMessages(() => pending);
  const count = metrics.measured('outbox-count', async () => {
    pending = (await readPending(postgres)).slice(0, MOST_HOSTS);
  });
  const counting = runPeriodically('Counting messages', COUNT_MS, log, count);
  const outbox = startOutbox({
    postgres,
    clickhouse,
    sender,
    retries,
    seals,
    tracing,
    log,
    now,
    observe({ host, outcome, seconds }) {
      metrics.deliveries.inc({ destination: labelHost(host), outcome });
      metrics.deliverySeconds.observe(seconds);
    },
  });
  return {
    sender,
    wake: outbox.wake,
    async stop() {
      await Promise.all([outbox.stop(), counting.stop()]);
    },
  };
}
