/**
 * How many S2S requests were accepted and refused, by hour, partner, project, campaign and reason: counted in memory
 * and stored every few seconds. A process that is killed loses what it counted since then.
 *
 * Each process stores how often it has counted something in an hour so far, in place of what it stored before: an
 * insert whose answer was lost and that is repeated counts nothing twice.
 */
import { randomUUID } from 'node:crypto';
import type { ClickHouse } from '../db/clickhouse';
import { HOUR_MS, MINUTE_MS } from '../lib/time';
import type { Definition } from './definitions';
import type { Reason } from './reasons';
import { rowEncoder } from '../ingest/row-encoder';

/** Distinct counts that are held; beyond them what is new is counted without its project and campaign. */
const MAX_COUNTS = 100_000;
/** An hour's counts are held for so long after it, for requests that came in it and are answered later. */
const LATE_MS = 10 * MINUTE_MS;

/** What is not stored within this time is stored with the next counts. */
const TIMEOUT_MS = 2_000;

const { columns, encode } = rowEncoder([
  'hour',
  'partner_id',
  'project_id',
  'campaign_id',
  'kind',
  'outcome',
  'process',
  'requests',
]);

/** What is counted by; 0 stands for what is not known. */
export interface Counted {
  readonly kind: Definition['kind'];
  readonly outcome: Reason | 'accepted';
  readonly partnerId: number;
  readonly projectId: number;
  readonly campaignId: number;
}

interface Count extends Counted {
  /** Hours since 1970. */
  readonly hour: number;
  requests: number;
  stored: number;
}

/** Counts of an hour by kind, outcome, partner and place: one text of all would cost more to look up. */
type Hour = Map<string, Map<string, Map<number, Map<number, Count>>>>;

/** A campaign is of one project: without one, the project is the place. */
const placeKey = ({ campaignId, projectId }: Counted) => campaignId || -projectId;

function branch<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let found = map.get(key);
  if (!found) map.set(key, (found = new Map<L, V>()));
  return found;
}

export class RequestCounts {
  private readonly hours = new Map<number, Hour>();
  private readonly held = new Set<Count>();
  private readonly process = randomUUID();

  constructor(
    private readonly clickhouse: Pick<ClickHouse, 'insert'>,
    private readonly now: () => number,
    private readonly maxCounts = MAX_COUNTS,
  ) {}

  /** Counts one request that came at `at`, in milliseconds. */
  add(counted: Counted, at: number): void {
    const hour = Math.floor(at / HOUR_MS);
    const ofOutcome = branch(branch(this.hours, hour), counted.kind).get(counted.outcome);
    const count = ofOutcome?.get(counted.partnerId)?.get(placeKey(counted));
    if (count) count.requests += 1;
    else this.addNew(counted, hour, at);
  }

  private addNew(counted: Counted, hour: number, at: number): void {
    const { kind, outcome, partnerId, projectId, campaignId } = counted;
    if (this.held.size >= this.maxCounts && (projectId !== 0 || campaignId !== 0)) {
      this.add({ ...counted, projectId: 0, campaignId: 0 }, at);
      return;
    }
    const count: Count = { kind, outcome, partnerId, projectId, campaignId, hour, requests: 1, stored: 0 };
    const ofKind = branch(branch(this.hours, hour), kind);
    branch(branch(ofKind, outcome), partnerId).set(placeKey(counted), count);
    this.held.add(count);
  }

  /** Stores what has changed, and lets go of hours that are over. Throws where ClickHouse does not take it. */
  async flush(): Promise<void> {
    const changed = [...this.held].filter(({ requests, stored }) => requests > stored);
    if (changed.length > 0) await this.store(changed);
    const kept = Math.floor((this.now() - LATE_MS) / HOUR_MS);
    for (const hour of this.hours.keys()) if (hour < kept) this.letGo(hour);
  }

  private letGo(hour: number): void {
    const counts = [...this.held].filter((count) => count.hour === hour);
    if (counts.some(({ requests, stored }) => requests > stored)) return;
    this.hours.delete(hour);
    for (const count of counts) this.held.delete(count);
  }

  private async store(changed: readonly Count[]): Promise<void> {
    const amounts = changed.map(({ requests }) => requests);
    const rows = changed.map(({ hour, partnerId, projectId, campaignId, kind, outcome, requests }) =>
      encode({
        hour: (hour * HOUR_MS) / 1000,
        partner_id: partnerId,
        project_id: projectId,
        campaign_id: campaignId,
        kind,
        outcome,
        process: this.process,
        requests,
      }),
    );
    await this.clickhouse.insert('adtrail.s2s_requests', columns, rows, TIMEOUT_MS);
    changed.forEach((count, i) => (count.stored = amounts[i] as number));
  }
}
