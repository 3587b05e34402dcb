/** Forgetting over HTTP (docs/contract/attribution.md). */
import type Router from '@koa/router';
import { changeAs } from '../configuration/change';
import { mustExist } from '../configuration/must-exist';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { ExportRunner } from '../files/export-runner';
import { FORMATS } from '../files/formats';
import { readActor, type Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import { sendFile } from '../http/files';
import { readId, readProjectId } from '../http/ids';
import { requestIdIn } from '../http/request-id';
import { deviceId } from '../ingest/device-id';
import { choice, closed, instant, list, named, nullable, Type } from '../lib/schema';
import type { Seal } from '../lib/seal';
import { errorReply, pathParameter, reportUnavailable } from '../openapi/operation';
import { COUNTED } from './owned';
import { countPerson, findSubjects, openPerson, type Identifier } from './person';
import * as queries from './queries';

export interface ErasureParts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly files: ExportRunner;
  readonly seal: Seal;
  readonly admins: Administrators;
  /** Called for each request, so that the work starts at once. */
  readonly onRequest: () => void;
}

const operation = endpoints<ErasureParts>();

const KINDS = ['gaid', 'idfa', 'user'] as const satisfies readonly queries.Kind[];

const project = pathParameter('id', 'The project.');
const noProject = errorReply(404, 'No such project.', 'Project not found.');
const counts = closed(
  Object.fromEntries(Object.entries(COUNTED).map(([name, description]) => [name, Type.Integer({ description })])),
);
const countsSchema = named('PersonCounts', counts);
const receiptSchema = named(
  'Receipt',
  closed({
    id: Type.Integer(),
    kind: choice(KINDS),
    requested_at: instant,
    hidden_at: {
      ...nullable(instant),
      description: 'Since when no endpoint and no view shows anything of the person.',
    },
    removed_at: { ...nullable(instant), description: 'Since when nothing of them is on disk.' },
    failure: {
      ...nullable(Type.String()),
      description: 'Why the request is set aside for a while; null where it is not.',
    },
    found: {
      ...nullable(counts),
      description: 'How much there was of the person; null until they are hidden, and in receipts before 0.3.0.',
    },
  }),
);

/** What a person is known by; advertising IDs in any case. */
function readIdentifier(kind: string, value: string): { kind: queries.Kind; value: string } {
  if (!(KINDS as readonly string[]).includes(kind)) throw new ApiError(400, `kind: must be one of ${KINDS.join(', ')}`);
  if (kind === 'user') return { kind, value };
  const id = deviceId(value);
  if (!id) throw new ApiError(400, `value: a ${kind} is a UUID, and not all zero`);
  return { kind: kind as queries.Kind, value: id };
}

const personBody = json({
  schema: closed({ kind: choice(KINDS, { description: 'What `value` is.' }), value: Type.String({ minLength: 1 }) }),
  example: { kind: 'user', value: 'user-42' },
  limit: '10kb',
});
const personReplies = {
  400: errorReply(400, 'No such kind, or no advertising ID.', 'value: a gaid is a UUID, and not all zero'),
  404: noProject,
  409: errorReply(
    409,
    'The identifier is a placeholder that many have.',
    'More than 50000 installs, touches or visitors have this identifier.',
  ),
  503: reportUnavailable,
};

async function readPerson(
  { postgres }: ErasureParts,
  project: number,
  body: { readonly kind: string; readonly value: string },
): Promise<Identifier> {
  await mustExist(postgres, 'projects', project);
  return { project, ...readIdentifier(body.kind, body.value) };
}

export const erasureApi: EndpointSection<ErasureParts> = {
  tag: 'Forgetting',
  description:
    'Identifiers, addresses and user data of a person, hidden within a minute and removed within a day; counts stay.',
  operations: [
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/persons/count',
      operationId: 'countPerson',
      summary: 'Count what there is of a person',
      description:
        'What forgetting them would find, without changing anything. The identifier is in the body, so that no log ' +
        'of addresses has it.',
      auth: admin.project('erasure'),
      parameters: [project],
      body: personBody,
      responses: { 200: { description: 'How much there is.', schema: countsSchema }, ...personReplies },
      handle: async (ctx, parts, { readBody }) => {
        const person = await readPerson(parts, readProjectId(ctx), readBody());
        return countPerson(parts.clickhouse, person.project, await findSubjects(parts.clickhouse, person));
      },
    }),
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/persons/export',
      operationId: 'exportPerson',
      summary: 'Export what there is of a person',
      description:
        'For who asks for their own data: every row that is theirs, in all tables that forgetting them touches, as ' +
        'lines of JSON that each name their `table`. The audit log has who took it, and how much it was. A file that ' +
        'breaks off is not ended.',
      auth: admin.project('erasure'),
      parameters: [project],
      body: personBody,
      responses: {
        200: { description: 'The file.', files: [FORMATS.ndjson.type] },
        ...personReplies,
      },
      handle: async (ctx, parts, { readBody }) => {
        const { clickhouse, postgres, files } = parts;
        const person = await readPerson(parts, readProjectId(ctx), readBody());
        const subjects = await findSubjects(clickhouse, person);
        const found = await countPerson(clickhouse, person.project, subjects);
        const file = { kind: 'person', name: 'person', requestId: requestIdIn(ctx.res) };
        const stream = await files.open(file, async () => {
          const rows = await openPerson(clickhouse, files.limits, person.project, subjects);
          await changeAs(postgres, readActor(ctx), (db) => queries.noteExport(db, person.project, person.kind, found));
          return rows;
        });
        sendFile(ctx, 'person', 'ndjson', stream, null);
      },
    }),
    operation({
      method: 'delete',
      path: '/admin/v1/projects/{id}/devices/{kind}/{value}',
      operationId: 'forgetPerson',
      summary: 'Forget a person',
      description: 'Every install that any event connects with the identifier, and the touches of its devices.',
      auth: admin.project('erasure'),
      parameters: [
        project,
        pathParameter('kind', 'What `value` is.', choice(KINDS), 'gaid'),
        pathParameter(
          'value',
          "An advertising ID in any case, or the user's identifier.",
          Type.String({ minLength: 1 }),
          '38400000-8cf0-11bd-b23e-10b96e40000d',
        ),
      ],
      responses: {
        202: { description: 'The receipt, which later shows when it was done.', schema: receiptSchema },
        400: errorReply(400, 'No such kind, or no advertising ID.', 'value: a gaid is a UUID, and not all zero'),
        404: noProject,
      },
      handle: async (ctx, { postgres, seal, onRequest }) => {
        const { kind, value } = readIdentifier(ctx.params.kind, ctx.params.value);
        const [project, sealed] = [readProjectId(ctx), seal.seal(value)];
        const receipt = await changeAs(postgres, readActor(ctx), (db) =>
          queries.createRequest(db, project, kind, sealed),
        );
        if (!receipt) throw new ApiError(404, 'Project not found.');
        onRequest();
        return receipt;
      },
    }),
    operation({
      method: 'get',
      path: '/admin/v1/projects/{id}/forgotten',
      operationId: 'listReceipts',
      summary: 'List receipts',
      description: 'The latest first.',
      auth: admin.project('erasure'),
      parameters: [project],
      responses: {
        200: { description: 'All receipts of the project.', schema: closed({ forgotten: list(receiptSchema) }) },
        404: noProject,
      },
      handle: async (ctx, { postgres }) => ({
        forgotten: await queries.readReceipts(postgres, readProjectId(ctx), null),
      }),
    }),
    operation({
      method: 'get',
      path: '/admin/v1/projects/{id}/forgotten/{receipt_id}',
      operationId: 'getReceipt',
      summary: 'Get a receipt',
      description: 'Both times are null until then.',
      auth: admin.project('erasure'),
      parameters: [project, pathParameter('receipt_id', 'The receipt.')],
      responses: {
        200: { description: 'The receipt.', schema: receiptSchema },
        404: errorReply(404, 'No such receipt.', 'Receipt not found.'),
      },
      handle: async (ctx, { postgres }) => {
        const project = readProjectId(ctx);
        const [receipt] = await queries.readReceipts(postgres, project, readId(ctx.params.receipt_id, 'Receipt'));
        if (!receipt) throw new ApiError(404, 'Receipt not found.');
        return receipt;
      },
    }),
  ],
};

export const erasureRoutes = (parts: ErasureParts): Router => createRoutes(erasureApi, parts);
