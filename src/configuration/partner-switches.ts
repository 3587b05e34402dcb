/** What an advertiser switches on for a partner in a project: its form, and how it is stored. */
import type { Queryable, Row } from '../db/postgres';
import { ApiError } from '../errors';
import { closed, list, optional, Type, type Static } from '../lib/schema';
import { canonicalAppId } from './app-id';
import { upsert, type Tally } from './upsert';

const flag = Type.Boolean();

/** In whole hours or days. A window above the cap of docs/contract/attribution.md, is legal and counts as the cap. */
export const windowSchema = Type.Integer({ minimum: 0, maximum: 100_000 });

export const switchFields = optional({
  s2s_clicks: flag,
  s2s_traffic: flag,
  view_through: flag,
  ctv_apps: list(Type.String({ minLength: 1, maxLength: 255 }), { uniqueItems: true }),
  view_window_hours: windowSchema,
});
export const switchesSchema = closed(switchFields, { title: 'PartnerSwitches', minProperties: 1 });
export type Switches = Static<typeof switchesSchema>;

const KIND = {
  table: 'partner_switches',
  key: ['project_id', 'partner_id'],
  defaults: { s2s_clicks: false, s2s_traffic: false, view_through: false, ctv_apps: [], view_window_hours: 24 },
};

/**
 * Stores them; what is omitted stays, or is off in a new row.
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
    const rows = await db.rows<{ app_id: string }>('SELECT app_id FROM apps WHERE project_id = $1', [projectId]);
    const apps = new Set(rows.map(({ app_id }) => app_id));
    const unknown = ctv_apps.find((app) => !apps.has(app));
    if (unknown !== undefined)
      throw new ApiError(400, `${field}.ctv_apps: the project has no app ${JSON.stringify(unknown)}`);
  }
  const existing = await db.rows('SELECT * FROM partner_switches WHERE project_id = $1 AND partner_id = $2', [
    projectId,
    partnerId,
  ]);
  const owner = { project_id: projectId, partner_id: partnerId };
  const switches = { s2s_clicks, s2s_traffic, view_through, ctv_apps, view_window_hours };
  const [row] = await upsert(db, tally, KIND, existing, [{ ...owner, ...switches }]);
  return row as Row;
}
