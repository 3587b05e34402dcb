/** Histories on which the service and the model once differed, or that only the right order of decisions gets right. */
import type { EventPlan, History, InstallPlan, Settings, TouchPlan } from './attribution-histories';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Later than now: counts as now. */
const NOW = 300 * DAY;

const partner = {
  s2s_clicks: true,
  s2s_traffic: true,
  view_through: true,
  ctv: ['android' as const],
  view_window_hours: 24,
};
const settings: Settings = {
  clickDays: 7,
  googleDays: 7,
  metaDays: 7,
  ipHours: 24,
  viewHours: 24,
  ctvHours: 24,
  reinstallDays: 90,
  switches: { 'Mobi Ads': partner, 'Other Ads': partner },
};

const touch = (more: Partial<TouchPlan>): TouchPlan => ({
  kind: 's2s',
  campaign: 'mobi',
  offset: -HOUR,
  app: '',
  gaid: null,
  idfa: null,
  ip: null,
  agent: 0,
  lookback: null,
  late: false,
  repeated: false,
  ...more,
});
const event = (more: Partial<EventPlan>): EventPlan => ({
  round: 1,
  offset: 0,
  app: 'android',
  gaid: null,
  idfa: null,
  ...more,
});
const install = (more: Partial<InstallPlan>): InstallPlan => ({
  ...event({}),
  ip: null,
  agent: 0,
  referrer: null,
  sinceClick: null,
  sinceBegin: null,
  attribution: null,
  repeated: false,
  events: [],
  ...more,
});
const history = (touches: TouchPlan[], installs: InstallPlan[]): History => ({
  project: 0,
  old: false,
  touches,
  installs,
});

export const KEPT: readonly { readonly name: string; readonly settings: Settings; readonly history: History }[] = [
  {
    name: 'a click repeated from another address is not matched by that address',
    settings,
    history: history(
      [touch({ ip: 0, repeated: true })],
      [install({ ip: 1, offset: NOW }), install({ ip: 0, offset: NOW })],
    ),
  },
  {
    name: 'an impression repeated from another address is still one',
    settings,
    history: history(
      [touch({ kind: 'ctv', ip: 0, repeated: true, app: 'android' })],
      [install({ ip: 1, offset: NOW })],
    ),
  },
  {
    name: 'an impression on a television of the household is credited',
    settings,
    history: history([touch({ kind: 'ctv', ip: 0, app: 'android' })], [install({ ip: 0, offset: NOW })]),
  },
  {
    name: 'a click that the referrer names, outside the click window, can be inside that of its address',
    settings: { ...settings, clickDays: 0 },
    history: history(
      [touch({ kind: 'import', campaign: 'plain', ip: 0 })],
      [install({ ip: 0, referrer: { touch: 0, of: 'this', encoded: false } })],
    ),
  },
  {
    name: 'the second delivery of an install says nothing about its device',
    settings,
    history: history([], [install({ gaid: 0, repeated: true }), install({ gaid: 1, round: 2, offset: HOUR })]),
  },
  {
    name: 'an event that names the device of another installation too late makes no reinstall',
    settings,
    history: history(
      [],
      [
        install({ events: [event({ offset: -DAY }), event({ round: 2, gaid: 0 })] }),
        install({ gaid: 0, offset: HOUR }),
      ],
    ),
  },
  {
    name: 'an event without device ID counts for the device of its installation',
    settings,
    history: history(
      [],
      [install({ gaid: 0, offset: -95 * DAY, events: [event({ offset: -DAY })] }), install({ gaid: 0, round: 2 })],
    ),
  },
  {
    name: 'impressions go to installs in the order of their receipt, whoever wants which',
    settings,
    history: history(
      [touch({ kind: 'impression', gaid: 0 }), touch({ kind: 'impression', gaid: 0, idfa: 0, offset: -2 * HOUR })],
      [install({ gaid: 0 }), install({ gaid: 0 }), install({ idfa: 0 })],
    ),
  },
];
