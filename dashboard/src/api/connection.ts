/** Whether the service can be reached: while it cannot, it is asked again and again, and everybody is told once. */
import { useSyncExternalStore } from 'react';

const FIRST_MS = 1_000;
const LONGEST_MS = 10_000;

let isDown = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const watching = new Set<() => void>();
const returning = new Set<() => void>();

function set(next: boolean): void {
  if (next === isDown) return;
  isDown = next;
  for (const tell of watching) tell();
  if (!next) for (const tell of returning) tell();
}

async function knock(wait: number): Promise<void> {
  const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
    ({ status }) => status !== 502 && status !== 504,
    () => false,
  );
  if (!isDown) return;
  if (isThere) return set(false);
  const next = Math.min(2 * wait, LONGEST_MS);
  timer = setTimeout(() => void knock(next), next);
}

/** A request got no answer. */
export function noteUnreachable(): void {
  if (isDown) return;
  set(true);
  timer = setTimeout(() => void knock(FIRST_MS), FIRST_MS);
}

/** A browser without a network asks nothing, so that nothing fails either. Undefined in tests of what needs no page. */
const { window: page } = globalThis as { readonly window?: Window };
page?.addEventListener('offline', noteUnreachable);
page?.addEventListener('online', tryNow);

/** Asks at once, and goes on asking. */
export function tryNow(): void {
  if (!isDown) return;
  clearTimeout(timer);
  void knock(FIRST_MS);
}

/** Called each time the service is back. */
export const whenBack = (listener: () => void) => returning.add(listener);

const subscribe = (tell: () => void) => {
  watching.add(tell);
  return () => watching.delete(tell);
};
export const useIsDown = (): boolean => useSyncExternalStore(subscribe, () => isDown);
