/** The dated notes of a project, which charts show on their day (docs/contract/boards.md). */
import type { Queryable, Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import type { Answer } from './answer';
import type { Range } from './query-input';

export interface AnnotationRow extends Row {
  id: number;
  /** `YYYY-MM-DD`, in the time zone of the project. */
  day: string;
  text: string;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** Notes of a list; more would hide what they are about. */
export const MAX_LISTED_NOTES = 1_000;

const list = postgresQuery<AnnotationRow>('annotations.list');

/** Those of these days, by day. */
export const listAnnotations = (db: Queryable, projectId: number, { from, to }: Range): Promise<AnnotationRow[]> =>
  list(db, projectId, from, to, MAX_LISTED_NOTES);

/** Those of the days that any of the answers is about. */
export async function listAnnotationsAround(
  db: Queryable,
  projectId: number,
  answers: readonly (Answer | null | undefined)[],
): Promise<AnnotationRow[]> {
  const ranges = answers.flatMap((answer) => (answer ? [answer.query as unknown as Range] : []));
  if (ranges.length === 0) return [];
  const from = ranges.map((one) => one.from).reduce((a, b) => (a < b ? a : b));
  const to = ranges.map((one) => one.to).reduce((a, b) => (a > b ? a : b));
  return listAnnotations(db, projectId, { from, to });
}
