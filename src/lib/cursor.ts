/** Where a list continues: a text that is not for callers to read, and that they may have changed. */

export const encodeCursor = (place: readonly unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');

/** The values of a cursor, each to be checked; none for a text that is no cursor. */
export function decodeCursor(text: string): unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(place) ? (place as unknown[]) : [];
  } catch {
    return [];
  }
}

/** Whether a value is a whole number from 0 to `max`. */
export const isWhole = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
