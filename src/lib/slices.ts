/** Long work in slices, so that one request never holds up the others: one slice runs, then everybody else. */

/** How long a slice may be, in milliseconds. */
const SLICE_MS = 8;

/** Work that waits for its next slice, in the order in which it asked. */
const waiting: (() => void)[] = [];

/** One slice for each turn of the event loop, however many requests want one: the others run in between. */
function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** Resolves when this work may continue. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeNext);
  });
}

/** The slice that some work is in. */
export class Slice {
  private since = performance.now();

  /** Lets others run if the slice is over. */
  async rest(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await nextSlice();
    this.since = performance.now();
  }
}
