/** Turns of projects at writing their exports, such that none holds up another (pure, but for the work itself). */

export interface TurnLimits {
  /** Turns at once: of exports that went well last, and of those that failed. */
  readonly places: { readonly first: number; readonly retry: number };
  /** After so long a turn is slow, in milliseconds; so many slow ones take no place. */
  readonly slowMs: number;
  readonly slow: number;
  /** How long a turn may take while another waits for its place, and how long in any case, in milliseconds. */
  readonly fairMs: number;
  readonly longestMs: number;
}
export type Lane = keyof TurnLimits['places'];

interface Turn {
  readonly lane: Lane;
  readonly began: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export function createTurns({ places, slowMs, slow, fairMs, longestMs }: TurnLimits, now: () => number) {
  /** By project: each has one at most. */
  const turns = new Map<number, Turn>();
  const list = (lane: Lane) => [...turns.values()].filter((turn) => turn.lane === lane);
  const isOver = (ms: number) => (turn: Turn) => now() - turn.began > ms;
  const end = ({ controller, began }: Turn) => {
    const seconds = Math.round((now() - began) / 1_000);
    controller.abort(new Error(`it was broken off, as it took longer than ${seconds} seconds`));
  };
  return {
    /** Those that have a turn now. */
    projects: (): number[] => [...turns.keys()],
    hasPlace(lane: Lane): boolean {
      const all = list(lane);
      const slowOnes = lane === 'first' ? all.filter(isOver(slowMs)).length : 0;
      return all.length - Math.min(slow, slowOnes) < places[lane];
    },
    /** Begins a turn, which is over when `work` is; it does not throw. */
    begin(project: number, lane: Lane, work: (signal: AbortSignal) => Promise<void>): void {
      const controller = new AbortController();
      const done = work(controller.signal).finally(() => turns.delete(project));
      turns.set(project, { lane, began: now(), controller, done });
    },
    /** Ends the turn of a project because of `why`. */
    end: (project: number, why: Error): void => turns.get(project)?.controller.abort(why),
    /** Ends turns that take too long. */
    endLongest(): void {
      for (const turn of turns.values()) if (isOver(longestMs)(turn)) end(turn);
    },
    /** Ends the turn that has taken longest, where it has had its time and another waits for its place. */
    makePlace(lane: Lane): void {
      const long = list(lane).filter((turn) => isOver(fairMs)(turn) && !turn.controller.signal.aborted);
      const [oldest] = long.sort((a, b) => a.began - b.began);
      if (oldest) end(oldest);
    },
    /** Ends all, because of `why`, and waits for them. */
    async stop(why: Error): Promise<void> {
      for (const { controller } of turns.values()) controller.abort(why);
      await Promise.all([...turns.values()].map(({ done }) => done));
    },
  };
}
