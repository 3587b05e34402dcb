/** The errors of web reporting, as docs/contract/ lists them; where it gives no text, the text is ours. */
import { ApiError } from '../errors';

const list = (values: readonly string[]) => values.join(', ');

export const errors = {
  repeated: (name: string) => new ApiError(400, `Parameter '${name}' may be sent once.`),
  unknownValue: (name: string, value: string, known: readonly string[]) =>
    new ApiError(400, `Invalid ${name} '${value}'. It must be one of ${list(known)}.`),
  networkRequired: (groupBy: string) =>
    new ApiError(400, `network is required with group_by=${groupBy}. It must be meta or google.`),
  networkRefused: (name: string, groupBy: string) =>
    new ApiError(400, `${name} cannot be sent with group_by=${groupBy}.`),
  otherNetwork: (name: string, value: string, network: string) =>
    new ApiError(400, `Invalid ${name} '${value}'. It does not belong to network ${network}.`),
  twoNames: (name: string, alias: string) =>
    new ApiError(400, `${name} and ${alias} are the same parameter; send one of them.`),
  invalidDate: (name: string, value: string) =>
    new ApiError(422, `Invalid ${name} '${value}'. It must be a date, YYYY-MM-DD.`),
  fromAfterTo: (from: string, to: string) => new ApiError(422, `Invalid range: from ${from} is after to ${to}.`),
  rangeTooLong: (days: number) => new ApiError(422, `The range spans at most ${days} days.`),
  beforeProject: (to: string, day: string) =>
    new ApiError(422, `Invalid to '${to}'. The project was created on ${day}.`),
  invalidPage: (page: string, max: number) =>
    new ApiError(422, `Invalid page number '${page}'. Page must be between 1 and ${max}.`),
  tooManyEvents: (max: number) => new ApiError(422, `events takes at most ${max} names.`),
  eventTooLong: (max: number) => new ApiError(422, `A name in events has at most ${max} characters.`),
} as const;
