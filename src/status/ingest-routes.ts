/** The logs of all processes, for operators (docs/contract/ingest-log.md). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { endpoints, type EndpointSection } from '../http/endpoint';
import type { Derived, Processes } from '../ingest/processes';
import { closed, instant, list, Type } from '../lib/schema';
import { answer } from '../openapi/administration';
import { errorReply, pathParameter } from '../openapi/operation';
import { DERIVATION_NAMES } from '../tables/derivations';
import { presentProcess } from './ingest-presenter';
import { readWatermarks } from './queries';
import { UUID } from '../lib/uuid';
import { ingestProcess } from './schema';

export interface IngestParts {
  readonly postgres: Postgres;
  readonly admins: Administrators;
  readonly processes: Processes;
  readonly now: () => number;
}

const operation = endpoints<IngestParts>();

/** How long somebody waits for the derived tables, and how often it is looked whether they are there. */
const CATCH_UP_MS = 30_000;
const LOOK_MS = 50;

/**
 * Waits until everything that was accepted before the call is in the derived tables; resolves with the receipt time up
 * to which it is, in milliseconds.
 *
 * @throws ApiError 503 where that takes too long; it says how far they are.
 */
async function catchUp({ processes, postgres, now }: IngestParts): Promise<number> {
  const giveUp = now() + CATCH_UP_MS;
  const reach = async (at: number, what: Derived, names: readonly string[]): Promise<number> => {
    await processes.askToDerive(what);
    const stored = await processes.waitUntil(at, giveUp - now());
    for (;;) {
      const tables = await readWatermarks(postgres);
      const settled = names.map((name) => tables.find((table) => table.name === name)?.settled ?? 0);
      const reached = Math.min(stored, ...settled);
      if (reached >= at) return reached;
      if (now() > giveUp) {
        const upTo = new Date(reached).toISOString();
        throw new ApiError(503, `Derived tables are complete up to ${upTo} only. Please try again.`, {
          'Retry-After': '2',
        });
      }
      await sleep(LOOK_MS);
    }
  };
  const at = now();
  // What is derived from decisions may have looked before they were made.
  await reach(at, 'decide', ['attribution']);
  await reach(now(), 'derive', DERIVATION_NAMES);
  return at;
}

export const ingestApi: EndpointSection<IngestParts> = {
  tag: 'Ingest log',
  description:
    'Every accepted record is in the log of its process first, and in ClickHouse soon after. Attribution and web ' +
    'reports wait until every process that is alive has stored what they need.',
  operations: [
    operation({
      method: 'get',
      path: '/admin/v1/ingest',
      operationId: 'listIngestProcesses',
      summary: 'List the processes that have a log',
      description: 'The first started first.',
      auth: admin.installation,
      responses: { 200: answer('The processes.', closed({ processes: list(ingestProcess) })) },
      handle: async (_, { processes }) => ({ processes: (await processes.list()).map(presentProcess) }),
    }),
    operation({
      method: 'post',
      path: '/admin/v1/catch-up',
      operationId: 'catchUp',
      repeatable: true,
      summary: 'Bring the derived tables up to now',
      description:
        'Waits until everything that was accepted before the request is in the derived tables, which reports and ' +
        'views read: for jobs that read ClickHouse after they have sent records. It takes 30 seconds at most.',
      auth: admin.installation,
      responses: {
        200: answer('They are complete.', closed({ complete_until: instant })),
        503: errorReply(
          503,
          'They could not be brought so far in 30 seconds.',
          'Derived tables are complete up to 2026-03-01T12:00:00.000Z only. Please try again.',
        ),
      },
      handle: async (_, parts) => ({ complete_until: new Date(await catchUp(parts)).toISOString() }),
    }),
    operation({
      method: 'delete',
      path: '/admin/v1/ingest/{name}',
      operationId: 'forgetIngestProcess',
      summary: 'Forget a process whose log is lost',
      description:
        'For a machine that will not come back: requests to forget a person wait for the log of every process, as it ' +
        'may hold records of the person.',
      auth: admin.installation,
      parameters: [
        pathParameter('name', 'The process.', Type.String({ format: 'uuid' }), '7d5e3c7e-6f0b-4c1c-9d5a-3f1f6c1f4f10'),
      ],
      responses: {
        204: { description: 'It is forgotten.' },
        404: errorReply(404, 'No such process.', 'Process not found.'),
        409: errorReply(409, 'It has told of itself within `INGEST_GRACE` seconds.', 'The process is alive.'),
      },
      handle: async (ctx, { processes }) => {
        const { name } = ctx.params;
        const known = UUID.test(name) ? (await processes.list()).find((one) => one.name === name) : undefined;
        if (!known) throw new ApiError(404, 'Process not found.');
        if (!known.is_left_behind) throw new ApiError(409, 'The process is alive.');
        await processes.forget(name);
      },
    }),
  ],
};
