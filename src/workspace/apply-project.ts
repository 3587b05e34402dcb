/** Applies one project of the workspace document with everything inside it. */
import { canonicalAppId, canonicalFingerprint } from '../configuration/app-id';
import { putSwitches } from '../configuration/partner-switches';
import { KEY_KINDS } from '../configuration/queries';
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';
import { applyCampaigns } from './apply-campaigns';
import { applyDomains } from './apply-domains';
import { applyExports } from './apply-exports';
import { applyOverrides, applyPostbackSecrets } from './apply-postbacks';
import { applySecrets } from './apply-secrets';
import { applyWebhooks } from './apply-webhooks';
import type { Applying } from './applying';
import type { ProjectDocument } from './document';
import { pick, readCreatedAt } from './fields';
import * as queries from './queries';

/** The windows of a new project (docs/contract/workspace.md). */
const ATTRIBUTION = {
  click_window_days: { default: 7, GOOGLE: 30, META: 30 },
  ip_click_window_hours: 24,
  view_window_hours: 24,
  ctv_window_hours: 24,
  reinstall_window_days: 90,
  inactivity_days: 0,
};

/** A list of a project whose entries are rows of a table as they are. */
interface List {
  readonly table: string;
  /** The field that tells its entries apart. */
  readonly key: string;
  readonly columns: readonly string[];
  readonly defaults: Row;
}

const APPS: List = {
  table: 'apps',
  key: 'app_id',
  columns: ['platform', 'app_id', 'team_id', 'bundle_id', 'sha256_cert_fingerprints'],
  defaults: { team_id: null, bundle_id: null, sha256_cert_fingerprints: [] },
};
const STORE_LISTINGS: List = {
  table: 'store_listings',
  key: 'store_listing_id',
  columns: ['store_listing_id', 'name', 'platform', 'url'],
  defaults: { url: null },
};
const NETWORK_ACCOUNTS: List = {
  table: 'network_accounts',
  key: 'external_customer_id',
  columns: [
    'network',
    'external_customer_id',
    'name',
    'email',
    'status',
    'capi_configured',
    'currency',
    'account_name',
  ],
  defaults: { name: null, email: null, status: 'active', capi_configured: false, currency: 'USD', account_name: null },
};

/** The row of the project itself. */
async function putProject(
  at: Applying,
  document: ProjectDocument,
  field: string,
  present: Row | undefined,
): Promise<{ projectId: number; accountId: number }> {
  const { db, upsert } = at;
  const account = at.accounts.get(document.account);
  if (!account) throw new ApiError(400, `${field}.account: no account is named ${JSON.stringify(document.account)}`);
  const [namesake] = await queries.findProjectByName(db, account.id, document.name);
  if (present && namesake && namesake.id !== present.id)
    throw new ApiError(400, `${field}.name: ${JSON.stringify(document.name)} is another project of the account`);
  const existing = present ?? namesake;
  const windows = (existing?.attribution ?? ATTRIBUTION) as typeof ATTRIBUTION;
  const given = document.attribution;
  const attribution = given && {
    ...windows,
    ...given,
    click_window_days: { ...windows.click_window_days, ...given.click_window_days },
  };
  const [project] = await upsert(
    {
      table: 'projects',
      key: present ? ['id'] : ['account_id', 'name'],
      defaults: {
        currency: 'USD',
        web_campaigns: false,
        website: null,
        target_roas: 1,
        locale: 'en-US',
        attribution: ATTRIBUTION,
        reject_suspicious: false,
        created_at: at.now,
      },
    },
    existing ? [existing] : [],
    [
      {
        id: present?.id,
        account_id: account.id,
        ...pick(document, 'name', 'currency', 'web_campaigns', 'website', 'reject_suspicious', 'target_roas', 'locale'),
        timezone: await readTimezone(at, document.timezone, field, existing),
        created_at: readCreatedAt(document.created_at, field, at.now),
        attribution,
      },
    ],
  );
  return { projectId: project?.id as number, accountId: account.id as number };
}

/**
 * Creates or updates a project and what it contains. The project goes by its name, or is `present`, which then gets the
 * name of the document.
 *
 * @throws ApiError 400 naming the field, for a reference to something that does not exist or belongs to another
 * project, and for a new name that is taken.
 */
export async function applyProject(
  at: Applying,
  document: ProjectDocument,
  field: string,
  present?: Row,
): Promise<void> {
  const { projectId, accountId } = await putProject(at, document, field, present);
  for (const kind of KEY_KINDS) {
    await applySecrets(at, {
      table: 'project_keys',
      owner: { project_id: projectId, kind },
      kind,
      label: { project: document.name },
      fixed: document[`${kind}s`] ?? [],
      field: `${field}.${kind}s`,
    });
  }

  const apps = document.apps?.map((app) => ({
    ...app,
    app_id: canonicalAppId(app.app_id),
    sha256_cert_fingerprints: app.sha256_cert_fingerprints?.map(canonicalFingerprint),
  }));
  if (!at.isOperator) await refuseAppsOfOthers(at, projectId, apps ?? []);
  await applyList(at, projectId, APPS, apps);
  await applyDomains(at, projectId, document, field);
  await applyList(at, projectId, STORE_LISTINGS, document.store_listings);
  await applyList(at, projectId, NETWORK_ACCOUNTS, document.network_accounts);
  for (const [i, one] of (document.partner_switches ?? []).entries()) {
    const place = `${field}.partner_switches[${i}]`;
    await putSwitches(at.db, at.result, projectId, at.partner(one.partner, `${place}.partner`), one, place);
  }
  await applyCampaigns(at, { projectId, accountId, name: document.name }, document.campaigns ?? [], field);
  await applyPostbackSecrets(at, { projectId }, document.postback_secrets ?? [], field);
  await applyOverrides(at, projectId, document.postback_overrides ?? [], field);
  await applyWebhooks(at, { id: projectId, name: document.name }, document.webhooks ?? [], field);
  await applyExports(at, projectId, document.exports ?? [], field);
}

/**
 * An app ID belongs to the account that had it first, as long as it has it. Changes of the configuration run one after
 * the other, so that two accounts cannot both be first.
 *
 * @throws ApiError 409, which does not say whose it is.
 */
async function refuseAppsOfOthers(
  { db }: Applying,
  projectId: number,
  apps: readonly { app_id: string }[],
): Promise<void> {
  const [taken] = await queries.findAppOfOthers(
    db,
    projectId,
    apps.map(({ app_id }) => app_id),
  );
  if (taken) throw new ApiError(409, 'This app ID belongs to another account.');
}

/** With ClickHouse away a project keeps the zone that it has. */
async function readTimezone(at: Applying, text: string, field: string, existing: Row | undefined): Promise<string> {
  if (text === existing?.timezone) return text;
  const timezone = await at.resolveTimezone(text);
  if (timezone === undefined)
    throw new ApiError(400, `${field}.timezone: there is no time zone ${JSON.stringify(text)}`);
  return timezone;
}

async function applyList(
  { db, upsert }: Applying,
  projectId: number,
  { table, key, columns, defaults }: List,
  entries: readonly Row[] = [],
): Promise<void> {
  const rows: Row[] = entries.map((entry) => ({ project_id: projectId, ...pick(entry, ...columns) }));
  await upsert(
    { table, key: ['project_id', key], defaults },
    await db.rows(`SELECT * FROM ${table} WHERE project_id = $1`, [projectId]),
    rows,
  );
}
