/**
 * Many records in one request: each is judged as its GET would be, in the order of the body, and all that are accepted
 * are durable before the one answer (docs/contract/s2s.md).
 */
import { UnavailableError } from '../errors';
import { Slice } from '../lib/slices';
import { listRecords, readRecord, type SentRecord } from './batch-input';
import { CLICK, DEFINITIONS, type Definition } from './definitions';
import type { Campaign } from '../configuration/config-snapshot';
import type { SharedReceipt } from '../ingest/receipts';
import { ADMISSION, findPlace, validate } from './checks';
import { toRequest } from './input';
import type { Reason } from './reasons';
import type { Counted } from './request-counts';
import { toRecord } from './row';
import { UNAVAILABLE, type S2sOptions } from './service';

/** A line or an element that is no record: no flat object, or of no kind. */
export const INVALID_RECORD = 'invalid_record';
/** What a record of a batch can be refused for. */
export type BatchReason = Reason | typeof INVALID_RECORD;

/** The outcome of a record; without a definition where its kind is not known. */
export type RecordOutcome =
  | { readonly definition: Definition; readonly id: string }
  | { readonly definition?: Definition; readonly reason: BatchReason; readonly retryAfter?: number };

export interface Sender {
  readonly partnerId: number;
  /** Not shown in samples of what is refused, wherever it stands. */
  readonly token: string;
}

export interface BatchIngest {
  /** Who sends with a token, or why nothing is taken: known before a body is read. */
  admit(token: string | undefined): Sender | { readonly reason: Reason };
  /**
   * Judges each record of a body and stores the good ones; resolves with their outcomes in order, once all that are
   * accepted are durable. The same body again is safe.
   *
   * @throws ApiError 400, 413 for a body of another form: nothing of it is stored.
   */
  take(sender: Sender, contentType: string, body: string): Promise<RecordOutcome[]>;
}

/** The endpoints by the kind that a record names. */
export const byKind: ReadonlyMap<string, Definition> = new Map(
  DEFINITIONS.map((definition) => [definition.kind, definition]),
);

/** Resolves once the record is accepted, with an error instead of a rejection: it is looked at only at the end. */
type Stored = Promise<{ readonly error?: Error }>;

/** A record that has been checked; `stored` is there for one that went to the log. */
interface Judged {
  readonly outcome: RecordOutcome;
  readonly stored?: Stored;
  readonly counted?: Omit<Counted, 'outcome'>;
}

export function createBatchIngest(options: S2sOptions): BatchIngest {
  const { counts, now } = options;
  return {
    admit(token = '') {
      const request = toRequest(CLICK, now(), new Map(), { source: 's2s', token });
      const reason = validate(request, options, ADMISSION);
      return reason ? { reason } : { partnerId: request.partnerId, token };
    },

    async take(sender, contentType, body) {
      const records = await listRecords(contentType, body);
      const at = now();
      const slice = new Slice();
      const judged: Judged[] = [];
      const receipts = options.receipts.together(at);
      try {
        for (const record of records) {
          await slice.rest();
          judged.push(await judge(options, { ...sender, at, sent: await readRecord(record) }, receipts));
        }
      } finally {
        receipts.close();
      }
      const outcomes: RecordOutcome[] = [];
      for (const { outcome: hoped, stored, counted } of judged) {
        await slice.rest();
        const outcome = stored ? settle(hoped, await stored) : hoped;
        if (counted) counts.add({ ...counted, outcome: 'id' in outcome ? 'accepted' : (outcome.reason as Reason) }, at);
        outcomes.push(outcome);
      }
      return outcomes;
    },
  };
}

interface Sent extends Sender {
  readonly at: number;
  readonly sent: SentRecord;
}

/** Checks a record, counts it against its campaign's limit, and hands it to the log. */
async function judge(
  options: S2sOptions,
  { partnerId, token, at, sent }: Sent,
  receipts: SharedReceipt,
): Promise<Judged> {
  const definition = byKind.get(sent?.get('kind') ?? '');
  if (!sent || !definition) return { outcome: { reason: INVALID_RECORD } };
  const request = toRequest(definition, at, sent, { source: 's2s', token });
  request.partnerId = partnerId;
  const reason = validate(request, options);
  const place = findPlace(request, options);
  const counted = { kind: definition.kind, partnerId, ...place };
  if (reason && reason !== 'unavailable') options.samples.add(request, reason, place);
  if (reason) return { outcome: { definition, ...refuse(reason) }, counted };
  const wait = await options.limiter.take((request.campaign as Campaign).id);
  if (wait > 0) {
    options.samples.add(request, 'rate_limited', place);
    return { outcome: { definition, reason: 'rate_limited', retryAfter: wait }, counted };
  }
  const record = toRecord(request, receipts.next(), options.datacenters.version);
  const stored = options.stores[definition.kind].add(record).then(
    () => ({}),
    (error: Error) => ({ error }),
  );
  return { outcome: { definition, id: record.id }, stored, counted };
}

const refuse = (reason: Reason) => (reason === 'unavailable' ? UNAVAILABLE : { reason });

function settle(hoped: RecordOutcome, { error }: Awaited<Stored>): RecordOutcome {
  if (error === undefined) return hoped;
  if (error instanceof UnavailableError) return { definition: hoped.definition as Definition, ...UNAVAILABLE };
  throw error;
}
