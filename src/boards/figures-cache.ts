/** Keeps what boards show to strangers for a while, so that many of them ask the engine no more often than one does. */

/** How long what was answered is shown again; where something failed it is tried again sooner. */
const FRESH_MS = 5 * 60_000;
const FAILED_MS = 10_000;
/** Boards that are kept, those asked for last. */
const MAX_BOARDS = 50;

interface Kept<T> {
  readonly answer: Promise<T>;
  /** Infinite while it is being answered. */
  until: number;
}

export class FiguresCache<T> {
  private readonly kept = new Map<string, Kept<T>>();

  constructor(
    private readonly hasFailed: (answer: T) => boolean,
    private readonly now: () => number,
  ) {}

  /** What `answer` has given under this key not long ago, or gives now; who asks meanwhile waits for the same. */
  get(key: string, answer: () => Promise<T>): Promise<T> {
    const present = this.kept.get(key);
    this.kept.delete(key);
    if (present && present.until > this.now()) {
      this.kept.set(key, present);
      return present.answer;
    }
    const kept: Kept<T> = { answer: answer(), until: Infinity };
    this.kept.set(key, kept);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MAX_BOARDS) break;
      this.kept.delete(oldest);
    }
    kept.answer.then(
      (given) => (kept.until = this.now() + (this.hasFailed(given) ? FAILED_MS : FRESH_MS)),
      () => this.kept.get(key) === kept && this.kept.delete(key),
    );
    return kept.answer;
  }
}
