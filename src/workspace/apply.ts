/**
 * Applies a workspace document: creates what is missing, updates what differs, deletes nothing
 * (docs/contract/workspace.md).
 */
import type { Postgres, Queryable, Row } from '../db/postgres';
import { ApiError } from '../errors';
import { change, type Actor } from '../configuration/change';
import { noTally, upsert } from '../configuration/upsert';
import { canonicalDomain } from '../lib/urls';
import { applyPostbacks, applyPostbackSecrets } from './apply-postbacks';
import { applyProject } from './apply-project';
import { applySecrets } from './apply-secrets';
import type { Applying, ApplyResult, Given } from './applying';
import type { AccountSettings, ProjectDocument, ProjectSettings, WorkspaceDocument } from './document';
import * as queries from './queries';
import { refuseRepeats, refuseRepeatsInProject } from './repeats';

/**
 * Refuses the hosts at which this service itself is reached: on a tracking domain there is no administration.
 *
 * @throws ApiError 400 naming the field; `nameProject` names a project.
 */
export function refuseDomains(
  projects: readonly Pick<ProjectDocument, 'domains'>[],
  hosts: ReadonlySet<string>,
  nameProject = (i: number) => `projects[${i}]`,
): void {
  for (const [i, { domains = [] }] of projects.entries())
    for (const [j, { name }] of domains.entries())
      if (hosts.has(canonicalDomain(name)))
        throw new ApiError(400, `${nameProject(i)}.domains[${j}].name: this service itself is reached at ${name}`);
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
  given: Given,
): Promise<ApplyResult> {
  refuseRepeats(document);
  return change(postgres, actor, (db, revision) => applyDocument(db, revision, document, given));
}

/** How many changes a preview shows. */
export const MAX_CHANGES = 500;

/** What applying a document would change: the first of the entries that the audit log would have, and how many. */
export interface Preview extends ApplyResult {
  readonly changed: number;
  readonly changes: readonly Row[];
}

/** Thrown so that nothing of a preview stays. */
class Previewed extends Error {
  constructor(readonly preview: Preview) {
    super('Only a preview');
  }
}

/**
 * What `applyWorkspace` would answer and change; nothing is changed, and no secret is shown, since it would be another
 * one.
 *
 * @throws ApiError as `applyWorkspace` does.
 */
export async function previewWorkspace(
  postgres: Postgres,
  actor: Actor,
  document: WorkspaceDocument,
  given: Given,
): Promise<Preview> {
  refuseRepeats(document);
  const preview = await change(postgres, actor, async (db, revision): Promise<Preview> => {
    const [last] = await queries.readLastEntry(db);
    const result = await applyDocument(db, revision, document, given);
    const changes = await queries.readChanges(db, last?.id ?? 0, MAX_CHANGES);
    const [count] = await queries.countChanges(db, last?.id ?? 0);
    throw new Previewed({ ...result, secrets: [], changed: count?.changed ?? 0, changes });
  }).catch((error: unknown) => {
    if (error instanceof Previewed) return error.preview;
    throw error;
  });
  return preview;
}

async function applyDocument(
  db: Queryable,
  revision: number,
  document: WorkspaceDocument,
  given: Given,
): Promise<ApplyResult> {
  const begun = begin(db, revision);
  const { now, upsert: put } = begun;
  await put(
    {
      table: 'accounts',
      key: ['name'],
      defaults: { billing_status: 'active', payment_link: null, analyst_sql: false, created_at: now },
    },
    [...(await named(db, 'accounts')).values()],
    (document.accounts ?? []).map(({ name, billing_status, payment_link, analyst_sql }) => ({
      name,
      billing_status,
      payment_link,
      analyst_sql,
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

  const at = await prepare({ ...given, ...begun, isOperator: true });
  for (const [i, partner] of (document.partners ?? []).entries()) {
    const partnerId = at.partner(partner.name, `partners[${i}]`);
    await applySecrets(at, {
      table: 'partner_tokens',
      owner: { partner_id: partnerId },
      kind: 'partner_token',
      label: { partner: partner.name },
      fixed: partner.tokens ?? [],
      field: `partners[${i}].tokens`,
    });
    await applyPostbackSecrets(at, { partnerId }, partner.postback_secrets ?? [], `partners[${i}]`);
    await applyPostbacks(at, partnerId, partner.postbacks ?? [], `partners[${i}]`);
  }
  for (const [i, project] of (document.projects ?? []).entries()) await applyProject(at, project, `projects[${i}]`);
  return at.result;
}

/**
 * Changes what an account allows, and returns it as it is since.
 *
 * @throws ApiError 404 where there is no such account.
 */
export const applyToAccount = (postgres: Postgres, actor: Actor, id: number, { analyst_sql }: AccountSettings) =>
  change(postgres, actor, async (db) => {
    const [account] = await queries.changeAccount(db, id, analyst_sql ?? null);
    if (!account) throw new ApiError(404, 'Account not found.');
    return account;
  });

/** Projects of one account that its own people may make; an operator makes more. */
const MAX_PROJECTS = 100;

/**
 * Makes a project of an account, with a key of each kind.
 *
 * @throws ApiError 400 naming the field, 409 for a name that is taken, and beyond what an account may have.
 */
export async function createProject(
  postgres: Postgres,
  actor: Actor,
  project: Pick<ProjectDocument, 'name' | 'account' | 'timezone' | 'currency' | 'website'>,
  given: Given & Pick<Applying, 'isOperator'>,
): Promise<ApplyResult & { readonly id: number }> {
  return change(postgres, actor, async (db, revision) => {
    const [account] = await queries.findAccount(db, project.account);
    if (!account) throw new ApiError(404, 'Account not found.');
    const [namesake] = await queries.findProjectByName(db, account.id, project.name);
    if (namesake) throw new ApiError(409, `The account has a project ${JSON.stringify(project.name)} already.`);
    if (!given.isOperator && account.projects >= MAX_PROJECTS)
      throw new ApiError(409, `An account has at most ${MAX_PROJECTS} projects. Ask an operator for more.`);
    const at = await prepare({ ...given, ...begin(db, revision) });
    await applyProject(at, project, 'body');
    const [made] = await queries.findProjectByName(db, account.id, project.name);
    return { ...at.result, id: made?.id as number };
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
  given: Given & Pick<Applying, 'isOperator'>,
): Promise<ApplyResult> {
  refuseRepeatsInProject(settings, 'body');
  return change(postgres, actor, async (db, revision) => {
    const [project] = await queries.findProject(db, projectId);
    if (!project) throw new ApiError(404, 'Project not found.');
    const { account, ...present } = project;
    const { name, timezone } = project;
    const at = await prepare({ ...given, ...begin(db, revision) });
    await applyProject(at, { name, account, timezone, ...settings }, 'body', present);
    return at.result;
  });
}

function begin(db: Queryable, revision: number): Pick<Applying, 'db' | 'now' | 'revision' | 'result' | 'upsert'> {
  const result: ApplyResult = { ...noTally(), skipped: [], secrets: [] };
  return {
    db,
    now: new Date().toISOString(),
    revision,
    result,
    upsert: (kind, existing, desired) => upsert(db, result, kind, existing, desired),
  };
}

const named = async (db: Queryable, table: 'accounts' | 'partners') =>
  new Map((await db.rows(`SELECT * FROM ${table}`)).map((row) => [row.name as string, row]));

/** Adds the accounts and partners that there are by now. */
async function prepare(given: Omit<Applying, 'accounts' | 'partner'>): Promise<Applying> {
  const partners = await named(given.db, 'partners');
  return {
    ...given,
    accounts: await named(given.db, 'accounts'),
    partner(name, field) {
      const partner = partners.get(name);
      if (!partner) throw new ApiError(400, `${field}: no partner is named ${JSON.stringify(name)}`);
      return partner.id as number;
    },
  };
}
