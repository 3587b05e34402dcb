/** Checks bodies against JSON Schemas with ajv; an error names the field and the rule. */
import Ajv, { type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import { ApiError } from '../errors';
import { once } from './once';
import type { Static, TSchema } from './schema';
import { isEmailAddress, isOneLine } from './text';
import { UUID_IN_ANY_CASE } from './uuid';
import { canonicalDomain, isDeeplink, isDomain, isWebUrl } from './urls';

// A schema is compiled when a value first comes: compiling all of them takes a third of a start.

/** Stops at the first error, which becomes the message. */
const ajv = withFormats(new Ajv({ strict: true, allowUnionTypes: true, verbose: true }));
/** Finds every error, for callers that choose which one becomes the message. */
const thoroughAjv = withFormats(new Ajv({ strict: true, allowUnionTypes: true, allErrors: true }));

function withFormats(instance: Ajv): Ajv {
  addFormats(instance, ['date', 'date-time', 'hostname']);
  instance.addFormat('day', {
    type: 'string',
    validate: (value: string) => conforms('date', value) && !value.startsWith('0000'),
  });
  instance.addFormat('instant', {
    type: 'string',
    validate: (value: string) => conforms('date-time', value) && Date.parse(value) >= Date.UTC(1970, 0),
  });
  instance.addFormat('domain', {
    type: 'string',
    validate: (value: string) => conforms('hostname', canonicalDomain(value)) && isDomain(canonicalDomain(value)),
  });
  instance.addFormat('address', { type: 'string', validate: isEmailAddress });
  instance.addFormat('one-line', { type: 'string', validate: isOneLine });
  instance.addFormat('web-url', { type: 'string', validate: isWebUrl });
  instance.addFormat('deeplink', { type: 'string', validate: isDeeplink });
  instance.addFormat('uuid-any-case', UUID_IN_ANY_CASE);
  return instance;
}

// Compiled once: ajv would compile a schema that it has not seen before at every value.
const formats = new Map(
  ['date', 'date-time', 'hostname'].map((format) => [format, ajv.compile({ type: 'string', format })]),
);
const conforms = (format: string, value: string) => formats.get(format)?.(value) === true;

/** Whether a text is a time of RFC 3339 with `Z` or an offset, and one that exists. */
export const isInstant = (value: string) =>
  /^\d{4}-\d\d-\d\dT/i.test(value) && conforms('date-time', value) && !Number.isNaN(Date.parse(value));

/**
 * A function that returns its argument if the schema allows it.
 *
 * @throws ApiError 400 whose message names the field and the rule.
 */
export function validator<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
  const compiled = once(() => ajv.compile<Static<T>>(schema));
  return (value) => {
    const check = compiled();
    if (check(value)) return value;
    throw new ApiError(400, describe(check.errors ?? []));
  };
}

/**
 * A function that names the first field of its argument that breaks the schema; undefined if none does.
 */
export function fieldErrorFinder(schema: object): (value: unknown) => string | undefined {
  const compiled = once(() => ajv.compile(schema));
  return (value) => {
    const check = compiled();
    return check(value) ? undefined : readField(check.errors?.[0] as ErrorObject);
  };
}

const readField = ({ instancePath }: ErrorObject) =>
  instancePath
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');

/**
 * A function that returns its argument if the schema allows it, for endpoints whose messages are literal.
 *
 * @throws ApiError of the first pair whose keyword the argument breaks, wherever in it; the pairs' order is the order
 * of the checks.
 */
export function reader<T extends TSchema>(
  schema: T,
  errors: readonly (readonly [keyword: string, error: () => ApiError])[],
): (value: unknown) => Static<T> {
  const compiled = once(() => thoroughAjv.compile<Static<T>>(schema));
  return (value) => {
    const check = compiled();
    if (check(value)) return value;
    const broken = new Set(check.errors?.map(({ keyword }) => keyword));
    const [, error] = errors.find(([keyword]) => broken.has(keyword)) ?? [];
    throw error?.() ?? new Error(`No error for ${[...broken].join()}`);
  };
}

function describe(errors: readonly ErrorObject[]): string {
  const [error] = errors;
  if (!error) return 'Invalid body.';
  const field = readField(error) || 'body';
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'additionalProperties')
    return `${field}: unknown field ${JSON.stringify(params.additionalProperty)}`;
  if (error.keyword === 'required') return `${field}: ${JSON.stringify(params.missingProperty)} is required`;
  if (error.keyword === 'enum') return `${field}: must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  if (error.keyword === 'not') return `${field}: this value is reserved`;
  return `${field}: ${error.message ?? 'is invalid'}`;
}
