/** How a feature describes its endpoints: as data, beside the code that answers, from the schemas that validate. */
import { readPageNumber, readPageSize } from '../lib/page';
import { DAY_RULE, readParameter, wrong, type Sent } from '../lib/parameters';
import { closed, named, nullable, Type, withDefault, type TSchema } from '../lib/schema';

export type Schema = Readonly<Record<string, unknown>>;

/** Ways to authenticate; document.ts describes each. An operation takes any one of those that it names. */
export type Security =
  | 'serviceKey'
  | 'partnerToken'
  | 'partnerTokenParameter'
  | 'appKey'
  | 'webKey'
  | 'webKeyParameter'
  | 'adminToken'
  | 'session';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly schema: Schema;
  /** Always true for path parameters. */
  readonly required?: boolean;
  readonly example?: unknown;
  /** What is made of what is sent in a query; undefined where nothing is, or an empty text. */
  readonly read?: (sent: string | undefined) => unknown;
}

/** A parameter in a query, of which a handler gets a value of this type. */
export interface QueryParameter<Name extends string = string, T = unknown> extends Parameter {
  readonly name: Name;
  readonly in: 'query';
  /** @throws ApiError that names the parameter and the rule. */
  readonly read: (sent: string | undefined) => T;
}

/** What handlers get of parameters in a query: their values by their names. */
export type QueryValues<Parameters extends readonly Parameter[]> = {
  readonly [One in Extract<Parameters[number], QueryParameter> as One['name']]: ReturnType<One['read']>;
};

/** The values of parameters, checked in their order; of a repeated one the first counts. */
export const readValues = <const Parameters extends readonly Parameter[]>(
  parameters: Parameters,
  query: URLSearchParams,
) =>
  Object.fromEntries(
    parameters.flatMap(({ name, read }) => (read ? [[name, read(query.get(name) || undefined)]] : [])),
  ) as QueryValues<Parameters>;

export interface Response {
  readonly description: string;
  /** Undefined where there is no body. */
  readonly schema?: Schema;
  /** `application/json` unless said otherwise. */
  readonly type?: string;
  /** Media types of files that it may be instead. */
  readonly files?: readonly string[];
  readonly example?: unknown;
  /** Headers that always come with it, by their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces: `/api/v1/campaigns/{display_id}`. */
  readonly path: string;
  /** Unique over the whole service. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** None: for anybody. */
  readonly security: readonly Security[];
  readonly parameters?: readonly Parameter[];
  /** Bodies are required, and JSON unless said otherwise. */
  readonly body?: {
    readonly schema: Schema;
    readonly example: unknown;
    readonly type?: 'text/csv';
    /** The same as a text of lines, each the JSON of one element, with an example of them. */
    readonly lines?: string;
  };
  /** By status. Those that every operation can have (431, 500, 503) are added where they are not named. */
  readonly responses: Readonly<Record<number, Response>>;
  /**
   * True for a POST that may be sent again when its answer was lost: it only reads, or what it sends has IDs of its
   * own. Others take an `Idempotency-Key` for that, or are not sent again.
   */
  readonly repeatable?: boolean;
  /** True for what answers on tracking domains and not on the service's own address. */
  readonly onTrackingDomain?: boolean;
}

/** The operations of one feature, with the tag that they share. */
export interface ApiSection {
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

const status = (range: { const: number } | { minimum: number; maximum: number }) =>
  Type.Integer({ description: 'The HTTP status.', ...range });
const error = named(
  'Error',
  closed({
    msg: Type.String({ minLength: 1, description: 'What is wrong, for people.' }),
    status: status({ minimum: 400, maximum: 599 }),
  }),
);
const billingError = named(
  'BillingError',
  closed({
    msg: Type.String(),
    status: status({ const: 402 }),
    payment_link: nullable(Type.String({ description: 'Where the account is paid.' })),
  }),
);

const retryAfter = { 'Retry-After': 'Whole seconds to wait before the next attempt.' };

/** An error of the main API or of administration; `msg` is an example of its message. */
export const errorReply = (code: number, description: string, msg: string): Response => ({
  description,
  schema: error,
  example: { msg, status: code },
  ...([429, 503].includes(code) ? { headers: retryAfter } : {}),
  ...(code === 405 ? { headers: { Allow: 'The methods that the path has.' } } : {}),
});

export const rateLimited = errorReply(
  429,
  'Too many requests, by this key or from this address.',
  'Rate limit exceeded. Please try again later.',
);
export const reportUnavailable = errorReply(
  503,
  'An engine is away, the report is larger than one may be, or too many are asked for at once.',
  'Too many reports are being computed. Please try again later.',
);
export const suspended: Response = {
  description: 'The billing account is suspended.',
  schema: billingError,
  example: { msg: 'The billing account is suspended.', status: 402, payment_link: 'https://pay.example' },
};

/** What bodies are refused for before their fields are looked at. */
export const tooLarge = (limit: string) =>
  errorReply(413, `The body is larger than ${limit}.`, `The body must be at most ${limit}.`);

/** What an operation takes and answers besides its own, where it takes an `Idempotency-Key` (docs/contract/). */
export function idempotent<T extends { parameters?: readonly Parameter[]; responses: Operation['responses'] }>(
  one: T,
): T {
  const key: Parameter = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Any text of up to 255 characters: the same request with it is answered like the first, for a day.',
    schema: Type.String({ minLength: 1, maxLength: 255 }),
    example: '0b6f2f6e-5d0c-4d6a-9a0d-2f6d9a0d5c11',
  };
  const used: Operation['responses'] = {
    400: errorReply(400, 'The key is too long.', 'Idempotency-Key: must have at most 255 characters'),
    409: errorReply(
      409,
      'The first request with the key has no answer yet.',
      'Idempotency-Key: the first request with it has no answer yet',
    ),
    422: errorReply(
      422,
      'The key came with another request before.',
      'Idempotency-Key: was sent with another request before',
    ),
  };
  return { ...one, parameters: [...(one.parameters ?? []), key], responses: { ...used, ...one.responses } };
}

/** The envelope of the main API around `data` (docs/contract/). */
export const envelope = (code: number, data: TSchema) =>
  closed({ msg: Type.String({ minLength: 1 }), status: Type.Integer({ const: code }), data });

export const paginationSchema = named(
  'Pagination',
  closed({
    total: Type.Integer({ minimum: 0, description: 'How many items match.' }),
    pages: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
  }),
);

/** A parameter that is read as its schema says. */
export const queryParameter = <const Name extends string, S extends TSchema>(
  name: Name,
  description: string,
  schema: S,
  example?: unknown,
): QueryParameter<Name, Sent<S>> => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
  read: (sent) => readParameter(name, schema, sent),
});

/** The same parameter, read in another way. */
export const readAs = <Name extends string, T>(
  parameter: QueryParameter<Name>,
  read: (sent: string | undefined) => T,
): QueryParameter<Name, T> => ({ ...parameter, read });

/** The same parameter, which must be sent. */
export const required = <Name extends string, T>(parameter: QueryParameter<Name, T>, rule = 'is required') => ({
  ...readAs(parameter, (sent) => {
    if (sent === undefined) throw wrong(parameter.name, rule);
    return parameter.read(sent) as NonNullable<T>;
  }),
  required: true,
});

/** A day, which must be sent. */
export const dayParameter = <const Name extends string>(name: Name, description: string, example: string) =>
  required(queryParameter(name, description, Type.String({ format: 'date' }), example), DAY_RULE);

interface Limits {
  readonly default: number;
  readonly maximum: number;
}

const limitSchema = (limits: Limits) =>
  withDefault(Type.Integer({ minimum: 1, maximum: limits.maximum }), limits.default);

/** How many items a list has. */
export const limitParameter = (limits: Limits, description = 'How many.') =>
  queryParameter('limit', description, limitSchema(limits), limits.default);

/** The parameters of a paged list (`toPage`). */
export const pageParameters = (limits: Limits, pages: { readonly maximum?: number } = {}) =>
  [
    readAs(
      queryParameter(
        'page',
        'Which page, from 1. One past the last is empty.',
        Type.Integer({ minimum: 1, ...pages, default: 1 }),
        1,
      ),
      readPageNumber,
    ),
    readAs(limitParameter(limits, 'Items on a page.'), (sent) => readPageSize(sent, limits.default, limits.maximum)),
  ] as const;

/** An ID, unless another schema is given. */
export const pathParameter = (
  name: string,
  description: string,
  schema: Schema = Type.Integer({ minimum: 1 }),
  example: unknown = 1,
): Parameter => ({ name, in: 'path', description, schema, example });
