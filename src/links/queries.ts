/** The query behind previews of links. */
import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';

const text = readQuery('sql', 'links.link');

export interface LinkRow extends Record<string, unknown> {
  name: string;
  deeplink: string | null;
  is_shortlink: boolean;
  own_domain: string | null;
  website: string | null;
  ios_web_redirect: string | null;
  android_web_redirect: string | null;
}

export const readLinkRow = async (db: Queryable, projectId: number, campaignId: number) =>
  (await db.rows<LinkRow>(text, [projectId, campaignId]))[0];
