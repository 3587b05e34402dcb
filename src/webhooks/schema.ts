/** The forms of webhooks, as single routes take and answer them. */
import * as fields from '../configuration/postbacks/fields';
import { closed, instant, named, nullable, Type, type Static } from '../lib/schema';

export const webhookSchema = closed({ ...fields.webhook, ...fields.enabled }, { title: 'Webhook' });
export type WebhookEntry = Static<typeof webhookSchema>;

const webhook = { id: Type.Integer({ minimum: 1 }), ...fields.webhook, ...fields.state };
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
