/** Where a list continues, as a text that is not for callers to read; `input.ts` reads it. */
import type { EventPlace } from './queries';

export const encodeCursor = (place: readonly unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');

/** The place that a replay continues after. */
export const encodeEventCursor = ({ kind, time, subject }: EventPlace) => encodeCursor([kind, time, subject]);
