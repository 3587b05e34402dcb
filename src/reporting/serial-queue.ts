/** Lets one heavy thing happen after the other, and few wait. */

/** Too many already wait for their turn. */
export class BusyError extends Error {}

/** Runs what it is given one at a time, in order of arrival. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly maxWaiting: number) {}

  /** @throws BusyError at once when `maxWaiting` already wait. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting > this.maxWaiting) throw new BusyError();
    this.waiting += 1;
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.waiting -= 1;
    }
  }
}
