/** The form of an app event (docs/contract/collectors.md). */
import { CURRENCY_PATTERN, NETWORK_PATTERN } from '../lib/codes';
import { anyObject, nullable, choice, optional, Type, type Static } from '../lib/schema';

/** In characters. */
export const MAX_ID = 255;
/** For names of campaigns, ad sets, ads and keywords. */
export const MAX_NAME = 1_024;
export const MAX_UA = 2_048;

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const id = text(MAX_ID);
/** As long as an event may be; what is stored of it is cut, or found in all of it. */
const longText = Type.String({ minLength: 1 });
const name = (maxLength: number) =>
  Type.String({ minLength: 1, description: `What is longer than ${maxLength} characters is cut.` });
const instant = Type.String({ format: 'instant' });
const advertisingId = Type.String({ format: 'uuid-any-case' });
const textOrNull = nullable(Type.String());

export const APP_EVENT_TYPES = ['install', 'open', 'signup', 'event', 'payment', 'refund', 'uninstall'] as const;
export type AppEventType = (typeof APP_EVENT_TYPES)[number];

/** Attribution given with an install: for backfills and by self-attributing ad networks. */
const attributionSchema = Type.Object(
  optional({
    campaign_display_id: text(64),
    network: Type.String({ pattern: NETWORK_PATTERN }),
    network_campaign_id: id,
    network_campaign_name: name(MAX_NAME),
    touch_type: choice(['click', 'impression']),
    touched_at: instant,
    ad_set_id: id,
    ad_set_name: name(MAX_NAME),
    ad_id: id,
    ad_name: name(MAX_NAME),
    ad_type: name(MAX_ID),
    keyword_id: id,
    keyword_name: name(MAX_NAME),
    publisher_platform: name(MAX_ID),
    platform_position: name(MAX_ID),
  }),
);
export type Attribution = Static<typeof attributionSchema>;

/** A field that is null or empty counts as not sent; unknown fields are ignored. */
export const appEventSchema = Type.Object({
  event_id: id,
  type: choice(APP_EVENT_TYPES),
  time: instant,
  app_id: id,
  install_id: id,
  ...optional({
    device: anyObject,
    gaid: advertisingId,
    idfa: advertisingId,
    ip: longText,
    ua: name(MAX_UA),
    user: Type.Object(
      optional({
        id: nullable(Type.String({ maxLength: 255 })),
        name: textOrNull,
        email: textOrNull,
        phone: textOrNull,
      }),
    ),
    name: id,
    payment_type: id,
    amount: Type.Number({ minimum: 0, maximum: 1e15 }),
    currency: Type.String({ pattern: CURRENCY_PATTERN }),
    link: longText,
    referrer: longText,
    referrer_click_time: instant,
    install_begin_time: instant,
    attribution: attributionSchema,
  }),
});
export type AppEvent = Static<typeof appEventSchema>;
