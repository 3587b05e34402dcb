/** `POST /mcp`: the Model Context Protocol over HTTP, without sessions (docs/contract/mcp.md). */
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type Auth, type EndpointSection } from '../http/endpoint';
import { Type, type TSchema } from '../lib/schema';
import { errorReply, rateLimited } from '../openapi/operation';
import { answerMessage, type McpOptions } from './server';

export interface McpParts extends McpOptions {
  readonly access: Access;
}

const operation = endpoints<McpParts>();

/** A page of another site must not ask in the name of who looks at it; programs send no Origin. */
const refuseOtherSites =
  ({ sessions }: Access): Middleware =>
  (ctx, next) => {
    if (ctx.get('Origin') !== '') sessions.refuseOtherSites(ctx);
    return next();
  };
const keys = serviceKey('reports', { paid: true });
const auth: Auth<McpParts> = {
  ...keys,
  guards: (parts) => [refuseOtherSites(parts.access), ...keys.guards(parts)],
};

const message = Type.Object(
  { jsonrpc: Type.Literal('2.0') },
  { description: 'A message of JSON-RPC, as the Model Context Protocol has them.' },
);

/** What the protocol itself answers to a body that is JSON, and no message of its own. */
const rejection = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  error: Type.Object({ code: Type.Integer(), message: Type.String() }),
  id: Type.Null(),
});
const noMessage = errorReply(400, 'The body is no message.', 'body: "jsonrpc" is required');

/** In order: the origin, the key, billing, the body; each call of a tool counts against the limit of its endpoint. */
export const mcpApi: EndpointSection<McpParts> = {
  tag: 'MCP',
  description: 'Figures for assistants, by the Model Context Protocol.',
  operations: [
    operation({
      method: 'post',
      path: '/mcp',
      operationId: 'mcp',
      summary: 'Speak the Model Context Protocol',
      description:
        'Streamable HTTP without sessions: each message is answered by itself, as JSON. Tools: `query`, ' +
        '`what_changed`, `partner_quality`, `explain_install`, `schema`, `sql`; all of them only read.',
      auth,
      body: json({
        schema: message,
        example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        limit: '1mb',
        maxValues: 25_000,
      }),
      responses: {
        200: { description: 'The answer to a request.', schema: message },
        202: { description: 'A message that wants no answer.' },
        400: { ...noMessage, schema: Type.Union([noMessage.schema as TSchema, rejection]) },
        429: rateLimited,
      },
      handle: async (ctx, parts, { readBody }) => {
        const given: object = readBody();
        const { status, body } = await answerMessage(parts, readCaller(ctx), given, ctx.get('MCP-Protocol-Version'));
        ctx.status = status;
        if (body === '') return;
        ctx.type = 'application/json';
        ctx.body = body;
      },
    }),
  ],
};

export const mcpRoutes = (parts: McpParts): Router => createRoutes(mcpApi, parts);
