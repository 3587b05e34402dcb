/** Stores templates of postbacks: those of a partner, and what a project overrides (docs/contract/postbacks.md). */
import { isDeepStrictEqual } from 'node:util';
import { validateTemplate, type PostbackTemplate } from '../configuration/postbacks/template';
import { sealHeaders, showHeaders, type Headers } from '../configuration/postbacks/headers';
import type { Queryable, Row } from '../db/postgres';
import { ApiError } from '../errors';
import type { Seal } from '../lib/seal';
import { MOST, type OverrideEntry, type PostbackEntry } from './postback-schema';
import { readSecretNames } from './postback-secrets';
import * as queries from './queries';
import { upsert, type Tally } from './upsert';
import type { Applying } from './applying';
import { pick, refuseDuplicates } from './workspace-fields';

/** What a new template has where nothing is said; an override without URL leaves the request to the partner. */
export const TEMPLATE_DEFAULTS = { method: null, url: null, headers: {}, body: null, withhold: [], enabled: true };
const REQUEST = ['method', 'url', 'headers', 'body'] as const;

/** The templates of one partner or of one project. */
export interface Templates {
  /** The field that lists them. */
  readonly field: string;
  readonly most: number;
  /** Their headers are sealed. */
  readonly existing: readonly Row[];
  /** Seals headers. */
  readonly seal: Seal;
  /** The names of the secrets that there are. */
  readonly secrets: ReadonlySet<string>;
  readonly wanted: readonly Row[];
  /** What the fields of the one of that index begin with. */
  readonly fieldOf: (index: number) => string;
}

/** A request is given as a whole: headers and a body that are left out are none. Without a URL there is none. */
const wholeRequest = (entry: Partial<Pick<OverrideEntry, (typeof REQUEST)[number]>>) =>
  entry.url === undefined || entry.url === null
    ? pick(entry, ...REQUEST)
    : { method: entry.method, url: entry.url, headers: entry.headers ?? {}, body: entry.body ?? null };

export async function applyPostbacks(at: Applying, partnerId: number, entries: readonly PostbackEntry[], of: string) {
  const field = `${of}.postbacks`;
  refuseDuplicates(
    field,
    entries.map((entry) => entry.event),
  );
  await putTemplates(at.db, at.result, {
    field,
    most: MOST.postbacks,
    existing: await queries.readTemplates(at.db, partnerId, null),
    seal: at.seals.of('postback headers'),
    secrets: await readSecretNames(at.db, { partnerId }),
    wanted: entries.map((entry) => ({
      partner_id: partnerId,
      project_id: null,
      ...pick(entry, 'event', 'enabled'),
      ...wholeRequest(entry),
    })),
    fieldOf: (i) => `${field}[${i}].`,
  });
}

export async function applyOverrides(at: Applying, projectId: number, entries: readonly OverrideEntry[], of: string) {
  const field = `${of}.postback_overrides`;
  refuseDuplicates(
    field,
    entries.map(({ event, partner }) => (partner === undefined ? event : `${event} of ${partner}`)),
  );
  await putTemplates(at.db, at.result, {
    field,
    most: MOST.postback_overrides,
    existing: await queries.readTemplates(at.db, null, projectId),
    seal: at.seals.of('postback headers'),
    secrets: await readSecretNames(at.db, { projectId }),
    wanted: entries.map((entry, i) => ({
      partner_id: entry.partner === undefined ? null : at.partner(entry.partner, `${field}[${i}].partner`),
      project_id: projectId,
      ...pick(entry, 'event', 'withhold', 'enabled'),
      ...wholeRequest(entry),
    })),
    fieldOf: (i) => `${field}[${i}].`,
  });
}

/**
 * Makes the templates that are not there yet and changes the others; what is undefined stays. One whose request
 * changes, or that is switched on, is in use again.
 *
 * @throws ApiError 400 naming the field.
 */
export async function putTemplates(db: Queryable, tally: Tally, templates: Templates) {
  const { field, most, existing, wanted, seal, secrets, fieldOf } = templates;
  const encodeOverrideKey = (row: Row) => JSON.stringify([row.partner_id, row.event]);
  const byKey = new Map(existing.map((row) => [encodeOverrideKey(row), row]));
  const [known, fresh]: [Row[], Row[]] = [[], []];
  for (const [i, given] of wanted.entries()) {
    const row: Row = { ...given, ...(given.body === undefined ? {} : { body: asStored(given.body) }) };
    const before = byKey.get(encodeOverrideKey(given));
    const defined = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
    const sealed = before?.headers as Headers | undefined;
    const present: Row | undefined = before && { ...before, headers: showHeaders(seal, sealed ?? {}) };
    refuseProblem({ ...TEMPLATE_DEFAULTS, ...present, ...defined }, secrets, fieldOf(i));
    const stored =
      row.headers === undefined ? row : { ...row, headers: sealHeaders(seal, row.headers as Headers, sealed) };
    if (present) known.push({ id: present.id, ...stored, ...inUseAgain(present, row, REQUEST) });
    else fresh.push(stored);
  }
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
