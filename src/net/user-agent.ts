/** What a user agent says of the device and the browser, in words of closed lists. */
import Bowser from 'bowser';
import { isbot } from 'isbot';

export interface UserAgent {
  /** desktop, mobile, tablet or tv; empty where it does not say. */
  readonly deviceType: string;
  /** For example Android, iOS, macOS; empty where it does not say. */
  readonly os: string;
  /** For example Chrome, Samsung Internet for Android; empty where it is none that is known. */
  readonly browser: string;
  readonly isBot: boolean;
}

/** An iPad says Macintosh like a Mac; its browsers still say that they run on a mobile system. */
const MOBILE_MAC = /\b(?:Mobile|CriOS|FxiOS|EdgiOS|OPiOS|OPT|GSA)\/|\bFBAN\/FBIOS\b/;

/** Whether it calls itself a Mac and is an iPad. */
const isIpad = (ua: string) => /\bMacintosh\b/.test(ua) && MOBILE_MAC.test(ua);

const DEVICE_TYPES = new Set(['desktop', 'mobile', 'tablet', 'tv']);
const SYSTEMS = new Set<string>(Object.values(Bowser.OS_MAP));
/** Of an unknown browser the parser takes any text for its name; a column of few values must not fill with those. */
const BROWSERS = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const oneOf = (legal: ReadonlySet<string>, value: string | undefined) =>
  value !== undefined && legal.has(value) ? value : '';

/** Devices share few user agents, so what they say is kept. */
const known = new Map<string, UserAgent>();
const MAX_KNOWN = 10_000;
/**
 * No device has a longer one. The parser takes time by the square of the length, and what is kept must not grow by what
 * anybody sends: of a longer one the beginning is read, and nothing is kept.
 */
const MAX_LENGTH = 1_000;

export function readUserAgent(ua: string): UserAgent {
  if (ua.length > MAX_LENGTH) return { ...parse(ua.slice(0, MAX_LENGTH)), isBot: isbot(ua) };
  const found = known.get(ua);
  if (found) return found;
  const read = parse(ua);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(ua, read);
  return read;
}

function parse(ua: string): UserAgent {
  if (ua === '') return { deviceType: '', os: '', browser: '', isBot: false };
  const parser = Bowser.getParser(ua, true);
  const browser = oneOf(BROWSERS, parser.getBrowserName());
  if (isIpad(ua)) return { deviceType: 'tablet', os: 'iOS', browser, isBot: isbot(ua) };
  return {
    deviceType: oneOf(DEVICE_TYPES, parser.getPlatformType()),
    os: oneOf(SYSTEMS, parser.getOSName()),
    browser,
    isBot: isbot(ua),
  };
}
