/** The form of ad spend, and what its collector answers (docs/contract/collectors.md). */
import type { TString } from '@sinclair/typebox';
import { choice, closed, instant, list, named, nullable, ofTypes, optional, Type } from '../lib/schema';
import { MAX_ID, MAX_NAME } from './app-schema';
import { SPEND_REASONS } from './spend-input';
import { FORMAT_NAMES, SPEND_FIELDS, type FormatName, type SpendField } from './spend-formats';
import { DATE_ORDERS, DECIMAL_SIGNS, VALUE_FIELDS, type Notation } from './spend-mapping';
import { MAX_DAYS, MAX_REFUSED, MAX_SAMPLE } from './spend-presenter';

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
const nothing = Type.String({ description: 'Empty where the file has none.' });
const day = Type.String({ format: 'date' });
const sums = list(closed({ currency: Type.String(), spend: Type.String() }), {
  description: 'The sum of its rows by currency.',
});
const columnsOfFields = Type.Object(
  optional(Object.fromEntries(SPEND_FIELDS.map((field) => [field, Type.String()])) as Record<SpendField, TString>),
  { additionalProperties: false, description: 'The title of the column of each field.' },
);
const mapping = closed({
  columns: columnsOfFields,
  values: Type.Object(
    optional(
      Object.fromEntries(VALUE_FIELDS.map((field) => [field, Type.String()])) as Record<
        (typeof VALUE_FIELDS)[number],
        TString
      >,
    ),
    { additionalProperties: false, description: 'What holds where a row says nothing itself.' },
  ),
  dates: Type.Unsafe<Notation['dates']>({
    type: ['string', 'null'],
    enum: [...DATE_ORDERS, null],
    description: 'The order of year, month and day; null where the file leaves it open.',
  }),
  decimal: Type.Unsafe<Notation['decimal']>({
    type: ['string', 'null'],
    enum: [...DECIMAL_SIGNS, null],
    description: 'The sign before decimals; null where the file leaves it open.',
  }),
});
export const mappingSchema = named('SpendMapping', mapping);
const format = Type.Unsafe<FormatName | null>({
  type: ['string', 'null'],
  enum: [...FORMAT_NAMES, null],
  description: 'Whose export it is; null for another file.',
});
export const spendColumnsSchema = named(
  'SpendColumns',
  closed({
    format,
    columns: list(closed({ title: Type.String(), samples: list(Type.String()) })),
    mapping: mappingSchema,
    missing: list(choice(SPEND_FIELDS, { type: 'string' }), { description: 'Fields that a person has to say.' }),
  }),
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
    format,
    mapping: { ...nullable(mapping), description: 'How it was read; null for a file with our own columns.' },
    totals: Type.Integer({ minimum: 0, description: 'Rows that sum up others, which are left out.' }),
    first_day: nullable(day),
    last_day: nullable(day),
    sums,
    sample: list(
      closed({
        row: Type.Integer({ minimum: 1 }),
        date: day,
        network: nothing,
        account: nothing,
        campaign_id: Type.String(),
        campaign_name: nothing,
        ad_set_id: nothing,
        ad_set_name: nothing,
        ad_id: nothing,
        ad_name: nothing,
        keyword_id: nothing,
        keyword_name: nothing,
        platform: nothing,
        impressions: Type.Integer(),
        clicks: Type.Integer(),
        spend: Type.String(),
        currency: Type.String(),
      }),
      { description: `The first ${MAX_SAMPLE} good rows, as they are stored.` },
    ),
    unpriced: list(
      closed({
        currency: Type.String(),
        lacking: list(Type.String(), {
          description: 'The currencies that have no rate: this one, that of the project.',
        }),
        rows: Type.Integer(),
        spend: Type.String(),
        day_count: Type.Integer(),
        days: list(day, { description: `The first ${MAX_DAYS} of them.` }),
      }),
      { description: 'Good rows that do not count in reports until there is an exchange rate for their days.' },
    ),
    upload_id: nullable(Type.Integer({ description: 'By which it is undone; null where nothing was stored.' })),
  }),
);
const rowCount = (description: string) => nullable(Type.Integer({ minimum: 0, description }));
export const spendUploadSchema = named(
  'SpendUpload',
  closed({
    id: Type.Integer(),
    state: choice(['storing', 'stored', 'undoing', 'undone'] as const, {
      type: 'string',
      description: '`storing` and `undoing` that stay so were broken off: undo brings them to an end.',
    }),
    name: Type.String({ description: 'Of the file; empty where it was not told.' }),
    made_by: Type.String(),
    created_at: instant,
    rows: Type.Integer(),
    first_day: day,
    last_day: day,
    sums,
    undone_by: nullable(Type.String()),
    undone_at: nullable(instant),
    restored: rowCount('Rows in whose place is what was there before.'),
    removed: rowCount('Rows that are gone, since there were none before.'),
    kept: rowCount('Rows that a later request had replaced, which stay.'),
  }),
);
export const spendUploadsSchema = closed({
  uploads: list(spendUploadSchema),
  next_before: nullable(Type.Integer({ description: 'Null on the last page.' })),
});
