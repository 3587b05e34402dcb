/** Days of web reports: always those of Asia/Kolkata, which knows no daylight saving time (docs/contract.md, Web report). */

const KOLKATA_OFFSET_MS = 5.5 * 3_600_000;
const DAY_MS = 86_400_000;

/** The day of an instant, as YYYY-MM-DD. */
export const kolkataDay = (ms: number) => new Date(ms + KOLKATA_OFFSET_MS).toISOString().slice(0, 10);

/** How many days a range has, its first and last included. */
export const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
