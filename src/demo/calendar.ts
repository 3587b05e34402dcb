/** When things happen in the demo: 60 days that end now, busier in the evening, on weekends and from week to week. */
import { DAY_MS, MINUTE_MS } from '../lib/time';
import type { Random } from './random';

export const DAYS = 60;

const WEEKEND = new Set([0, 6]);

export class Calendar {
  /** The first millisecond of the first day, in UTC. */
  readonly start: number;
  private readonly days: readonly { readonly index: number; readonly weight: number }[];

  /** `until` is the last millisecond of the demo. */
  constructor(readonly until: number) {
    this.start = until - (until % DAY_MS) - (DAYS - 1) * DAY_MS;
    this.days = Array.from({ length: DAYS }, (_, index) => ({ index, weight: this.weighDay(index) }));
  }

  /** How busy a day is; 1 on an ordinary first day. */
  weighDay(index: number): number {
    const isWeekend = WEEKEND.has(new Date(this.start + index * DAY_MS).getUTCDay());
    return (1 + (0.6 * index) / DAYS) * (isWeekend ? 1.25 : 1);
  }

  /** YYYY-MM-DD. */
  readDate = (index: number) => new Date(this.start + index * DAY_MS).toISOString().slice(0, 10);

  /** A moment of any of the days; it may lie after the end. */
  moment = (random: Random) => this.momentOfDay(random, random.pick(this.days).index);

  /** A moment of a day counted from the first, mostly around 17:00 UTC. */
  momentOfDay(random: Random, index: number): number {
    const hour = (5 + (24 * (random.next() + random.next() + random.next())) / 3) % 24;
    return Math.round(this.start + index * DAY_MS + hour * 60 * MINUTE_MS);
  }
}
