/** A small seeded generator (mulberry32): the same seed gives the same numbers on every machine. */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between = (from: number, to: number) => from + (to - from) * this.next();

  /** A whole number from 0 up to, but not including, `to`. */
  below = (to: number) => Math.floor(to * this.next());

  chance = (probability: number) => this.next() < probability;

  /** One of the items, each as often as its weight says. */
  pick<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.next() * items.reduce((sum, { weight }) => sum + weight, 0);
    return items.find(({ weight }) => (left -= weight) < 0) ?? (items.at(-1) as T);
  }

  /** An advertising ID as a device has it. */
  deviceId(): string {
    const hex = Array.from({ length: 8 }, () => this.below(0x10000).toString(16).padStart(4, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
