/** A complete request as a row of its table. */
import { canonicalAppId } from '../configuration/app-id';
import type { Campaign } from '../configuration/config-snapshot';
import type { Receipt } from '../ingest/receipts';
import { findCountry } from '../net/country';
import { readUserAgent } from '../net/user-agent';
import type { NewRecord, Row } from '../ingest/record';
import { recordId } from '../ingest/record-id';
import type { Definition } from './definitions';
import type { S2sRequest } from './input';
import type { Kind } from './parameters';

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

/** What only rows of a kind have, by column. `datacenters` is the version of the list that addresses are checked by. */
type Own = readonly [column: string, read: (request: S2sRequest, datacenters: string) => unknown];
const gaid: Own = ['gaid', (request) => request.gaid];
const idfa: Own = ['idfa', (request) => request.idfa];
const lookback: Own = ['vt_lookback', (request) => request.lookbackHours];
const OWN: Readonly<Record<Kind, readonly Own[]>> = {
  click: [['kind', (request) => request.source], gaid, idfa],
  impression: [lookback, gaid, idfa],
  ctv_impression: [lookback, ['datacenter_list', (_, datacenters) => datacenters]],
};

/** The columns of a row, its ID first. */
export const listColumns = ({ kind, idColumn, timeColumn, stored }: Definition): [string, ...string[]] => [
  idColumn,
  timeColumn,
  ...COMMON,
  ...OWN[kind].map(([column]) => column),
  ...stored,
];

/** What is stored of a complete request. `datacenters` is the version of the list that its address was checked by. */
export function toRecord(request: S2sRequest, receipt: Receipt, datacenters: string): NewRecord {
  const { definition, campaign, fields } = request;
  const id = recordId(definition.kind, (campaign as Campaign).id, fields.tid as string);
  return { id, at: receipt.at, row: toRow(request, receipt, id, datacenters) };
}

function toRow(request: S2sRequest, receipt: Receipt, id: string, datacenters: string): Row<string> {
  const { definition, source, fields } = request;
  const { projectId, id: campaignId } = request.campaign as Campaign;
  const { deviceType, os } = readUserAgent(fields.ua ?? '');
  const common: Row<(typeof COMMON)[number]> = {
    project_id: projectId,
    bucket: receipt.day,
    campaign_id: campaignId,
    // An imported click counts as received when it happened: no install came before it that it could have been
    // credited with.
    received_at: source === 'import' ? request.time : receipt.at,
    partner_id: request.partnerId,
    app_id: canonicalAppId(request.appId),
    d: request.domain.toLowerCase(),
    ip: request.ip,
    country: findCountry(request.ip),
    // Whatever its user agent: that of a stick may be a phone's, and that of a player nothing known.
    device_type: definition.kind === 'ctv_impression' ? 'tv' : deviceType,
    os_name: os,
    version: receipt.version,
  };
  const row: Record<string, unknown> = common;
  row[definition.idColumn] = id;
  row[definition.timeColumn] = request.time;
  for (const [column, read] of OWN[definition.kind]) row[column] = read(request, datacenters);
  for (const field of definition.stored) row[field] = fields[field];
  return row;
}
