/** The columns of files that ad networks export, in English, and what they mean here (docs/contract/collectors.md). */
import { readColumnName } from '../ingest/csv-table';

export const SPEND_FIELDS = [
  'date',
  'network',
  'account',
  'campaign_id',
  'campaign_name',
  'ad_set_id',
  'ad_set_name',
  'ad_id',
  'ad_name',
  'keyword_id',
  'keyword_name',
  'platform',
  'impressions',
  'clicks',
  'spend',
  'currency',
] as const;
export type SpendField = (typeof SPEND_FIELDS)[number];

export const FORMAT_NAMES = ['adtrail', 'google_ads', 'meta_ads', 'tiktok_ads', 'apple_search_ads'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** A name, or the form of one where a report writes the currency into it. */
type Title = string | RegExp;

interface Format {
  /** Code of the network whose report it is; undefined for a file that says it itself. */
  readonly network: string | undefined;
  /** Whether a file with these columns is one. */
  readonly isIt: (names: ReadonlySet<string>) => boolean;
  /** The columns of a field, the best first. */
  readonly columns: Readonly<Partial<Record<SpendField, readonly Title[]>>>;
}

const hasAny = (names: ReadonlySet<string>, ...of: readonly string[]) => of.some((name) => names.has(name));
const AMOUNT_SPENT = /^amount_spent(?:_\(([a-z]{3})\))?$/;

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  adtrail: {
    network: undefined,
    isIt: (names) =>
      ['date', 'campaign_id', 'spend', 'currency'].every((name) => names.has(name)) && !names.has('taps'),
    columns: Object.fromEntries(SPEND_FIELDS.map((field) => [field, [field]])),
  },
  meta_ads: {
    network: 'META',
    isIt: (names) => [...names].some((name) => AMOUNT_SPENT.test(name)),
    columns: {
      date: ['day', 'date', 'reporting_starts'],
      account: ['account_id', 'ad_account_id'],
      campaign_id: ['campaign_id'],
      campaign_name: ['campaign_name'],
      ad_set_id: ['ad_set_id'],
      ad_set_name: ['ad_set_name'],
      ad_id: ['ad_id'],
      ad_name: ['ad_name'],
      impressions: ['impressions'],
      clicks: ['clicks_(all)', 'clicks', 'link_clicks'],
      spend: [AMOUNT_SPENT],
      currency: ['currency', 'account_currency'],
    },
  },
  apple_search_ads: {
    network: 'APPLE_SEARCH_ADS',
    isIt: (names) => names.has('taps') && hasAny(names, 'spend', 'local_spend'),
    columns: {
      date: ['date', 'day'],
      account: ['org_id', 'account_id', 'campaign_group_id'],
      campaign_id: ['campaign_id'],
      campaign_name: ['campaign_name', 'campaign'],
      ad_set_id: ['ad_group_id'],
      ad_set_name: ['ad_group_name', 'ad_group'],
      ad_id: ['ad_id'],
      ad_name: ['ad_name'],
      keyword_id: ['keyword_id'],
      keyword_name: ['keyword'],
      impressions: ['impressions'],
      clicks: ['taps'],
      spend: ['spend', 'local_spend'],
      currency: ['currency', 'local_spend_currency'],
    },
  },
  google_ads: {
    network: 'GOOGLE',
    isIt: (names) => names.has('cost') && hasAny(names, 'impr.', 'currency_code', 'customer_id', 'campaign'),
    columns: {
      date: ['day', 'date'],
      account: ['customer_id', 'account_id'],
      campaign_id: ['campaign_id'],
      campaign_name: ['campaign', 'campaign_name'],
      ad_set_id: ['ad_group_id'],
      ad_set_name: ['ad_group', 'ad_group_name'],
      ad_id: ['ad_id'],
      ad_name: ['ad_name'],
      keyword_id: ['keyword_id'],
      keyword_name: ['search_keyword', 'keyword'],
      impressions: ['impr.', 'impressions'],
      clicks: ['clicks'],
      spend: ['cost'],
      currency: ['currency_code', 'currency'],
    },
  },
  tiktok_ads: {
    network: 'TIKTOK',
    isIt: (names) =>
      hasAny(names, 'cost', 'total_cost') && hasAny(names, 'campaign_name', 'campaign_id', 'advertiser_id'),
    columns: {
      date: ['by_day', 'date', 'stat_time_day', 'day'],
      account: ['account_id', 'advertiser_id'],
      campaign_id: ['campaign_id'],
      campaign_name: ['campaign_name'],
      ad_set_id: ['ad_group_id', 'adgroup_id'],
      ad_set_name: ['ad_group_name', 'adgroup_name'],
      ad_id: ['ad_id'],
      ad_name: ['ad_name'],
      impressions: ['impressions', 'impression'],
      clicks: ['clicks_(all)', 'clicks_(destination)', 'destination_clicks', 'clicks', 'click'],
      spend: ['cost', 'total_cost'],
      currency: ['currency'],
    },
  },
};

/** The format of a file with these columns; undefined for one that nobody here knows. */
export function recogniseFormat(names: readonly string[]): FormatName | undefined {
  const all = new Set(names);
  // In this order: what is told apart for certain comes first.
  return (['meta_ads', 'apple_search_ads', 'adtrail', 'google_ads', 'tiktok_ads'] as const).find((name) =>
    FORMATS[name].isIt(all),
  );
}

const isTitle = (name: string) => (title: Title) => (typeof title === 'string' ? title === name : title.test(name));

/** The columns of a file by what they mean: as its format says, and where there is none as any of them does. */
export function guessColumns(
  titles: readonly string[],
  format: FormatName | undefined,
): Partial<Record<SpendField, string>> {
  const formats = format ? [FORMATS[format]] : FORMAT_NAMES.map((name) => FORMATS[name]);
  const found: Partial<Record<SpendField, string>> = {};
  for (const field of SPEND_FIELDS) {
    const wanted = formats.flatMap(({ columns }) => columns[field] ?? []);
    for (const one of wanted) {
      const title = titles.find((cell) => isTitle(readColumnName(cell))(one));
      if (title === undefined || Object.values(found).includes(title)) continue;
      found[field] = title;
      break;
    }
  }
  return found;
}

/** The currency that a header names: `Amount spent (EUR)`. */
export const currencyInTitles = (titles: readonly string[]) =>
  titles.flatMap((title) => AMOUNT_SPENT.exec(readColumnName(title))?.[1]?.toUpperCase() ?? [])[0];
