/** The answers of the attribution endpoints as JSON Schema (docs/contract/main-api.md). */
import { choice, Type, nullable, closed, named, list, instant } from '../lib/schema';
const text = Type.String();
const maybe = nullable(text);
const maybeInstant = nullable(instant);

export const DEVICE_TEXTS = [
  'brand',
  'base_os',
  'version',
  'build_id',
  'bundle_id',
  'device_id',
  'android_id',
  'device_name',
  'device_type',
  'build_number',
  'connectivity',
  'manufacturer',
  'application_name',
] as const;
/** What is known about a device; further properties are what events sent. */
const deviceSchema = Type.Object({
  ...Object.fromEntries(DEVICE_TEXTS.map((name) => [name, text])),
  api_level: Type.Number(),
});

/** What is known about a user; further properties are what events sent. */
const userDataSchema = Type.Object({
  id: maybe,
  name: maybe,
  email: maybe,
  phone: maybe,
  device_data: deviceSchema,
});

export const usersLimits = { default: 50, maximum: 1000 } as const;

export const userSchema = named(
  'AttributedUser',
  closed({
    attributed_at: instant,
    ad_channel: choice(['GOOGLE', 'META', 'TIKTOK', null]),
    campaign_display_id: text,
    campaign_name: text,
    link: maybe,
    installed_at: maybeInstant,
    store_click_at: maybeInstant,
    meta_ad_id: text,
    ad_creative_id: text,
    ad_creative_name: text,
    ad_set_id: text,
    ad_set_name: text,
    publisher_platform: maybe,
    platform_position: maybe,
    user_data: userDataSchema,
  }),
);

export const resultSchema = named(
  'AttributionResult',
  closed({
    campaign_name: maybe,
    display_id: maybe,
    ad_network_campaign_id: maybe,
    deeplink: maybe,
    domain_name: maybe,
    ad_set_id: maybe,
    ad_set_name: maybe,
    ad_creative_id: maybe,
    ad_creative_name: maybe,
    keyword_id: maybe,
    keyword_name: maybe,
    ad_network: maybe,
    attribution_type: choice(['INORGANIC', 'ORGANIC']),
    user_id: maybe,
    gaid: maybe,
    idfa: maybe,
    store_click_at: maybeInstant,
    installed_at: maybeInstant,
  }),
);

const rule = choice([
  'attribution',
  'referrer',
  'device_click',
  'ip_click',
  'device_impression',
  'ctv_impression',
  'organic',
]);
const TOUCH_TYPES = ['click', 'impression', 'ctv_impression'] as const;
const touchType = choice(TOUCH_TYPES);

const candidateSchema = named(
  'Candidate',
  closed({
    rule: { ...rule, description: 'The rule that the touch would match.' },
    touch_type: touchType,
    touch_id: text,
    touch_time: instant,
    received_at: instant,
    campaign_display_id: text,
    campaign_name: text,
    partner: maybe,
    ad_network: maybe,
    window_seconds: Type.Integer({ description: 'The window that applied.' }),
    window_from: nullable({ ...instant, description: 'The earliest time of a touch that this window lets count.' }),
    window_to: nullable({ ...instant, description: 'The latest: that of the install.' }),
    seconds_to_install: Type.Number(),
    verdict: choice(
      [
        'credited',
        'lower_rule',
        'older_than_winner',
        'outside_window',
        'later_than_install',
        'received_too_late',
        'already_used',
        'switched_off',
        'other_app',
        'other_os',
        'carries_id',
      ],
      { description: 'What became of it, as decided.' },
    ),
    why: Type.String({ description: 'The same in words.' }),
  }),
);

const decisionSchema = named(
  'Decision',
  closed({
    decided_at: instant,
    rule,
    campaign_display_id: maybe,
    campaign_name: maybe,
    partner: maybe,
    touch_type: choice([...TOUCH_TYPES, null]),
    touch_id: maybe,
    touch_time: maybeInstant,
    window_seconds: nullable(Type.Integer()),
    seconds_to_install: nullable(Type.Number()),
    window_from: { ...maybeInstant, description: 'The earliest time of a touch that the window lets count.' },
    window_to: { ...maybeInstant, description: 'The latest: that of the install.' },
    why: Type.String({ description: 'What decided, in words.' }),
    reinstall: Type.Boolean(),
    click_injection: Type.Boolean(),
    install_hijacking: Type.Boolean(),
  }),
);

export const explanationSchema = named(
  'Explanation',
  closed({
    install_id: text,
    decided: Type.Boolean(),
    install: nullable(
      closed({
        event_id: text,
        app_id: text,
        platform: text,
        install_time: instant,
        received_at: instant,
        gaid: maybe,
        idfa: maybe,
        ip: maybe,
        ua: maybe,
      }),
    ),
    decision: nullable(decisionSchema),
    candidates: list(candidateSchema),
    limits: closed({
      touches_per_identifier: Type.Integer({
        description: 'Of one identifier and kind of touch the latest so many before the install are candidates.',
      }),
      candidates_shown: Type.Integer({ description: 'So many of them are listed.' }),
    }),
  }),
);
