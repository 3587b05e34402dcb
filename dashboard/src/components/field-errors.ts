/** What the service says of a field of a form: `url: must ...`, `headers.X-Key: must ...`. */
import { ApiFailure } from '../api/client';

/** By the name of the field; empty where the error is about something else. */
export function readFieldErrors(error: unknown, fields: readonly string[]): Readonly<Record<string, string>> {
  if (!(error instanceof ApiFailure) || error.status !== 400) return {};
  const [, field = '', part, message = ''] = /^(\w+)(?:\.([^:]+)|\[\d+\])?: (.+)$/s.exec(error.message) ?? [];
  return fields.includes(field) ? { [field]: part === undefined ? message : `${part}: ${message}` } : {};
}
