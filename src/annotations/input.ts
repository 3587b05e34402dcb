/** Reads what the endpoints of notes are sent (docs/contract/boards.md). */
import { ApiError } from '../errors';
import { closed, Type } from '../lib/schema';
import { normaliseText } from '../lib/text';
import { isDay } from '../lib/time';
import { validator } from '../lib/validate';
import type { Range } from '../questions/query-input';
import type { AnnotationEntry } from './service';

const day = Type.String({ format: 'day', description: 'In the time zone of the project.' });
export const annotationEntrySchema = closed({
  day,
  text: Type.String({ minLength: 1, maxLength: 500, format: 'one-line', description: 'One line.' }),
});
const validate = validator(annotationEntrySchema);

/** @throws ApiError 400 that names the field and the rule. */
export function readAnnotationEntry(body: unknown): AnnotationEntry {
  const given = validate(body);
  const text = normaliseText(given.text).trim();
  if (text === '') throw new ApiError(400, 'text: must say something');
  return { day: given.day, text };
}

const EVER: Range = { from: '0001-01-01', to: '9999-12-31' };

/** The days of a list: all of them unless sent. @throws ApiError 400 that names the parameter. */
export function readDays(query: URLSearchParams): Range {
  const from = query.get('from') || EVER.from;
  const to = query.get('to') || EVER.to;
  if (!isDay(from)) throw new ApiError(400, 'from: must be a day, YYYY-MM-DD');
  if (!isDay(to)) throw new ApiError(400, 'to: must be a day, YYYY-MM-DD');
  if (from > to) throw new ApiError(400, 'from must not be after to.');
  return { from, to };
}
