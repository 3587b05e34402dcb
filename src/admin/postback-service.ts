/** Single changes of postbacks: of a partner, and what a project overrides (docs/contract.md, Postbacks). */
import { change, type Actor } from '../configuration/change';
import { SAMPLE_VALUES } from '../configuration/postbacks/macros';
import { render, type RenderedPostback } from '../configuration/postbacks/render';
import { validateTemplate, type PostbackTemplate } from '../configuration/postbacks/template';
import type { Postgres, Queryable, Row } from '../db/postgres';
import { ApiError } from '../errors';
import { MOST } from './postback-schema';
import * as templates from './postback-templates';
import * as queries from './queries';
import { mustExist } from './service';

/** The request that a template makes of sample values; nothing is sent. */
export function preview(given: Pick<PostbackTemplate, 'method' | 'url'> & Partial<PostbackTemplate>): RenderedPostback {
  const template = { headers: {}, body: null, ...given };
  const problem = validateTemplate(template);
  if (problem) throw new ApiError(400, `${problem.field}: ${problem.message}`);
  return render(template, SAMPLE_VALUES);
}

/** Which override of a project: the one for a partner, or that for every partner. */
export interface OverrideKey {
  readonly projectId: number;
  readonly partnerId: number | null;
  readonly event: string;
}

/** @throws ApiError 404 when there is no such partner. */
export async function listPostbacks(db: Queryable, partnerId: number): Promise<Row[]> {
  await mustExist(db, 'partners', partnerId);
  return queries.readPostbacks(db, partnerId);
}

/** @throws ApiError 404 when there is no such project. */
export async function listOverrides(db: Queryable, projectId: number): Promise<Row[]> {
  await mustExist(db, 'projects', projectId);
  return queries.readPostbackOverrides(db, projectId);
}

/** Makes or replaces what a partner is told of an event, in all projects. */
export function putPostback(postgres: Postgres, actor: Actor, partnerId: number, event: string, given: Row) {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'partners', partnerId);
    await templates.putTemplates(db, noTally(), {
      field: 'postbacks',
      most: MOST.postbacks,
      existing: await templates.readPartnerTemplates(db, partnerId),
      wanted: [{ ...whole(given), partner_id: partnerId, project_id: null, event }],
      fieldOf: () => '',
    });
    const rows = await queries.readPostbacks(db, partnerId);
    return rows.find((row) => row.event === event) as Row;
  });
}

/** Makes or replaces an override. */
export function putOverride(postgres: Postgres, actor: Actor, key: OverrideKey, given: Row): Promise<Row> {
  const { projectId, partnerId, event } = key;
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'projects', projectId);
    if (partnerId !== null) await mustExist(db, 'partners', partnerId);
    await templates.putTemplates(db, noTally(), {
      field: 'postback_overrides',
      most: MOST.postback_overrides,
      existing: await templates.readProjectTemplates(db, projectId),
      wanted: [{ ...whole(given), partner_id: partnerId, project_id: projectId, event }],
      fieldOf: () => '',
    });
    const rows = await queries.readPostbackOverrides(db, projectId);
    return rows.find((row) => row.event === event && row.partner_id === partnerId) as Row;
  });
}

/** Deletes what a partner is told of an event; what projects override stays. */
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

const noTally = () => ({ created: 0, updated: 0, unchanged: 0 });

/** A whole template: what is left out has its default. One that is on is in use again. */
function whole(given: Row): Row {
  const row: Row = { ...templates.TEMPLATE_DEFAULTS, ...given };
  return row.enabled === true ? { ...row, switched_off_at: null } : row;
}
