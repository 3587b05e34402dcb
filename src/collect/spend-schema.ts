/** The form of ad spend, and what its collector answers (docs/contract/collectors.md). */
import { choice, closed, list, named, nullable, ofTypes, optional, Type } from '../lib/schema';
import { MAX_ID, MAX_NAME } from './app-schema';
import { SPEND_REASONS } from './spend-input';
import { MAX_REFUSED } from './spend-presenter';

const id = (description: string) =>
  ofTypes<string | number | null>(['string', 'integer', 'null'], { maxLength: MAX_ID, description });
const name = nullable(Type.String({ maxLength: MAX_NAME }));
const count = ofTypes<number | string | null>(['integer', 'string', 'null'], {
  description: 'A whole number; 0 if it is not given.',
});

export const spendSchema = Type.Object(
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
export const collectedSpendSchema = named(
  'CollectedSpend',
  closed({ accepted: Type.Integer({ minimum: 0 }), rejected: list(rejected) }),
);
export const uploadedSpendSchema = named(
  'UploadedSpend',
  closed({
    dry_run: Type.Boolean(),
    accepted: Type.Integer({ minimum: 0 }),
    refused: Type.Integer({ minimum: 0 }),
    rows: list(
      closed({
        row: Type.Integer({ minimum: 1, description: 'The line on which it ends; the first is 1.' }),
        field: nullable(Type.String({ description: 'Null for the row as a whole.' })),
        msg: Type.String({ description: 'What is wrong with it.' }),
      }),
      { description: `The refused rows, the first ${MAX_REFUSED} of them.` },
    ),
  }),
);
