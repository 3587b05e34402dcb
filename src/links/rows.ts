/** A click on a link as a row of adtrail.clicks. */
import type { Receipt } from '../ingest/receipts';
import type { NewRecord } from '../ingest/record';
import { findCountry } from '../net/country';
import { readUserAgent } from '../net/user-agent';

export interface LinkClick {
  readonly id: string;
  /** When the link was opened, in milliseconds. */
  readonly at: number;
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
  /** Host of the page on which the link was opened; empty if unknown. */
  readonly referrer: string;
  /** Values of s2, s3 and s4. */
  readonly passthrough: readonly string[];
  /** What only links have, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The columns of a row, its ID first. */
export const COLUMNS = [
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
  'country',
  'device_type',
  'os_name',
  'referrer',
  's2',
  's3',
  's4',
  'parameters',
] as const;

/** The click as a record. Its receipt is later than the click itself where it had to wait. */
export function toRecord(click: LinkClick, receipt: Receipt): NewRecord<(typeof COLUMNS)[number]> {
  const {
    id,
    at,
    projectId,
    campaignId,
    partnerId,
    domain,
    tid,
    gaid,
    idfa,
    ip,
    ua,
    referrer,
    passthrough,
    parameters,
  } = click;
  const { deviceType, os } = readUserAgent(ua);
  const [s2, s3, s4] = passthrough;
  const row = {
    click_id: id,
    click_time: at,
    received_at: receipt.at,
    version: receipt.version,
    bucket: receipt.day,
    project_id: projectId,
    campaign_id: campaignId,
    partner_id: partnerId,
    kind: 'link',
    d: domain,
    tid,
    gaid,
    idfa,
    ip,
    ua,
    country: findCountry(ip),
    device_type: deviceType,
    os_name: os,
    referrer,
    s2,
    s3,
    s4,
    parameters,
  };
  return { id, at: receipt.at, row };
}
