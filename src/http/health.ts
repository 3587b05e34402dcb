/** Whether the process is up, whether its engines answer, and its metrics (docs/contract/running.md). */
import type Router from '@koa/router';
import { choice, closed, mapTo, Type } from '../lib/schema';
import type { Administrators } from './administrators';
import { admin, anybody } from './auth-schemes';
import { createRoutes, endpoints, type Endpoint } from './endpoint';
import type { Readiness } from './readiness';

export interface HealthParts {
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: () => Promise<{ type: string; text: string }>;
  readonly admins: Administrators;
  /** Whether anybody reaches it. The details of /readyz are for operators then: others learn which check fails. */
  readonly isPublic: boolean;
}

const operation = endpoints<HealthParts>();

const engines = mapTo(Type.Boolean(), { description: 'Which engine answers.' });
const checks = mapTo(
  Type.Object({
    ok: Type.Boolean(),
    required: Type.Boolean({ description: 'Whether it decides.' }),
    warns: Type.Optional(Type.Boolean({ description: 'Whether its failure needs an operator.' })),
  }),
  { description: 'Each check, with what it found out.' },
);
const readinessSchema = (...status: string[]) =>
  closed({ status: choice(status, { type: 'string' }), engines, checks });

/** Which engine answers, whether this process needs it or not. */
const pickEngines = ({ postgres, clickhouse }: Readiness['checks']) => ({
  postgres: postgres?.ok === true,
  clickhouse: clickhouse?.ok === true,
});

/** A process that can work is `degraded` while something needs an operator. */
export const judgeHealth = (ready: boolean, checks: Readiness['checks']) =>
  !ready ? 'unavailable' : Object.values(checks).some((check) => check.warns && !check.ok) ? 'degraded' : 'ready';

const withoutDetails = (checks: Readiness['checks']) =>
  Object.fromEntries(
    Object.entries(checks).map(([name, { ok, required, warns }]) => [
      name,
      { required, ...(warns ? { warns } : {}), ok },
    ]),
  );

/** /healthz, /readyz and /metrics, the last for operators only. */
export const healthOperations: readonly Endpoint<HealthParts>[] = [
  operation({
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Whether the process is up',
    description: 'Asks no engine.',
    auth: anybody,
    responses: {
      200: {
        description: 'It is.',
        schema: closed({ status: Type.String({ const: 'ok' }) }),
        example: { status: 'ok' },
      },
    },
    handle: () => ({ status: 'ok' }),
  }),
  operation({
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Whether this process can do its work',
    description: 'For balancers: what its roles need, asked at most once a second.',
    auth: anybody,
    responses: {
      200: {
        description: 'It can; `degraded` where something needs an operator all the same.',
        schema: readinessSchema('ready', 'degraded'),
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
        schema: readinessSchema('unavailable'),
        headers: { 'Retry-After': 'Whole seconds to wait before the next attempt.' },
      },
    },
    handle: async (ctx, { readiness, admins, isPublic }) => {
      const { ready, checks } = await readiness();
      ctx.status = ready ? 200 : 503;
      if (!ready) ctx.set('Retry-After', '1');
      const isDetailed = !isPublic || (await admins.isByOperator(ctx));
      ctx.body = {
        status: judgeHealth(ready, checks),
        engines: pickEngines(checks),
        checks: isDetailed ? checks : withoutDetails(checks),
      };
    },
  }),
  operation({
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics',
    description: "In Prometheus' text format.",
    auth: admin.installation,
    responses: { 200: { description: 'The metrics.', type: 'text/plain', schema: Type.String() } },
    handle: async (ctx, { metrics }) => {
      const { type, text } = await metrics();
      ctx.type = type;
      return text;
    },
  }),
];

export const healthRoutes = (parts: HealthParts): Router => createRoutes({ operations: healthOperations }, parts);
