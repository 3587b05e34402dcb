/**
 * Leaves hosts alone that do not answer: after some failures in a row nothing is sent there for a while, then one
 * message at a time, until one arrives. Each process finds out separately.
 */

/** Failures in a row after which a host is left alone. */
const FAILURES = 5;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

interface HostState {
  failures: number;
  /** Until when nothing is sent, in milliseconds. */
  restsUntil: number;
}

export class Breaker {
  private readonly hosts = new Map<string, HostState>();

  constructor(private readonly now: () => number) {}

  /** How many messages of `places` may be sent to a host now. */
  countPlaces(host: string, places: number): number {
    const state = this.hosts.get(host);
    if (!state || state.failures < FAILURES) return places;
    return state.restsUntil > this.now() ? 0 : Math.min(places, 1);
  }

  /** Notes whether the receiver of a message was there. */
  note(host: string, isDown: boolean): void {
    if (!isDown) {
      this.hosts.delete(host);
      return;
    }
    const failures = (this.hosts.get(host)?.failures ?? 0) + 1;
    const rest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.max(0, failures - FAILURES));
    this.hosts.set(host, { failures, restsUntil: failures < FAILURES ? 0 : this.now() + rest });
  }
}
