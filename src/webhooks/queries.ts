/** The queries behind webhooks, one function per statement of sql/queries. */
import { postgresQuery } from '../db/sql';

export const readWebhooks = postgresQuery<{ id: number; url: string }>('webhooks.list');
export const createWebhook = postgresQuery<{ id: number }>('webhooks.create');
export const changeWebhook = postgresQuery('webhooks.change');
export const deleteSecrets = postgresQuery('webhooks.delete-secrets');
export const deleteWebhook = postgresQuery('webhooks.delete');
