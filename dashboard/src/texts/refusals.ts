/** Why requests of partners are refused, in words, and what helps (docs/contract.md, S2S rejections). */
export interface RefusalText {
  readonly label: string;
  readonly help: string;
}

export const refusals: Readonly<Record<string, RefusalText>> = {
  missing_app: { label: 'No app', help: 'Send app_id, in the path or as a parameter, or the tracking domain as d.' },
  missing_c: { label: 'No campaign', help: 'Send the campaign code as c.' },
  missing_tid: { label: 'No touch ID', help: "Send the partner's own ID of the click or impression as tid." },
  missing_device_id: { label: 'No device ID', help: 'Send gaid or idfa; for clicks a public ip is enough.' },
  invalid_device_id: { label: 'Bad device ID', help: 'gaid and idfa must be UUIDs with hyphens.' },
  missing_ip: { label: 'No IP address', help: "Send the TV's address as ip." },
  invalid_ip: { label: 'Bad IP address', help: 'ip must be a public address, not one of a private network.' },
  datacenter_ip: { label: 'Address of a data centre', help: "Send the TV's own address, not that of a server." },
  missing_ua: { label: 'No user agent', help: "Send the TV's user agent as ua." },
  unreplaced_macro: {
    label: 'Macro not replaced',
    help: 'A value still reads like {gaid} or __CLICKID__: have the ad server fill it in, or leave the parameter out.',
  },
  value_too_long: { label: 'Value too long', help: 'No value may have more than 256 characters.' },
  invalid_click_time: { label: 'Bad click time', help: 'click_time must be Unix time of 10 or 13 digits.' },
  click_too_old: { label: 'Click too old', help: 'Send clicks within 24 hours.' },
  invalid_impression_time: {
    label: 'Bad impression time',
    help: 'impression_time must be Unix time of 10 or 13 digits.',
  },
  impression_too_old: { label: 'Impression too old', help: 'Send impressions within 24 hours.' },
  invalid_viewthrough_lookback: {
    label: 'Bad lookback window',
    help: 'vt_lookback must be whole hours (6h) or days (1d), at least one.',
  },
  unknown_app: { label: 'Unknown app', help: 'No project has this app: compare the app ID with the store.' },
  ambiguous_app: { label: 'Ambiguous app', help: 'Several projects are meant: send the tracking domain as d instead.' },
  unknown_domain: { label: 'Unknown domain', help: 'd is no tracking domain: compare it with the tracking link.' },
  unknown_campaign: {
    label: 'Unknown campaign',
    help: 'c is no active campaign of the partner for this app: compare it with the list of campaigns.',
  },
  missing_token: { label: 'No token', help: 'Send the token in the header X-Service-Token.' },
  invalid_token: { label: 'Bad token', help: 'The token is unknown, revoked or expired: use the current one.' },
  partner_not_enabled: {
    label: 'Switched off',
    help: 'The advertiser has not switched on these requests of the partner.',
  },
  view_through_disabled: {
    label: 'View-through off',
    help: 'The advertiser has not switched on view-through attribution for the partner.',
  },
  ctv_not_enabled: { label: 'TV off', help: 'The advertiser has not switched on connected TV for this app.' },
  s2s_disabled: { label: 'Service switched off', help: 'The installation takes no such requests.' },
  rate_limited: { label: 'Too many requests', help: 'Repeat them after the seconds that Retry-After names.' },
  unavailable: { label: 'Service was away', help: 'Repeat them after the seconds that Retry-After names.' },
};

/** The text of any reason, of one that is not known here too. */
export const refusalText = (reason: string): RefusalText =>
  (Object.hasOwn(refusals, reason) ? refusals[reason] : undefined) ?? { label: reason, help: '' };

export const refusalTable = {
  title: 'Refused, by reason',
  reason: 'Reason',
  requests: 'Requests',
  share: 'Share',
  shareAbout: 'Of all refused requests',
  help: 'What to do',
  none: 'Nothing was refused',
  noneText: 'Every request of this period was accepted.',
};
