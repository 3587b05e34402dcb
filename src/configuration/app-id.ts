/** What names an app: Android package names, App Store IDs with or without their `id` prefix, and certificates. */

/**
 * One form for all spellings of an app ID, to compare and to store by: `1234567890` becomes `id1234567890`
 * (docs/contract/s2s.md).
 */
export function canonicalAppId(appId: string): string {
  return /^\d+$/.test(appId) ? `id${appId}` : appId;
}

/** A SHA-256 fingerprint as Android's tools print it, and as they compare it: capitals, with colons. */
export const canonicalFingerprint = (hex: string): string =>
  hex
    .toUpperCase()
    .replaceAll(':', '')
    .replace(/..(?!$)/g, '$&:');
