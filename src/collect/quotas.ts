/**
 * What a public key may send in a day (docs/contract/collectors.md). App and web keys can be read by everybody:
 * without a bound anybody could fill a project, or one visitor of it, until nothing can be derived from it any more.
 */
import { randomInt } from 'node:crypto';
import { DAY_MS } from '../lib/time';
import type { EventError } from './batch';

/** Per project, UTC day and process. */
export interface QuotaLimits {
  readonly events: number;
  /** Different installs or visitors. */
  readonly entities: number;
  /** Events of one install or visitor. */
  readonly eventsOfOne: number;
}

export type QuotaName = keyof QuotaLimits;

interface Usage {
  events: number;
  entities: number;
  readonly told: Set<QuotaName>;
}

/** Called for every event that is over a quota; `isFirst` for the first of a project and day. */
export type OnOverQuota = (quota: QuotaName, projectId: number, isFirst: boolean) => void;

export class Quotas {
  private day = -1;
  private counts = new CountMinSketch();
  private readonly usage = new Map<number, Usage>();

  constructor(
    private readonly limits: QuotaLimits | null,
    private readonly now: () => number,
    private readonly onOverQuota: OnOverQuota,
  ) {}

  /** Counts one event; the error where it is too much, naming the field that tells whose it is. */
  take(projectId: number, field: 'install_id' | 'visitor_id', entity: string): EventError | undefined {
    const { limits } = this;
    if (!limits) return undefined;
    this.startDay();
    const usage = this.findUsage(projectId);
    const count = this.counts.add(`${projectId}:${field}:${entity}`);
    if (count === 1) usage.entities += 1;
    usage.events += 1;
    const over =
      (usage.events > limits.events && 'events') ||
      (count === 1 && usage.entities > limits.entities && 'entities') ||
      (count > limits.eventsOfOne && 'eventsOfOne');
    if (!over) return undefined;
    this.onOverQuota(over, projectId, !usage.told.has(over));
    usage.told.add(over);
    return { reason: 'over_quota', field: over === 'events' ? '' : field };
  }

  private startDay(): void {
    const day = Math.floor(this.now() / DAY_MS);
    if (day === this.day) return;
    this.day = day;
    this.counts = new CountMinSketch();
    this.usage.clear();
  }

  private findUsage(projectId: number): Usage {
    let usage = this.usage.get(projectId);
    if (!usage) this.usage.set(projectId, (usage = { events: 0, entities: 0, told: new Set() }));
    return usage;
  }
}

/** Cells of a row; four rows take 4 MB. A count is too great by about the number of all events divided by this. */
const WIDTH = 2 ** 18;
const ROWS = 4;

/**
 * Counts texts in bounded memory: never too few of one, and hardly too many. The seeds are random, so that nobody can
 * choose texts that count as another one.
 */
class CountMinSketch {
  private readonly counts = new Uint32Array(ROWS * WIDTH);
  private readonly seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;

  /** How often the text was added, this time included. */
  add(text: string): number {
    const [a, b] = [fnv1a(text, this.seeds[0]), fnv1a(text, this.seeds[1]) | 1];
    let least = Infinity;
    for (let row = 0; row < ROWS; row++) {
      const cell = row * WIDTH + ((a + Math.imul(row, b)) >>> 14);
      const count = (this.counts[cell] as number) + 1;
      this.counts[cell] = count;
      least = Math.min(least, count);
    }
    return least;
  }
}

/** FNV-1a with a final mix, so that all bits depend on all characters. */
function fnv1a(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d);
  return hash ^ (hash >>> 15);
}
