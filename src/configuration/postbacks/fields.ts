/** Fields of templates of postbacks and of webhooks, as they are given and as they are shown. */
import { choice, instant, list, mapTo, nullable, ofTypes, optional, Type } from '../../lib/schema';
import { POSTBACK_EVENT_PATTERN, WEBHOOK_EVENT_PATTERN, WITHHELD } from './events';
import { MAX_HEADERS, MAX_URL, METHODS, type TemplateBody } from './template';

/** How many a partner or a project may have. */
export const MOST = { postbacks: 100, postback_overrides: 200, webhooks: 20, postback_secrets: 50 } as const;

const flag = Type.Boolean();
const url = Type.String({ minLength: 1, maxLength: MAX_URL });
const headers = mapTo(Type.String({ maxLength: 1024 }), { maxProperties: MAX_HEADERS });
const body = ofTypes<TemplateBody | null>(['string', 'object', 'array', 'null'], {
  description: 'A text with macros, or JSON whose texts have them.',
});

export const eventField = Type.String({
  pattern: POSTBACK_EVENT_PATTERN,
  description: '`install`, ..., or `event:<name>`.',
});
/** What a template of a partner sends. */
export const request = { method: choice(METHODS, { type: 'string' }), url, headers, body };
/** What a project overrides of it. */
export const overriding = {
  method: choice([...METHODS, null], { type: ['string', 'null'] }),
  url: nullable(url),
  headers,
  body,
  withhold: list(choice(WITHHELD, { type: 'string' }), { uniqueItems: true }),
};
export const webhook = {
  url,
  events: list(Type.String({ pattern: WEBHOOK_EVENT_PATTERN }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: '`*` alone for all.',
  }),
};
/** The name of a secret, which a template uses as `{secret:name}`. */
export const SECRET_NAME = '^[a-z0-9_]{1,64}$';
export const secret = {
  name: Type.String({ pattern: SECRET_NAME }),
  value: Type.String({
    pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    maxLength: 1024,
    description: 'Printable ASCII, without spaces around it. Never shown again.',
  }),
};

/** As they are given. */
export const enabled = optional({ enabled: flag });
export const givenRequest = { method: request.method, url, ...optional({ headers, body }) };
export const givenOverride = { ...optional(overriding), ...enabled };

/** How a template or a webhook is, as it is shown. */
export const state = {
  enabled: flag,
  created_at: instant,
  switched_off_at: {
    ...nullable(instant),
    description: 'When its receiver answered 410; null while it is in use.',
  },
};
