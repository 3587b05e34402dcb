/** `/collect/v1/spend`: what advertisers spent, by day (docs/contract/collectors.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { readCaller } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { textBody } from '../http/body';
import { createRoutes, endpoints, json, type BodyForm, type Endpoint } from '../http/endpoint';
import { readBatch } from '../ingest/batch';
import { list, Type } from '../lib/schema';
import { errorReply } from '../openapi/operation';
import { noteRefusals } from './batch-routes';
import { readSpendFile, SPEND_LIMITS } from './spend-input';
import { collectedSpendSchema, spendSchema } from './spend-schema';
import { storeSpend, type SpendRows } from './spend-service';
import { spendUploadOperations, type SpendParts } from './spend-upload-routes';

export type { SpendParts };

const operation = endpoints<SpendParts>();

const { maxRows } = SPEND_LIMITS;
const BODY_LIMIT = '32mb';
/** Types under which files of CSV are sent. */
const FILE_TYPES = /^\s*(?:text\/(?:csv|tab-separated-values)|application\/(?:csv|vnd\.ms-excel))\s*(?:;|$)/i;
const isFile = (ctx: Context) => FILE_TYPES.test(ctx.get('Content-Type'));

const file: BodyForm<ReturnType<typeof readSpendFile>> = {
  type: 'text/csv',
  schema: Type.String(),
  example: 'date,network,account,campaign_id,spend,currency\n2026-03-05,META,act_1,916,1.43,USD\n',
  limit: BODY_LIMIT,
  read: textBody(BODY_LIMIT),
  parse: (body) => readSpendFile(body as string),
};
const rows = json({
  schema: Type.Object({ rows: list(spendSchema, { maxItems: maxRows }) }),
  example: {
    rows: [
      {
        date: '2026-03-05',
        network: 'META',
        account: 'act_1',
        campaign_id: '916',
        ad_set_id: '103916',
        ad_id: '708746',
        impressions: 7350,
        clicks: 1,
        spend: 1.43,
        currency: 'USD',
      },
    ],
  },
  limit: BODY_LIMIT,
  anyText: true,
  // 10,000 rows of 50 fields.
  maxValues: 500_000,
  parse: (body) => ({ rows: readBatch(body, SPEND_LIMITS) }),
});
const rowsOrFile: BodyForm<SpendRows | Promise<SpendRows>> = {
  ...rows,
  read: async (ctx, next) => {
    await (isFile(ctx) ? file : rows).read(ctx, next);
  },
  // What is read of JSON is an object.
  parse: (body) => (typeof body === 'string' ? file : rows).parse(body),
};

const auth = serviceKey('spend');
const tooMany = errorReply(
  413,
  `More than 32 MB, or more than ${maxRows} rows.`,
  `A request takes at most ${maxRows} rows.`,
);

/** In order: the key, the body, then the rows, each checked separately. */
export const spendOperations: readonly Endpoint<SpendParts>[] = [
  operation({
    method: 'put',
    path: '/collect/v1/spend',
    operationId: 'putSpend',
    summary: 'Import ad spend',
    description:
      'Each row is checked by itself; one replaces that of the same keys of an earlier request, and of two in one ' +
      'request the second is refused. The body may also be `text/csv` with a header, separated by commas, semicolons ' +
      `or tabs, in the charset that it declares. At most ${maxRows} rows and 32 MB, gzip accepted.`,
    auth,
    body: rowsOrFile,
    responses: {
      200: {
        description: 'The good rows are durable.',
        schema: collectedSpendSchema,
        example: { accepted: 1, rejected: [] },
      },
      400: errorReply(400, 'The body is no JSON object with rows, or no CSV.', 'rows: must be an array of rows'),
      413: tooMany,
    },
    handle: async (ctx, parts, { readBody }) => {
      const { id } = readCaller(ctx).project;
      return noteRefusals(storeSpend(parts, id, await readBody(), parts.now()), parts, id, 'spend');
    },
  }),
  ...spendUploadOperations,
];

export const spendRoutes = (parts: SpendParts): Router => createRoutes({ operations: spendOperations }, parts);
