/** The queries behind postbacks, one function per statement of sql/queries. */
import type { StoredTemplate, TemplateRow } from '../configuration/postbacks/stored-templates';
import { postgresQuery } from '../db/sql';

/** Headers are sealed. */
export const readPostbacks = postgresQuery<StoredTemplate>('postbacks.list');
export const readOverrides = postgresQuery<TemplateRow>('postbacks.overrides');
export const deletePostback = postgresQuery<{ id: number }>('postbacks.delete');
export const deleteSecret = postgresQuery<{ id: number }>('postbacks.delete-secret');
