/** Every way in which an S2S request can be wrong, as docs/contract.md lists them, in the order of the checks. */
import {
  ACME,
  CLICKS_ONLY,
  ENDPOINTS,
  NOTHING_ON,
  NO_CTV,
  PUBLIC_IP,
  TRAFFIC_ONLY,
  aim,
  type Endpoint,
  type Form,
  type S2sRequest,
} from './s2s-client';
import { GAID, IDFA, OTHER_TOKEN, SUSPENDED_TOKEN } from './workspace';

export interface Mistake {
  readonly reason: string;
  readonly status: number;
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  /** Host forms it exists in; all by default. */
  readonly forms?: readonly Form[];
  /** Makes a good request wrong, in this one way. */
  spoil(request: S2sRequest): void;
}

const ZERO = '00000000-0000-0000-0000-000000000000';
const IMPRESSIONS: readonly Endpoint[] = ['impression', 'ctv'];
const DEVICES: readonly Endpoint[] = ['click', 'impression'];
const CTV: readonly Endpoint[] = ['ctv'];
const BY_APP: readonly Form[] = ['path', 'query'];
const DAY_MS = 86_400_000;

export const ms = (ago: number) => String(Date.now() - ago);
export const seconds = (ago: number) => String(Math.floor((Date.now() - ago) / 1000));

/** Sets parameters; undefined removes one. */
const set = (params: Record<string, string | undefined>) => (request: S2sRequest) => {
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) delete request.params[name];
    else request.params[name] = value;
  }
};
const noDevice = { gaid: undefined, advertising_id: undefined, idfa: undefined, ip: undefined, af_ip: undefined };

type Case = readonly [name: string, spoil: (request: S2sRequest) => void];
const row = (
  reason: string,
  status: number,
  endpoints: readonly Endpoint[],
  cases: readonly Case[],
  forms?: readonly Form[],
): Mistake[] => cases.map(([name, spoil]) => ({ reason, status, endpoints, name, spoil, ...(forms ? { forms } : {}) }));
const each = (field: string, values: readonly string[]): Case[] =>
  values.map((value) => [`${field}=${JSON.stringify(value)}`, set({ [field]: value })]);

/** Parameters that each endpoint reads, under every name. */
export const READ: Readonly<Record<Endpoint, readonly string[]>> = (() => {
  const common = ['c', 'tid', 's2', 's3', 's4', 'af_sub1', 'af_sub2', 'af_sub3'];
  const device = ['gaid', 'idfa', 'ip', 'ua', 'advertising_id', 'af_ip', 'af_ua'];
  return {
    click: [...common, ...device, 'click_time'],
    impression: [...common, ...device, 'impression_time', 'vt_lookback', 'af_viewthrough_lookback'],
    ctv: [
      ...common,
      'ip',
      'ua',
      'af_ip',
      'af_ua',
      'impression_time',
      'vt_lookback',
      'af_xplatform_vt_lookback',
      'af_viewthrough_lookback',
      'partner_campaign_id',
      'af_c_id',
      'adset_id',
      'af_adset_id',
      'ad_id',
      'af_ad_id',
      'site_id',
      'af_siteid',
      'source_platform',
      'af_source_platform',
      'device_category',
      'af_source_device_category',
      'tv_ifa',
      'ifa_type',
    ],
  };
})();

/** The name that an alias stands for, so that a test of the alias can take the name away. */
export const NAME_OF: Readonly<Record<string, string>> = {
  clickid: 'tid',
  af_sub1: 's2',
  af_sub2: 's3',
  af_sub3: 's4',
  advertising_id: 'gaid',
  af_ip: 'ip',
  af_ua: 'ua',
  af_viewthrough_lookback: 'vt_lookback',
  af_xplatform_vt_lookback: 'vt_lookback',
  af_c_id: 'partner_campaign_id',
  af_adset_id: 'adset_id',
  af_ad_id: 'ad_id',
  af_siteid: 'site_id',
  af_source_platform: 'source_platform',
  af_source_device_category: 'device_category',
};
/** Sends a parameter under this name only: whatever else means the same goes. */
const alone = (name: string, value: string) => (request: S2sRequest) => {
  const meaning = NAME_OF[name] ?? name;
  for (const other of [meaning, ...Object.keys(NAME_OF).filter((alias) => NAME_OF[alias] === meaning)])
    delete request.params[other];
  request.params[name] = value;
};

const MACROS = [
  '{gaid}',
  '%7Bgaid%7D',
  '%7bip%7d',
  '{click_id%7D',
  '%7Bclick_id}',
  'before{ip}after',
  '{{tid}}',
  '{a.b-c_D9}',
  `{${'m'.repeat(64)}}`,
  '{_}',
  '{ {x}',
];
const FOUR_BYTES = '\u{1F600}';

const NOT_PUBLIC = [
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '100.64.0.0',
  '100.127.255.255',
  '0.0.0.0',
  '0.1.2.3',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'febf::1',
  'fc00::1',
  'fdff::1',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b::192.168.0.1',
  '2002:a00:1::',
  '2002:c0a8:101::1',
  '2001:0:4136:e378:8000:63bf:f5ff:fffe',
];
const NOT_AN_IP = [
  'not-an-ip',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '1.2.3.04',
  '1.2.3.256',
  '0x1.2.3.4',
  '16909060',
  '1.2.3.4:80',
  '[2001:db8::1]',
  '[2001:db8::1]:80',
  'fe80::1%eth0',
  '2001:db8::1%1',
  '203.0.113.7 ',
  ' 203.0.113.7',
  '203.0.113.7/32',
  '203.0.113.7,10.0.0.1',
  '2001:db8::g',
  '2001:db8:::1',
  '::ffff:1.2.3',
  '::ffff:01.2.3.4',
  '\u0661.2.3.4',
  '203.0.113.7\0',
  'null',
];
const BAD_UUIDS = [
  'x',
  'null',
  '0',
  '38400000-8cf0-11bd-b23e-10b96e40000',
  '38400000-8cf0-11bd-b23e-10b96e40000d0',
  '384000008cf011bdb23e10b96e40000d',
  '00000000000000000000000000000000',
  'g8400000-8cf0-11bd-b23e-10b96e40000d',
  ` ${GAID}`,
  `${GAID}\n`,
  `urn:uuid:${GAID}`,
  '384000-008cf0-11bd-b23e-10b96e40000d',
  `${GAID}\0`,
  '３8400000-8cf0-11bd-b23e-10b96e40000d',
];
const BAD_TIMES = [
  'abc',
  '0',
  '-1',
  '1700000000.5',
  '123456789',
  '12345678901',
  '123456789012',
  '12345678901234',
  '-170000000',
  ' 1700000000',
  '1700000000 ',
  '+170000000',
  '17e8',
  '0x65535000',
  '2026-01-01T00:00:00Z',
  '\u0661\u0667\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660',
  '1700000000\n',
  'NaN',
];
const BAD_LOOKBACKS = [
  '0',
  '0h',
  '0d',
  '00',
  '-1',
  '-1h',
  '-1d',
  '1.5',
  '1.5h',
  '0.5d',
  '30m',
  '3600s',
  '1w',
  '1 h',
  'h',
  'd',
  'abc',
  '1h30m',
  '1hd',
  '6h\n',
  '\u0666h',
  '1e1',
  '0x6',
  '6,5',
  '+6h',
];

/** Unix times beyond the limit; computed when sent, because they age. */
const tooOld = (field: string): Case[] => [
  [`${field} 24 h and 1 ms ago, 13 digits`, (request) => set({ [field]: ms(DAY_MS + 1) })(request)],
  [`${field} 24 h and 1 s ago, 10 digits`, (request) => set({ [field]: seconds(DAY_MS + 1000) })(request)],
  [`${field} in 2001, 10 digits`, set({ [field]: '1000000000' })],
  [`${field} 1970, 13 digits`, set({ [field]: '0000000000000' })],
  [`${field} 1970, 10 digits`, set({ [field]: '0000000000' })],
];

const long: Case[] = [
  ['an ignored parameter of 257 characters', set({ redirect: 'x'.repeat(257) })],
  ['an unknown parameter of 257 characters', set({ whatever: 'x'.repeat(257) })],
  ['257 four-byte characters', set({ s2: FOUR_BYTES.repeat(257) })],
  ['513 UTF-16 units', set({ s2: `${FOUR_BYTES.repeat(256)}x` })],
  ['256 four-byte characters and one of one byte first', set({ s3: `x${FOUR_BYTES.repeat(256)}` })],
  ['257 combining marks', set({ s2: '\u0301'.repeat(257) })],
  ['257 NULs', set({ s2: '\0'.repeat(257) })],
  ['a value of 20,000 characters', set({ s2: 'y'.repeat(20_000) })],
  ['an app or domain of 257 characters', (request) => void (request.app = 'a'.repeat(257))],
  ['an alias of 257 characters whose name is sent too', set({ s2: 'name', af_sub1: 'a'.repeat(257) })],
];

/**
 * Every row of "S2S rejections" that the workspace can show without a change of its own, in the order of
 * docs/contract.md, S2S.
 */
export const MISTAKES: readonly Mistake[] = [
  ...row('missing_token', 401, ENDPOINTS, [
    ['no header, no svc_token', (r) => ((r.token = undefined), set({ svc_token: undefined })(r))],
    ['svc_token empty', (r) => ((r.token = undefined), set({ svc_token: '' })(r))],
    ['header empty', (r) => ((r.token = ''), set({ svc_token: undefined })(r))],
    ['header blank', (r) => ((r.token = '  '), set({ svc_token: undefined })(r))],
  ]),
  ...row('invalid_token', 401, ENDPOINTS, [
    ['wrong token', (r) => void (r.token = 'wrong-token')],
    ['right token in upper case', (r) => void (r.token = r.token?.toUpperCase())],
    ['right token and more', (r) => void (r.token = `${r.token}x`)],
    ['token of a suspended partner', (r) => void (r.token = SUSPENDED_TOKEN)],
    ['wrong svc_token', (r) => ((r.token = undefined), set({ svc_token: 'wrong-token' })(r))],
    ['svc_token of a suspended partner', (r) => ((r.token = undefined), set({ svc_token: SUSPENDED_TOKEN })(r))],
    ['wrong header beside a right svc_token', (r) => (set({ svc_token: r.token })(r), void (r.token = 'wrong-token'))],
    ['svc_token a macro', (r) => ((r.token = undefined), set({ svc_token: '{svc_token}' })(r))],
    ['svc_token of 300 characters', (r) => ((r.token = undefined), set({ svc_token: 't'.repeat(300) })(r))],
  ]),
  ...row('missing_app', 400, ENDPOINTS, [
    ['no app_id, no d', (r) => ((r.app = ''), set({ app_id: undefined })(r))],
    ['app_id and d empty', (r) => ((r.app = ''), set({ app_id: '', d: '' })(r))],
  ]),
  ...row('missing_c', 400, ENDPOINTS, [
    ['no c', set({ c: undefined })],
    ['c empty', set({ c: '' })],
  ]),
  ...row('missing_tid', 400, ENDPOINTS, [
    ['no tid', set({ tid: undefined, clickid: undefined })],
    ['tid empty', set({ tid: '', clickid: undefined })],
    ['tid and clickid empty', set({ tid: '', clickid: '' })],
  ]),
  ...row('value_too_long', 400, ENDPOINTS, long),
  ...ENDPOINTS.flatMap((endpoint) =>
    row(
      'value_too_long',
      400,
      [endpoint],
      READ[endpoint].map((name) => [`${name} of 257 characters`, alone(name, 'x'.repeat(257))]),
    ),
  ),
  ...row('unreplaced_macro', 400, ENDPOINTS, each('s2', MACROS)),
  ...ENDPOINTS.flatMap((endpoint) =>
    row(
      'unreplaced_macro',
      400,
      [endpoint],
      READ[endpoint].map((name) => [`${name} is a macro`, alone(name, `{${name}}`)]),
    ),
  ),
  ...row('unreplaced_macro', 400, ENDPOINTS, [
    ['the app or domain is a macro', (r) => void (r.app = '{app}')],
    ['the app or domain holds an encoded macro', (r) => void (r.app = 'com.%7Bapp%7D')],
    ['clickid is a macro', (r) => (delete r.params.tid, set({ clickid: '{clickid}' })(r))],
  ]),
  ...row('invalid_device_id', 400, DEVICES, [
    ...each('gaid', BAD_UUIDS),
    ...each('idfa', BAD_UUIDS),
    ['advertising_id not a UUID', set({ gaid: undefined, advertising_id: 'x' })],
    ['gaid good, idfa not a UUID', set({ gaid: GAID, idfa: 'x' })],
    ['idfa good, gaid not a UUID', set({ gaid: 'x', idfa: IDFA })],
    ['gaid not a UUID, advertising_id good', set({ gaid: 'x', advertising_id: GAID })],
    ['gaid not a UUID, public ip', set({ gaid: 'x', ip: PUBLIC_IP })],
    ['gaid not a UUID, idfa all zero', set({ gaid: 'x', idfa: ZERO })],
    ['a UUID in braces with a space', set({ gaid: `{ ${GAID}}` })],
  ]),
  ...row('missing_device_id', 400, DEVICES, [
    ['nothing at all', set(noDevice)],
    ['gaid all zero', set({ ...noDevice, gaid: ZERO })],
    ['idfa all zero', set({ ...noDevice, idfa: ZERO })],
    ['both all zero', set({ ...noDevice, gaid: ZERO, idfa: ZERO })],
    ['advertising_id all zero', set({ ...noDevice, advertising_id: ZERO })],
    ['gaid all zero, which hides advertising_id', set({ ...noDevice, gaid: ZERO, advertising_id: GAID })],
    ['gaid empty', set({ ...noDevice, gaid: '' })],
    ['an IP that is not public', set({ ...noDevice, ip: '10.0.0.1' })],
  ]),
  ...row(
    'missing_device_id',
    400,
    ['click'],
    [...NOT_PUBLIC, ...NOT_AN_IP].map((ip): Case => [`only ip=${JSON.stringify(ip)}`, set({ ...noDevice, ip })]),
  ),
  ...row(
    'missing_device_id',
    400,
    ['impression'],
    [
      ['a public IP alone', set({ ...noDevice, ip: PUBLIC_IP })],
      ['gaid all zero and a public IP', set({ ...noDevice, gaid: ZERO, ip: PUBLIC_IP })],
    ],
  ),
  ...row('missing_ip', 400, CTV, [
    ['no ip', set({ ip: undefined, af_ip: undefined })],
    ['ip empty', set({ ip: '', af_ip: '' })],
    ['device IDs do not help', set({ ip: undefined, af_ip: undefined, gaid: GAID, idfa: IDFA })],
  ]),
  ...row('invalid_ip', 400, CTV, [
    ...each('ip', [...NOT_PUBLIC, ...NOT_AN_IP]),
    ['af_ip private', set({ ip: undefined, af_ip: '10.0.0.1' })],
    ['ip private, which hides af_ip', set({ ip: '10.0.0.1', af_ip: PUBLIC_IP })],
  ]),
  ...row('datacenter_ip', 400, CTV, [
    ...each('ip', [
      '3.5.140.1',
      '52.95.110.1',
      '8.8.8.8',
      '1.1.1.1',
      '2600:1f18::1',
      '2a01:4f8::1',
      '::ffff:3.5.140.1',
      '64:ff9b::305:8c01',
      '198.51.100.77',
    ]),
  ]),
  ...row('missing_ua', 400, CTV, [
    ['no ua', set({ ua: undefined })],
    ['ua empty', set({ ua: '' })],
    ['af_ua empty too', set({ ua: undefined, af_ua: '' })],
  ]),
  ...row('invalid_click_time', 400, ['click'], each('click_time', BAD_TIMES)),
  ...row('click_too_old', 400, ['click'], tooOld('click_time')),
  ...row('invalid_impression_time', 400, IMPRESSIONS, each('impression_time', BAD_TIMES)),
  ...row('impression_too_old', 400, IMPRESSIONS, tooOld('impression_time')),
  ...row('invalid_viewthrough_lookback', 400, IMPRESSIONS, [
    ...each('vt_lookback', BAD_LOOKBACKS),
    ['alias', set({ af_viewthrough_lookback: '0' })],
    ['vt_lookback bad, alias good', set({ vt_lookback: '0', af_viewthrough_lookback: '6h' })],
  ]),
  ...row('invalid_viewthrough_lookback', 400, CTV, [['alias of CTV', set({ af_xplatform_vt_lookback: '0' })]]),
  ...row(
    'unknown_app',
    400,
    ENDPOINTS,
    [
      ['unknown app', (r) => void (r.app = 'com.nobody')],
      ['app in another case', (r) => void (r.app = 'COM.ACME.SHOP')],
      ['a domain as app', (r) => void (r.app = 'go.acme.example')],
      ['app with a space', (r) => void (r.app = 'com.acme.shop ')],
      ['prefix ID in capitals', (r) => void (r.app = 'ID1234567890')],
      ['prefix twice', (r) => void (r.app = 'idid1234567890')],
      ['another number', (r) => void (r.app = '123456789')],
      ['__proto__', (r) => void (r.app = '__proto__')],
      ['constructor', (r) => void (r.app = 'constructor')],
      ['with a NUL', (r) => void (r.app = 'com.acme.shop\0')],
    ],
    BY_APP,
  ),
  ...row(
    'unknown_domain',
    400,
    ENDPOINTS,
    [
      ['unknown domain', (r) => void (r.app = 'go.nobody.example')],
      ['an app as domain', (r) => void (r.app = 'com.acme.shop')],
      ['with scheme', (r) => void (r.app = 'https://go.acme.example')],
      ['with port', (r) => void (r.app = 'go.acme.example:443')],
      ['website of the project', (r) => void (r.app = 'acme.example')],
      [
        'unknown domain beside a good app_id',
        (r) => ((r.app = 'go.nobody.example'), set({ app_id: 'com.acme.shop' })(r)),
      ],
      ['__proto__', (r) => void (r.app = '__proto__')],
    ],
    ['domain'],
  ),
  ...row('unknown_campaign', 400, ENDPOINTS, [
    ['unknown', set({ c: 'nope' })],
    ['in another case', set({ c: 'abc123' })],
    ['with a space', set({ c: 'AbC123 ' })],
    ['of another partner', set({ c: 'others' })],
    ['of no partner', set({ c: 'nobodys' })],
    ['inactive', set({ c: 'inactive' })],
    ['of another project', (r) => (aim(r, ACME), set({ c: 'off1' })(r))],
    ['__proto__', set({ c: '__proto__' })],
    ['constructor', set({ c: 'constructor' })],
    ['own campaign for another partner', (r) => void (r.token = OTHER_TOKEN)],
    ['unknown where nothing is switched on', (r) => (aim(r, NOTHING_ON), set({ c: 'nope' })(r))],
  ]),
  ...row('unknown_campaign', 400, ENDPOINTS, [['own domain is another', set({ c: 'alt' })]], ['domain']),
  ...row(
    'ambiguous_app',
    400,
    ENDPOINTS,
    [['two projects with S2S on', (r) => ((r.app = 'com.shared'), set({ c: 'both' })(r))]],
    BY_APP,
  ),
  ...row('partner_not_enabled', 403, ENDPOINTS, [['nothing on', (r) => aim(r, NOTHING_ON)]]),
  ...row('partner_not_enabled', 403, IMPRESSIONS, [['clicks on, S2S traffic off', (r) => aim(r, CLICKS_ONLY)]]),
  ...row('partner_not_enabled', 403, ['click'], [['S2S traffic on, clicks off', (r) => aim(r, TRAFFIC_ONLY)]]),
  ...row('view_through_disabled', 403, IMPRESSIONS, [
    ['S2S traffic on, view-through off', (r) => aim(r, TRAFFIC_ONLY)],
  ]),
  ...row('ctv_not_enabled', 403, CTV, [['CTV off', (r) => aim(r, NO_CTV)]]),
  ...row(
    'ctv_not_enabled',
    403,
    CTV,
    [['CTV on for another app of the project', (r) => void (r.app = 'id1234567890')]],
    BY_APP,
  ),
];

export const applies = (mistake: Mistake, endpoint: Endpoint, form: Form) =>
  mistake.endpoints.includes(endpoint) && (mistake.forms ?? ['path', 'query', 'domain']).includes(form);

/** The first case of each reason that applies, in the order of the checks. */
export function orderedMistakes(endpoint: Endpoint, form: Form): Mistake[] {
  const applying = MISTAKES.filter((mistake) => applies(mistake, endpoint, form));
  return applying.filter((mistake, index) => applying.findIndex((other) => other.reason === mistake.reason) === index);
}

/** Repeatable random numbers from 0 to below 1 (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
