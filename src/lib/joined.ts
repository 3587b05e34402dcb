/** Work that many ask for at once is done for all of them together. */

/**
 * Makes work that is done for everybody who asks while it waits to begin. Whatever somebody gets was begun after they
 * asked: who comes while it is under way waits for the next time, together with all who come until then.
 */
export function joinCalls<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    const begun = work().finally(() => {
      if (running === begun) running = undefined;
    });
    running = begun;
    return begun;
  };
  return () => {
    if (!running) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

/** The same for each of many keys. Nothing is kept of a key that nobody asks for. */
export function joinCallsBy<K, T>(work: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const calls = new Map<K, { readonly call: () => Promise<T>; waiting: number }>();
  return async (key) => {
    const one = calls.get(key) ?? { call: joinCalls(() => work(key)), waiting: 0 };
    calls.set(key, one);
    one.waiting += 1;
    try {
      return await one.call();
    } finally {
      one.waiting -= 1;
      if (one.waiting === 0) calls.delete(key);
    }
  };
}
