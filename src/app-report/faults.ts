/** The errors of app reporting (spec.md, App reporting; decisions.md §9). */
import { ApiError } from '../errors';

export const faults = {
  invalidDate: (name: string, value: string) => new ApiError(400, `Invalid ${name} '${value}'. A date is written YYYY-MM-DD.`),
  fromAfterTo: (from: string, to: string) => new ApiError(400, `Invalid from '${from}'. It must not be after to '${to}'.`),
  notOneOf: (name: string, value: string, allowed: readonly string[]) => new ApiError(400, `Invalid ${name} '${value}'. It must be one of ${allowed.join(', ')}.`),
  notANumber: (name: string, value: string) => new ApiError(400, `Invalid ${name} '${value}'. It must be a positive integer.`),
  tooBig: () => new ApiError(503, 'The report takes more time or memory than a report may. Please ask for a shorter range, or try again later.', { 'Retry-After': '60' }),
  busy: () => new ApiError(503, 'Too many reports are being computed. Please try again later.', { 'Retry-After': '10' }),
} as const;
