/** Files of spend: their columns, a dry run, the upload, its history and undo (docs/contract/collectors.md). */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { textBody } from '../http/body';
import { endpoints, type BodyForm, type Endpoint } from '../http/endpoint';
import { readId } from '../http/ids';
import { answerBatch } from '../ingest/batch';
import { Type, withDefault } from '../lib/schema';
import { errorReply, limitParameter, pathParameter, queryParameter } from '../openapi/operation';
import { noteRefusals } from './batch-routes';
import type { RefusalCounts } from './refusals';
import { SPEND_LIMITS } from './spend-input';
import { mappingParameter } from './spend-mapping';
import { presentHistory, presentUpload } from './spend-presenter';
import { spendColumnsSchema, spendUploadSchema, spendUploadsSchema, uploadedSpendSchema } from './spend-schema';
import { checkSpend } from './spend-service';
import { describeColumns, readAnySpendFile } from './spend-table';
import { listSpendAccounts, listUploads } from './spend-upload-queries';
import { findUnpriced, storeUpload, undoUpload } from './spend-uploads';

export interface SpendParts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly access: Access;
  readonly refusals: RefusalCounts;
  readonly now: () => number;
}

const operation = endpoints<SpendParts>();

const { maxRows } = SPEND_LIMITS;
const BODY_LIMIT = '32mb';
const MAX_FILE_NAME = 255;
const PAGE = { default: 50, maximum: 200 };
const uploadId = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

const auth = serviceKey('spend');
const file: BodyForm<string> = {
  type: 'text/csv',
  schema: Type.String(),
  example: 'date,network,account,campaign_id,spend,currency\n2026-03-05,META,act_1,916,1.43,USD\n',
  limit: BODY_LIMIT,
  read: textBody(BODY_LIMIT),
  parse: (body) => String(body),
};
const tooMany = errorReply(
  413,
  `More than 32 MB, or more than ${maxRows} rows.`,
  `A request takes at most ${maxRows} rows.`,
);
const badFile = errorReply(400, 'The body is no CSV.', 'Invalid CSV body: more than 200 columns');
const busy = errorReply(
  409,
  'Another upload of the project is under way.',
  'Another upload of the project is being stored or undone. Please try again.',
);
const upload = {
  id: 12,
  state: 'undone',
  name: 'october.csv',
  made_by: 'Ada',
  created_at: '2026-11-02T09:30:00.000Z',
  rows: 310,
  first_day: '2026-10-01',
  last_day: '2026-10-31',
  sums: [{ currency: 'USD', spend: '4310.25' }],
  undone_by: 'Ada',
  undone_at: '2026-11-02T09:41:00.000Z',
  restored: 300,
  removed: 8,
  kept: 2,
};

/** In order: the key, the body, the parameters, then the rows, each checked separately. */
export const spendUploadOperations: readonly Endpoint<SpendParts>[] = [
  operation({
    method: 'post',
    path: '/collect/v1/spend/csv/columns',
    operationId: 'describeSpendColumns',
    repeatable: true,
    summary: 'See how a file of ad spend would be read',
    description:
      'Its columns, whose export it is, and which column is taken for which field: a mapping, which may be changed ' +
      'and sent with the file. Nothing is stored.',
    auth,
    body: file,
    responses: {
      200: { description: 'Its columns and their mapping.', schema: spendColumnsSchema },
      400: badFile,
      413: tooMany,
    },
    handle: async (ctx, { postgres }, { readBody }) =>
      describeColumns(readBody(), await listSpendAccounts(postgres, readCaller(ctx).project.id)),
  }),
  operation({
    method: 'post',
    path: '/collect/v1/spend/csv',
    operationId: 'uploadSpend',
    summary: 'Upload a file of ad spend',
    description:
      'The header, after any titles, names the columns as the fields of `PUT /collect/v1/spend`, or is that of an ' +
      'export of Google Ads, Meta Ads, TikTok Ads or Apple Search Ads in English, or `mapping` says what is what. ' +
      `Good rows are stored, whatever becomes of the others. At most ${maxRows} rows and 32 MB, gzip accepted.`,
    auth,
    parameters: [
      queryParameter(
        'dry_run',
        '`true`: the rows are checked, and nothing is stored.',
        withDefault(Type.Boolean(), false),
        true,
      ),
      queryParameter(
        'file_name',
        'What the file is called in the history.',
        withDefault(Type.String({ maxLength: MAX_FILE_NAME }), ''),
        'october.csv',
      ),
      mappingParameter,
    ],
    body: file,
    responses: {
      200: { description: 'The good rows are durable, unless it was a dry run.', schema: uploadedSpendSchema },
      400: badFile,
      409: busy,
      413: tooMany,
    },
    handle: async (ctx, parts, { readBody, readParameters }) => {
      const { dry_run: isDry, file_name: name, mapping } = readParameters();
      const { project, actor } = readCaller(ctx);
      const { postgres } = parts;
      const read = await readAnySpendFile(readBody(), mapping, await listSpendAccounts(postgres, project.id));
      const stored = isDry
        ? { checked: await checkSpend(postgres, project.id, read), uploadId: null }
        : await storeUpload(parts, project.id, read, { name, actor }, parts.now());
      const { good } = stored.checked.batch;
      const answer = answerBatch(stored.checked.batch);
      if (!isDry) await noteRefusals(Promise.resolve(answer), parts, project.id, 'spend');
      const rows = good.map(({ value }) => value);
      const unpriced = await findUnpriced(postgres, project.id, rows);
      return presentUpload({ isDry, answer, file: read, good, unpriced, uploadId: stored.uploadId });
    },
  }),
  operation({
    method: 'get',
    path: '/collect/v1/spend/uploads',
    operationId: 'listSpendUploads',
    summary: 'List uploaded files of ad spend',
    description: 'The latest first, those that were undone included.',
    auth,
    parameters: [limitParameter(PAGE), queryParameter('before', '`next_before` of the page before.', uploadId, 12)],
    responses: {
      200: {
        description: 'A page of them.',
        schema: spendUploadsSchema,
        example: { uploads: [upload], next_before: null },
      },
      400: errorReply(400, 'A parameter is wrong.', `limit: must be a whole number from 1 to ${PAGE.maximum}`),
    },
    handle: async (ctx, { postgres }, { readParameters }) => {
      const { limit, before = null } = readParameters();
      const rows = await listUploads(postgres, readCaller(ctx).project.id, before, limit + 1, null);
      const uploads = rows.slice(0, limit);
      return { uploads: uploads.map(presentHistory), next_before: rows.length > limit ? uploads.at(-1)?.id : null };
    },
  }),
  operation({
    method: 'post',
    path: '/collect/v1/spend/uploads/{upload_id}/undo',
    operationId: 'undoSpendUpload',
    summary: 'Undo an upload of ad spend',
    description:
      'Every row is what it would be had the file not been sent: what it replaced is in force again. Rows that a ' +
      'later request has replaced stay. Undone again it changes nothing.',
    auth,
    parameters: [pathParameter('upload_id', 'The upload.')],
    responses: {
      200: { description: 'It is undone.', schema: spendUploadSchema, example: upload },
      404: errorReply(404, 'The project has no such upload.', 'Upload not found.'),
      409: busy,
    },
    handle: async (ctx, parts) => {
      const { project, actor } = readCaller(ctx);
      const id = readId(ctx.params.upload_id, 'Upload');
      return presentHistory(await undoUpload(parts, project.id, id, actor, parts.now()));
    },
  }),
];
