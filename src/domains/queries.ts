/** The queries behind tracking domains, one function per statement of sql/queries. */
import { postgresQuery } from '../db/sql';

export const readDomains = postgresQuery<{
  id: number;
  name: string;
  primary: boolean;
  is_pending: boolean;
  token: string;
  last_check: { state: string; msg: string; checked_at: string } | null;
}>('domains.list');
export const findDomain = postgresQuery<{ id: number; is_primary: boolean; has_others: boolean }>('domains.find');
export const findPending = postgresQuery<{ is_primary: boolean | null; is_taken: boolean }>('domains.find-pending');
export const proveDomain = postgresQuery('domains.prove');
export const claimPending = postgresQuery<{ id: number; project_id: number; name: string; token: string }>(
  'domains.claim-pending',
);
export const stepDown = postgresQuery('domains.step-down');
export const leaveDomain = postgresQuery('domains.leave');
export const deleteDomain = postgresQuery('domains.delete');
export const deletePending = postgresQuery<{ id: number }>('domains.delete-pending');
export const claimDomains = postgresQuery<{ id: number; name: string }>('domains.claim');
export const putCheck = postgresQuery('domains.put-check');
