/** The collector of spend for the OpenAPI document (docs/contract/collectors.md). */
import { closed, list, named, nullable, choice, ofTypes, optional, Type } from '../lib/schema';
import { errorReply, type Operation } from '../openapi/operation';
import { MAX_REFUSED } from './spend-presenter';
import { MAX_ID, MAX_NAME } from './app-schema';
import { SPEND_LIMITS, SPEND_REASONS } from './spend-input';

const { maxRows } = SPEND_LIMITS;

const id = (description: string) =>
  ofTypes<string | number | null>(['string', 'integer', 'null'], { maxLength: MAX_ID, description });
const name = nullable(Type.String({ maxLength: MAX_NAME }));
const count = ofTypes<number | string | null>(['integer', 'string', 'null'], {
  description: 'A whole number; 0 if it is not given.',
});

const row = Type.Object(
  {
    date: Type.String({ format: 'date', description: "Day in the project's time zone." }),
    ...optional({
      network: nullable(Type.String({ description: 'Ad network, in any case; empty for spend with a partner.' })),
      account: id('`external_customer_id` of the account; required with a network.'),
    }),
    campaign_id: ofTypes<string | number>(['string', 'integer'], {
      maxLength: MAX_ID,
      description:
        "The network's ID of the campaign; a new one becomes a synced campaign. Without a network a `display_id`.",
    }),
    ...optional({
      campaign_name: name,
      ad_set_id: id('Ad set; empty in the row of a whole campaign.'),
      ad_set_name: name,
      ad_id: id('Ad.'),
      ad_name: name,
      keyword_id: id('Keyword.'),
      keyword_name: name,
      platform: nullable(Type.String({ description: '`ios` or `android`, in any case.' })),
      impressions: count,
      clicks: count,
    }),
    spend: ofTypes<number | string>(['number', 'string'], {
      description: 'Money in `currency`, up to nine decimals; below zero for a credit.',
    }),
    currency: Type.String({ minLength: 3, maxLength: 3, description: 'ISO 4217.' }),
  },
  { title: 'SpendRow' },
);
const rejected = closed({
  index: Type.Integer({ minimum: 0 }),
  reason: choice(SPEND_REASONS, { type: 'string' }),
  field: Type.String(),
});

export const spendOperation: Operation = {
  method: 'put',
  path: '/collect/v1/spend',
  operationId: 'putSpend',
  summary: 'Import ad spend',
  description:
    'Each row is checked by itself; one replaces that of the same keys of an earlier request, and of two in one ' +
    'request the second is refused. The body may also be `text/csv` with a header, separated by commas, semicolons ' +
    `or tabs, in the charset that it declares. At most ${maxRows} rows and 32 MB, gzip accepted.`,
  security: ['serviceKey'],
  body: {
    schema: Type.Object({ rows: list(row, { maxItems: maxRows }) }),
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
  },
  responses: {
    200: {
      description: 'The good rows are durable.',
      schema: named('CollectedSpend', closed({ accepted: Type.Integer({ minimum: 0 }), rejected: list(rejected) })),
      example: { accepted: 1, rejected: [] },
    },
    400: errorReply(400, 'The body is no JSON object with rows, or no CSV.', 'rows: must be an array of rows'),
    401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
    413: errorReply(413, `More than 32 MB, or more than ${maxRows} rows.`, `A request takes at most ${maxRows} rows.`),
  },
};

export const spendUploadOperation: Operation = {
  method: 'post',
  path: '/collect/v1/spend/csv',
  operationId: 'uploadSpend',
  summary: 'Upload a file of ad spend',
  description:
    'The header, after any titles, names the columns as the fields of `PUT /collect/v1/spend`. Good rows are ' +
    `stored, whatever becomes of the others. At most ${maxRows} rows and 32 MB, gzip accepted.`,
  security: ['serviceKey'],
  parameters: [
    {
      name: 'dry_run',
      in: 'query',
      description: '`true`: the rows are checked, and nothing is stored.',
      schema: Type.Boolean({ default: false }),
      example: true,
    },
  ],
  body: {
    type: 'text/csv',
    schema: Type.String(),
    example: 'date,network,account,campaign_id,spend,currency\n2026-03-05,META,act_1,916,1.43,USD\n',
  },
  responses: {
    200: {
      description: 'The good rows are durable, unless it was a dry run.',
      schema: named(
        'UploadedSpend',
        closed({
          dry_run: Type.Boolean(),
          accepted: Type.Integer({ minimum: 0 }),
          refused: Type.Integer({ minimum: 0 }),
          rows: {
            ...list(
              closed({
                row: Type.Integer({ minimum: 1, description: 'The line on which it ends; the first is 1.' }),
                field: nullable(Type.String({ description: 'Null for the row as a whole.' })),
                msg: Type.String({ description: 'What is wrong with it.' }),
              }),
            ),
            description: `The refused rows, the first ${MAX_REFUSED} of them.`,
          },
        }),
      ),
      example: { dry_run: true, accepted: 1, refused: 0, rows: [] },
    },
    400: errorReply(400, 'The body is no CSV.', 'Invalid CSV body: more than 200 columns'),
    401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
    413: errorReply(413, `More than 32 MB, or more than ${maxRows} rows.`, `A request takes at most ${maxRows} rows.`),
  },
};
