/** Random histories of touches and installs, as data: what happens on a few devices of one household. */
import fc from 'fast-check';
import { ANDROID, DESKTOP, IPHONE } from '../links/links';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The settings of a project, in force when installs are decided. */
export interface Settings {
  readonly clickDays: number;
  readonly googleDays: number;
  readonly metaDays: number;
  readonly ipHours: number;
  readonly viewHours: number;
  readonly ctvHours: number;
  readonly reinstallDays: number;
  readonly switches: Readonly<
    Record<
      'Mobi Ads' | 'Other Ads',
      {
        readonly s2s_clicks: boolean;
        readonly s2s_traffic: boolean;
        readonly view_through: boolean;
        readonly ctv: readonly App[];
        readonly view_window_hours: number;
      }
    >
  >;
}

export type App = 'android' | 'ios';
export const CAMPAIGNS = {
  mobi: { partner: 'Mobi Ads' },
  other: { partner: 'Other Ads' },
  google: { partner: 'Mobi Ads', network: 'GOOGLE' },
  meta: { network: 'META' },
  plain: {},
} as const;
export type CampaignName = keyof typeof CAMPAIGNS;

/** User agents with the operating system that they name. */
export const AGENTS = [
  ['', ''],
  ['okhttp/4.9', ''],
  [ANDROID, 'android'],
  [IPHONE, 'ios'],
  [DESKTOP, 'windows'],
  // An iPad, Android in desktop mode and UC Browser, or what they look like.
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 ' +
      'Safari/605.1.15',
    'macos',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36', 'linux'],
  ['UCWEB/2.0 (MIDP-2.0; U; Adr 9.0.0; en-US; SM-J400F) U2/1.0.0 UCBrowser/10.9.9.1008 U2/1.0.0 Mobile', 'android'],
] as const;

/** Which of the two of the household, or none. */
type Which = 0 | 1 | null;

interface Device {
  readonly gaid: Which;
  readonly idfa: Which;
  readonly ip: Which;
  readonly agent: number;
}

export interface TouchPlan extends Device {
  readonly kind: 's2s' | 'link' | 'import' | 'impression' | 'ctv';
  readonly campaign: CampaignName;
  /** Milliseconds from the time around which the history happens; of a link it is opened when it is sent. */
  readonly offset: number;
  readonly app: App | '';
  readonly lookback: number | null;
  /** Sent after the first round of installs. */
  readonly late: boolean;
  /** Sent once more, from another address and without time. */
  readonly repeated: boolean;
}

export interface EventPlan {
  readonly round: 1 | 2;
  readonly offset: number;
  readonly app: App;
  readonly gaid: Which;
  readonly idfa: Which;
}

export interface InstallPlan extends EventPlan, Device {
  /** A touch of this history, or of the one before, that the referrer names. */
  readonly referrer: { readonly touch: number; readonly of: 'this' | 'last'; readonly encoded: boolean } | null;
  /** Milliseconds from the click in the store, and from the beginning of the download, to the install. */
  readonly sinceClick: number | null;
  readonly sinceBegin: number | null;
  readonly attribution: {
    readonly campaign: CampaignName | 'synced';
    readonly type: 'click' | 'impression' | null;
    readonly since: number | null;
  } | null;
  /** In the first round: sent again in the second, with another event ID and as another device. */
  readonly repeated: boolean;
  /** Other events of this installation. */
  readonly events: readonly EventPlan[];
}

export interface History {
  /** Index of its project. */
  readonly project: number;
  /** Years ago, where only imported clicks are. */
  readonly old: boolean;
  readonly touches: readonly TouchPlan[];
  readonly installs: readonly InstallPlan[];
}

const around = (...lengths: number[]) => lengths.flatMap((ms) => [ms, ms - 1, ms + 1]);
const which = fc.constantFrom<Which>(0, 0, 1, null, null);
const device = {
  gaid: which,
  idfa: which,
  ip: fc.constantFrom<Which>(0, 0, 0, 1, null),
  agent: fc.nat(AGENTS.length - 1),
};
const app = fc.constantFrom<App>('android', 'android', 'ios');
const rarely = fc.integer({ min: 0, max: 7 }).map((n) => n === 0);
const sometimes = <T>(one: fc.Arbitrary<T>, nulls: number) =>
  fc.oneof({ weight: nulls, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one });
const round = fc.constantFrom<1 | 2>(1, 1, 2);

const hours = fc.constantFrom(0, 1, 2, 3, 24, 48);
const on = fc.integer({ min: 0, max: 4 }).map((n) => n > 0);
const partner = fc.record({
  s2s_clicks: on,
  s2s_traffic: on,
  view_through: on,
  ctv: fc.constantFrom<App[]>(['android'], ['android', 'ios'], ['ios'], []),
  view_window_hours: fc.constantFrom(1, 2, 3, 24),
});

export const settings: fc.Arbitrary<Settings> = fc.record({
  clickDays: fc.constantFrom(0, 1, 2, 7),
  googleDays: fc.constantFrom(0, 1, 30),
  metaDays: fc.constantFrom(1, 7, 30),
  ipHours: fc.constantFrom(0, 1, 2, 24, 48),
  viewHours: hours,
  ctvHours: hours,
  reinstallDays: fc.constantFrom(0, 1, 7, 90),
  switches: fc.record({ 'Mobi Ads': partner, 'Other Ads': partner }),
});

/** Before the install, at the edges of windows, a moment later, and together with others. */
const recentOffset = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, -1, -1 * HOUR, -HOUR - 1, -HOUR + 1, ...around(-2 * HOUR, -3 * HOUR), 1, 9_000),
  },
  { weight: 2, arbitrary: fc.integer({ min: -20 * HOUR, max: HOUR }) },
);
const oldOffset = fc.oneof(
  recentOffset,
  fc.constantFrom(...around(-DAY, -2 * DAY, -7 * DAY, -30 * DAY)),
  fc.integer({ min: -31 * DAY, max: 0 }),
);

const readTouch = (old: boolean) =>
  fc.record({
    ...device,
    kind: old
      ? fc.constant('import' as const)
      : fc.constantFrom('s2s', 's2s', 'link', 'import', 'impression', 'impression', 'ctv'),
    campaign: fc.constantFrom(...(Object.keys(CAMPAIGNS) as CampaignName[])),
    offset: old ? oldOffset : recentOffset,
    app: fc.constantFrom<App | ''>('android', 'android', '', 'ios'),
    lookback: fc.constantFrom(null, null, 1, 2, 24),
    late: rarely,
    repeated: rarely,
  });

const installOffset = fc.constantFrom(0, 0, 0, 1, 5_000, HOUR, 2 * HOUR, -HOUR);
const eventOffset = fc.constantFrom(0, -1, HOUR, -HOUR, ...around(-DAY, -7 * DAY, -90 * DAY), -3 * DAY, -40 * DAY);
const event: fc.Arbitrary<EventPlan> = fc.record({ round, offset: eventOffset, app, gaid: which, idfa: which });
const install: fc.Arbitrary<InstallPlan> = fc.record({
  ...device,
  round,
  app,
  repeated: rarely,
  // As good as never: it counts as now, so that links opened just before are near it.
  offset: fc.oneof({ weight: 4, arbitrary: installOffset }, { weight: 1, arbitrary: fc.constant(300 * DAY) }),
  referrer: sometimes(
    fc.record({
      touch: fc.nat(4),
      of: fc.constantFrom<'this' | 'last'>('this', 'this', 'this', 'last'),
      encoded: fc.boolean(),
    }),
    3,
  ),
  sinceClick: sometimes(fc.constantFrom(0, 2_999, 3_000, 60_000, -1_000), 3),
  sinceBegin: sometimes(fc.constantFrom(0, 2_999, 3_000, 60_000), 2),
  attribution: sometimes(
    fc.record({
      campaign: fc.constantFrom<CampaignName | 'synced'>('mobi', 'plain', 'synced'),
      type: fc.constantFrom('click', 'impression', null),
      since: fc.constantFrom(null, 0, 9_999, 10_000, HOUR),
    }),
    9,
  ),
  events: fc.array(event, { maxLength: 2 }),
});

export const readHistory = (projects: number): fc.Arbitrary<History> =>
  fc.constantFrom(false, false, true).chain((old) =>
    fc.record({
      project: fc.nat(projects - 1),
      old: fc.constant(old),
      touches: fc.array(readTouch(old), { maxLength: 6 }),
      installs: fc.array(install, { minLength: 1, maxLength: 4 }),
    }),
  );
