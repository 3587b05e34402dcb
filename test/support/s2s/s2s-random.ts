/** Random requests at the S2S endpoints, good ones and bad ones. */
import fc from 'fast-check';
import { MISTAKES, words } from './s2s-cases';
import { ENDPOINTS, PATHS, type S2sEndpoints } from './s2s-client';
import type { S2sDocument } from './s2s-pipeline';
import type { ModelProject, ModelRequest, ModelWorld } from './s2s-model';
import { GAID, IDFA, OTHER_TOKEN, SUSPENDED_TOKEN, TOKEN, workspace } from '../workspace/workspace';

const DAY_MS = 86_400_000;

/** The workspace in the model's words: a transcription, not a computation. */
const projects: readonly ModelProject[] = (workspace as S2sDocument).projects.map((project) => ({
  name: project.name,
  apps: project.apps.map(({ app_id }) => app_id),
  domains: project.domains.map(({ name }) => name),
  switches: Object.fromEntries(
    (project.partner_switches ?? []).map((one) => [
      one.partner,
      { clicks: one.s2s_clicks, traffic: one.s2s_traffic, view: one.view_through, ctv: one.ctv_apps },
    ]),
  ),
  campaigns: project.campaigns.map(({ display_id, ...rest }) => ({ code: display_id, ...rest })),
}));

const DATACENTERS = ['3.5.140.1', '8.8.8.8', '2600:1f18::1'];
const PUBLIC = [
  ...words('203.0.113.7 198.51.100.1 192.0.2.55 2001:db8::1 2001:DB8:0:0::2 ::ffff:203.0.113.9'),
  ...DATACENTERS,
];
const NOT_PUBLIC = words(
  '10.0.0.1 127.0.0.1 100.64.0.1 ::1 fe80::1 ::ffff:10.0.0.1 nonsense 1.2.3 01.2.3.4 203.0.113.7:80 [2001:db8::1]',
);

const weighted = <T>(...options: readonly (readonly [weight: number, values: readonly T[]])[]) =>
  fc.oneof(...options.map(([weight, values]) => ({ weight, arbitrary: fc.constantFrom(...values) })));
const LONG = ['x'.repeat(257), '\u{1F600}'.repeat(257), `${'\u{1F600}'.repeat(256)}x`];
const FULL = ['x'.repeat(256), '\u{1F600}'.repeat(256)];
const MACROS = ['{gaid}', '%7Bip%7D', '%7bip}', 'a{b.c-d_e}f', '{{tid}}', '{a{b}', `{${'m'.repeat(64)}}`];
const MARKED = ['__CLICKID__', '__a__b__', '[CLICK_ID]', '%%click%%', '<A.B-c>', '$CLICK$'];
const NO_MACROS = ['{}', '{a b}', '}a{', '{\u00e9}', `{${'m'.repeat(65)}}`, '%7B', '{a', 'a}'];
const NOT_MARKED = [...words('____ __1__ _X_ x[Y] %X% %%X% <> </a> $1$ $$ $$$x$ [X __X'), '[a b]'];
const text = weighted(
  [12, ['plain', 'Mozilla/5.0 (TV)', '\u00e9\u4e2d\u{1F600}', ' ', '0', 'a&b=c+d%20;', '\0', '__proto__x']],
  [3, ['']],
  [2, [...NO_MACROS, ...NOT_MARKED]],
  [1, [...MACROS, ...MARKED]],
  [1, FULL],
  [1, LONG],
);

const uuid = weighted(
  [10, [GAID, IDFA, GAID.toUpperCase()]],
  [2, ['']],
  [2, ['00000000-0000-0000-0000-000000000000']],
  [1, ['x', GAID.replaceAll('-', ''), `${GAID} `, 'g8400000-8cf0-11bd-b23e-10b96e40000d']],
  [1, ['{gaid}', ...LONG]],
);
const ip = weighted(
  [10, PUBLIC.filter((one) => !DATACENTERS.includes(one))],
  [5, DATACENTERS],
  [4, NOT_PUBLIC],
  [1, ['']],
  [1, ['{ip}', ...LONG]],
);
/** Ages well away from the limit, so that the moment of judging does not matter; replaced by times when sent. */
const time = weighted<string | number>(
  [10, [0, 1000, 3_600_000, -3_600_000, DAY_MS - 600_000]],
  [4, [DAY_MS + 600_000, 40 * DAY_MS]],
  [3, ['']],
  [5, words('abc 0 -1 123456789 12345678901 123456789012 1.7e12 1700000000.0 9999999999 9999999999999')],
  [1, ['{time}', ...LONG]],
);
const lookback = weighted(
  [10, ['1', '6h', '24h', '1d', '24', '36h', '400', '7d']],
  [3, ['']],
  [2, ['0', '0h', '-1', '1.5h', '30m', 'x', 'h', '0d']],
  [1, ['{window}', ...LONG]],
);

/** One parameter, by any of its names, as often as not well-formed. */
const PARAMETERS: readonly (readonly [names: readonly string[], values: fc.Arbitrary<string | number>])[] = [
  [
    words(`s2 s3 s4 af_sub1 af_sub2 af_sub3 ua af_ua partner_campaign_id af_c_id adset_id af_adset_id ad_id af_ad_id
      site_id af_siteid source_platform af_source_platform device_category af_source_device_category tv_ifa ifa_type`),
    text,
  ],
  [['redirect', 'pid', 'af_lang', 'af_xplatform', 'unknown', '__proto__', 'S2', 'click id', ''], text],
  [['gaid', 'advertising_id', 'idfa'], uuid],
  [['ip', 'af_ip'], ip],
  [['click_time', 'impression_time'], time],
  [['vt_lookback', 'af_viewthrough_lookback', 'af_xplatform_vt_lookback'], lookback],
  [['tid', 'clickid'], weighted([1, ['', '{tid}', ...LONG]])],
  [['c'], weighted([1, ['', 'AbC123', 'nope', '{c}']])],
  [['d'], weighted([1, ['', 'go.acme.example', 'go.nobody.example']])],
  [['app_id'], weighted([1, ['', 'com.acme.shop', 'com.nobody', '{app_id}']])],
];
const parameter = fc.oneof(
  ...PARAMETERS.map(([names, values], i) => ({
    weight: i < 6 ? 6 : 2,
    arbitrary: fc.tuple(fc.constantFrom(...names), values),
  })),
);

const codes = [...new Set(projects.flatMap(({ campaigns }) => campaigns.map(({ code }) => code)))];
/** Places that go together, and some that do not. */
const place = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      { app: 'com.acme.shop', domain: 'go.acme.example', c: 'AbC123' },
      { app: 'id1234567890', domain: 'ALT.acme.example', c: 'second' },
      { app: '1234567890', domain: 'alt.acme.example', c: 'alt' },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...projects).chain((project) =>
      fc.record({
        app: fc.constantFrom(...project.apps),
        domain: fc.constantFrom(...project.domains),
        c: fc.constantFrom(...project.campaigns.map(({ code }) => code)),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      app: fc.constantFrom('com.nobody', 'COM.ACME.SHOP', '', '{app}', 'id1234567890', ...LONG),
      domain: fc.constantFrom('', 'go.nobody.example', '{d}', 'go.acme.example.', ...LONG),
      c: fc.constantFrom(...codes, '', '{c}', 'abc123', ...LONG),
    }),
  },
);
const credentials = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      { header: TOKEN, parameter: '' },
      { header: '', parameter: TOKEN },
      { header: TOKEN, parameter: 'wrong' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      header: fc.constantFrom('', 'wrong', OTHER_TOKEN, SUSPENDED_TOKEN),
      parameter: fc.constantFrom('', 'wrong', OTHER_TOKEN, '{token}', TOKEN),
    }),
  },
);

const anything = fc.record({
  endpoint: fc.constantFrom(...ENDPOINTS),
  form: fc.constantFrom('path', 'query', 'domain', 'path and query', 'domain and query'),
  place,
  credentials,
  /** Whether to start from what the endpoint requires. */
  required: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  parameters: fc.array(parameter, { maxLength: 5 }),
  /** Where the random parameters stand: before the required ones they win, after them they are repeats. */
  before: fc.boolean(),
  tidName: fc.constantFrom('tid', 'tid', 'tid', 'clickid'),
  seconds: fc.boolean(),
});
export type Anything = typeof anything extends fc.Arbitrary<infer T> ? T : never;

/** Makes a request of the values that fast-check drew; ages become times. */
export function readRequest(drawn: Anything, tid: string, now: number): ModelRequest {
  const { endpoint, form, place: at, required } = drawn;
  const parameters = drawn.parameters.map(([name, value]): [string, string] => [
    name,
    typeof value === 'number'
      ? drawn.seconds
        ? String(Math.floor((now - value) / 1000))
        : String(now - value)
      : value,
  ]);
  const needs: [string, string][] =
    endpoint === 'ctv'
      ? [
          ['ip', '203.0.113.7'],
          ['ua', 'TV'],
        ]
      : [['gaid', GAID]];
  const base: [string, string][] = [['c', at.c], [drawn.tidName, tid], ...(required ? needs : [])];
  if (form.startsWith('domain')) base.push(['d', at.domain]);
  if (form.endsWith('query')) base.push(['app_id', at.app]);
  if (drawn.credentials.parameter) base.push(['svc_token', drawn.credentials.parameter]);
  return {
    endpoint,
    pathApp: form.startsWith('path') ? at.app : '',
    header: drawn.credentials.header,
    pairs: drawn.before ? [...parameters, ...base] : [...base, ...parameters],
  };
}

/** The workspace as the model needs it. */
export const worldAt = (now: number): ModelWorld => ({
  now,
  tokens: new Map([
    [TOKEN, 'Mobi Ads'],
    [OTHER_TOKEN, 'Other Ads'],
  ]),
  projects,
  datacenters: new Set(DATACENTERS),
  publicIps: new Set(PUBLIC),
});

/** What the model can answer, every one of which is to be met. */
export const OUTCOMES = ['accepted', ...new Set(MISTAKES.map(({ reason }) => reason))].sort();

const NAMED = new Set(['d', 'svc_token']);

/** Path with query, and headers, of a request as its endpoints are to get it. */
export function sendable(
  { endpoint, pathApp, header, pairs }: ModelRequest,
  own: S2sEndpoints['own'],
): [at: string, headers: Record<string, string>] {
  const query = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, NAMED.has(name) ? own(value) : value]),
  ).toString();
  const at = `${PATHS[endpoint]}${pathApp ? `/${encodeURIComponent(pathApp)}` : ''}?${query}`;
  return [at, header ? { 'X-Service-Token': own(header) } : {}];
}

/** Asks so many random requests, many at once; the first that differs is shown whole, so nothing needs shrinking. */
export function checkRandom(requests: number, check: (drawn: Anything) => Promise<void>, batch = 100): Promise<void> {
  return fc.assert(
    fc.asyncProperty(fc.array(anything, { minLength: batch, maxLength: batch, size: 'max' }), async (many) => {
      await Promise.all(many.map(check));
    }),
    { numRuns: requests / batch, endOnFailure: true },
  );
}
