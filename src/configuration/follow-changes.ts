/** Keeps a snapshot up to date: by notification at once, and by asking now and then in case one was lost. */
import type { Postgres } from '../db/postgres';
import type { ConfigSnapshot } from './config-snapshot';

const POLL_MS = 5_000;
const RECONNECT_MS = 250;

/**
 * Follows the configuration until the returned function is called. A change is in force here well within a second
 * (docs/contract.md, Running).
 */
export function followConfiguration(
  postgres: Postgres,
  snapshot: ConfigSnapshot,
  onChange: () => void,
): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;

  // While PostgreSQL is away this fails, and the snapshot knows its own age; the next poll or reconnection repairs it.
  const refresh = () => void snapshot.refresh().then(onChange, () => undefined);

  const connect = async () => {
    try {
      const stop = await postgres.listen('adtrail_configuration', refresh, () => reconnect());
      unlisten = stop;
      if (stopped) return await stop();
      // Whatever changed while nobody listened.
      refresh();
    } catch {
      reconnect();
    }
  };
  const reconnect = () => {
    unlisten = undefined;
    // A failed attempt may report itself twice, as an error and as an end: one timer, one next attempt.
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void connect(), RECONNECT_MS);
  };
  const poll = setInterval(refresh, POLL_MS);
  void connect();

  return async () => {
    stopped = true;
    clearInterval(poll);
    clearTimeout(timer);
    await unlisten?.().catch(() => undefined);
  };
}
