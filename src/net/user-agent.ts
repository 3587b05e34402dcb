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

/** Systems by the words by which they are known for sure, where the parser sees another one or none. */
const SYSTEMS_BY_WORD: readonly (readonly [RegExp, string])[] = [
  // It calls itself `like iPhone`.
  [/\bNintendo\b/, ''],
  [/\bWindows Phone\b/, 'Windows Phone'],
  [/\bKAIOS\//i, 'KaiOS'],
  [/\b(?:Apple ?TV|tvOS)\b|\bAppleTV\d/i, 'tvOS'],
  // UC Browser's short forms.
  [/\bAdr \d/, 'Android'],
  [/\biPh OS \d|\biOS[ /]\d|\biPadOS\b/, 'iOS'],
  // An iPad says Macintosh like a Mac; its browsers still say that they run on a mobile system.
  [/\bMacintosh\b.*(?:\b(?:Mobile|CriOS|FxiOS|EdgiOS|OPiOS|OPT|GSA)\/|\bFBAN\/FBIOS\b)/, 'iOS'],
];

/** Televisions, consoles, and sticks and boxes for televisions. */
const TELEVISION = new RegExp(
  [
    '\\bSmart-?TV|\\bSmart TV\\b|SmartTV\\b|\\bHbbTV\\b|\\bCE-HTML\\b|\\bDTV\\b|\\bOpera TV\\b|\\bOMI/\\d',
    '\\bAndroid ?TV\\b|\\bGoogle ?TV\\b|\\bApple ?TV\\b|\\bAppleTV\\d|\\btvOS\\b|\\bCrKey\\b|\\bChromecast\\b',
    '\\bWeb0S\\b|\\bwebOS[. ]?TV|\\bNetCast\\b|\\bLG Browser\\b|\\bTizen\\b.*\\bTV\\b|\\bRoku[/\\d]',
    '\\bBRAVIA\\b|\\bSonyCEBrowser\\b|\\bViera\\b|\\bPhilipsTV\\b|\\bNETTV\\b|\\bAQUOS-?TV|\\bVIDAA\\b|\\bVIZIO\\b',
    '\\bMiTV|\\bMIBOX|\\bStreaming Box\\b|\\bPlayStation (?!Vita|Portable)|\\bPlayStation;|\\bXbox\\b',
    '\\bNintendo (?:Switch|Wii)',
  ].join('|'),
  'i',
);
/** Models of Amazon's sticks, boxes and televisions, in capitals. */
const FIRE_TV = /\bAFT[A-Z][A-Z0-9]{0,9}\b/;

/** Tablets on Android by model, for what apps send: only of browsers the lack of `Mobile` says so. */
const TABLET = /\bTablet\b|\bSM-[TXP]\d|\bKF[A-Z]{3,7}\b|\bNexus (?:7|9|10)\b|\bTB-?\w|\b(?:Tab|Pad)\b/;

const DEVICE_TYPES = new Set(['desktop', 'mobile', 'tablet', 'tv']);
const SYSTEMS = new Set<string>(Object.values(Bowser.OS_MAP));
/** The parser takes any text for the name of an unknown browser; a column of few values must not fill with those. */
const BROWSERS = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const keepLegal = (legal: ReadonlySet<string>, value: string | undefined) =>
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
  const os = SYSTEMS_BY_WORD.find(([word]) => word.test(ua))?.[1] ?? keepLegal(SYSTEMS, parser.getOSName());
  return {
    deviceType: readDeviceType(ua, os, keepLegal(DEVICE_TYPES, parser.getPlatformType())),
    os,
    browser: keepLegal(BROWSERS, parser.getBrowserName()),
    isBot: isbot(ua),
  };
}

function readDeviceType(ua: string, os: string, parsed: string): string {
  // Remote controls are apps of phones.
  if (os !== 'iOS' && (TELEVISION.test(ua) || FIRE_TV.test(ua))) return 'tv';
  if (os === 'iOS' && /\bMacintosh\b/.test(ua)) return 'tablet';
  if (os === 'Android' && !ua.startsWith('Mozilla/')) return TABLET.test(ua) ? 'tablet' : 'mobile';
  return parsed || (os === 'Chrome OS' ? 'desktop' : '');
}
