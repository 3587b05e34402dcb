/** The queries behind links, one function per statement of sql/queries/project-links.sql. */
import { postgresQuery } from '../db/sql';

export type CardRow = { title: string; description: string | null; image: string | null };

export interface LinkRow extends Record<string, unknown> {
  id: number;
  display_id: string;
  name: string;
  active: boolean;
  is_system: boolean;
  deeplink: string | null;
  is_shortlink: boolean;
  tags: string[];
  utm: object | null;
  expires_at: Date | null;
  expired_target: string | null;
  card: object | null;
  created_at: Date;
  domain: string | null;
  domain_state: string | null;
  domain_msg: string | null;
}
export const listLinks = postgresQuery<LinkRow>('project-links.list');
export const countLinks = postgresQuery<{ total: number }>('project-links.count');
export const listTags = postgresQuery<{ tag: string; links: number }>('project-links.tags');
export const listDomains = postgresQuery<{
  name: string;
  is_primary: boolean;
  is_pending: boolean;
  state: string | null;
  msg: string | null;
  checked_at: Date | null;
}>('project-links.domains');
export const settleLink = postgresQuery('project-links.settle');
export const editLinks = postgresQuery<{ display_id: string; tags: number }>('project-links.edit');
export const readRules = postgresQuery<{ rules: object }>('project-links.rules');
export const putRules = postgresQuery('project-links.put-rules');
export const listUsedValues = postgresQuery<{ name: string; value: string; links: number }>(
  'project-links.used-values',
);
