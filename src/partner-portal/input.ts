/** What a partner may ask about itself (docs/contract/partners.md). */
import type { DayRange } from '../lib/parameters';

export const GRANULARITIES = ['hour', 'day'] as const;
export type Granularity = (typeof GRANULARITIES)[number];
export const MAX_DAYS: Readonly<Record<Granularity, number>> = { hour: 31, day: 366 };
export const CAMPAIGN_PAGE = { default: 100, maximum: 1000 } as const;
export const CREDITED = { default: 100, maximum: 1000 } as const;
export const MAX_SEARCH = 100;

/** Days of projects that work with a partner. */
export interface ProjectDays extends DayRange {
  /** Undefined for all projects. */
  readonly project_id: number | undefined;
}

export interface TrafficInput extends ProjectDays {
  readonly granularity: Granularity;
}
