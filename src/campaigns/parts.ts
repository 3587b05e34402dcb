/** What the endpoints of campaigns and their links work with. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { AttributedUsers } from '../configuration/attributed-users';
import type { Postgres } from '../db/postgres';
import { limitCaller, type Access, type Caller } from '../http/auth';
import type { LinkParts } from './link-service';

export interface CampaignsParts {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly attributedUsers: AttributedUsers;
  /** Limits by key: of data endpoints and of management. */
  readonly data: RateLimiterAbstract | undefined;
  readonly management: RateLimiterAbstract | undefined;
  readonly now: () => number;
}

/** What the service of links works with. */
export const toLinkParts = ({ postgres, access, now }: CampaignsParts): LinkParts => ({
  postgres,
  snapshot: access.snapshot,
  now,
});

type Context = Parameters<typeof limitCaller>[0];

/** Does the work of a question within the limit of the key. */
export const asked = <T>(ctx: Context, { data }: CampaignsParts, work: (found: Caller) => Promise<T>) =>
  limitCaller(ctx, data, work);

/** Does the work of a change, and waits until this process knows of it. */
export const changed = <T>(ctx: Context, { management, access }: CampaignsParts, work: (found: Caller) => Promise<T>) =>
  limitCaller(ctx, management, async (found) => {
    const result = await work(found);
    await access.snapshot.refresh();
    return result;
  });
