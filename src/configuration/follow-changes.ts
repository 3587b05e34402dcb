/** Keeps a snapshot up to date: by notification at once, and by asking now and then in case one was lost. */
import { keepListening } from '../db/keep-listening';
import type { Postgres } from '../db/postgres';
import type { ConfigSnapshot } from './config-snapshot';

const POLL_MS = 5_000;

/**
 * Follows the configuration until the returned function is called. A change is in force here well within a second
 * (docs/contract/running.md).
 */
export function followConfiguration(
  postgres: Postgres,
  snapshot: ConfigSnapshot,
  onChange: () => void,
): () => Promise<void> {
  // While PostgreSQL is away this fails, and the snapshot knows its own age; the next poll or reconnection repairs it.
  const refresh = () => void snapshot.refresh().then(onChange, () => undefined);
  const unlisten = keepListening(postgres, 'adtrail_configuration', refresh);
  const poll = setInterval(refresh, POLL_MS);
  return async () => {
    clearInterval(poll);
    await unlisten();
  };
}
