/** Custom channels: how a name becomes its code (spec.md, custom channel rules 2 and 3; decisions.md §3). */

/** Codes of the default channels, which no custom channel can have. */
export const RESERVED_CHANNELS: ReadonlySet<string> = new Set(['google', 'meta', 'tiktok', 'apple_search_ads', 'snapchat', 'linkedin', 'organic', 'adtrail_links', 'none']);

/** The code of a channel name: lower case, each character that is no letter or digit of any script an underscore. */
export function channelSlug(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '_');
}
