/** A click on a link as a row of adtrail.clicks. */
import type { NewRecord } from '../ingest/store';

export interface LinkClick {
  readonly id: string;
  /** Receipt in milliseconds since 1970, and its version. */
  readonly at: number;
  readonly version: number;
  readonly projectId: number;
  readonly campaignId: number;
  readonly partnerId: number;
  readonly domain: string;
  readonly tid: string;
  readonly gaid: string | null;
  readonly idfa: string | null;
  /** Public and canonical, or empty. */
  readonly ip: string;
  readonly ua: string;
  /** Values of s2, s3 and s4. */
  readonly passthrough: readonly string[];
  /** What only links have, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The columns of a row, in the order of `toRecord`. */
export const COLUMNS: readonly string[] = [
  'click_id',
  'click_time',
  'received_at',
  'version',
  'bucket',
  'project_id',
  'campaign_id',
  'partner_id',
  'kind',
  'd',
  'tid',
  'gaid',
  'idfa',
  'ip',
  'ua',
  's2',
  's3',
  's4',
  'parameters',
];

/** The click as a record of `day`, its bucket. */
export function toRecord(click: LinkClick, day: string): NewRecord {
  const {
    id,
    at,
    version,
    projectId,
    campaignId,
    partnerId,
    domain,
    tid,
    gaid,
    idfa,
    ip,
    ua,
    passthrough,
    parameters,
  } = click;
  return {
    id,
    day,
    line: JSON.stringify([
      id,
      at,
      at,
      version,
      day,
      projectId,
      campaignId,
      partnerId,
      'link',
      domain,
      tid,
      gaid,
      idfa,
      ip,
      ua,
      ...passthrough,
      parameters,
    ]),
  };
}
