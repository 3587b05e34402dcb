/** Stores templates of postbacks: those of a partner, and what a project overrides (docs/contract/postbacks.md). */
import { isDeepStrictEqual } from 'node:util';
import type { Queryable, Row } from '../../db/postgres';
import { postgresQuery } from '../../db/sql';
import { ApiError } from '../../errors';
import type { Seal } from '../../lib/seal';
import { upsert, type Tally } from '../upsert';
import { MOST } from './fields';
import { sealHeaders, showHeaders, type Headers } from './headers';
import { listOwnerIds, readSecretNames, type Owner } from './stored-secrets';
import { validateTemplate, type PostbackTemplate } from './template';

/** What a new template has where nothing is said; an override without URL leaves the request to the partner. */
export const TEMPLATE_DEFAULTS = { method: null, url: null, headers: {}, body: null, withhold: [], enabled: true };
const REQUEST = ['method', 'url', 'headers', 'body'] as const;

export interface StoredTemplate extends PostbackTemplate, Row {
  readonly event: string;
}
export interface TemplateRow extends StoredTemplate {
  /** Null for every partner. */
  readonly partner_id: number | null;
}

const selectTemplates = postgresQuery<TemplateRow>('configuration.postback-templates');

/** The templates of a partner in all projects, or the overrides of a project. Headers are sealed. */
export const readTemplates = (db: Queryable, owner: Owner) => selectTemplates(db, ...listOwnerIds(owner));

/** What is to be stored for a partner or a project. */
export interface Templates {
  readonly owner: Owner;
  /** Seals headers. */
  readonly seal: Seal;
  /** The field that lists them. */
  readonly field: string;
  /** Those of a project say for which partner. */
  readonly wanted: readonly Row[];
  /** What the fields of the one of that index begin with. */
  readonly prefix: (index: number) => string;
}

/**
 * Makes the templates that are not there yet and changes the others; what is undefined stays. One whose request
 * changes, or that is switched on, is in use again.
 *
 * @throws ApiError 400 naming the field.
 */
export async function putTemplates(db: Queryable, tally: Tally, templates: Templates): Promise<void> {
  const { owner, seal, field, wanted, prefix } = templates;
  const existing = await readTemplates(db, owner);
  const secrets = await readSecretNames(db, owner);
  const isPartner = 'partnerId' in owner;
  const whose = isPartner ? { partner_id: owner.partnerId, project_id: null } : { project_id: owner.projectId };
  const encodeKey = (row: Row) => JSON.stringify([row.partner_id, row.event]);
  const byKey = new Map<string, Row>(existing.map((row) => [encodeKey(row), row]));
  const [known, fresh]: [Row[], Row[]] = [[], []];
  for (const [i, given] of wanted.entries()) {
    const row: Row = { ...whose, ...given, ...(given.body === undefined ? {} : { body: asStored(given.body) }) };
    const before = byKey.get(encodeKey(row));
    const defined = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
    const sealed = before?.headers as Headers | undefined;
    const present: Row | undefined = before && { ...before, headers: showHeaders(seal, sealed ?? {}) };
    refuseProblem({ ...TEMPLATE_DEFAULTS, ...present, ...defined }, secrets, prefix(i));
    const stored =
      row.headers === undefined ? row : { ...row, headers: sealHeaders(seal, row.headers as Headers, sealed) };
    if (present) known.push({ id: present.id, ...stored, ...inUseAgain(present, row, REQUEST) });
    else fresh.push(stored);
  }
  const most = isPartner ? MOST.postbacks : MOST.postback_overrides;
  if (existing.length + fresh.length > most) throw new ApiError(400, `${field}: there may be at most ${most}`);
  const table = 'postback_templates';
  await upsert(db, tally, { table, key: ['id'], defaults: {} }, existing, known);
  await upsert(db, tally, { table, key: ['partner_id', 'event'], defaults: TEMPLATE_DEFAULTS }, [], fresh);
}

/** What a receiver has switched off by 410 is in use again once it is changed, or switched off and on. */
export function inUseAgain(before: Row, given: Row, columns: readonly string[]): Row {
  const isChanged = columns.some((name) => given[name] !== undefined && !isDeepStrictEqual(given[name], before[name]));
  const isSwitchedOn = before.enabled === false && given.enabled === true;
  return isChanged || isSwitchedOn ? { switched_off_at: null } : {};
}

/** As PostgreSQL gives it back: else -0, for example, would look changed at every application. */
const asStored = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

function refuseProblem(row: Row, secrets: ReadonlySet<string>, field: string): void {
  const { method, url, headers, body } = row;
  const isSilent = method === null && url === null && body === null && Object.keys(headers as object).length === 0;
  if (isSilent) return;
  if (method === null) throw new ApiError(400, `${field}method: is required with url, headers or body`);
  if (url === null) throw new ApiError(400, `${field}url: is required with method, headers or body`);
  const problem = validateTemplate({ method, url, headers, body } as PostbackTemplate, secrets);
  if (problem) throw new ApiError(400, `${field}${problem.field}: ${problem.message}`);
}
