/** A fixed number of slots handed out in order of arrival, so that one kind of work cannot starve another. */

export class ConnectionPool<Slot> {
  private readonly free: Slot[];
  private readonly waiting: ((slot: Slot) => void)[] = [];

  constructor(slots: readonly Slot[]) {
    this.free = [...slots];
  }

  /** Waits for a slot, runs `work` with it and gives it back, whatever happens. */
  async use<Result>(work: (slot: Slot) => Promise<Result>): Promise<Result> {
    const slot = this.free.pop() ?? (await new Promise<Slot>((resolve) => this.waiting.push(resolve)));
    try {
      return await work(slot);
    } finally {
      const next = this.waiting.shift();
      if (next) next(slot);
      else this.free.push(slot);
    }
  }
}
