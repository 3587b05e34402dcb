/** Sends the simulated traffic to a running service, as partners' and advertisers' servers do. */
import { fetchWithRetry } from '../lib/retry';
import { DAY_MS, MINUTE_MS } from '../lib/time';
import type { Touch, Traffic } from './simulator';
import { PARTNER_CAMPAIGN } from './workspace';

export interface Target {
  /** Address of the service, without a path. */
  readonly url: string;
  readonly serverKey: string;
  readonly partnerToken: string;
}

export interface Progress {
  start(what: string, total: number): void;
  /** `count` more are accepted. */
  add(count: number): void;
  stop(): void;
}

const BATCH = 1_000;
const REQUESTS_AT_ONCE = 16;
/** The service may be away for so long before the demo gives up. */
const PATIENCE_MS = 60_000;
/** Touches that are older are refused; those of an earlier day were sent on that day. */
const MAX_TOUCH_AGE_MS = DAY_MS - 10 * MINUTE_MS;

/**
 * Sends everything, touches first so that installs find them. All IDs are fixed: sent again, it changes nothing.
 *
 * @throws Error when the service refuses anything or stays away.
 */
export async function fill(target: Target, traffic: Traffic, progress: Progress, now: number): Promise<void> {
  await sendTouches(target, 'click', traffic.clicks, progress, now);
  await sendTouches(target, 'impression', traffic.impressions, progress, now);
  await sendBatches(
    target,
    { what: 'spend rows', method: 'PUT', path: '/collect/v1/spend', field: 'rows' },
    traffic.spend,
    progress,
  );
  await sendBatches(
    target,
    { what: 'app events', method: 'POST', path: '/collect/v1/app', field: 'events' },
    traffic.appEvents,
    progress,
  );
  await sendBatches(
    target,
    { what: 'web events', method: 'POST', path: '/collect/v1/web', field: 'events' },
    traffic.webEvents,
    progress,
  );
}

async function sendTouches(
  { url, partnerToken }: Target,
  kind: 'click' | 'impression',
  touches: readonly Touch[],
  progress: Progress,
  now: number,
): Promise<void> {
  const fresh = touches.filter(({ time }) => now - time < MAX_TOUCH_AGE_MS);
  progress.start(`${kind}s`, fresh.length);
  for (let i = 0; i < fresh.length; i += REQUESTS_AT_ONCE) {
    const some = fresh.slice(i, i + REQUESTS_AT_ONCE);
    await Promise.all(
      some.map(({ time, tid, gaid, ip, ua }) => {
        const query = new URLSearchParams({
          c: PARTNER_CAMPAIGN,
          tid,
          gaid,
          ip,
          ua,
          [`${kind}_time`]: String(time),
        });
        return send(`${url}/v1/${kind}/com.example.shop?${query.toString()}`, {
          headers: { 'X-Service-Token': partnerToken },
        });
      }),
    );
    progress.add(some.length);
  }
  progress.stop();
}

interface Collector {
  readonly what: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  /** The field of the body that holds the batch. */
  readonly field: 'events' | 'rows';
}

/** One batch after the other: events arrive in their order. */
async function sendBatches(
  { url, serverKey }: Target,
  { what, method, path, field }: Collector,
  all: readonly object[],
  progress: Progress,
): Promise<void> {
  progress.start(what, all.length);
  for (let i = 0; i < all.length; i += BATCH) {
    const batch = all.slice(i, i + BATCH);
    const answer = await send(url + path, {
      method,
      headers: { 'service-key': serverKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ [field]: batch }),
    });
    const { rejected } = answer as { rejected: unknown[] };
    if (rejected.length > 0) throw new Error(`The service refused ${what}: ${JSON.stringify(rejected[0])}`);
    progress.add(batch.length);
  }
  progress.stop();
}

/** Sends a request, again and again while the service is away or asks for time; resolves with its answer. */
export async function send(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetchWithRetry(url, init, PATIENCE_MS).catch((error: unknown) => {
    throw new Error(`No service answers at ${url}`, { cause: error });
  });
  if (response.ok) return response.json();
  throw new Error(`${new URL(url).pathname} answered ${response.status}: ${await response.text()}`);
}
