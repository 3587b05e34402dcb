/** Reads what is asked of members and of the audit log into legal values (docs/contract/people.md). */
import { ApiError } from '../errors';
import { choice, rowId, Type } from '../lib/schema';
import { limitParameter, queryParameter } from '../openapi/operation';
import type { Place } from '../http/permissions';
import { ACTIONS, auditLimits } from './schema';

/** The longest name to look for in the audit log. */
const MAX_NAME = 255;

/** The place that two columns or fields name; the installation where neither does. */
export const toPlace = (accountId: number | null | undefined, partnerId: number | null | undefined): Place =>
  accountId ? { account: accountId } : partnerId ? { partner: partnerId } : 'installation';

/** @throws ApiError 400 where both are given. */
export function onePlace(accountId: number | undefined, partnerId: number | undefined): Place {
  if (accountId !== undefined && partnerId !== undefined)
    throw new ApiError(400, 'partner_id: either this or account_id can be given');
  return toPlace(accountId, partnerId);
}

const name = Type.String({ maxLength: MAX_NAME });
const time = Type.String({ format: 'date-time' });
const account = queryParameter('account_id', 'The account.', rowId);

export const placeParameters = [
  account,
  queryParameter('partner_id', 'The partner; neither of the two: the installation.', rowId),
] as const;

export const auditParameters = [
  account,
  queryParameter('project_id', 'Entries of one project.', rowId),
  queryParameter(
    'before',
    'Entries before this ID: `next_before` of the page before.',
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  ),
  queryParameter('actor', 'A part of the name of who acted, in any case.', name),
  queryParameter('action', 'What was done.', choice(ACTIONS)),
  queryParameter('subject', 'What it was done to, for example campaigns.', name),
  queryParameter('from', 'Entries from then on.', time),
  queryParameter('to', 'Entries before then.', time),
  limitParameter(auditLimits, 'How many entries.'),
] as const;
