/** A rate limit for a hot path: points are taken from the shared limiter in small blocks and spent without I/O. */
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/**
 * The share of the limit that a process takes at a time: ten processes stay within 10 % of it
 * (docs/contract/running.md).
 */
const BLOCK_SHARE = 0.01;

interface Lease {
  points: number;
  /** When the window ends; points that are left end with it. */
  until: number;
  /** Set while the window's points are used up. */
  exhausted: boolean;
  pending: Promise<void> | undefined;
}

export class LeasedLimiter {
  private readonly leases = new Map<number, Lease>();
  private readonly block: number;

  constructor(
    private readonly shared: RateLimiterAbstract | undefined,
    private readonly now: () => number,
  ) {
    this.block = Math.max(1, Math.floor((shared?.points ?? 0) * BLOCK_SHARE));
  }

  /** Takes one point for the key: 0 when there is one, else the whole seconds until there will be. */
  take(key: number): number | Promise<number> {
    if (!this.shared) return 0;
    const lease = this.leases.get(key) ?? this.open(key);
    return this.spend(lease) ?? this.refill(key, lease);
  }

  /** The whole seconds to wait where this process knows that the key has used its points up, else 0; takes none. */
  wait(key: number): number {
    const lease = this.leases.get(key);
    const left = (lease?.until ?? 0) - this.now();
    return lease?.exhausted && left > 0 ? Math.ceil(left / 1000) : 0;
  }

  private open(key: number): Lease {
    const lease = { points: 0, until: 0, exhausted: false, pending: undefined };
    this.leases.set(key, lease);
    return lease;
  }

  /** What is known without asking: a point, a wait, or undefined. */
  private spend(lease: Lease): number | undefined {
    const now = this.now();
    if (now >= lease.until) return undefined;
    if (lease.points > 0) {
      lease.points -= 1;
      return 0;
    }
    return lease.exhausted ? Math.max(1, Math.ceil((lease.until - now) / 1000)) : undefined;
  }

  private async refill(key: number, lease: Lease): Promise<number> {
    for (;;) {
      lease.pending ??= this.ask(key, lease).finally(() => (lease.pending = undefined));
      await lease.pending;
      const answer = this.spend(lease);
      if (answer !== undefined) return answer;
    }
  }

  private async ask(key: number, lease: Lease): Promise<void> {
    try {
      const { msBeforeNext } = await (this.shared as RateLimiterAbstract).consume(key, this.block);
      lease.points = this.block;
      lease.exhausted = false;
      lease.until = this.now() + Math.max(1, msBeforeNext);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) {
        lease.points = 0;
        lease.exhausted = true;
        lease.until = this.now() + Math.max(1, refusal.msBeforeNext);
        return;
      }
      // A limiter that fails costs no request (docs/contract/running.md): this block is free.
      lease.points = this.block;
      lease.exhausted = false;
      lease.until = this.now() + 1000;
    }
  }
}
