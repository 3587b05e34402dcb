/** Times of the project's zone, as an input for date and time has them: `2026-12-24T18:00`. */

/** The wall clock of a zone at a moment, as a UTC time with the same digits. */
function readWall(ms: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(ms);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'));
}

export const toLocalTime = (instant: string, timezone: string): string =>
  new Date(readWall(Date.parse(instant), timezone)).toISOString().slice(0, 16);

/** The moment; undefined for what is no time. Of one that the clocks leave out, the moment after the change. */
export function fromLocalTime(text: string, timezone: string): string | undefined {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return undefined;
  const guess = wall - (readWall(wall, timezone) - wall);
  const moment = guess + (wall - readWall(guess, timezone));
  return new Date(moment).toISOString();
}
