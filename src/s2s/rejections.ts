/** Why an S2S request is refused, row for row as docs/contract.md lists it under "S2S rejections". */

/** HTTP status of each reason. */
export const REJECTIONS = {
  missing_app: 400,
  missing_c: 400,
  missing_tid: 400,
  missing_device_id: 400,
  invalid_device_id: 400,
  missing_ip: 400,
  invalid_ip: 400,
  datacenter_ip: 400,
  missing_ua: 400,
  unreplaced_macro: 400,
  value_too_long: 400,
  invalid_click_time: 400,
  click_too_old: 400,
  invalid_impression_time: 400,
  impression_too_old: 400,
  invalid_viewthrough_lookback: 400,
  unknown_app: 400,
  ambiguous_app: 400,
  unknown_domain: 400,
  unknown_campaign: 400,
  missing_token: 401,
  invalid_token: 401,
  partner_not_enabled: 403,
  view_through_disabled: 403,
  ctv_not_enabled: 403,
  s2s_disabled: 404,
  rate_limited: 429,
  unavailable: 503,
} as const;

export type Reason = keyof typeof REJECTIONS;

const COMMON: readonly Reason[] = [
  'missing_app',
  'missing_c',
  'missing_tid',
  'unreplaced_macro',
  'value_too_long',
  'unknown_app',
  'ambiguous_app',
  'unknown_domain',
  'unknown_campaign',
  'missing_token',
  'invalid_token',
  'partner_not_enabled',
  's2s_disabled',
  'rate_limited',
  'unavailable',
];
const VIEW: readonly Reason[] = [
  'invalid_impression_time',
  'impression_too_old',
  'invalid_viewthrough_lookback',
  'view_through_disabled',
];

/** Which endpoint can give which reason. */
export const REASONS = {
  click: [...COMMON, 'missing_device_id', 'invalid_device_id', 'invalid_click_time', 'click_too_old'],
  impression: [...COMMON, ...VIEW, 'missing_device_id', 'invalid_device_id'],
  ctv_impression: [...COMMON, ...VIEW, 'missing_ip', 'invalid_ip', 'datacenter_ip', 'missing_ua', 'ctv_not_enabled'],
} as const satisfies Record<string, readonly Reason[]>;
