/** Custom channels: how a name becomes its code (docs/contract/main-api.md). */

import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';
import { normaliseText } from '../lib/text';

export interface CustomChannel {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly active: boolean;
}

const put = readQuery('sql', 'configuration.put-channel');
const one = readQuery('sql', 'configuration.channel');

/** The project's channel of that name, made where there is none. Names that differ in case are one channel. */
export async function putChannel(db: Queryable, projectId: number, name: string): Promise<CustomChannel> {
  const slug = channelSlug(name);
  await db.rows(put, [projectId, slug, name]);
  const [channel] = await db.rows<CustomChannel & Record<string, unknown>>(one, [projectId, slug]);
  return channel as CustomChannel;
}

/** Codes of the default channels, which no custom channel can have. */
export const RESERVED_CHANNELS: ReadonlySet<string> = new Set([
  'google',
  'meta',
  'tiktok',
  'apple_search_ads',
  'snapchat',
  'linkedin',
  'organic',
  'adtrail_links',
  'none',
]);

/** What a channel name must be (rule 4), as a pattern: neither HTML nor script. */
export const CHANNEL_NAME_PATTERN = '^(?![\\s\\S]*[Jj][Aa][Vv][Aa][Ss][Cc][Rr][Ii][Pp][Tt]:)[^<>]*$';

/** The code of a channel name: lower case, each character that is no letter or digit of any script an underscore. */
export function channelSlug(name: string): string {
  return normaliseText(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '_');
}
