/** Hears the notifications of a channel of PostgreSQL, whatever becomes of the connection. */
import type { Postgres } from './postgres';

const RECONNECT_MS = 250;

/**
 * Calls `onNotify` for each notification, and for each connection: whatever was told while nobody listened. Until the
 * returned function is called.
 */
export function keepListening(
  postgres: Pick<Postgres, 'listen'>,
  channel: string,
  onNotify: (payload: string) => void,
): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;

  const connect = async () => {
    try {
      const stop = await postgres.listen(channel, onNotify, () => reconnect());
      unlisten = stop;
      if (stopped) return await stop();
      onNotify('');
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
  void connect();

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await unlisten?.().catch(() => undefined);
  };
}
