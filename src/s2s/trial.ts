/** Tries a request out: every check of the pipeline with what it found; nothing is stored or counted. */
import { Slice } from '../lib/slices';
import type { Campaign } from '../configuration/config-snapshot';
import { byKind, INVALID_RECORD, type BatchReason } from './batch';
import { listRecords, MAX_TRIED, readRecord, type SentRecord } from './batch-input';
import { ADMISSION, CHECKS, validate, type CheckName, type Context } from './checks';
import { CLICK, type Definition } from './definitions';
import { buildFinding } from './findings';
import { readRequest, toRequest, type S2sRequest } from './input';
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
    return tryRequest(request, options);
  };
}

function tryRequest(request: S2sRequest, options: TrialOptions): TrialResult {
  const reasons: Reason[] = [];
  const checks: TrialCheck[] = [];
  const passed = new Set<CheckName>();
  const note = (name: CheckName, reason: Reason | undefined) => {
    if (reason) reasons.push(reason);
    else passed.add(name);
    const detail = buildFinding(name, request, options, reason);
    checks.push({ name, ok: !reason, ...(detail === undefined ? {} : { detail }) });
  };
  for (const { name, run, needs } of CHECKS[request.definition.kind])
    if (needs.every((one) => passed.has(one))) note(name, run(request, options));
  if (passed.has('campaign')) note('campaign_limit', isOverLimit(request, options) ? 'rate_limited' : undefined);
  const [reason] = reasons;
  const trial: Trial = reason
    ? { outcome: 'rejected', reason, status: REJECTIONS[reason].status, checks }
    : { outcome: 'accepted', status: 200, checks };
  return { trial, partnerId: passed.has('token') ? request.partnerId : undefined };
}

/** What a record of a batch would be answered with now; `detail` is what the check that fails found. */
export interface TriedRecord {
  readonly kind?: Definition['kind'];
  readonly outcome: Trial['outcome'];
  readonly reason?: BatchReason;
  readonly detail?: string;
  /** The code that its outcome would have. */
  readonly status: number;
}

/** Tries the records of a batch out, in their order. */
export interface TryBatch {
  /** Whose the token is, or why nothing is taken from it; `partnerId` is the partner for which a person asks. */
  admit(token: string | undefined, partnerId?: number): { readonly partnerId: number } | { readonly reason: Reason };
  /** @throws ApiError 400, 413 for a body of another form. */
  run(partnerId: number, contentType: string, body: string): Promise<TriedRecord[]>;
}

export function createTryBatch(options: TrialOptions): TryBatch {
  return {
    admit: (token = '', partnerId = 0) => {
      const request = toRequest(CLICK, options.now(), new Map(), { source: 's2s', token });
      request.partnerId = partnerId;
      const reason = validate(request, options, ADMISSION);
      return reason ? { reason } : { partnerId: request.partnerId };
    },
    run: async (partnerId, contentType, body) => {
      const records = await listRecords(contentType, body, MAX_TRIED.records);
      const slice = new Slice();
      const tried: TriedRecord[] = [];
      for (const record of records) {
        await slice.rest();
        tried.push(tryRecord(await readRecord(record), partnerId, options));
      }
      return tried;
    },
  };
}

function tryRecord(sent: SentRecord, partnerId: number, options: TrialOptions): TriedRecord {
  const definition = byKind.get(sent?.get('kind') ?? '');
  if (!sent || !definition)
    return { outcome: 'rejected', reason: INVALID_RECORD, detail: INVALID_RECORD_TEXT, status: 400 };
  const request = toRequest(definition, options.now(), sent, { source: 's2s', token: '' });
  request.partnerId = partnerId;
  const { checks, outcome, reason, status } = tryRequest(request, options).trial;
  const detail = checks.find(({ ok }) => !ok)?.detail;
  return {
    kind: definition.kind,
    outcome,
    ...(reason && { reason }),
    ...(detail === undefined ? {} : { detail }),
    status,
  };
}

const INVALID_RECORD_TEXT =
  'It is no JSON object of texts and numbers with a "kind", which is click, impression or ctv_impression.';

const isOverLimit = (request: S2sRequest, { limiter }: TrialOptions) =>
  limiter.wait((request.campaign as Campaign).id) > 0;
