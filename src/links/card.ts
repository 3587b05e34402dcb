/** What a link shows of itself where it is shared: a page with Open Graph tags, for programs alone. */
import type { LinkCard } from '../configuration/config-snapshot';
import { escapeHtml } from '../lib/html';

/** Nothing on it loads or runs, whatever its texts are. */
export const CARD_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

const meta = (key: 'property' | 'name', name: string, content: string) =>
  `<meta ${key}="${name}" content="${escapeHtml(content)}">`;

/** The page of a link whose address is `url`, and which leads to `location`. */
export function writeCard({ title, description, image }: LinkCard, url: string, location: string): string {
  return [
    '<!doctype html>',
    '<html lang="und"><head><meta charset="utf-8">',
    `<title>${escapeHtml(title)}</title>`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:url', url),
    ...(description === null
      ? []
      : [meta('property', 'og:description', description), meta('name', 'description', description)]),
    ...(image === null ? [] : [meta('property', 'og:image', image)]),
    meta('name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'),
    '</head><body>',
    `<a href="${escapeHtml(location)}" rel="nofollow">${escapeHtml(title)}</a>`,
    '</body></html>',
    '',
  ].join('\n');
}
