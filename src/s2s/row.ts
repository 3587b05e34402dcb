/** A complete request as a row of its table. */
import { canonicalAppId } from '../configuration/app-id';
import type { Campaign } from '../configuration/config-snapshot';
import type { Receipt } from '../ingest/receipts';
import { findCountry } from '../net/country';
import { readUserAgent } from '../net/user-agent';
import type { Definition } from './definitions';
import type { S2sRequest } from './input';

const COMMON = [
  'project_id',
  'bucket',
  'campaign_id',
  'received_at',
  'partner_id',
  'app_id',
  'd',
  'ip',
  'country',
  'device_type',
  'os_name',
  'version',
] as const;
const OWN = {
  click: ['kind', 'gaid', 'idfa'],
  impression: ['vt_lookback', 'gaid', 'idfa'],
  ctv_impression: ['vt_lookback', 'datacenter_list'],
} as const;

/** The columns of a row, in the order of `toLine`. */
export function listColumns({ kind, idColumn, timeColumn, stored }: Definition): string[] {
  return [idColumn, timeColumn, ...COMMON, ...OWN[kind], ...stored];
}

/**
 * The row as a line of JSONCompactEachRow. `datacenterList` is the version of the list that the address was checked
 * against.
 */
export function toLine(request: S2sRequest, receipt: Receipt, id: string, datacenterList: string): string {
  const { definition, source, fields } = request;
  // An imported click counts as received when it happened: no install came before it that it could have been credited
  // with.
  const receivedAt = source === 'import' ? request.time : receipt.at;
  const { projectId, id: campaignId } = request.campaign as Campaign;
  const { deviceType, os } = readUserAgent(fields.ua ?? '');
  const row: unknown[] = [
    id,
    request.time,
    projectId,
    receipt.day,
    campaignId,
    receivedAt,
    request.partnerId,
    canonicalAppId(request.appId),
    request.domain.toLowerCase(),
    request.ip,
    findCountry(request.ip),
    // Whatever its user agent: that of a stick may be a phone's, and that of a player nothing known.
    definition.kind === 'ctv_impression' ? 'tv' : deviceType,
    os,
    receipt.version,
  ];
  if (definition.kind === 'click') row.push(source, request.gaid, request.idfa);
  else if (definition.kind === 'impression') row.push(request.lookbackHours, request.gaid, request.idfa);
  else row.push(request.lookbackHours, datacenterList);
  for (const field of definition.stored) row.push(fields[field]);
  return JSON.stringify(row);
}
