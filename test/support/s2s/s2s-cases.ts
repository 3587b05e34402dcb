/** Every way in which an S2S request can be wrong, as docs/contract/ lists them, in the order of the checks. */
import { inspect } from 'node:util';
import {
  ACME,
  CLICKS_ONLY,
  ENDPOINTS,
  FORMS,
  NOTHING_ON,
  NO_CTV,
  PUBLIC_IP,
  TRAFFIC_ONLY,
  aim,
  goodRequest,
  type Endpoint,
  type Form,
  type S2sEndpoints,
  type S2sRequest,
  type Target,
} from './s2s-client';
import { listNames, listParameters, type Kind } from '../../../src/s2s/parameters';
import { GAID, IDFA, OTHER_TOKEN, SUSPENDED_TOKEN, TOKEN } from '../workspace/workspace';

export interface Mistake {
  readonly reason: string;
  readonly status: number;
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  /** Host forms it exists in. */
  readonly forms: readonly Form[];
  /** Makes a good request wrong, in this one way; `now` is the time where it is sent. */
  spoil(request: S2sRequest, now: number): void;
}

const ZERO = '00000000-0000-0000-0000-000000000000';
const IMPRESSIONS: readonly Endpoint[] = ['impression', 'ctv'];
const DEVICES: readonly Endpoint[] = ['click', 'impression'];
const CTV: readonly Endpoint[] = ['ctv'];
const BY_APP: readonly Form[] = ['path', 'query'];
const DAY_MS = 86_400_000;

/** How a good request is changed: its token, what it names, parameters; undefined takes away. */
interface Change {
  readonly token?: string | undefined;
  readonly app?: string;
  readonly at?: Target;
  readonly [parameter: string]: string | undefined | Target | ((now: number) => string);
}

function apply(change: Change, request: S2sRequest, now: number): void {
  const { token, app, at, ...params } = change;
  if (at) aim(request, at);
  if ('token' in change) request.token = token;
  if (app !== undefined) request.app = app;
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) delete request.params[name];
    else request.params[name] = typeof value === 'function' ? value(now) : (value as string);
  }
}

const row = (
  reason: string,
  status: number,
  endpoints: readonly Endpoint[],
  changes: readonly Change[],
  forms: readonly Form[] = FORMS,
): Mistake[] =>
  changes.map((change) => ({
    reason,
    status,
    endpoints,
    forms,
    name: inspect(change, { breakLength: Infinity }).slice(0, 120),
    spoil: (request, now) => apply(change, request, now),
  }));
const each = (field: string, values: readonly string[]): Change[] => values.map((value) => ({ [field]: value }));
const eachWith = (base: Change, changes: readonly Change[]): Change[] => changes.map((one) => ({ ...base, ...one }));

const listAliases = (kind: Kind): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(listParameters(kind).map((name) => [name, listNames(kind, name).slice(1)]));
/** Parameters that each endpoint reads, with their aliases in the order in which they count: as they are declared. */
export const NAMES: Readonly<Record<Endpoint, Readonly<Record<string, readonly string[]>>>> = {
  click: listAliases('click'),
  impression: listAliases('impression'),
  ctv: listAliases('ctv_impression'),
};

/** Each parameter under each of its names, with this value and without the other names. */
const ofEveryName = (reason: string, makeValue: (name: string) => string): Mistake[] =>
  ENDPOINTS.flatMap((endpoint) =>
    Object.entries(NAMES[endpoint]).flatMap(([meaning, aliases]) => {
      const names = [meaning, ...aliases];
      const none = Object.fromEntries(names.map((name) => [name, undefined]));
      const changes = names.map((name) => ({ ...none, [name]: makeValue(name) }));
      return row(reason, 400, [endpoint], changes);
    }),
  );
export const words = (text: string) => text.trim().split(/\s+/);

const MACROS = [
  ...words(
    '{gaid} %7Bgaid%7D %7bip%7d {click_id%7D %7Bclick_id} before{ip}after {{tid}} {a.b-c_D9} {_} {{lineitem.id}}',
  ),
  ...words('${CLICK_ID} __CLICKID__ __click.id-2__ [CLICK_ID] [ClickId] %%CLICK%% %%click_id%% <CLICK> $CLICK$ $c$'),
  `{${'m'.repeat(64)}}`,
  '{ {x}',
];
const FOUR_BYTES = '\u{1F600}';

const NOT_PUBLIC = words(`
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1 127.0.0.1 127.255.255.254 169.254.0.1 100.64.0.0
  100.127.255.255 0.0.0.0 0.1.2.3 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 fe80::1 febf::1 fc00::1
  fdff::1 ff02::1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::a00:1 64:ff9b::192.168.0.1 2002:a00:1:: 2002:c0a8:101::1
  2001:0:4136:e378:8000:63bf:f5ff:fffe`);
const NOT_AN_IP = [
  ...words('not-an-ip 1.2.3 1.2.3.4.5 01.2.3.4 1.2.3.04 1.2.3.256 0x1.2.3.4 16909060 1.2.3.4:80 fe80::1%eth0 null'),
  ...words('[2001:db8::1] [2001:db8::1]:80 2001:db8::1%1 2001:db8::g 2001:db8:::1 ::ffff:1.2.3 ::ffff:01.2.3.4'),
  ...['203.0.113.7 ', ' 203.0.113.7', '203.0.113.7/32', '203.0.113.7,10.0.0.1', '203.0.113.7\0', '\u0661.2.3.4'],
];
const BAD_UUIDS = [
  ...words('x null 0 38400000-8cf0-11bd-b23e-10b96e40000 38400000-8cf0-11bd-b23e-10b96e40000d0'),
  ...words('384000008cf011bdb23e10b96e40000d 00000000000000000000000000000000 g8400000-8cf0-11bd-b23e-10b96e40000d'),
  ...words('384000-008cf0-11bd-b23e-10b96e40000d 3\uff18400000-8cf0-11bd-b23e-10b96e40000d'),
  ...[` ${GAID}`, `${GAID}\n`, `urn:uuid:${GAID}`, `${GAID}\0`],
];
const BAD_TIMES = [
  ...words('abc 0 -1 1700000000.5 123456789 12345678901 123456789012 12345678901234 -170000000 +170000000 17e8 NaN'),
  ...['0x65535000', '2026-01-01T00:00:00Z', ' 1700000000', '1700000000 ', '1700000000\n', '\u0661'.repeat(10)],
];
const BAD_LOOKBACKS = [
  ...words('0 0h 0d 00 -1 -1h -1d 1.5 1.5h 0.5d 30m 3600s 1w h d abc 1h30m 1hd \u0666h 1e1 0x6 6,5 +6h'),
  ...['1 h', '6h\n'],
];

/** Unix times beyond the limit; computed when sent, because they age. */
const tooOld = (field: string): Change[] => [
  { [field]: (now) => String(now - DAY_MS - 1) },
  { [field]: (now) => String(Math.floor((now - DAY_MS) / 1000) - 1) },
  ...each(field, ['1000000000', '0000000000000', '0000000000']),
];
const noToken = { token: undefined, svc_token: undefined };
const noIp = { ip: undefined, af_ip: undefined };
const noDevice = { ...noIp, gaid: undefined, advertising_id: undefined, idfa: undefined };
const UNKNOWN_APPS = [
  ...words('com.nobody COM.ACME.SHOP go.acme.example ID1234567890 idid1234567890 123456789 __proto__x constructor'),
  ...['com.acme.shop ', 'com.acme.shop\0'],
];
const UNKNOWN_DOMAINS = words(
  'go.nobody.example com.acme.shop https://go.acme.example go.acme.example:443 acme.example go.acme.example\0',
);

/**
 * Every row of "S2S rejections" that the workspace can show without a change of its own, in the order of
 * docs/contract/s2s.md.
 */
export const MISTAKES: readonly Mistake[] = [
  ...row('missing_token', 401, ENDPOINTS, [
    noToken,
    ...eachWith(noToken, [{ svc_token: '' }, { token: '' }, { token: '  ' }]),
  ]),
  ...row('invalid_token', 401, ENDPOINTS, [
    ...each('token', ['wrong-token', TOKEN.toUpperCase(), `${TOKEN}x`, SUSPENDED_TOKEN]),
    ...eachWith(noToken, each('svc_token', ['wrong-token', SUSPENDED_TOKEN, '{svc_token}', 't'.repeat(300)])),
    { token: 'wrong-token', svc_token: TOKEN },
  ]),
  ...row('missing_app', 400, ENDPOINTS, [
    { app: '', app_id: undefined },
    { app: '', app_id: '', d: '' },
  ]),
  ...row('missing_c', 400, ENDPOINTS, [{ c: undefined }, { c: '' }]),
  ...row('missing_tid', 400, ENDPOINTS, [
    ...eachWith({ clickid: undefined }, [{ tid: undefined }, { tid: '' }, { tid: '', clickid: '' }]),
  ]),
  ...ofEveryName('value_too_long', () => 'x'.repeat(257)),
  ...row('value_too_long', 400, ENDPOINTS, [
    ...[{ redirect: 'x'.repeat(257) }, { whatever: 'x'.repeat(257) }, { app: 'a'.repeat(257) }],
    ...each('s2', [`${FOUR_BYTES.repeat(256)}x`, `x${FOUR_BYTES.repeat(256)}`, 'y'.repeat(20_000)]),
    ...[FOUR_BYTES, '\u0301', '\0'].map((character) => ({ s2: character.repeat(257) })),
    { s2: 'name', af_sub1: 'a'.repeat(257) },
  ]),
  ...ofEveryName('unreplaced_macro', (name) => `{${name}}`),
  ...row('unreplaced_macro', 400, ENDPOINTS, [
    ...each('s2', MACROS),
    ...each('app', ['{app}', 'com.%7Bapp%7D', '__APP__']),
    { tid: undefined, clickid: '__CLICKID__' },
    // Indistinguishable from one.
    { c: '__proto__' },
  ]),
  ...row('invalid_device_id', 400, DEVICES, [
    ...each('gaid', [...BAD_UUIDS, `{ ${GAID}}`]),
    ...each('idfa', BAD_UUIDS),
    ...[{ gaid: undefined, advertising_id: 'x' }, { idfa: 'x' }],
    ...eachWith({ gaid: 'x' }, [{ idfa: IDFA }, { advertising_id: GAID }, { ip: PUBLIC_IP }, { idfa: ZERO }]),
  ]),
  ...row('missing_device_id', 400, DEVICES, [
    noDevice,
    ...eachWith(noDevice, [{ gaid: ZERO }, { idfa: ZERO }, { gaid: ZERO, idfa: ZERO }, { advertising_id: ZERO }]),
    // An all-zero ID hides what comes under the alias.
    ...eachWith(noDevice, [{ gaid: ZERO, advertising_id: GAID }, { gaid: '' }, { ip: '10.0.0.1' }]),
  ]),
  ...row('missing_device_id', 400, ['click'], eachWith(noDevice, each('ip', [...NOT_PUBLIC, ...NOT_AN_IP]))),
  ...row(
    'missing_device_id',
    400,
    ['impression'],
    [...eachWith(noDevice, [{ ip: PUBLIC_IP }, { gaid: ZERO, ip: PUBLIC_IP }])],
  ),
  ...row('missing_ip', 400, CTV, [noIp, { ip: '', af_ip: '' }, { ...noIp, gaid: GAID, idfa: IDFA }]),
  ...row('invalid_ip', 400, CTV, [
    ...each('ip', [...NOT_PUBLIC, ...NOT_AN_IP]),
    ...[
      { ip: undefined, af_ip: '10.0.0.1' },
      { ip: '10.0.0.1', af_ip: PUBLIC_IP },
    ],
  ]),
  ...row('datacenter_ip', 400, CTV, [
    ...each('ip', words('3.5.140.1 52.95.110.1 8.8.8.8 1.1.1.1 2600:1f18::1 2a01:4f8::1 ::ffff:3.5.140.1')),
    { ip: '64:ff9b::305:8c01' },
  ]),
  ...row('missing_ua', 400, CTV, [{ ua: undefined }, { ua: '' }, { ua: undefined, af_ua: '' }]),
  ...row('invalid_click_time', 400, ['click'], each('click_time', BAD_TIMES)),
  ...row('click_too_old', 400, ['click'], tooOld('click_time')),
  ...row('invalid_impression_time', 400, IMPRESSIONS, each('impression_time', BAD_TIMES)),
  ...row('impression_too_old', 400, IMPRESSIONS, tooOld('impression_time')),
  ...row('invalid_viewthrough_lookback', 400, IMPRESSIONS, [
    ...each('vt_lookback', BAD_LOOKBACKS),
    ...[{ af_viewthrough_lookback: '0' }, { vt_lookback: '0', af_viewthrough_lookback: '6h' }],
  ]),
  ...row('invalid_viewthrough_lookback', 400, CTV, [{ af_xplatform_vt_lookback: '0' }]),
  ...row('unknown_app', 400, ENDPOINTS, each('app', UNKNOWN_APPS), BY_APP),
  ...row('unknown_domain', 400, ENDPOINTS, each('app', UNKNOWN_DOMAINS), ['domain']),
  ...row(
    'unknown_domain',
    400,
    ENDPOINTS,
    [{ app: '__proto__x' }, { app: 'go.nobody.example', app_id: 'com.acme.shop' }],
    ['domain'],
  ),
  ...row('unknown_campaign', 400, ENDPOINTS, [
    ...each('c', ['AbC123 ', 'AbC123\0', ...words('nope abc123 others nobodys inactive __proto__x constructor')]),
    ...[{ at: ACME, c: 'off1' }, { token: OTHER_TOKEN }, { at: NOTHING_ON, c: 'nope' }],
  ]),
  // Its own domain is another.
  ...row('unknown_campaign', 400, ENDPOINTS, [{ c: 'alt' }], ['domain']),
  ...row('ambiguous_app', 400, ENDPOINTS, [{ app: 'com.shared', c: 'both' }], BY_APP),
  ...row('partner_not_enabled', 403, ENDPOINTS, [{ at: NOTHING_ON }]),
  ...row('partner_not_enabled', 403, IMPRESSIONS, [{ at: CLICKS_ONLY }]),
  ...row('partner_not_enabled', 403, ['click'], [{ at: TRAFFIC_ONLY }]),
  ...row('view_through_disabled', 403, IMPRESSIONS, [{ at: TRAFFIC_ONLY }]),
  ...row('ctv_not_enabled', 403, CTV, [{ at: NO_CTV }]),
  // It is on for another app of the project.
  ...row('ctv_not_enabled', 403, CTV, [{ app: 'id1234567890' }], BY_APP),
];

export const applies = (mistake: Mistake, endpoint: Endpoint, form: Form) =>
  mistake.endpoints.includes(endpoint) && mistake.forms.includes(form);

/** The first case of each reason that applies, in the order of the checks. */
export function orderedMistakes(endpoint: Endpoint, form: Form): Mistake[] {
  const applying = MISTAKES.filter((mistake) => applies(mistake, endpoint, form));
  return applying.filter((mistake, index) => applying.findIndex((other) => other.reason === mistake.reason) === index);
}

/** A good request to those endpoints, with these mistakes in it: the first of them stands whatever the others did. */
export function spoilt(
  s2s: S2sEndpoints,
  endpoint: Endpoint,
  form: Form,
  mistakes: readonly Mistake[],
  params: Record<string, string> = {},
): S2sRequest {
  const request = goodRequest(endpoint, params, form);
  for (const mistake of mistakes.toReversed()) mistake.spoil(request, s2s.now());
  return request;
}
