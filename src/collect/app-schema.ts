/** The form of an app event (docs/contract.md, Collectors), as JSON Schema and as a type. */

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const;
const instant = { type: 'string', format: 'instant' } as const;
const id = text(255);
const longText = text(2048);

export const APP_EVENT_TYPES = ['install', 'open', 'signup', 'event', 'payment', 'refund', 'uninstall'] as const;
export type AppEventType = (typeof APP_EVENT_TYPES)[number];

/** Attribution given with an install: for backfills and by self-attributing ad networks. */
const attribution = {
  type: 'object',
  properties: {
    campaign_display_id: text(64),
    network: { type: 'string', pattern: '^[A-Z][A-Z0-9_]{0,63}$' },
    network_campaign_id: id,
    network_campaign_name: id,
    touch_type: { enum: ['click', 'impression'] },
    touched_at: instant,
    ...Object.fromEntries(
      [
        'ad_set_id',
        'ad_set_name',
        'ad_id',
        'ad_name',
        'ad_type',
        'keyword_id',
        'keyword_name',
        'publisher_platform',
        'platform_position',
      ].map((name) => [name, id]),
    ),
  },
} as const;

/** A field that is null or empty counts as not sent; unknown fields are ignored. */
export const appEventSchema = {
  type: 'object',
  required: ['event_id', 'type', 'time', 'app_id', 'install_id'],
  properties: {
    event_id: id,
    type: { enum: APP_EVENT_TYPES },
    time: instant,
    app_id: id,
    install_id: id,
    device: { type: 'object' },
    gaid: { type: 'string', format: 'uuid-any-case' },
    idfa: { type: 'string', format: 'uuid-any-case' },
    ip: text(64),
    ua: longText,
    user: {
      type: 'object',
      properties: {
        id: { type: ['string', 'null'], maxLength: 255 },
        name: { type: ['string', 'null'] },
        email: { type: ['string', 'null'] },
        phone: { type: ['string', 'null'] },
      },
    },
    name: id,
    payment_type: id,
    amount: { type: 'number', minimum: 0, maximum: 1e15 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    link: longText,
    referrer: longText,
    referrer_click_time: instant,
    install_begin_time: instant,
    attribution,
  },
} as const;

export interface Attribution {
  readonly campaign_display_id?: string;
  readonly network?: string;
  readonly network_campaign_id?: string;
  readonly touched_at?: string;
  readonly [field: string]: unknown;
}

export interface AppEvent {
  readonly event_id: string;
  readonly type: AppEventType;
  readonly time: string;
  readonly app_id: string;
  readonly install_id: string;
  readonly device?: object;
  readonly gaid?: string;
  readonly idfa?: string;
  readonly ip?: string;
  readonly ua?: string;
  readonly user?: { readonly id?: string | null };
  readonly name?: string;
  readonly payment_type?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly link?: string;
  readonly referrer?: string;
  readonly referrer_click_time?: string;
  readonly install_begin_time?: string;
  readonly attribution?: Attribution;
}
