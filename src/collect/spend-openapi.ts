/** The collector of spend for the OpenAPI document (docs/contract.md, Collectors). */
import { closed, errorReply, list, named, type Operation } from '../openapi/operation';
import { SPEND_LIMITS, SPEND_REASONS } from './spend-input';

const { maxRows } = SPEND_LIMITS;

const id = (description: string) => ({ type: ['string', 'integer', 'null'], maxLength: 255, description });
const name = { type: ['string', 'null'], maxLength: 1024 };
const amount = (description: string) => ({ type: ['number', 'string'], description });
const count = { type: ['integer', 'string', 'null'], description: 'A whole number; 0 if it is not given.' };

const row = named('SpendRow', {
  type: 'object',
  required: ['date', 'campaign_id', 'spend', 'currency'],
  properties: {
    date: { type: 'string', format: 'date', description: "Day in the project's time zone." },
    network: { type: ['string', 'null'], description: 'Ad network, in any case; empty for spend with a partner.' },
    account: { ...id('`external_customer_id` of the account; required with a network.') },
    campaign_id: {
      type: ['string', 'integer'],
      maxLength: 255,
      description:
        "The network's ID of the campaign; a new one becomes a synced campaign. Without a network a `display_id`.",
    },
    campaign_name: name,
    ad_set_id: id('Ad set; empty in the row of a whole campaign.'),
    ad_set_name: name,
    ad_id: id('Ad.'),
    ad_name: name,
    keyword_id: id('Keyword.'),
    keyword_name: name,
    platform: { type: ['string', 'null'], description: '`ios` or `android`, in any case.' },
    impressions: count,
    clicks: count,
    spend: amount('Money in `currency`, up to nine decimals.'),
    currency: { type: 'string', minLength: 3, maxLength: 3, description: 'ISO 4217.' },
  },
});
const rejected = closed({
  index: { type: 'integer', minimum: 0 },
  reason: { type: 'string', enum: SPEND_REASONS },
  field: { type: 'string' },
});

export const spendOperation: Operation = {
  method: 'put',
  path: '/collect/v1/spend',
  operationId: 'putSpend',
  summary: 'Import ad spend',
  description: `Each row is checked by itself; one replaces the earlier row of the same keys. The body may also be \`text/csv\` whose first line names the columns. At most ${maxRows} rows and 32 MB, gzip accepted.`,
  security: ['serviceKey'],
  body: {
    schema: {
      type: 'object',
      required: ['rows'],
      properties: { rows: { type: 'array', maxItems: maxRows, items: row } },
    },
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
      schema: named('CollectedSpend', closed({ accepted: { type: 'integer', minimum: 0 }, rejected: list(rejected) })),
      example: { accepted: 1, rejected: [] },
    },
    400: errorReply(400, 'The body is no JSON object with rows, or no CSV.', 'rows: must be an array of rows'),
    401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
    413: errorReply(413, `More than 32 MB, or more than ${maxRows} rows.`, `A request takes at most ${maxRows} rows.`),
  },
};
