/** The kinds of records that can be exported. */

/** What can be had, and the view of analytics that shows it. */
export const VIEWS = {
  clicks: 'clicks',
  impressions: 'impressions',
  'ctv-impressions': 'ctv_impressions',
  installs: 'installs',
  'app-events': 'app_events',
  'web-events': 'web_events',
  spend: 'ad_spend',
  postbacks: 'postbacks',
} as const;
export type RecordKind = keyof typeof VIEWS;
export const RECORD_KINDS = Object.keys(VIEWS) as RecordKind[];
