/** What became of an uploaded file of spend, in words for people (docs/contract/collectors.md). */
import type { BatchAnswer, Rejection } from '../ingest/batch';
import { Decimal } from '../lib/decimal';
import { MAX_ID } from './app-schema';
import type { SpendRow } from './spend-input';
import type { CheckedSpend } from './spend-service';
import type { ReadSpendFile } from './spend-table';
import type { UploadRow } from './spend-upload-queries';
import { spanDays, sumByCurrency, type Unpriced } from './spend-uploads';

/** At most this many refused rows are listed. */
export const MAX_REFUSED = 1_000;

/** What the fields of a row take. */
const TAKES: Readonly<Record<string, string>> = {
  date: 'must be a day, written YYYY-MM-DD',
  network: 'must be the code of an ad network, for example META',
  platform: 'must be ios or android',
  impressions: 'must be a whole number, 0 or more',
  clicks: 'must be a whole number, 0 or more',
  spend: 'must be an amount with a decimal point and nothing else beside its digits, for example 1234.56',
  currency: 'must be a currency code of three letters, for example EUR',
};

const RULES: Readonly<Record<string, (field: string) => string>> = {
  missing_field: (field) => (field === 'account' ? 'is required with a network' : 'is required'),
  invalid_field: (field) =>
    TAKES[field] ??
    (field === ''
      ? 'must have as many cells as there are columns'
      : field.endsWith('_name')
        ? 'must be text'
        : `must be the ID as it was given out, of at most ${MAX_ID} characters; a spreadsheet may have changed it`),
  duplicate_row: () => 'an earlier row of the file has the same date, campaign, ad set, ad, keyword and platform',
  unknown_account: () => 'the project has no network account with this external_customer_id',
  unknown_campaign: () => 'the project has no campaign with this display_id; campaigns of a network need the network',
  too_large: () => 'the row is larger than 64 kB',
};

const presentRefused = ({ index, reason, field }: Rejection, lines: readonly number[]) => ({
  row: lines[index] ?? index,
  field: field || null,
  msg: RULES[reason]?.(field) ?? reason,
});

/** So many days without an exchange rate are listed. */
export const MAX_DAYS = 31;
/** So many rows are shown as they will be stored. */
export const MAX_SAMPLE = 10;

/** What became of a file, or would. */
export interface Outcome {
  readonly isDry: boolean;
  readonly answer: BatchAnswer;
  readonly file: ReadSpendFile;
  readonly good: CheckedSpend['batch']['good'];
  readonly unpriced: readonly Unpriced[];
  readonly uploadId: number | null;
}

export function presentUpload({ isDry, answer, file, good, unpriced, uploadId }: Outcome) {
  const { accepted, rejected } = answer;
  const rows = good.map(({ value }) => value);
  const days = spanDays(rows);
  return {
    dry_run: isDry,
    accepted,
    refused: rejected.length,
    rows: rejected.slice(0, MAX_REFUSED).map((one) => presentRefused(one, file.lines)),
    format: file.format,
    mapping: file.mapping ? { ...file.mapping, ...file.notation } : null,
    totals: file.totals,
    first_day: days?.first ?? null,
    last_day: days?.last ?? null,
    sums: presentSums(sumByCurrency(rows)),
    sample: good.slice(0, MAX_SAMPLE).map(({ index, value }) => presentRow(value, file.lines[index] ?? index)),
    unpriced: unpriced.map(({ days: all, ...one }) => ({
      ...one,
      day_count: all.length,
      days: all.slice(0, MAX_DAYS),
    })),
    upload_id: uploadId,
  };
}

const presentRow = ({ date, network, account, campaignId, ids, names, ...row }: SpendRow, line: number) => ({
  row: line,
  date,
  network,
  account,
  campaign_id: campaignId,
  campaign_name: names.campaign_name,
  ad_set_id: ids.ad_set_id,
  ad_set_name: names.ad_set_name,
  ad_id: ids.ad_id,
  ad_name: names.ad_name,
  keyword_id: ids.keyword_id,
  keyword_name: names.keyword_name,
  platform: row.platform,
  impressions: row.impressions,
  clicks: row.clicks,
  spend: new Decimal(row.spend).toFixed(),
  currency: row.currency,
});

const presentSums = (sums: Readonly<Record<string, string>>) =>
  Object.entries(sums).map(([currency, spend]) => ({ currency, spend }));

/** An upload in the history. */
export const presentHistory = ({ sums, ...upload }: UploadRow) => ({ ...upload, sums: presentSums(sums) });
