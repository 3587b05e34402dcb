/** The forms of templates of postbacks and of webhooks, as they are given and as they are shown. */
import { POSTBACK_EVENT_PATTERN, WEBHOOK_EVENT_PATTERN, WITHHELD } from '../configuration/postbacks/events';
import { MAX_HEADERS, MAX_URL, METHODS, type TemplateBody } from '../configuration/postbacks/template';
import {
  closed,
  instant,
  list,
  mapTo,
  named,
  nullable,
  choice,
  ofTypes,
  optional,
  Type,
  type Static,
} from '../lib/schema';

/** How many a partner or a project may have. */
export const MOST = { postbacks: 100, postback_overrides: 200, webhooks: 20, postback_secrets: 50 } as const;

/** The name of a secret, which a template uses as `{secret:name}`. */
export const SECRET_NAME = '^[a-z0-9_]{1,64}$';

const id = Type.Integer({ minimum: 1 });
const flag = Type.Boolean();
const name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' });
const event = Type.String({ pattern: POSTBACK_EVENT_PATTERN, description: '`install`, ..., or `event:<name>`.' });
const method = choice(METHODS, { type: 'string' });
const methodOrNull = choice([...METHODS, null], { type: ['string', 'null'] });
const url = Type.String({ minLength: 1, maxLength: MAX_URL });
const headers = mapTo(Type.String({ maxLength: 1024 }), { maxProperties: MAX_HEADERS });
const body = ofTypes<TemplateBody | null>(['string', 'object', 'array', 'null'], {
  description: 'A text with macros, or JSON whose texts have them.',
});
const withhold = list(choice(WITHHELD, { type: 'string' }), { uniqueItems: true });
const events = list(Type.String({ pattern: WEBHOOK_EVENT_PATTERN }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: '`*` alone for all.',
});

const request = { method, url, ...optional({ headers, body }) };
const overriding = optional({ method: methodOrNull, url: nullable(url), headers, body, withhold, enabled: flag });

/** In the workspace document. */
export const postbackEntry = closed({ event, ...request, ...optional({ enabled: flag }) });
export const overrideEntry = closed({ event, ...overriding, ...optional({ partner: name }) });
export const webhookEntry = closed({ url, events, ...optional({ secret: Type.String(), enabled: flag }) });
const value = Type.String({
  pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
  maxLength: 1024,
  description: 'Printable ASCII, without spaces around it. Never shown again.',
});
export const secretEntry = closed({ name: Type.String({ pattern: SECRET_NAME }), value });
export const secretSchema = closed({ value }, { title: 'PostbackSecret' });
export const storedSecret = named(
  'StoredPostbackSecret',
  closed({
    name: Type.String(),
    created_at: instant,
    changed_at: { ...instant, description: 'When it was set last.' },
  }),
);
export type SecretEntry = Static<typeof secretEntry>;
export type PostbackEntry = Static<typeof postbackEntry>;
export type OverrideEntry = Static<typeof overrideEntry>;
export type WebhookEntry = Static<typeof webhookEntry>;

/** Bodies of the single routes. */
export const requestSchema = closed(request, { title: 'PostbackRequest' });
export const postbackSchema = closed({ ...request, ...optional({ enabled: flag }) }, { title: 'PostbackTemplate' });
export const overrideSchema = closed(overriding, { title: 'PostbackOverride' });
export const webhookSchema = closed({ url, events, ...optional({ enabled: flag }) }, { title: 'Webhook' });

const switchedOffAt = { ...nullable(instant), description: 'When its receiver answered 410; null while it is in use.' };
const state = { enabled: flag, created_at: instant, switched_off_at: switchedOffAt };

/** What the single routes answer. */
export const storedPostback = named('StoredPostback', closed({ id, event, method, url, headers, body, ...state }));
export const storedOverride = named(
  'StoredPostbackOverride',
  closed({
    id,
    event,
    partner_id: { ...nullable(id), description: 'Null for every partner.' },
    partner: nullable(name),
    method: methodOrNull,
    url: nullable(url),
    headers,
    body,
    withhold,
    ...state,
  }),
);
const webhook = { id, url, events, ...state };
const secret = Type.String({ description: 'Shown this once.' });
export const storedWebhook = named('StoredWebhook', closed(webhook));
export const createdWebhook = named('CreatedWebhook', closed({ ...webhook, secret }));
export const rotatedSecret = named(
  'RotatedWebhookSecret',
  closed({
    secret,
    former_valid_until: { ...nullable(instant), description: 'Until when the secret before it signs too.' },
  }),
);
export const renderedSchema = named(
  'RenderedPostback',
  closed({ method, url: Type.String(), headers: mapTo(Type.String()), body: nullable(Type.String()) }),
);
