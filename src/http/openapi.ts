/** Health, metrics and the documentation itself for the OpenAPI document (docs/contract/running.md). */
import { closed, mapTo, choice, Type } from '../lib/schema';
import { errorReply, type ApiSection } from '../openapi/operation';

const engines = mapTo(Type.Boolean(), { description: 'Which engine answers.' });
const checks = mapTo(
  Type.Object({
    ok: Type.Boolean(),
    required: Type.Boolean({ description: 'Whether it decides.' }),
    warns: Type.Optional(Type.Boolean({ description: 'Whether its failure needs an operator.' })),
  }),
  { description: 'Each check, with what it found out.' },
);
const readiness = (...status: string[]) => closed({ status: choice(status, { type: 'string' }), engines, checks });

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
      summary: 'Whether this process can do its work',
      description: 'For balancers: what its roles need, asked at most once a second.',
      security: [],
      responses: {
        200: {
          description: 'It can; `degraded` where something needs an operator all the same.',
          schema: readiness('ready', 'degraded'),
          example: {
            status: 'ready',
            engines: { postgres: true, clickhouse: true },
            checks: {
              postgres: { required: true, ok: true },
              clickhouse: { required: true, ok: true },
              configuration: { required: true, ok: true, age_seconds: 0 },
              writes: { required: true, ok: true, last_seconds_ago: 1 },
              disk: { required: true, ok: true, free_mb: 52_000 },
              workers: { required: false, warns: true, ok: true, slowest: 'attribution', seconds_behind: 1 },
              quarantine: { required: false, warns: true, ok: true, set_aside: 0 },
              ingest: { required: false, warns: true, ok: true, left_behind: '' },
              storage: { required: false, warns: true, ok: true, broken_parts: 0, tables: '' },
            },
          },
        },
        503: {
          description: 'Something that its roles need does not work.',
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
