/**
 * Why an S2S request is refused, once: the status, the endpoints that can say so, the field that it is about, and what
 * people are told (docs/contract/s2s.md rejections). OpenAPI, the import of clicks and the dashboard follow from it.
 */
import { KINDS, type Kind } from './parameters';

interface Rejection {
  readonly status: 400 | 401 | 403 | 404 | 429 | 503;
  readonly kinds: readonly Kind[];
  /** The parameter that is to be mended, where it is always the same one. */
  readonly field?: string;
  readonly label: string;
  /** What whoever sends such requests can do. */
  readonly help: string;
}

const VIEWS = ['impression', 'ctv_impression'] as const;
const WITH_DEVICES = ['click', 'impression'] as const;
const CLICKS = ['click'] as const;
const TV = ['ctv_impression'] as const;

export const REJECTIONS = {
  missing_app: {
    status: 400,
    kinds: KINDS,
    label: 'No app',
    help: 'Send app_id, in the path or as a parameter, or the tracking domain as d.',
  },
  missing_c: {
    status: 400,
    kinds: KINDS,
    field: 'c',
    label: 'No campaign',
    help: 'Send the campaign code as c.',
  },
  missing_tid: {
    status: 400,
    kinds: KINDS,
    field: 'tid',
    label: 'No touch ID',
    help: "Send the partner's own ID of the click or impression as tid.",
  },
  missing_device_id: {
    status: 400,
    kinds: WITH_DEVICES,
    field: 'gaid',
    label: 'No device ID',
    help: 'Send gaid or idfa; for clicks a public ip is enough.',
  },
  invalid_device_id: {
    status: 400,
    kinds: WITH_DEVICES,
    label: 'Bad device ID',
    help: 'gaid and idfa must be UUIDs with hyphens.',
  },
  missing_ip: {
    status: 400,
    kinds: TV,
    label: 'No IP address',
    help: "Send the TV's address as ip.",
  },
  invalid_ip: {
    status: 400,
    kinds: TV,
    label: 'Bad IP address',
    help: 'ip must be a public address, not one of a private network.',
  },
  datacenter_ip: {
    status: 400,
    kinds: TV,
    label: 'Address of a data centre',
    help: "Send the TV's own address, not that of a server.",
  },
  missing_ua: {
    status: 400,
    kinds: TV,
    label: 'No user agent',
    help: "Send the TV's user agent as ua.",
  },
  unreplaced_macro: {
    status: 400,
    kinds: KINDS,
    label: 'Macro not replaced',
    help:
      'A value still reads like {gaid} or __CLICKID__: have the ad server fill it in, or leave the parameter out. ' +
      'The URLs to paste have the macros of each network and tracker.',
  },
  value_too_long: {
    status: 400,
    kinds: KINDS,
    label: 'Value too long',
    help: 'No value may have more than 256 characters.',
  },
  invalid_click_time: {
    status: 400,
    kinds: CLICKS,
    field: 'click_time',
    label: 'Bad click time',
    help: 'click_time must be Unix time of 10 or 13 digits.',
  },
  click_too_old: {
    status: 400,
    kinds: CLICKS,
    label: 'Click too old',
    help: 'Send clicks within 24 hours.',
  },
  invalid_impression_time: {
    status: 400,
    kinds: VIEWS,
    label: 'Bad impression time',
    help: 'impression_time must be Unix time of 10 or 13 digits.',
  },
  impression_too_old: {
    status: 400,
    kinds: VIEWS,
    label: 'Impression too old',
    help: 'Send impressions within 24 hours.',
  },
  invalid_viewthrough_lookback: {
    status: 400,
    kinds: VIEWS,
    label: 'Bad lookback window',
    help: 'vt_lookback must be whole hours (6h) or days (1d), at least one.',
  },
  unknown_app: {
    status: 400,
    kinds: KINDS,
    field: 'app_id',
    label: 'Unknown app',
    help: 'No project has this app: compare the app ID with the store.',
  },
  ambiguous_app: {
    status: 400,
    kinds: KINDS,
    label: 'Ambiguous app',
    help: 'Several projects are meant: send the tracking domain as d instead.',
  },
  unknown_domain: {
    status: 400,
    kinds: KINDS,
    field: 'd',
    label: 'Unknown domain',
    help: 'd is no tracking domain: compare it with the tracking link.',
  },
  unknown_campaign: {
    status: 400,
    kinds: KINDS,
    field: 'c',
    label: 'Unknown campaign',
    help: 'c is no active campaign of the partner for this app: compare it with the list of campaigns.',
  },
  missing_token: {
    status: 401,
    kinds: KINDS,
    label: 'No token',
    help: 'Send the token in the header X-Service-Token.',
  },
  invalid_token: {
    status: 401,
    kinds: KINDS,
    label: 'Bad token',
    help: 'The token is unknown, revoked or expired: use the current one.',
  },
  partner_not_enabled: {
    status: 403,
    kinds: KINDS,
    label: 'Switched off',
    help: 'The advertiser has not switched on these requests of the partner.',
  },
  view_through_disabled: {
    status: 403,
    kinds: VIEWS,
    label: 'View-through off',
    help: 'The advertiser has not switched on view-through attribution for the partner.',
  },
  ctv_not_enabled: {
    status: 403,
    kinds: TV,
    label: 'TV off',
    help: 'The advertiser has not switched on connected TV for this app.',
  },
  s2s_disabled: {
    status: 404,
    kinds: KINDS,
    label: 'Service switched off',
    help: 'The installation takes no such requests.',
  },
  rate_limited: {
    status: 429,
    kinds: KINDS,
    label: 'Too many requests',
    help: 'Repeat them after the seconds that Retry-After names.',
  },
  unavailable: {
    status: 503,
    kinds: KINDS,
    label: 'Service was away',
    help: 'Repeat them after the seconds that Retry-After names.',
  },
} as const satisfies Readonly<Record<string, Rejection>>;

export type Reason = keyof typeof REJECTIONS;
export const REASONS = Object.keys(REJECTIONS) as Reason[];

/** One of the reasons, as any of them. */
export const readRejection = (reason: Reason): Rejection => REJECTIONS[reason];

/** The reasons that an endpoint can give. */
export const listReasons = (kind: Kind): Reason[] =>
  REASONS.filter((reason) => readRejection(reason).kinds.includes(kind));
