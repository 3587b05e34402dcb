/**
 * The tables that derived tables are made from, with the queue of installs. Each has a column stored_at, the time at
 * which an insert began.
 */
export const FACT_TABLES = [
  'clicks',
  'impressions',
  'ctv_impressions',
  'app_events',
  'web_events',
  'installs',
  'install_queue',
] as const;
export type FactTable = (typeof FACT_TABLES)[number];
