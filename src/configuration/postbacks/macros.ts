/** The macros of postbacks: `{name}` in a template (docs/contract/postbacks.md). */

const TIMES = ['click_time', 'install_time', 'event_time'] as const;

/** Times are there three times: in RFC 3339, and as whole seconds and milliseconds since 1970. */
export const MACROS = [
  'tid',
  's2',
  's3',
  's4',
  'click_id',
  'impression_id',
  'c',
  'campaign_name',
  'app_id',
  'platform',
  'gaid',
  'idfa',
  'ip',
  'ua',
  'country',
  'touch_type',
  'rule',
  ...TIMES.flatMap((time) => [time, `${time}_unix`, `${time}_ms`] as const),
  'event_name',
  'event_id',
  'install_id',
  'amount',
  'currency',
  'amount_usd',
  'user_id',
  'postback_id',
  'is_view_through',
  'is_reinstall',
  'reject_reason',
] as const satisfies readonly string[];

export type MacroName = (typeof MACROS)[number];

/** The value of each macro; empty where there is none. Of `is_...` it is `true` or `false`. */
export type MacroValues = Readonly<Record<MacroName, string>>;

/** A secret of whoever has the template: `{secret:api_key}`. */
export type SecretMacro = `secret:${string}`;
export type AnyMacro = MacroName | SecretMacro;

/** What stands in braces like this is a macro; any other brace is a brace. */
const PATTERN = /\{((?:secret:)?[a-z0-9_]+)\}/g;
const SECRET = 'secret:';

export const isSecretMacro = (name: string): name is SecretMacro => name.startsWith(SECRET);
/** The name of the secret that a macro stands for. */
export const readSecretName = (macro: SecretMacro): string => macro.slice(SECRET.length);

const known: ReadonlySet<string> = new Set(MACROS);

/** Replaces each macro of a text, whose macros are all known. */
export const replaceMacros = (text: string, replacement: (name: AnyMacro) => string): string =>
  text.replace(PATTERN, (_, name: string) => replacement(name as AnyMacro));

export const hasMacro = (text: string): boolean => text.search(PATTERN) >= 0;

/** The first macro of a text that does not exist, without its braces; `secrets` are the names of those there are. */
export function findUnknownMacro(text: string, secrets: ReadonlySet<string>): string | undefined {
  const exists = (name: string) => (isSecretMacro(name) ? secrets.has(readSecretName(name)) : known.has(name));
  for (const [, name] of text.matchAll(PATTERN)) if (name !== undefined && !exists(name)) return name;
  return undefined;
}

/** The macros of a text, each once. */
export const macrosIn = (text: string): AnyMacro[] => [
  ...new Set([...text.matchAll(PATTERN)].map(([, name]) => name as AnyMacro)),
];

/** Values of an event that never was, for previews: a payment of an install by a click. */
export const SAMPLE_VALUES: MacroValues = {
  tid: 'click-1',
  s2: 'sub-2',
  s3: 'sub-3',
  s4: 'sub-4',
  click_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  impression_id: '',
  c: 'AbC123',
  campaign_name: 'Launch & more',
  app_id: 'com.acme.shop',
  platform: 'ANDROID',
  gaid: '38400000-8cf0-11bd-b23e-10b96e40000d',
  idfa: '',
  ip: '203.0.113.7',
  ua: 'Mozilla/5.0 (Linux; Android 15; Pixel 9)',
  country: 'IN',
  touch_type: 'click',
  rule: 'device_click',
  click_time: '2026-03-01T10:00:00.000Z',
  click_time_unix: '1772359200',
  click_time_ms: '1772359200000',
  install_time: '2026-03-01T10:05:00.000Z',
  install_time_unix: '1772359500',
  install_time_ms: '1772359500000',
  event_time: '2026-03-01T11:00:00.250Z',
  event_time_unix: '1772362800',
  event_time_ms: '1772362800250',
  event_name: 'purchase',
  event_id: 'event-1',
  install_id: 'install-1',
  amount: '499.5',
  currency: 'INR',
  amount_usd: '5.94',
  user_id: 'user-1',
  postback_id: '9f0c1b6f-5d7e-5c59-8a2b-3f4bb9f2a1c7',
  is_view_through: 'false',
  is_reinstall: 'false',
  reject_reason: '',
};
