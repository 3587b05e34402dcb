/** Whether who asked is still there. */
import type { Context } from 'koa';

/** Aborted when the connection of a request closes before its answer: whoever asked has left, or cancelled. */
export function watchLeaving({ res }: Pick<Context, 'res'>): AbortSignal {
  const leaving = new AbortController();
  if (res.destroyed) leaving.abort();
  res.once('close', () => {
    if (!res.writableFinished) leaving.abort();
  });
  return leaving.signal;
}
