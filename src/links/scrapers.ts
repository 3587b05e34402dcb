/** Programs that look at a link to show what it is, where somebody shares it (docs/contract/tracking-links.md). */

/** By a word of their user agents, which no browser of a person has. The one list of them. */
export const SCRAPERS: Readonly<Record<string, RegExp>> = {
  Facebook: /\b(?:facebookexternalhit|Facebot|meta-externalfetcher)\b/i,
  X: /\bTwitterbot\b/i,
  Slack: /\bSlack(?:bot|-ImgProxy)\b/i,
  WhatsApp: /^WhatsApp\//i,
  LinkedIn: /\bLinkedInBot\b/i,
  Discord: /\bDiscordbot\b/i,
  Telegram: /\bTelegramBot\b/i,
  Skype: /\bSkypeUriPreview\b/i,
  Pinterest: /\bPinterestbot\b|^Pinterest\/\d/i,
  Reddit: /\bredditbot\b/i,
  Bluesky: /\bBluesky Cardyb\b/i,
  Mastodon: /\bMastodon\/\d/i,
};

/** Whether a user agent is one of them: its visit is no click. */
export const isScraper = (userAgent: string): boolean => Object.values(SCRAPERS).some((one) => one.test(userAgent));
