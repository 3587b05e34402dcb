/** The form of an app event (docs/contract.md, Collectors). */
import { anyObject, nullable, oneOf, optional, Type, type Static } from '../schema';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const id = text(255);
const longText = text(2048);
const instant = Type.String({ format: 'instant' });
const advertisingId = Type.String({ format: 'uuid-any-case' });
const textOrNull = nullable(Type.String());

export const APP_EVENT_TYPES = ['install', 'open', 'signup', 'event', 'payment', 'refund', 'uninstall'] as const;
export type AppEventType = (typeof APP_EVENT_TYPES)[number];

/** Attribution given with an install: for backfills and by self-attributing ad networks. */
const attributionSchema = Type.Object(
  optional({
    campaign_display_id: text(64),
    network: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,63}$' }),
    network_campaign_id: id,
    network_campaign_name: id,
    touch_type: oneOf(['click', 'impression']),
    touched_at: instant,
    ad_set_id: id,
    ad_set_name: id,
    ad_id: id,
    ad_name: id,
    ad_type: id,
    keyword_id: id,
    keyword_name: id,
    publisher_platform: id,
    platform_position: id,
  }),
);
export type Attribution = Static<typeof attributionSchema>;

/** A field that is null or empty counts as not sent; unknown fields are ignored. */
export const appEventSchema = Type.Object({
  event_id: id,
  type: oneOf(APP_EVENT_TYPES),
  time: instant,
  app_id: id,
  install_id: id,
  ...optional({
    device: anyObject,
    gaid: advertisingId,
    idfa: advertisingId,
    ip: text(64),
    ua: longText,
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
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    link: longText,
    referrer: longText,
    referrer_click_time: instant,
    install_begin_time: instant,
    attribution: attributionSchema,
  }),
});
export type AppEvent = Static<typeof appEventSchema>;
