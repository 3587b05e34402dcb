/** A fixed number of slots handed out in order of arrival, so that one kind of work cannot starve another. */
import { Semaphore } from 'async-mutex';

export class ConnectionPool<Slot> {
  private readonly free: Slot[];
  private readonly semaphore: Semaphore;

  constructor(slots: readonly Slot[]) {
    this.free = [...slots];
    this.semaphore = new Semaphore(slots.length);
  }

  /** Waits for a slot, runs `work` with it and gives it back, whatever happens. */
  use<Result>(work: (slot: Slot) => Promise<Result>): Promise<Result> {
    return this.semaphore.runExclusive(async () => {
      const slot = this.free.pop() as Slot;
      try {
        return await work(slot);
      } finally {
        this.free.push(slot);
      }
    });
  }
}
