/** Applies one project of the workspace document with everything inside it. */
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';
import { canonicalAppId } from '../configuration/app-id';
import { channelSlug, putChannel, RESERVED_CHANNELS } from '../configuration/channels';
import { newDisplayId } from '../configuration/display-id';
import type { Applying } from './workspace';
import type { CampaignDocument, ProjectDocument } from './workspace-schema';

/** The windows of a new project (docs/contract.md, Workspace). */
const ATTRIBUTION = {
  click_window_days: { default: 7, GOOGLE: 30, META: 30 },
  ip_click_window_hours: 24,
  view_window_hours: 24,
  ctv_window_hours: 24,
  reinstall_window_days: 90,
  inactivity_days: 0,
};

/** To the millisecond, which is what is stored: a finer time would look changed at every application. */
const instant = (text: string | undefined) => text && new Date(text).toISOString();

const pick = <T extends object>(source: T, ...names: (keyof T)[]): Row =>
  Object.fromEntries(names.map((name) => [name, source[name]]));

/** Refuses a document that names one thing twice: the second would silently win. */
export function refuseDuplicates(field: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ApiError(400, `${field}: ${JSON.stringify(twice)} is there twice`);
}

/**
 * Creates or updates a project and what it contains.
 *
 * @throws ApiError 400 naming the field, for a reference to something that does not exist or belongs to another
 * project.
 */
export async function applyProject(at: Applying, document: ProjectDocument, field: string): Promise<void> {
  const { db, upsert } = at;
  const account = at.accounts.get(document.account);
  if (!account) throw new ApiError(400, `${field}.account: no account is named ${JSON.stringify(document.account)}`);
  const existing = await db.rows('SELECT * FROM projects WHERE account_id = $1 AND name = $2', [
    account.id,
    document.name,
  ]);
  const windows = (existing[0]?.attribution ?? ATTRIBUTION) as typeof ATTRIBUTION;
  const given = document.attribution;
  const attribution = given && {
    ...windows,
    ...given,
    click_window_days: { ...windows.click_window_days, ...given.click_window_days },
  };
  const [project] = await upsert(
    {
      table: 'projects',
      key: ['account_id', 'name'],
      defaults: { currency: 'USD', web_campaigns: false, website: null, attribution: ATTRIBUTION, created_at: at.now },
    },
    existing,
    [
      {
        account_id: account.id,
        ...pick(document, 'name', 'timezone', 'currency', 'web_campaigns', 'website'),
        created_at: instant(document.created_at),
        attribution,
      },
    ],
  );
  const projectId = project?.id as number;
  for (const kind of ['server_key', 'app_key', 'web_key'] as const) {
    await at.secrets({
      table: 'project_keys',
      owner: { project_id: projectId, kind },
      kind,
      label: { project: document.name },
      fixed: document[`${kind}s`] ?? [],
      field: `${field}.${kind}s`,
    });
  }

  const rowsOf = (table: string) => db.rows(`SELECT * FROM ${table} WHERE project_id = $1`, [projectId]);
  const apps = (document.apps ?? []).map((app) => ({ ...app, app_id: canonicalAppId(app.app_id) }));
  refuseDuplicates(
    `${field}.apps`,
    apps.map((app) => app.app_id),
  );
  await upsert(
    {
      table: 'apps',
      key: ['project_id', 'app_id'],
      defaults: { team_id: null, bundle_id: null, sha256_cert_fingerprints: [] },
    },
    await rowsOf('apps'),
    apps.map((app) => ({
      project_id: projectId,
      ...pick(app, 'platform', 'app_id', 'team_id', 'bundle_id', 'sha256_cert_fingerprints'),
    })),
  );
  await applyDomains(at, projectId, document, field);
  refuseDuplicates(
    `${field}.store_listings`,
    (document.store_listings ?? []).map((listing) => listing.store_listing_id),
  );
  await upsert(
    { table: 'store_listings', key: ['project_id', 'store_listing_id'], defaults: { url: null } },
    await rowsOf('store_listings'),
    (document.store_listings ?? []).map((listing) => ({
      project_id: projectId,
      ...pick(listing, 'store_listing_id', 'name', 'platform', 'url'),
    })),
  );
  refuseDuplicates(
    `${field}.network_accounts`,
    (document.network_accounts ?? []).map((one) => one.external_customer_id),
  );
  await upsert(
    {
      table: 'network_accounts',
      key: ['project_id', 'external_customer_id'],
      defaults: {
        name: null,
        email: null,
        status: 'active',
        capi_configured: false,
        currency: 'USD',
        account_name: null,
      },
    },
    await rowsOf('network_accounts'),
    (document.network_accounts ?? []).map((one) => ({
      project_id: projectId,
      ...pick(
        one,
        'network',
        'external_customer_id',
        'name',
        'email',
        'status',
        'capi_configured',
        'currency',
        'account_name',
      ),
    })),
  );
  refuseDuplicates(
    `${field}.partner_switches`,
    (document.partner_switches ?? []).map((one) => one.partner),
  );
  for (const [i, one] of (document.partner_switches ?? []).entries())
    await at.switches(
      projectId,
      at.partner(one.partner, `${field}.partner_switches[${i}].partner`),
      one,
      `${field}.partner_switches[${i}]`,
    );
  await applyCampaigns(
    at,
    { projectId, accountId: account.id as number, name: document.name },
    document.campaigns ?? [],
    field,
  );
}

async function applyDomains(at: Applying, projectId: number, document: ProjectDocument, field: string): Promise<void> {
  const wanted = (document.domains ?? []).map((domain) => ({ ...domain, name: domain.name.toLowerCase() }));
  refuseDuplicates(
    `${field}.domains`,
    wanted.map((domain) => domain.name),
  );
  const taken = await at.db.rows('SELECT name FROM domains WHERE project_id <> $1 AND name = ANY ($2)', [
    projectId,
    wanted.map((domain) => domain.name),
  ]);
  if (taken[0])
    throw new ApiError(400, `${field}.domains: ${JSON.stringify(taken[0].name)} belongs to another project`);
  const primaries = wanted.filter((domain) => domain.primary);
  if (primaries.length > 1) throw new ApiError(400, `${field}.domains: only one domain can be primary`);
  const existing = await at.db.rows('SELECT * FROM domains WHERE project_id = $1', [projectId]);
  const [primary] = primaries;
  // Where the document does not say, the first of the first domains is the primary one.
  const first =
    existing.length === 0 && !primary ? wanted.find((domain) => domain.primary === undefined)?.name : undefined;
  if (primary) {
    // The former primary domain steps down first: there is never more than one.
    for (const former of existing.filter((row) => row.is_primary && row.name !== primary.name)) {
      await at.db.rows('UPDATE domains SET is_primary = false WHERE id = $1', [former.id]);
      former.is_primary = false;
    }
  }
  const domains = await at.upsert(
    { table: 'domains', key: ['name'], defaults: { is_primary: false } },
    existing,
    wanted.map((domain) => ({
      project_id: projectId,
      name: domain.name,
      is_primary: domain.name === first ? true : domain.primary,
    })),
  );
  if (![...existing, ...domains].some((domain) => domain.is_primary)) return;
  // The system campaign comes with the primary domain (docs/contract.md, Workspace).
  await at.db.rows(
    `INSERT INTO campaigns (account_id, project_id, display_id, name, is_system, revision)
     SELECT account_id, id, $2, 'MAIN_DOMAIN', true, $3 FROM projects WHERE id = $1
      ON CONFLICT (project_id) WHERE is_system DO NOTHING`,
    [projectId, newDisplayId(), at.revision],
  );
}

async function applyCampaigns(
  at: Applying,
  project: { projectId: number; accountId: number; name: string },
  documents: readonly CampaignDocument[],
  field: string,
): Promise<void> {
  const { db } = at;
  const { projectId, accountId } = project;
  refuseDuplicates(
    `${field}.campaigns`,
    documents.map((one) => one.display_id),
  );
  const byName = async (table: string, column: string) =>
    new Map(
      (await db.rows(`SELECT id, ${column} AS name FROM ${table} WHERE project_id = $1`, [projectId])).map((row) => [
        row.name as string,
        row.id as number,
      ]),
    );
  const [accounts, domains, listings] = [
    await byName('network_accounts', 'external_customer_id'),
    await byName('domains', 'name'),
    await byName('store_listings', 'store_listing_id'),
  ];
  const existing = await db.rows('SELECT * FROM campaigns WHERE account_id = $1 AND display_id = ANY ($2)', [
    accountId,
    documents.map((one) => one.display_id),
  ]);
  const byDisplayId = new Map(existing.map((row) => [row.display_id as string, row]));

  const refer = (ids: Map<string, number>, what: string, path: string, name: string | null | undefined) => {
    if (name === null || name === undefined) return name;
    const id = ids.get(name);
    if (id === undefined) throw new ApiError(400, `${path}: the project has no ${what} ${JSON.stringify(name)}`);
    return id;
  };
  const desired: Row[] = [];
  for (const [i, one] of documents.entries()) {
    const path = `${field}.campaigns[${i}]`;
    const present = byDisplayId.get(one.display_id);
    if (present && present.project_id !== projectId)
      throw new ApiError(
        400,
        `${path}.display_id: ${JSON.stringify(one.display_id)} belongs to another project of the account`,
      );
    if (present?.is_system)
      throw new ApiError(400, `${path}.display_id: ${JSON.stringify(one.display_id)} is the system campaign`);
    if (one.name === 'MAIN_DOMAIN') throw new ApiError(400, `${path}.name: MAIN_DOMAIN is reserved`);
    if (present?.deleted_at) {
      at.skipped.push({ kind: 'campaign', project: project.name, display_id: one.display_id, reason: 'deleted' });
      continue;
    }
    desired.push({
      account_id: accountId,
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
      created_at: instant(one.created_at),
      partner_id:
        one.partner === null || one.partner === undefined ? one.partner : at.partner(one.partner, `${path}.partner`),
      network_account_id: refer(accounts, 'network account', `${path}.network_account`, one.network_account),
      domain_id: refer(domains, 'domain', `${path}.domain`, one.domain?.toLowerCase()),
      custom_channel_id: await channel(at, projectId, `${path}.custom_channel`, one.custom_channel),
      store_listing_ids: one.store_listings?.map(
        (id, j) => refer(listings, 'store listing', `${path}.store_listings[${j}]`, id) as number,
      ),
    });
  }
  await at.upsert(
    {
      table: 'campaigns',
      key: ['account_id', 'display_id'],
      defaults: {
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
        created_at: at.now,
      },
      stamp: { revision: at.revision, updated_at: at.now },
    },
    existing,
    desired,
  );
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
