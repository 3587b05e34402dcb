/** The answer of the list of installs as JSON Schema, and its bounds (docs/contract/attribution.md). */
import { closed, instant, list, named, nullable, choice, Type } from '../lib/schema';

/** Installs on a page, and characters of parameters. */
export const LIMITS = { default: 50, maximum: 200, search: 255, displayId: 64 } as const;
/** Events of an install in an answer. */
export const EVENT_LIMITS = { default: 100, maximum: 1000 } as const;

const text = Type.String();
const maybe = nullable(text);
const of = <T extends string>(values: readonly T[]) => choice<T | null>([...values, null]);

export const installSchema = named(
  'Install',
  closed({
    install_id: text,
    app_id: text,
    platform: choice(['ANDROID', 'IOS'], { type: 'string' }),
    installed_at: instant,
    received_at: instant,
    decided: Type.Boolean({
      description: 'False for some seconds; what follows from the decision is null until then.',
    }),
    organic: nullable(Type.Boolean()),
    campaign: nullable(closed({ display_id: text, name: text })),
    partner: nullable(closed({ id: Type.Integer(), name: text })),
    ad_network: maybe,
    rule: of(['attribution', 'referrer', 'device_click', 'ip_click', 'device_impression', 'ctv_impression', 'organic']),
    touch_type: of(['click', 'impression', 'ctv_impression']),
    seconds_to_install: nullable(Type.Number({ description: 'From the credited touch.' })),
    country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2; null if unknown.' })),
    os: nullable(Type.String({ description: 'Operating system that the user agent names.' })),
    reinstall: nullable(Type.Boolean()),
    suspicious: nullable(Type.Boolean()),
    suspicious_reasons: list(choice(['click_injection', 'install_hijacking'], { type: 'string' })),
    user_id: maybe,
    gaid: maybe,
    idfa: maybe,
  }),
);
export const installsSchema = closed({
  installs: list(installSchema),
  next_before: nullable(Type.String({ description: '`before` of the next page; null on the last.' })),
});
export const eventsSchema = closed({
  events: list(
    named(
      'InstallEvent',
      closed({
        event_id: text,
        type: choice(['install', 'open', 'signup', 'event', 'payment', 'refund', 'uninstall'], { type: 'string' }),
        name: { ...maybe, description: 'Of an event of type `event`.' },
        time: instant,
        received_at: instant,
        payment_type: maybe,
        amount: nullable(Type.Number({ description: 'Money in `currency`.' })),
        currency: maybe,
        user_id: maybe,
        link: { ...maybe, description: 'Link that opened the app.' },
      }),
    ),
  ),
  total: Type.Integer({ minimum: 0, description: 'Events of the install, in the answer or not.' }),
});
