/** The slots of time from click to install, and what counts as many installs (docs/contract/partners.md). */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STARTS = [0, 10, 30, MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY] as const;

/** Seconds from click to install: from the first on, before the second; the last slot has no end. */
export const SLOTS: readonly { readonly from: number; readonly to: number | null }[] = STARTS.map((from, i) => ({
  from,
  to: STARTS[i + 1] ?? null,
}));

/** Addresses with more installs than this are counted. */
export const MANY_INSTALLS = 10;
