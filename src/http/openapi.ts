/** Health, metrics and the documentation itself for the OpenAPI document (docs/contract.md, Running). */
import { closed, mapOf, Type } from '../schema';
import { errorReply, type ApiSection } from '../openapi/operation';

const engines = mapOf(Type.Boolean(), { description: 'Which engine answers.' });
const readiness = (status: string) => closed({ status: Type.String({ const: status }), engines });

export const operationsApi: ApiSection = {
  tag: 'Operations',
  description: 'Whether the service is up, its metrics, and this document.',
  operations: [
    {
      method: 'get',
      path: '/healthz',
      operationId: 'getHealth',
      summary: 'Whether the process is up',
      description: 'Asks no engine.',
      security: [],
      responses: {
        200: {
          description: 'It is.',
          schema: closed({ status: Type.String({ const: 'ok' }) }),
          example: { status: 'ok' },
        },
      },
    },
    {
      method: 'get',
      path: '/readyz',
      operationId: 'getReadiness',
      summary: 'Whether every engine answers',
      description: 'For balancers.',
      security: [],
      responses: {
        200: {
          description: 'They do.',
          schema: readiness('ready'),
          example: { status: 'ready', engines: { postgres: true, clickhouse: true } },
        },
        503: {
          description: 'One does not.',
          schema: readiness('unavailable'),
          headers: { 'Retry-After': 'Whole seconds to wait before the next attempt.' },
        },
      },
    },
    {
      method: 'get',
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Metrics',
      description: "In Prometheus' text format.",
      security: ['adminToken'],
      responses: {
        200: { description: 'The metrics.', type: 'text/plain', schema: Type.String() },
        401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
      },
    },
    {
      method: 'get',
      path: '/openapi.json',
      operationId: 'getOpenApi',
      summary: 'This document',
      description: 'OpenAPI 3.1.',
      security: [],
      responses: {
        200: {
          description: 'The document.',
          schema: {
            type: 'object',
            required: ['openapi', 'info', 'paths'],
            properties: { openapi: Type.String(), info: { type: 'object' }, paths: { type: 'object' } },
          },
        },
      },
    },
    {
      method: 'get',
      path: '/docs',
      operationId: 'getDocs',
      summary: 'Interactive reference',
      description: 'A page for people, made from the document.',
      security: [],
      responses: { 200: { description: 'The page.', type: 'text/html', schema: Type.String() } },
    },
    {
      method: 'get',
      path: '/docs/{file}',
      operationId: 'getDocsFile',
      summary: 'A file of the interactive reference',
      description: 'Script and style of the page.',
      security: [],
      parameters: [
        { name: 'file', in: 'path', description: 'Its name.', schema: Type.String(), example: 'swagger-ui.css' },
      ],
      responses: {
        200: { description: 'The file.', type: '*/*', schema: {} },
        404: errorReply(404, 'There is no such file.', 'Not found.'),
      },
    },
  ],
};
