/** A complete draft as a row of its table. */
import { canonicalAppId } from '../projects/app-id';
import type { Campaign } from '../projects/directory';
import type { Definition } from './definitions';
import type { Draft } from './input';

const COMMON = ['project_id', 'bucket', 'campaign_id', 'received_at', 'partner_id', 'app_id', 'd', 'ip', 'v'] as const;
const OWN = {
  click: ['kind', 'gaid', 'idfa'],
  impression: ['vt_lookback', 'gaid', 'idfa'],
  ctv_impression: ['vt_lookback', 'datacenter_list'],
} as const;

/** The columns of a row, in the order of `toLine`. */
export function columnsOf({ kind, idColumn, timeColumn, stored }: Definition): string[] {
  return [idColumn, timeColumn, ...COMMON, ...OWN[kind], ...stored];
}

/** The row as a line of JSONCompactEachRow. `datacenterList` is the version of the list that the address was checked against. */
export function toLine(draft: Draft, id: string, datacenterList: string): string {
  const { definition, receipt, source, fields } = draft;
  // An imported click counts as received when it happened: no install came before it that it could have been credited with.
  const receivedAt = source === 'import' ? draft.time : receipt.at;
  const { projectId, id: campaignId } = draft.campaign as Campaign;
  const row: unknown[] = [
    id,
    draft.time,
    projectId,
    receipt.day,
    campaignId,
    receivedAt,
    draft.partnerId,
    canonicalAppId(draft.appId),
    draft.domain.toLowerCase(),
    draft.ip,
    receipt.version,
  ];
  if (definition.kind === 'click') row.push(source, draft.gaid, draft.idfa);
  else if (definition.kind === 'impression') row.push(draft.lookbackHours, draft.gaid, draft.idfa);
  else row.push(draft.lookbackHours, datacenterList);
  for (const field of definition.stored) row.push(fields[field]);
  return JSON.stringify(row);
}
