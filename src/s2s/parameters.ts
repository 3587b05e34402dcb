/**
 * Every parameter of the S2S endpoints, once: requests are read by it (`definitions.ts`), and OpenAPI, the import of
 * clicks and the dashboard's test bench describe it (docs/contract/s2s.md).
 */
import type { RecordKind } from '../ingest/record-id';

export type Kind = Exclude<RecordKind, 'link_click'>;
export const KINDS = ['click', 'impression', 'ctv_impression'] as const satisfies readonly Kind[];

/** Whether a request must have it: itself, one of several, or not at all. */
export type Necessity = 'required' | 'choice' | 'optional';

/** Which form its value has; OpenAPI says it as a schema. */
export type Form = 'text' | 'uuid' | 'timestamp' | 'lookback';

export interface S2sParameter {
  readonly description: string;
  /** What the dashboard says to whoever fills it in. */
  readonly hint: string;
  readonly form: Form;
  readonly example?: string;
  /** Which endpoints read it, and how much each needs it. */
  readonly endpoints: Readonly<Partial<Record<Kind, Necessity>>>;
  /** Other names; each of them counts where those before it are not sent. */
  readonly aliases?: readonly string[] | Readonly<Partial<Record<Kind, readonly string[]>>>;
  /** Stored as it is sent, in the column of its name. */
  readonly isStored?: true;
  /** Where a form shows it: what was touched, who did, when, or anything else. */
  readonly group: 'what' | 'who' | 'when' | 'more';
}

const all = (necessity: Necessity) => ({ click: necessity, impression: necessity, ctv_impression: necessity });
const tv = { endpoints: { ctv_impression: 'optional' }, form: 'text', isStored: true } as const;
const passthrough = (alias: string) =>
  ({
    description: 'Passthrough value.',
    hint: 'Any value, stored with it as it is',
    form: 'text',
    endpoints: all('optional'),
    aliases: [alias],
    isStored: true,
    group: 'more',
  }) as const;
const time = 'Unix time in milliseconds or seconds, at most 24 hours ago; by default now.';
const timeHint = 'Unix time in seconds or milliseconds, at most 24 hours ago; empty is now';

/** By name, in the order in which they are read and stored. */
export const PARAMETERS = {
  c: {
    description: "Campaign code: the campaign's display ID.",
    hint: 'Code of the campaign, as the list of campaigns has it',
    form: 'text',
    example: 'AbC123',
    endpoints: all('required'),
    group: 'what',
  },
  tid: {
    description: "The caller's unique ID of the touch. The same one on the same campaign is stored once.",
    hint: 'Your own ID of this click or impression; the same one counts once',
    form: 'text',
    example: 'touch-1',
    endpoints: all('required'),
    aliases: ['clickid'],
    isStored: true,
    group: 'what',
  },
  s2: passthrough('af_sub1'),
  s3: passthrough('af_sub2'),
  s4: passthrough('af_sub3'),
  gaid: {
    description: 'Google advertising ID.',
    hint: 'Google advertising ID',
    form: 'uuid',
    example: '38400000-8cf0-11bd-b23e-10b96e40000d',
    endpoints: { click: 'choice', impression: 'choice' },
    aliases: ['advertising_id'],
    group: 'who',
  },
  idfa: {
    description: 'Apple advertising identifier.',
    hint: 'Apple advertising identifier',
    form: 'uuid',
    endpoints: { click: 'choice', impression: 'choice' },
    group: 'who',
  },
  ip: {
    description: "The device's IP address; only public ones are used.",
    hint: 'Public IP address of the device or TV',
    form: 'text',
    example: '203.0.113.7',
    endpoints: { click: 'choice', impression: 'optional', ctv_impression: 'required' },
    aliases: ['af_ip'],
    group: 'who',
  },
  ua: {
    description: "The device's user agent.",
    hint: 'User agent of the device or TV',
    form: 'text',
    example: 'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0)',
    endpoints: { click: 'optional', impression: 'optional', ctv_impression: 'required' },
    aliases: ['af_ua'],
    isStored: true,
    group: 'who',
  },
  click_time: { description: time, hint: timeHint, form: 'timestamp', endpoints: { click: 'optional' }, group: 'when' },
  impression_time: {
    description: time,
    hint: timeHint,
    form: 'timestamp',
    endpoints: { impression: 'optional', ctv_impression: 'optional' },
    group: 'when',
  },
  vt_lookback: {
    description: 'View-through window in hours or days, at most 24 hours.',
    hint: 'View-through window, for example 6h; it only shortens the advertiser’s',
    form: 'lookback',
    example: '6h',
    endpoints: { impression: 'optional', ctv_impression: 'optional' },
    aliases: {
      impression: ['af_viewthrough_lookback'],
      ctv_impression: ['af_xplatform_vt_lookback', 'af_viewthrough_lookback'],
    },
    group: 'when',
  },
  partner_campaign_id: {
    ...tv,
    description: "The partner's own campaign ID.",
    hint: 'Your own campaign ID',
    aliases: ['af_c_id'],
    group: 'more',
  },
  adset_id: { ...tv, description: 'Ad set.', hint: 'Ad set', aliases: ['af_adset_id'], group: 'more' },
  ad_id: { ...tv, description: 'Ad.', hint: 'Ad', aliases: ['af_ad_id'], group: 'more' },
  site_id: {
    ...tv,
    description: 'Publisher, channel or app.',
    hint: 'Publisher, channel or app',
    aliases: ['af_siteid'],
    group: 'more',
  },
  source_platform: {
    ...tv,
    description: 'TV platform.',
    hint: 'TV platform, for example tizen',
    example: 'tizen',
    aliases: ['af_source_platform'],
    group: 'more',
  },
  device_category: {
    ...tv,
    description: 'Kind of device.',
    hint: 'Kind of device, for example tv',
    example: 'tv',
    aliases: ['af_source_device_category'],
    group: 'more',
  },
  tv_ifa: {
    ...tv,
    description: 'TV advertising ID; never used for matching.',
    hint: 'Advertising ID of the TV; stored, never matched',
    group: 'who',
  },
  ifa_type: { ...tv, description: 'Type of `tv_ifa`.', hint: 'Type of tv_ifa', example: 'tifa', group: 'who' },
} as const satisfies Readonly<Record<string, S2sParameter>>;

export type ParameterName = keyof typeof PARAMETERS;

/** One of the parameters, as any of them. */
export const readParameter = (name: ParameterName): S2sParameter => PARAMETERS[name];

/** The parameters that an endpoint reads, in their order. */
export const listParameters = (kind: Kind): ParameterName[] =>
  (Object.keys(PARAMETERS) as ParameterName[]).filter((name) => readParameter(name).endpoints[kind] !== undefined);

/** The names by which an endpoint reads a parameter: the first that is sent wins. */
export function listNames(kind: Kind, name: ParameterName): readonly string[] {
  const { aliases = [] } = readParameter(name);
  return [name, ...(isList(aliases) ? aliases : (aliases[kind] ?? []))];
}

const isList = (aliases: NonNullable<S2sParameter['aliases']>): aliases is readonly string[] => Array.isArray(aliases);

/** What says which app is meant: one of the two is needed. Every endpoint reads both. */
export const TARGETS = {
  app_id: {
    description: 'Android package name, or App Store ID with or without `id`.',
    hint: 'App: Android package, or App Store ID with or without id',
    example: 'com.acme.shop',
  },
  d: {
    description: 'Domain of the tracking link; wins over the app.',
    hint: 'Or the domain of the tracking link; wins over the app',
  },
} as const;
