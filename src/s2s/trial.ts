/** Tries a request out: every check of the pipeline with what it found; nothing is stored or counted. */
import type { Campaign } from '../configuration/config-snapshot';
import { CHECKS, type CheckName, type Context } from './checks';
import type { Definition } from './definitions';
import { buildFinding } from './findings';
import { readRequest, type S2sRequest } from './input';
import { REJECTIONS, type Reason } from './reasons';

/** One check of a trial; `detail` says in plain words what was found. */
export interface TrialCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail?: string;
}

/** What the request itself would be answered with now, and every check that could be run. */
export interface Trial {
  readonly outcome: 'accepted' | 'rejected';
  readonly reason?: Reason;
  /** HTTP status of the answer to the request itself. */
  readonly status: number;
  readonly checks: readonly TrialCheck[];
}

export interface TrialOptions extends Context {
  /** Seconds until a campaign is below its limit again, as far as this process knows; 0 where it is. */
  readonly limiter: { wait(campaignId: number): number };
  readonly now: () => number;
}

/** A trial, and the partner whose good token it was asked with; undefined for none. */
export interface TrialResult {
  readonly trial: Trial;
  readonly partnerId: number | undefined;
}

/** What `createIngest` takes, without the storing. */
export interface TryOut {
  (
    definition: Definition,
    pathAppId: string | undefined,
    queryString: string,
    headerToken: string | undefined,
    /** The partner for which a person asks; no token is needed then. */
    partnerId?: number,
  ): TrialResult;
}

/**
 * Runs the checks of the pipeline in their order. The first that fails is the reason; those after it are run as far as
 * what they build on has passed, and left out otherwise.
 */
export function createTryOut(options: TrialOptions): TryOut {
  return (definition, pathAppId, queryString, headerToken, partnerId = 0) => {
    const request = readRequest(definition, options.now(), pathAppId, queryString, headerToken);
    request.partnerId = partnerId;
    const reasons: Reason[] = [];
    const checks: TrialCheck[] = [];
    const passed = new Set<CheckName>();
    const note = (name: CheckName, reason: Reason | undefined) => {
      if (reason) reasons.push(reason);
      else passed.add(name);
      const detail = buildFinding(name, request, options, reason);
      checks.push({ name, ok: !reason, ...(detail === undefined ? {} : { detail }) });
    };
    for (const { name, run, needs } of CHECKS[definition.kind])
      if (needs.every((one) => passed.has(one))) note(name, run(request, options));
    if (passed.has('campaign')) note('campaign_limit', isOverLimit(request, options) ? 'rate_limited' : undefined);
    const [reason] = reasons;
    const trial: Trial = reason
      ? { outcome: 'rejected', reason, status: REJECTIONS[reason].status, checks }
      : { outcome: 'accepted', status: 200, checks };
    return { trial, partnerId: passed.has('token') ? request.partnerId : undefined };
  };
}

const isOverLimit = (request: S2sRequest, { limiter }: TrialOptions) =>
  limiter.wait((request.campaign as Campaign).id) > 0;
