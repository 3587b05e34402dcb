/** App IDs: Android package names, and App Store IDs with or without their `id` prefix. */

/**
 * One form for all spellings of an app ID, to compare and to store by: `1234567890` becomes `id1234567890`
 * (docs/contract.md, S2S).
 */
export function canonicalAppId(appId: string): string {
  return /^\d+$/.test(appId) ? `id${appId}` : appId;
}
