/** Stores rows of ad spend durably; a row replaces the earlier one of the same keys (docs/contract/collectors.md). */
import { answerBatch, checkAgain, type BatchAnswer } from '../ingest/batch';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { UnavailableError } from '../errors';
import { retry } from '../lib/retry';
import { syncCampaigns, networkCampaignKey } from '../configuration/synced-campaigns';
import { readRows, type ReadRow, type SpendError, type SpendRow } from './spend-input';
import { nextReceipt, readAccounts, readCampaigns } from './spend-queries';
import { CONTENTS, hasLaterUpload, KEYS } from './spend-upload-queries';
import { rowEncoder } from '../ingest/row-encoder';

export interface Stores {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
}

/** The rows of a request, and how each is read, where that is not the usual way. */
export interface SpendRows {
  readonly rows: readonly unknown[];
  readonly read?: ReadRow;
}

export const { columns, encode } = rowEncoder([
  'project_id',
  ...KEYS,
  ...CONTENTS,
  'received_at',
  'version',
  'upload_id',
]);
/**
 * More than the rows of a request: versions of one receipt stay below those of the next, also where undoing an upload
 * takes the one after that of a row.
 */
const VERSIONS_PER_RECEIPT = 100_000;
const RETRY = { waitMs: 50, factor: 3, maxWaitMs: 1_000, attempts: 5 };

/**
 * Checks each row, creates or renames the synced campaigns that good rows name, and resolves once these rows are
 * durable.
 *
 * @throws UnavailableError when they could not be stored; the same rows again are safe.
 */
export async function storeSpend(
  stores: Stores,
  projectId: number,
  sent: SpendRows,
  now: number,
): Promise<BatchAnswer> {
  const checked = await checkSpend(stores.postgres, projectId, sent);
  const { good } = checked.batch;
  if (good.length > 0) {
    const rows = good.map(({ value }) => value);
    const campaigns = await findCampaigns(stores.postgres, projectId, checked);
    // An upload that began meanwhile must not replace these rows without having noted them.
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const receipt = await nextReceipt(stores.postgres);
      await insertSpend(stores.clickhouse, encodeSpend({ projectId, rows, campaigns, receipt, uploadId: 0, now }));
      const [later] = await hasLaterUpload(stores.postgres, projectId, receipt);
      if (!later?.yes) break;
    }
  }
  return answerBatch(checked.batch);
}

/** So often rows are stored anew because uploads of the project keep beginning meanwhile. */
const MOST_ATTEMPTS = 3;

export type CheckedSpend = Awaited<ReturnType<typeof checkSpend>>;

/** The rows that may be stored, and what they name. */
export async function checkSpend(postgres: Postgres, projectId: number, { rows, read }: SpendRows) {
  const legal = await readRows(rows, read);
  const accounts = await readAccounts(postgres, projectId);
  const campaigns = await readCampaigns(postgres, projectId, [
    ...new Set(legal.good.filter(({ value }) => value.network === '').map(({ value }) => value.campaignId)),
  ]);
  return { batch: checkAgain(legal, (row) => buildError(row, accounts, campaigns)), accounts, campaigns };
}

function buildError(
  row: SpendRow,
  accounts: ReadonlyMap<string, number>,
  campaigns: ReadonlyMap<string, number>,
): SpendError | undefined {
  if (row.account !== '' && !accounts.has(row.account)) return { reason: 'unknown_account', field: 'account' };
  if (row.network === '' && !campaigns.has(row.campaignId)) return { reason: 'unknown_campaign', field: 'campaign_id' };
  return undefined;
}

/** The campaign of each good row, in their order; campaigns that are new become synced ones. */
export async function findCampaigns(
  postgres: Postgres,
  projectId: number,
  { batch, accounts, campaigns: ours }: CheckedSpend,
): Promise<number[]> {
  const rows = batch.good.map(({ value }) => value);
  // The name of the latest day is the latest.
  const wanted = rows
    .filter((row) => row.network !== '')
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
    .map((row) => ({
      projectId,
      network: row.network,
      networkCampaignId: row.campaignId,
      name: row.names.campaign_name || null,
      networkAccountId: accounts.get(row.account) ?? null,
    }));
  const synced = await syncCampaigns(postgres, wanted);
  return rows.map(
    (row) =>
      (row.network === ''
        ? ours.get(row.campaignId)
        : synced.get(
            networkCampaignKey({ projectId, network: row.network, networkCampaignId: row.campaignId }),
          )) as number,
  );
}

/** Rows that are stored together. */
interface Stored {
  readonly projectId: number;
  readonly rows: readonly SpendRow[];
  /** The campaign of each. */
  readonly campaigns: readonly number[];
  readonly receipt: number;
  /** The upload that they are of; 0 for another request. */
  readonly uploadId: number;
  readonly now: number;
}

export const encodeSpend = ({ projectId, rows, campaigns, receipt, uploadId, now }: Stored): string[] =>
  rows.map((row, i) =>
    encode({
      project_id: projectId,
      campaign_id: campaigns[i],
      date: row.date,
      ad_set_id: row.ids.ad_set_id,
      ad_id: row.ids.ad_id,
      keyword_id: row.ids.keyword_id,
      platform: row.platform,
      network: row.network,
      account: row.account,
      network_campaign_id: row.network === '' ? '' : row.campaignId,
      campaign_name: row.names.campaign_name,
      ad_set_name: row.names.ad_set_name,
      ad_name: row.names.ad_name,
      keyword_name: row.names.keyword_name,
      impressions: row.impressions,
      clicks: row.clicks,
      spend: row.spend,
      currency: row.currency,
      received_at: now,
      version: receipt * VERSIONS_PER_RECEIPT + i,
      upload_id: uploadId,
    }),
  );

/** @throws UnavailableError when they could not be stored; the same rows again are safe. */
export async function insertSpend(
  clickhouse: ClickHouse,
  lines: readonly string[],
  names: readonly string[] = columns,
): Promise<void> {
  await retry(() => clickhouse.insert('adtrail.ad_spend', names, lines, 5_000), RETRY).catch((error: unknown) => {
    throw new UnavailableError('ClickHouse did not take the spend', { cause: error });
  });
}
