/**
 * Samples of refused requests: partners see what their servers send (docs/contract/partners.md). Some are held in
 * memory and stored every few seconds; a process that is killed loses those since. What a sample tells of a person is
 * taken out before it is stored: advertising IDs are cut, and an address is its network at most.
 */
import type { Queryable } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { DAY_MS } from '../lib/time';
import { parseIp } from '../net/ip';
import { truncateIp, type StoreIp } from '../net/stored-ip';
import { MAX_CHARACTERS } from './checks';
import type { S2sRequest } from './input';
import { listNames, listParameters, readParameter, TARGETS, type ParameterName } from './parameters';
import type { Reason } from './reasons';

const store = postgresQuery('refused-requests.store');
const forgetOld = postgresQuery('refused-requests.forget-old');
const forgetMany = postgresQuery('refused-requests.forget-many');

/** How many of the latest samples of each partner and reason are held until stored, and how many stay stored. */
const HELD = 20;
export const KEPT = 100;
export const KEPT_DAYS = 7;
/** Samples that a process holds; beyond them what is new is left out. */
const MAX_HELD = 500;
/** Old ones need not go at once. */
const FORGETTING_MS = 60_000;
const MAX_TID = MAX_CHARACTERS;
const MAX_NAME = 64;

interface Place {
  readonly projectId: number;
  readonly campaignId: number;
}
interface Sample {
  readonly request: S2sRequest;
  readonly reason: Reason;
  readonly place: Place;
}
/** The latest of a partner and reason; `seen` is how many there were. */
interface Held {
  readonly samples: Sample[];
  seen: number;
}

export class RefusedSamples {
  private readonly held = new Map<string, Held>();
  private size = 0;
  private forgotten = 0;

  constructor(
    private readonly postgres: Queryable,
    private readonly now: () => number,
    private readonly storeIp: StoreIp,
  ) {}

  /** Holds a refused request. One whose partner is not known is nobody's to see. */
  add(request: S2sRequest, reason: Reason, place: Place): void {
    if (request.partnerId === 0) return;
    const key = `${request.partnerId} ${reason}`;
    let held = this.held.get(key);
    if (!held) this.held.set(key, (held = { samples: [], seen: 0 }));
    const at = held.seen % HELD;
    if (at >= held.samples.length) {
      if (this.size >= MAX_HELD) return;
      this.size += 1;
    }
    held.samples[at] = { request, reason, place };
    held.seen += 1;
  }

  /** Stores what is held, and lets go of what is old. Throws where PostgreSQL does not take it. */
  async flush(): Promise<void> {
    const samples = [...this.held.values()].flatMap((one) => one.samples);
    this.held.clear();
    this.size = 0;
    if (samples.length > 0) {
      const rows = samples.map((sample) => toRow(sample, this.storeIp));
      rows.sort((a, b) => a.received_at.getTime() - b.received_at.getTime());
      await store(this.postgres, JSON.stringify(rows));
      await forgetMany(this.postgres, [...new Set(rows.map((row) => row.partner_id))], KEPT);
    }
    const now = this.now();
    if (now - this.forgotten < FORGETTING_MS) return;
    this.forgotten = now;
    await forgetOld(this.postgres, new Date(now - KEPT_DAYS * DAY_MS));
  }
}

const toRow = ({ request, reason, place }: Sample, storeIp: StoreIp) => ({
  received_at: new Date(request.now),
  partner_id: request.partnerId,
  project_id: place.projectId || null,
  campaign_id: place.campaignId || null,
  kind: request.definition.kind,
  reason,
  tid: storable(cut(hideToken(request.fields.tid ?? '', request.token), MAX_TID)),
  query: writeQuery(request, storeIp),
});

/** What was sent of the parameters that are read, by the names by which it was sent: the test bench takes it. */
function writeQuery(request: S2sRequest, storeIp: StoreIp): string {
  const { sent, token } = request;
  const shown = new URLSearchParams();
  const add = (name: string, change: (value: string) => string) => {
    const value = sent.get(name);
    if (value === undefined) return;
    shown.append(name, cut(change(hideToken(value, token)), MAX_CHARACTERS + 1));
  };
  for (const name of Object.keys(TARGETS)) add(name, keep);
  const read = new Set<string>(Object.keys(TARGETS));
  for (const parameter of listParameters(request.definition.kind))
    for (const name of listNames(request.definition.kind, parameter)) {
      read.add(name);
      add(name, chooseMask(parameter, storeIp));
    }
  // What is not read is not shown, but that it was too long.
  const long = [...sent].find(
    ([name, value]) => !read.has(name) && name !== 'svc_token' && value.length > MAX_CHARACTERS,
  );
  if (long) shown.append(cut(long[0], MAX_NAME), 'x'.repeat(MAX_CHARACTERS + 1));
  return shown.toString();
}

/** A token that somebody has put into another parameter, too. */
const hideToken = (value: string, token: string) =>
  token.length >= MIN_TOKEN ? value.replaceAll(token, 'TOKEN') : value;
/** Shorter ones could be any value. */
const MIN_TOKEN = 8;

const keep = (value: string) => value;

function chooseMask(parameter: ParameterName, storeIp: StoreIp): (value: string) => string {
  if (parameter === 'ip') return (value) => maskIp(value, storeIp);
  return readParameter(parameter).form === 'uuid' || parameter === 'tv_ifa' ? maskDevice : keep;
}

/** The first 8 characters of an ID of a device, and its form: what is no UUID stays none. */
export function maskDevice(value: string): string {
  const digits = value.replace(/[^0-9a-f]/gi, '').length;
  return digits < MIN_DIGITS ? value : value.slice(0, SHOWN) + value.slice(SHOWN).replace(/[0-9a-f]/gi, '0');
}
const MIN_DIGITS = 16;
const SHOWN = 8;

/** An address of the documentation stands for one that is stored as a hash only. */
const HIDDEN_IP = '203.0.113.0';
/** The network of a public address; what is no address, or nobody's, stays as it was sent. */
export function maskIp(value: string, storeIp: StoreIp): string {
  const parsed = parseIp(value);
  if (!parsed?.public) return value;
  return storeIp === 'hashed' ? HIDDEN_IP : truncateIp(parsed.ip);
}

const cut = (value: string, characters: number) =>
  value.length <= characters ? value : [...value.slice(0, 2 * characters)].slice(0, characters).join('');
/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const storable = (value: string) => value.replaceAll('\0', '\uFFFD').toWellFormed();
