/**
 * Applies a workspace document: creates what is missing, updates what differs, deletes nothing
 * (docs/contract/workspace.md).
 */
import type { Postgres, Queryable, Row } from '../db/postgres';
import { ApiError } from '../errors';
import { canonicalAppId } from '../configuration/app-id';
import { change, type Actor } from '../configuration/change';
import type { ResolveTimezone } from '../configuration/timezones';
import type { Seals } from '../lib/seal';
import { newSecret, sha256 } from '../lib/secrets';
import { canonicalDomain } from '../lib/urls';
import type { Applying, ApplyResult, Secrets } from './applying';
import { applyPostbackSecrets } from './postback-secrets';
import { applyPostbacks } from './postback-templates';
import * as queries from './queries';
import { applyProject } from './workspace-project';
import { refuseRepeats, refuseRepeatsInProject } from './workspace-repeats';
import { upsert, type Kind, type Tally } from './upsert';
import type { ProjectDocument, ProjectSettings, Switches, WorkspaceDocument } from './workspace-schema';

/**
 * Refuses the hosts at which this service itself is reached: on a tracking domain there is no administration.
 *
 * @throws ApiError 400 naming the field; `fieldOf` names a project.
 */
export function refuseDomains(
  projects: readonly Pick<ProjectDocument, 'domains'>[],
  hosts: ReadonlySet<string>,
  fieldOf = (i: number) => `projects[${i}]`,
): void {
  for (const [i, { domains = [] }] of projects.entries())
    for (const [j, { name }] of domains.entries())
      if (hosts.has(canonicalDomain(name)))
        throw new ApiError(400, `${fieldOf(i)}.domains[${j}].name: this service itself is reached at ${name}`);
}

/**
 * Applies the whole document in one transaction: an error anywhere leaves everything as it was.
 *
 * @throws ApiError 400 naming the field that cannot be applied.
 */
export async function applyWorkspace(
  postgres: Postgres,
  actor: Actor,
  document: WorkspaceDocument,
  resolveTimezone: ResolveTimezone,
  seals: Seals,
): Promise<ApplyResult> {
  refuseRepeats(document);
  return change(postgres, actor, async (db, revision) => {
    const result = nothingYet();
    const now = new Date().toISOString();
    const put = (kind: Kind, existing: readonly Row[], desired: readonly Row[]) =>
      upsert(db, result, kind, existing, desired);
    await put(
      { table: 'accounts', key: ['name'], defaults: { billing_status: 'active', payment_link: null, created_at: now } },
      [...(await named(db, 'accounts')).values()],
      (document.accounts ?? []).map(({ name, billing_status, payment_link }) => ({
        name,
        billing_status,
        payment_link,
      })),
    );
    await put(
      { table: 'partners', key: ['name'], defaults: { status: 'active', created_at: now } },
      [...(await named(db, 'partners')).values()],
      (document.partners ?? []).map(({ name, status }) => ({ name, status })),
    );
    await put(
      { table: 'exchange_rates', key: ['date', 'currency'], defaults: {} },
      document.exchange_rates?.length ? await db.rows('SELECT * FROM exchange_rates') : [],
      document.exchange_rates ?? [],
    );

    const at = await applying(db, { revision, now, result, resolveTimezone, seals, isOperator: true });
    const partners = await named(db, 'partners');
    for (const [i, partner] of (document.partners ?? []).entries()) {
      await at.secrets({
        table: 'partner_tokens',
        owner: { partner_id: partners.get(partner.name)?.id },
        kind: 'partner_token',
        label: { partner: partner.name },
        fixed: partner.tokens ?? [],
        field: `partners[${i}].tokens`,
      });
      const partnerId = at.partner(partner.name, `partners[${i}]`);
      await applyPostbackSecrets(at, { partnerId }, partner.postback_secrets ?? [], `partners[${i}]`);
      await applyPostbacks(at, partnerId, partner.postbacks ?? [], `partners[${i}]`);
    }
    for (const [i, project] of (document.projects ?? []).entries()) await applyProject(at, project, `projects[${i}]`);
    return result;
  });
}

/**
 * Applies what a document says of one project, which is there: the rest of it stays as it is.
 *
 * @throws ApiError 400 naming the field that cannot be applied, 404 where there is no such project, 409 for an app ID
 * of another account.
 */
export async function applyToProject(
  postgres: Postgres,
  actor: Actor,
  projectId: number,
  settings: ProjectSettings,
  given: Pick<Applying, 'resolveTimezone' | 'seals' | 'isOperator'>,
): Promise<ApplyResult> {
  refuseRepeatsInProject(settings, 'body');
  return change(postgres, actor, async (db, revision) => {
    const result = nothingYet();
    const [project] = await queries.findProject(db, projectId);
    if (!project) throw new ApiError(404, 'Project not found.');
    const { account, ...present } = project;
    const { name, timezone } = project;
    const now = new Date().toISOString();
    const at = await applying(db, { revision, now, result, ...given });
    await applyProject(at, { name, account, timezone, ...settings }, 'body', present);
    return result;
  });
}

const nothingYet = (): ApplyResult => ({ created: 0, updated: 0, unchanged: 0, skipped: [], secrets: [] });

const named = async (db: Queryable, table: 'accounts' | 'partners') =>
  new Map((await db.rows(`SELECT * FROM ${table}`)).map((row) => [row.name as string, row]));

async function applying(
  db: Queryable,
  given: Pick<Applying, 'revision' | 'now' | 'result' | 'resolveTimezone' | 'seals' | 'isOperator'>,
): Promise<Applying> {
  const { result } = given;
  const partners = await named(db, 'partners');
  return {
    ...given,
    db,
    accounts: await named(db, 'accounts'),
    upsert: (kind, existing, desired) => upsert(db, result, kind, existing, desired),
    partner(name, field) {
      const partner = partners.get(name);
      if (!partner) throw new ApiError(400, `${field}: no partner is named ${JSON.stringify(name)}`);
      return partner.id as number;
    },
    secrets: (wanted) => applySecrets(db, result, wanted),
    switches: async (projectId, partnerId, wanted, field) => {
      await putSwitches(db, result, projectId, partnerId, wanted, field);
    },
  };
}

/**
 * Stores the fixed secrets of an owner, or generates one where it never had any: a revoked one is not replaced here.
 */
async function applySecrets(
  db: Queryable,
  result: ApplyResult,
  { table, owner, kind, label, fixed, field }: Secrets,
): Promise<void> {
  const columns = Object.keys(owner);
  const own = await db.rows(
    `SELECT * FROM ${table} WHERE ${columns.map((column, i) => `${column} = $${i + 1}`).join(' AND ')}`,
    Object.values(owner),
  );
  const generated = own.length === 0 && fixed.length === 0 ? newSecret(kind) : undefined;
  if (generated) result.secrets.push({ kind, ...label, value: generated });
  for (const [i, secret] of (generated ? [generated] : fixed).entries()) {
    const hash = sha256(secret);
    const [present] = await db.rows(`SELECT * FROM ${table} WHERE sha256 = $1`, [hash]);
    if (!present) {
      const values = columns.map((_, j) => `$${j + 2}`).join(', ');
      await db.rows(`INSERT INTO ${table} (sha256, ${columns.join(', ')}) VALUES ($1, ${values})`, [
        hash,
        ...Object.values(owner),
      ]);
      result.created += 1;
    } else if (columns.some((column) => present[column] !== owner[column])) {
      throw new ApiError(400, `${field}[${i}]: this secret belongs to somebody else`);
    } else if (present.revoked_at) {
      result.skipped.push({ kind, ...label, reason: 'revoked' });
    } else {
      result.unchanged += 1;
    }
  }
}

/**
 * Sets what an advertiser has switched on for a partner in a project; what is omitted stays, or is off in a new row.
 *
 * @throws ApiError 400 when ctv_apps names an app that the project does not have.
 */
export async function putSwitches(
  db: Queryable,
  tally: Tally,
  projectId: number,
  partnerId: number,
  wanted: Switches,
  field: string,
): Promise<Row> {
  const { s2s_clicks, s2s_traffic, view_through, view_window_hours } = wanted;
  const ctv_apps = wanted.ctv_apps?.map(canonicalAppId);
  if (ctv_apps) {
    const apps = new Set(
      (await db.rows<{ app_id: string }>('SELECT app_id FROM apps WHERE project_id = $1', [projectId])).map(
        (row) => row.app_id,
      ),
    );
    const unknown = ctv_apps.find((app) => !apps.has(app));
    if (unknown !== undefined)
      throw new ApiError(400, `${field}.ctv_apps: the project has no app ${JSON.stringify(unknown)}`);
  }
  const existing = await db.rows('SELECT * FROM partner_switches WHERE project_id = $1 AND partner_id = $2', [
    projectId,
    partnerId,
  ]);
  const [row] = await upsert(
    db,
    tally,
    {
      table: 'partner_switches',
      key: ['project_id', 'partner_id'],
      defaults: { s2s_clicks: false, s2s_traffic: false, view_through: false, ctv_apps: [], view_window_hours: 24 },
    },
    existing,
    [
      {
        project_id: projectId,
        partner_id: partnerId,
        s2s_clicks,
        s2s_traffic,
        view_through,
        ctv_apps,
        view_window_hours,
      },
    ],
  );
  return row as Row;
}
