/** Which periods of an export are not written. */
import type { Queryable } from '../db/postgres';
import { namePeriod, readBeginning, readPeriod, type Period } from './periods';
import * as queries from './scheduled-queries';
import type { Source } from './source';

/** Days of records are those of UTC, days of questions those of the project. */
export const readZone = ({ kind, timezone }: Pick<queries.ExportRow, 'kind' | 'timezone'>) =>
  kind === 'query' ? timezone : 'UTC';

/** The periods that are complete and not written, the latest first. */
export const readMissing = (
  db: Queryable,
  row: queries.ExportRow,
  { timezone }: Pick<Source, 'timezone'>,
  completeUntil: number,
  most: number,
  withBackfills = true,
) =>
  queries.readMissing(
    db,
    row.id,
    readBeginning('day', timezone, row.created_at.getTime()),
    readBeginning(row.every, timezone, completeUntil),
    row.every,
    withBackfills,
    most,
  );

/** The first period that is not written, but those of back-fills: it has ended, or is the one of now. */
export async function findNext(db: Queryable, row: queries.ExportRow, now: number): Promise<Period> {
  const timezone = readZone(row);
  const [late] = await readMissing(db, row, { timezone }, now, 1, false);
  return readPeriod(late?.first ?? namePeriod(row.every, timezone, now), timezone);
}
