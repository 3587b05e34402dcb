/** The queries behind partners, one function per statement of sql/queries. */
import { postgresQuery } from '../db/sql';

export const readPartners = postgresQuery<{ id: number }>('partners.list');
export const readTokens = postgresQuery('partners.tokens');
export const retireTokens = postgresQuery<{ valid_until: Date }>('partners.retire-tokens');
export const revokeTokens = postgresQuery('partners.revoke-tokens');
/** What a project has switched on and off, by partner. */
export const readSwitches = postgresQuery('partners.switches');
