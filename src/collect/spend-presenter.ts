/** What became of an uploaded file of spend, in words for people (docs/contract/collectors.md). */
import type { BatchAnswer, Rejection } from '../ingest/batch';
import { MAX_ID } from './app-schema';

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

/** `lines` has the line of each row in the file. */
export function presentUpload({ accepted, rejected }: BatchAnswer, lines: readonly number[], isDry: boolean) {
  return {
    dry_run: isDry,
    accepted,
    refused: rejected.length,
    rows: rejected.slice(0, MAX_REFUSED).map((one) => presentRefused(one, lines)),
  };
}
