/** How the operations of administration are described: what all of them need, and are refused for. */
import {
  errorReply,
  idempotent,
  tooLarge,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from '../openapi/operation';
import { Type } from '../lib/schema';

/** A number in the path. */
export const idParameter = (what: string, name = 'id'): Parameter => ({
  name,
  in: 'path',
  description: `ID of the ${what}, as its list gives it.`,
  schema: Type.Integer({ minimum: 1 }),
  example: 1,
});
export const projectId = idParameter('project');
export const partnerId = idParameter('partner');
export const missing = (what: string) => errorReply(404, `There is no such ${what}.`, `${what} not found.`);
export const answer = (description: string, schema: Schema): Response => ({ description, schema });

const badBody = errorReply(400, 'The body is no JSON object, or a field is invalid.', 'body: "kind" is required');

type Described = Omit<Operation, 'path' | 'security'> & {
  /** The path below /admin/v1. */
  readonly at: string;
  /** How large the body may be. */
  readonly limit?: string;
};

/** An operation that needs the admin token; what creates something takes an `Idempotency-Key`. */
export function operation(one: Described): Operation {
  const whole = plainOperation(one);
  return whole.method === 'post' ? idempotent(whole) : whole;
}

/** One that changes nothing, or is the same when it is repeated. */
export function plainOperation(one: Described): Operation {
  const { at, limit = '50mb', responses, ...rest } = one;
  const refused: Record<number, Response> = {
    401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
  };
  if (rest.body) Object.assign(refused, { 400: badBody, 413: tooLarge(limit) });
  return {
    ...rest,
    path: `/admin/v1${at}`,
    security: ['adminToken'],
    responses: { ...refused, ...responses },
  };
}
