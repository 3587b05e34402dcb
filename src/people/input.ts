/** Reads what is asked of members and of the audit log into legal values (docs/contract/people.md). */
import { ApiError } from '../errors';
import { isInstant } from '../lib/validate';
import { readChoice, readText, readWholeNumber, wrong } from '../lib/parameters';
import type { Place } from '../http/permissions';
import { ACTIONS, auditLimits } from './schema';

/** The greatest ID: PostgreSQL counts them in 32 bits. */
const MAX_ID = 2_147_483_647;
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

const readId = (query: URLSearchParams, name: string) => readWholeNumber(query, name, { min: 1, max: MAX_ID });

/** @throws ApiError 400 that names the parameter and the rule. */
export const readPlace = (query: URLSearchParams): Place =>
  onePlace(readId(query, 'account_id'), readId(query, 'partner_id'));

export interface AuditInput {
  /** Null for all, which only operators see. */
  readonly accountId: number | null;
  readonly projectId: number | null;
  readonly before: number | null;
  readonly actor: string | null;
  readonly action: string | null;
  readonly subject: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly limit: number;
}

/** @throws ApiError 400 that names the parameter and the rule. */
export function readAuditInput(query: URLSearchParams): AuditInput {
  const instant = (name: string) => {
    const text = query.get(name);
    if (!text) return null;
    if (!isInstant(text)) throw wrong(name, 'must be a time of RFC 3339');
    return new Date(text);
  };
  return {
    accountId: readId(query, 'account_id') ?? null,
    projectId: readId(query, 'project_id') ?? null,
    before: readWholeNumber(query, 'before', { min: 1, max: Number.MAX_SAFE_INTEGER }) ?? null,
    actor: readText(query, 'actor', MAX_NAME) ?? null,
    action: readChoice(query, 'action', ACTIONS) ?? null,
    subject: readText(query, 'subject', MAX_NAME) ?? null,
    from: instant('from'),
    to: instant('to'),
    limit: readWholeNumber(query, 'limit', { min: 1, max: auditLimits.maximum }) ?? auditLimits.default,
  };
}
