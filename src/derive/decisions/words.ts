/** What was decided about an install, in words for people. */

/** What decided, in words; by rule. */
export const WHY_CREDITED: Readonly<Record<string, string>> = {
  attribution: 'The install event itself said whom it is credited to.',
  referrer: 'The install referrer of the store names this click.',
  device_click: 'The latest click with the advertising ID of the device, within its window.',
  ip_click: 'The latest click from the same address, within its window.',
  device_impression: 'The latest impression with the advertising ID of the device, within its window.',
  ctv_impression: 'The latest connected-TV impression from the same address, within its window.',
  organic: 'No touch could be credited.',
};

/** What became of a candidate, in words; by verdict. */
export const WHY: Readonly<Record<string, string>> = {
  credited: 'The install is credited to it.',
  lower_rule: 'What is credited matches by a rule that goes first.',
  older_than_winner: 'What is credited matches by the same rule and is later.',
  outside_window: 'It happened longer before the install than its window allows.',
  later_than_install: 'It happened after the install.',
  received_too_late: 'It was received only after the install was.',
  already_used: 'The impression is credited with another install.',
  switched_off: 'What it would match by was switched off for its partner or project.',
  other_app: 'It is for another app.',
  other_os: 'Its user agent names another operating system.',
  carries_id: 'Both have an advertising ID, so that the address does not decide.',
};
