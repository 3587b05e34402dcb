/** What the endpoints of campaigns and their links work with. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { AttributedUsers } from '../configuration/attributed-users';
import type { Postgres } from '../db/postgres';
import type { Access } from '../http/auth';

export interface CampaignsParts {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly attributedUsers: AttributedUsers;
  /** Limits by key: of data endpoints and of management. */
  readonly data: RateLimiterAbstract | undefined;
  readonly management: RateLimiterAbstract | undefined;
  readonly now: () => number;
}
