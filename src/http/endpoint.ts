/** Endpoints, each said once: its route, with its guards, and its description are made of one declaration. */
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import type { Postgres } from '../db/postgres';
import type { Static, TSchema } from '../lib/schema';
import {
  idempotent as describeIdempotent,
  readValues,
  tooLarge,
  type ApiSection,
  type Operation,
  type Parameter,
  type QueryValues,
  type Security,
} from '../openapi/operation';
import { jsonBody } from './body';
import { idempotent } from './idempotency';
import { createRouter } from './router';
import { readQueryString } from './target';
import { validator } from '../lib/validate';

/** Who may ask: how it is described, how it is checked, and what others are told (src/http/auth-schemes.ts). */
export interface Auth<Parts> {
  readonly security: readonly Security[];
  readonly guards: (parts: Parts) => readonly Middleware[];
  readonly responses: Operation['responses'];
}

/** What a body is: how it is described, how it is read within its limits, and what is made of it. */
export interface BodyForm<T> extends NonNullable<Operation['body']> {
  /** As people read it, for example `100kb`. */
  readonly limit: string;
  readonly read: Middleware;
  /** @throws ApiError for a body that breaks a rule. */
  readonly parse: (body: unknown) => T;
}

/** A JSON object; without `parse` it is what the schema allows. */
export function json<S extends TSchema, T = Static<S>>({
  schema,
  example,
  limit,
  parse,
  ...bounds
}: {
  readonly schema: S;
  readonly example: unknown;
  readonly limit: string;
  readonly parse?: (body: Readonly<Record<string, unknown>>) => T;
  readonly maxValues?: number;
  readonly anyText?: boolean;
}): BodyForm<T> {
  return {
    schema,
    example,
    limit,
    read: jsonBody(limit, bounds),
    parse: (parse ?? validator(schema)) as BodyForm<T>['parse'],
  };
}

/** Names of the parameters in a path: `/a/{b}/{c}` has b and c. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** A request whose path has these parameters, and no others. */
export interface PathContext<Names extends string> extends RouterContext {
  params: Record<Names, string>;
}

/** What was sent besides the path, checked when it is read, so that it can come after what else is looked at first. */
interface Sent<Body, Query> {
  readonly readBody: () => Body;
  readonly readParameters: () => Query;
}

/** What an endpoint is declared by. `Parts` is what its feature works with. */
export interface Declaration<Parts, Body, Path extends string, Parameters extends readonly Parameter[]> extends Omit<
  Operation,
  'security' | 'body'
> {
  readonly path: Path;
  readonly parameters?: Parameters;
  readonly auth: Auth<Parts>;
  readonly body?: BodyForm<Body>;
  /** For what creates something: it takes an `Idempotency-Key` (docs/contract/main-api.md). */
  readonly idempotent?: Parts extends { readonly postgres: Postgres; readonly now: () => number } ? true : never;
  /**
   * Does the work. What it returns is the answer, under the first status of `responses`; undefined for 204, or where it
   * has answered by itself.
   */
  readonly handle: (
    ctx: PathContext<PathNames<Path>>,
    parts: Parts,
    sent: Sent<Body, QueryValues<Parameters>>,
  ) => unknown;
}

/** An operation of the document that knows how it is answered. */
export interface Endpoint<Parts> extends Operation {
  /** In order: who asks, the body, a repeat by its key, then the work. */
  readonly steps: (parts: Parts) => readonly Middleware[];
}

/** The endpoints of a feature, with the tag that they share. */
export interface EndpointSection<Parts> extends ApiSection {
  readonly operations: readonly Endpoint<Parts>[];
}

/** Makes endpoints of a feature that works with `Parts`. */
export const endpoints =
  <Parts>() =>
  <Path extends string, Body = undefined, const Parameters extends readonly Parameter[] = readonly []>(
    declaration: Declaration<Parts, Body, Path, Parameters>,
  ): Endpoint<Parts> => {
    const { auth, body, idempotent: isIdempotent, handle, ...described } = declaration;
    const tooLong: Operation['responses'] = body ? { 413: tooLarge(body.limit) } : {};
    const operation: Operation = {
      ...described,
      security: auth.security,
      ...(body && {
        body: { schema: body.schema, example: body.example, ...(body.type === undefined ? {} : { type: body.type }) },
      }),
      responses: { ...auth.responses, ...tooLong, ...described.responses },
    };
    const status = Number(Object.keys(described.responses)[0]);
    return {
      ...(isIdempotent ? describeIdempotent(operation) : operation),
      steps: (parts) => [
        ...auth.guards(parts),
        ...(body ? [body.read] : []),
        ...(isIdempotent ? [takeUpKey(parts)] : []),
        async (ctx) => {
          const readBody = () => body?.parse(ctx.request.body) as Body;
          const readParameters = () =>
            readValues(described.parameters ?? [], readQueryString(ctx)) as QueryValues<Parameters>;
          const answer: unknown = await handle(ctx as PathContext<PathNames<Path>>, parts, {
            readBody,
            readParameters,
          });
          if (answer === undefined && status !== 204) return;
          ctx.status = status;
          if (answer !== undefined) ctx.body = answer;
        },
      ],
    };
  };

/** `Declaration` lets only features with these parts ask for it. */
function takeUpKey(parts: unknown): Middleware {
  const { postgres, now } = parts as { postgres: Postgres; now: () => number };
  return idempotent(postgres, now);
}

/** The routes of endpoints, answered with these parts. */
export function createRoutes<Parts>({ operations }: Pick<EndpointSection<Parts>, 'operations'>, parts: Parts): Router {
  const router = createRouter();
  for (const { method, path, steps } of operations) router[method](path.replace(/\{(\w+)\}/g, ':$1'), ...steps(parts));
  return router;
}
