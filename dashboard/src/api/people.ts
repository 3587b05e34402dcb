/** Names for the types of people, sessions and roles. */
import type { components, paths } from '@adtrail/client';

type Schemas = components['schemas'];

export type Me = Schemas['Me'];
export type Session = Schemas['Session'];
export type Member = Schemas['Member'];
export type Invitation = Schemas['Invitation'];
export type AuditEntry = Schemas['AuditEntry'];
export type LinkLook = paths['/auth/v1/links/look']['post']['responses'][200]['content']['application/json'];
export type NewInvitation = paths['/auth/v1/invitations']['post']['responses'][201]['content']['application/json'];

/** As in src/http/permissions.ts; `permissions` of Me lists them. */
export type Permission =
  | 'reports'
  | 'links'
  | 'boards'
  | 'spend'
  | 'installs'
  | 'settings'
  | 'keys'
  | 'members'
  | 'erasure'
  | 'audit-log'
  | 'account'
  | 'sql'
  | 'connections'
  | 'status'
  | 'partner'
  | 'partner-tokens'
  | 'partner-postbacks'
  | 'partner-members'
  | 'installation';
