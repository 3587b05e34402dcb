/** Single changes of postbacks: of a partner, and what a project overrides (docs/contract/postbacks.md). */
import { change, type Actor } from '../configuration/change';
import { mustExist } from '../configuration/must-exist';
import { blankHeaders, showHeaders } from '../configuration/postbacks/headers';
import { SAMPLE_VALUES } from '../configuration/postbacks/macros';
import { blankSecrets, render, type RenderedPostback } from '../configuration/postbacks/render';
import { readSecretNames, type Owner } from '../configuration/postbacks/stored-secrets';
import { putTemplates, TEMPLATE_DEFAULTS } from '../configuration/postbacks/stored-templates';
import { validateTemplate, type PostbackTemplate } from '../configuration/postbacks/template';
import { noTally } from '../configuration/upsert';
import type { Postgres, Queryable, Row } from '../db/postgres';
import { ApiError } from '../errors';
import type { Seal } from '../lib/seal';
import * as queries from './queries';

/** The request that a template makes of sample values, with blanks for secrets; nothing is sent. */
export async function preview(
  db: Queryable,
  owner: Owner,
  given: Pick<PostbackTemplate, 'method' | 'url'> & Partial<PostbackTemplate>,
): Promise<RenderedPostback> {
  const template = { headers: {}, body: null, ...given };
  const problem = validateTemplate(template, await readSecretNames(db, owner));
  if (problem) throw new ApiError(400, `${problem.field}: ${problem.message}`);
  return render(template, SAMPLE_VALUES, blankSecrets);
}

/** Which override of a project: the one for a partner, or that for every partner. */
export interface OverrideKey {
  readonly projectId: number;
  readonly partnerId: number | null;
  readonly event: string;
}

/** Without values of headers for who may not change them. @throws ApiError 404 when there is no such partner. */
export async function listPostbacks(db: Queryable, partnerId: number, seal: Seal, mayChange: boolean) {
  await mustExist(db, 'partners', partnerId);
  const rows = await queries.readPostbacks(db, partnerId);
  return rows.map((row) => ({
    ...row,
    headers: mayChange ? showHeaders(seal, row.headers) : blankHeaders(row.headers),
  }));
}

/** @throws ApiError 404 when there is no such project. */
export async function listOverrides(db: Queryable, projectId: number, seal: Seal) {
  await mustExist(db, 'projects', projectId);
  const rows = await queries.readOverrides(db, projectId);
  return rows.map((row) => ({ ...row, headers: showHeaders(seal, row.headers) }));
}

/** Makes or replaces what a partner receives about an event, in all projects. */
export function putPostback(
  postgres: Postgres,
  actor: Actor,
  { partnerId, event }: { readonly partnerId: number; readonly event: string },
  given: Row,
  seal: Seal,
) {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'partners', partnerId);
    const wanted = [{ ...whole(given), event }];
    await putTemplates(db, noTally(), { owner: { partnerId }, seal, field: 'postbacks', wanted, prefix: () => '' });
    const rows = await listPostbacks(db, partnerId, seal, true);
    return rows.find((row) => row.event === event) as Row;
  });
}

/** Makes or replaces an override. */
export function putOverride(postgres: Postgres, actor: Actor, key: OverrideKey, given: Row, seal: Seal): Promise<Row> {
  const { projectId, partnerId, event } = key;
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'projects', projectId);
    if (partnerId !== null) await mustExist(db, 'partners', partnerId);
    await putTemplates(db, noTally(), {
      owner: { projectId },
      seal,
      field: 'postback_overrides',
      wanted: [{ ...whole(given), partner_id: partnerId, event }],
      prefix: () => '',
    });
    const rows = await listOverrides(db, projectId, seal);
    return rows.find((row) => row.event === event && row.partner_id === partnerId) as Row;
  });
}

/** Deletes what a partner receives about an event; what projects override stays. */
export function deletePostback(postgres: Postgres, actor: Actor, partnerId: number, event: string): Promise<void> {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'partners', partnerId);
    const [row] = await queries.deletePostback(db, partnerId, null, event);
    if (!row) throw new ApiError(404, 'Postback not found.');
  });
}

/** Deletes an override: the partner's own template counts again. */
export function deleteOverride(postgres: Postgres, actor: Actor, key: OverrideKey): Promise<void> {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'projects', key.projectId);
    const [row] = await queries.deletePostback(db, key.partnerId, key.projectId, key.event);
    if (!row) throw new ApiError(404, 'Postback override not found.');
  });
}

/** A whole template: what is left out has its default. One that is on is in use again. */
function whole(given: Row): Row {
  const row: Row = { ...TEMPLATE_DEFAULTS, ...given };
  return row.enabled === true ? { ...row, switched_off_at: null } : row;
}
