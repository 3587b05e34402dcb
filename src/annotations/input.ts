/** Reads what the endpoints of notes are sent (docs/contract/boards.md). */
import { ApiError } from '../errors';
import { closed, Type } from '../lib/schema';
import { normaliseText } from '../lib/text';
import { isDay } from '../lib/time';
import { validator } from '../lib/validate';
import { queryParameter, readAs } from '../openapi/operation';
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

/** The first or last day of a list. */
const dayParameter = <const Name extends string>(name: Name, description: string, example: string, otherwise: string) =>
  readAs(queryParameter(name, description, Type.String({ format: 'date' }), example), (sent = otherwise) => {
    if (!isDay(sent)) throw new ApiError(400, `${name}: must be a day, YYYY-MM-DD`);
    return sent;
  });

export const listParameters = [
  dayParameter('from', 'First day; of all unless sent.', '2026-11-01', '0001-01-01'),
  dayParameter('to', 'Last day.', '2026-11-30', '9999-12-31'),
] as const;

/** @throws ApiError 400 for days of which there is none. */
export function checkDays({ from, to }: Range): Range {
  if (from > to) throw new ApiError(400, 'from must not be after to.');
  return { from, to };
}
