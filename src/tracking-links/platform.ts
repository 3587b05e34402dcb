/** Which platform a link is opened on: what decides where it leads (docs/contract.md, Tracking links). */
import Bowser from 'bowser';

export type Platform = 'ios' | 'android' | 'desktop';

const PLATFORMS: ReadonlyMap<string, Platform> = new Map([
  ['iOS', 'ios'],
  ['Android', 'android'],
]);
/** An iPad says Macintosh like a Mac; its browsers still say that they run on a mobile system. */
const MOBILE_MAC = /\b(?:Mobile|CriOS|FxiOS|EdgiOS|OPiOS|OPT|GSA)\/|\bFBAN\/FBIOS\b/;

/** The platform by the user agent, and where that names a desktop by `platformHint`, the header Sec-CH-UA-Platform. */
export function platformOf(userAgent: string, platformHint: string | undefined): Platform {
  const os = userAgent === '' ? '' : Bowser.getParser(userAgent, true).getOSName();
  const hinted = PLATFORMS.get((platformHint ?? '').replaceAll('"', ''));
  const platform = PLATFORMS.get(os) ?? hinted ?? 'desktop';
  return platform === 'desktop' && /\bMacintosh\b/.test(userAgent) && MOBILE_MAC.test(userAgent) ? 'ios' : platform;
}
