/**
 * Whether a campaign is worth its cost: how much of it the installs had paid back by a day after the install, of those
 * that are old enough, against the target of the project. The list of campaigns and a campaign's page judge alike.
 */
import { chooseDay } from './figures';
import type { Period } from './period';

/** Days after the install by which campaigns are judged. */
export const HORIZONS = [7, 14, 30] as const;

/** By which day a period can be judged. */
export const chooseHorizon = (period: Pick<Period, 'from' | 'days'>, today: string): number =>
  chooseDay([...HORIZONS].reverse(), period, today);

/**
 * `below` and `reached`: the target; `young`: no install is old enough; `free`: nothing was spent on those that are.
 */
export type Verdict = 'below' | 'reached' | 'young' | 'free';

export interface Cohort {
  /** Revenue per spend by the day. */
  readonly roas: number | null | undefined;
  /** The share of the installs that are old enough, in percent. */
  readonly mature: number | null | undefined;
}

export function judge({ roas, mature }: Cohort, target: number): Verdict {
  if (roas !== null && roas !== undefined) return roas < target ? 'below' : 'reached';
  return mature ? 'free' : 'young';
}
