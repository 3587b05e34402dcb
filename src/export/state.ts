/** How a scheduled export is doing, in one word (pure). */

/** From what needs somebody to what needs nobody. */
export const STATES = ['failing', 'late', 'writing', 'up_to_date', 'off'] as const;
export type State = (typeof STATES)[number];

/** As the alert of deploy/prometheus has it. */
export const LATE_SECONDS = 3_600;

export interface Doing {
  readonly enabled: boolean;
  /** Since it last went well. */
  readonly failures: number;
  readonly lagSeconds: number;
  /** Periods that are complete and not written. */
  readonly waiting: number;
}

export function readState({ enabled, failures, lagSeconds, waiting }: Doing): State {
  if (!enabled) return 'off';
  if (failures > 0) return 'failing';
  if (lagSeconds > LATE_SECONDS) return 'late';
  return waiting > 0 ? 'writing' : 'up_to_date';
}
