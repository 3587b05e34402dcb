/** Which platform a link is opened on: what decides where it leads (docs/contract/tracking-links.md). */
import type { Platform } from '../configuration/link-target';
import { readUserAgent } from '../net/user-agent';

const PLATFORMS: ReadonlyMap<string, Platform> = new Map([
  ['iOS', 'ios'],
  ['Android', 'android'],
]);

/** The platform by the user agent, and where that names a desktop by `platformHint`, the header Sec-CH-UA-Platform. */
export function detectPlatform(userAgent: string, platformHint: string | undefined): Platform {
  const hinted = PLATFORMS.get((platformHint ?? '').replaceAll('"', ''));
  return PLATFORMS.get(readUserAgent(userAgent).os) ?? hinted ?? 'desktop';
}
