/** Applies the campaigns of a project. */
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';
import { channelSlug, putChannel, RESERVED_CHANNELS } from '../configuration/channels';
import { Slice } from '../lib/slices';
import { canonicalDomain } from '../lib/urls';
import type { Applying } from './applying';
import type { CampaignDocument } from './document';
import { pick, readCreatedAt } from './fields';

/** What a new campaign is where the document does not say. */
const DEFAULTS = {
  partner_id: null,
  network: null,
  network_campaign_id: null,
  network_account_id: null,
  web_to_app: false,
  utm_ids: [],
  deeplink: null,
  domain_id: null,
  is_shortlink: false,
  website: null,
  android_web_redirect: null,
  ios_web_redirect: null,
  custom_channel_id: null,
  store_listing_ids: [],
  active: true,
  is_system: false,
};

/** @throws ApiError 400 naming the field, for a reference to something that the project does not have. */
export async function applyCampaigns(
  at: Applying,
  project: { projectId: number; accountId: number; name: string },
  documents: readonly CampaignDocument[],
  field: string,
): Promise<void> {
  const { db } = at;
  const { projectId, accountId } = project;
  const byName = async (table: string, column: string) =>
    new Map(
      (await db.rows(`SELECT id, ${column} AS name FROM ${table} WHERE project_id = $1`, [projectId])).map((row) => [
        row.name as string,
        row.id as number,
      ]),
    );
  const known = {
    accounts: await byName('network_accounts', 'external_customer_id'),
    domains: await byName('domains', 'name'),
    listings: await byName('store_listings', 'store_listing_id'),
  };
  const existing = await db.rows('SELECT * FROM campaigns WHERE account_id = $1 AND display_id = ANY ($2)', [
    accountId,
    documents.map((one) => one.display_id),
  ]);
  const byDisplayId = new Map(existing.map((row) => [row.display_id as string, row]));

  const desired: Row[] = [];
  const slice = new Slice();
  for (const [i, one] of documents.entries()) {
    await slice.rest();
    const path = `${field}.campaigns[${i}]`;
    const present = byDisplayId.get(one.display_id);
    refuseTaken(one, present, projectId, path);
    if (present?.deleted_at)
      at.result.skipped.push({
        kind: 'campaign',
        project: project.name,
        display_id: one.display_id,
        reason: 'deleted',
      });
    else desired.push({ account_id: accountId, ...(await readDesired(at, projectId, one, path, known)) });
  }
  await at.upsert(
    {
      table: 'campaigns',
      key: ['account_id', 'display_id'],
      defaults: { ...DEFAULTS, created_at: at.now },
      stamp: { revision: at.revision, updated_at: at.now },
    },
    existing,
    desired,
  );
}

function refuseTaken(one: CampaignDocument, present: Row | undefined, projectId: number, path: string): void {
  const id = JSON.stringify(one.display_id);
  if (present && present.project_id !== projectId)
    throw new ApiError(400, `${path}.display_id: ${id} belongs to another project of the account`);
  if (present?.is_system) throw new ApiError(400, `${path}.display_id: ${id} is the system campaign`);
  if (one.name === 'MAIN_DOMAIN') throw new ApiError(400, `${path}.name: MAIN_DOMAIN is reserved`);
}

type Ids = ReadonlyMap<string, number>;
/** IDs of the project by name. */
interface Known {
  readonly accounts: Ids;
  readonly domains: Ids;
  readonly listings: Ids;
}

function refer(ids: Ids, what: string, path: string, name: string | null | undefined) {
  if (name === null || name === undefined) return name;
  const id = ids.get(name);
  if (id === undefined) throw new ApiError(400, `${path}: the project has no ${what} ${JSON.stringify(name)}`);
  return id;
}

/** The columns of a campaign that the document says. */
async function readDesired(
  at: Applying,
  projectId: number,
  one: CampaignDocument,
  path: string,
  { accounts, domains, listings }: Known,
): Promise<Row> {
  return {
    project_id: projectId,
    ...pick(
      one,
      'display_id',
      'name',
      'network',
      'network_campaign_id',
      'web_to_app',
      'utm_ids',
      'deeplink',
      'is_shortlink',
      'website',
      'android_web_redirect',
      'ios_web_redirect',
      'active',
    ),
    created_at: readCreatedAt(one.created_at, path, at.now),
    partner_id:
      one.partner === null || one.partner === undefined ? one.partner : at.partner(one.partner, `${path}.partner`),
    network_account_id: refer(accounts, 'network account', `${path}.network_account`, one.network_account),
    domain_id: refer(domains, 'domain', `${path}.domain`, one.domain && canonicalDomain(one.domain)),
    custom_channel_id: await channel(at, projectId, `${path}.custom_channel`, one.custom_channel),
    store_listing_ids: one.store_listings?.map(
      (id, j) => refer(listings, 'store listing', `${path}.store_listings[${j}]`, id) as number,
    ),
  };
}

async function channel(
  at: Applying,
  projectId: number,
  path: string,
  name: string | null | undefined,
): Promise<number | null | undefined> {
  if (name === null || name === undefined) return name;
  if (RESERVED_CHANNELS.has(channelSlug(name)))
    throw new ApiError(400, `${path}: ${JSON.stringify(name)} is a reserved channel name`);
  return (await putChannel(at.db, projectId, name)).id;
}
