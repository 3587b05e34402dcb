/** The errors of app reporting (docs/contract/app-report.md). */
import { ApiError } from '../errors';

export const errors = {
  invalidDate: (name: string, value: string) =>
    new ApiError(400, `Invalid ${name} '${value}'. A date is written YYYY-MM-DD.`),
  fromAfterTo: (from: string, to: string) =>
    new ApiError(400, `Invalid from '${from}'. It must not be after to '${to}'.`),
  notAmong: (name: string, value: string, allowed: readonly string[]) =>
    new ApiError(400, `Invalid ${name} '${value}'. It must be one of ${allowed.join(', ')}.`),
  notANumber: (name: string, value: string) =>
    new ApiError(400, `Invalid ${name} '${value}'. It must be a positive integer.`),
} as const;
