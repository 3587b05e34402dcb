/** What is under way, so that whatever is done for it can say so: log lines and spans name what they are of. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Context {
  /** The `X-Request-Id` of the request; undefined for what the process does unasked. */
  readonly requestId?: string;
  /** The trace that it is part of, where there are traces. */
  readonly traceId?: string;
  /** What spans below it are children of; only src/tracing/ looks into it. */
  readonly span?: unknown;
}

const storage = new AsyncLocalStorage<Context>();

/** Runs `work`; what it does and waits for is in this context. */
export const runIn = <T>(context: Context, work: () => T): T => storage.run(context, work);

/** Runs `work` in no context: what it starts outlives whoever asked for it. */
export const runOutside = <T>(work: () => T): T => storage.exit(work);

/** The context of who calls; empty outside of any. */
export const currentContext = (): Context => storage.getStore() ?? {};
