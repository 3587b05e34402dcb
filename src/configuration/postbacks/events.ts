/** What postbacks and webhooks tell (docs/contract/postbacks.md). */

export const POSTBACK_EVENTS = [
  'install',
  'reinstall',
  'reengagement',
  'signup',
  'payment',
  'refund',
  'rejected',
] as const;

/** What advertisers are told besides. */
export const WEBHOOK_EVENTS = [...POSTBACK_EVENTS, 'open', 'uninstall'] as const;

/** Events that an app names itself: `event:purchase`. */
const OWN = 'event:[^\\u0000-\\u001f\\u007f]{1,255}';

/** Patterns of what a template and a webhook may name; `*` alone is every event. */
export const POSTBACK_EVENT_PATTERN = `^(${POSTBACK_EVENTS.join('|')}|${OWN})$`;
export const WEBHOOK_EVENT_PATTERN = `^(\\*|${WEBHOOK_EVENTS.join('|')}|${OWN})$`;

/** What an override can keep from a partner. */
export const WITHHELD = ['amounts', 'device_ids'] as const;
