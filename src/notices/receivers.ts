/** Whom alerts and schedules are sent to: how that is given, kept and shown (docs/contract/alerts.md). */
import { webhookUrlProblem } from '../configuration/postbacks/template';
import type { Queryable, Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { ApiError } from '../errors';
import type { Seals } from '../lib/seal';
import { newSigningSecret } from '../lib/secrets';
import { choice, closed, instant, list, named, nullable, optional, rowId, Type, type Static } from '../lib/schema';

export const MAX_RECEIVERS = 20;
const KINDS = ['email', 'webhook', 'slack'] as const;
type Kind = (typeof KINDS)[number];

const given = closed({
  kind: choice(KINDS, { type: 'string' }),
  ...optional({
    id: { ...rowId, description: 'Of one that is there already: its URL may be left out.' },
    address: Type.String({ format: 'address', maxLength: 254, description: 'Of an e-mail receiver.' }),
    url: Type.String({ minLength: 1, maxLength: 2_000, description: 'Of a webhook, or of Slack.' }),
  }),
});
export const givenReceivers = list(named('GivenReceiver', given), { maxItems: MAX_RECEIVERS });
type GivenReceiver = Static<typeof given>;

export const shownReceiver = named(
  'Receiver',
  closed({
    id: rowId,
    kind: choice(KINDS, { type: 'string' }),
    to: Type.String({ description: 'The address, or the host of the URL: what follows it is a secret.' }),
    unsubscribed_at: nullable({ ...instant, description: 'Since when its person does not want it.' }),
  }),
);
export const newSecrets = list(
  closed({
    receiver_id: rowId,
    secret: Type.String({ description: 'Signs what a new webhook is sent; shown this once.' }),
  }),
);

/** What became of what each was sent. */
export const sentMessages = list(
  closed({
    to: Type.String(),
    state: choice(['waiting', 'sent', 'failed', 'dropped'], { type: 'string' }),
    attempts: Type.Integer({ minimum: 0 }),
    error: Type.String(),
    at: nullable(Type.String()),
  }),
);

/** What becomes of receivers where the whole is replaced. */
export const REPLACED_RECEIVERS =
  'Receivers that are named by their `id` stay; others are new, and those that are not named go.';

export interface ReceiverRow extends Row {
  id: number;
  alert_id: number | null;
  schedule_id: number | null;
  kind: Kind;
  address: string | null;
  url: string | null;
  secret: string | null;
  unsubscribed_at: Date | null;
}

/** What receivers belong to. */
export type Owner = { readonly alertId: number; readonly scheduleId?: never } | { readonly scheduleId: number };
export const ownerIds = (owner: Owner): [alertId: number | null, scheduleId: number | null] =>
  'alertId' in owner && owner.alertId !== undefined ? [owner.alertId, null] : [null, owner.scheduleId as number];

const queries = {
  list: postgresQuery<ReceiverRow>('notices.receivers'),
  add: postgresQuery<{ id: number }>('notices.add-receiver'),
  change: postgresQuery('notices.change-receiver'),
  remove: postgresQuery('notices.remove-receivers'),
};

export const listReceivers = (db: Queryable, alerts: readonly number[], schedules: readonly number[]) =>
  queries.list(db, alerts, schedules);

/**
 * Makes these the receivers of an alert or a schedule. Those that are named by their ID stay, others are new.
 *
 * @returns the secrets of new webhooks.
 * @throws ApiError 400 that names the field.
 */
export async function saveReceivers(db: Queryable, owner: Owner, wanted: readonly GivenReceiver[], seals: Seals) {
  const ids = ownerIds(owner);
  const before = await queries.list(db, ...ids.map((one) => (one === null ? [] : [one])));
  const { seal } = seals.of('receivers');
  const checked = wanted.map((one, at) => checkReceiver(one, before, `receivers[${at}]`));
  refuseTwice(checked);
  const kept = checked.flatMap(({ row }) => (row ? [row.id] : []));
  await queries.remove(db, ...ids, kept);
  const secrets: { receiver_id: number; secret: string }[] = [];
  for (const { kind, address, url, row } of checked) {
    const sealedUrl = url === null ? (row?.url ?? null) : seal(url);
    if (row) await queries.change(db, row.id, address, sealedUrl);
    else {
      const secret = kind === 'webhook' ? newSigningSecret() : null;
      const [made] = await queries.add(db, ...ids, kind, address, sealedUrl, secret && seal(secret));
      if (secret && made) secrets.push({ receiver_id: made.id, secret });
    }
  }
  return secrets;
}

function checkReceiver(
  { id: known, kind, address, url }: GivenReceiver,
  before: readonly ReceiverRow[],
  field: string,
) {
  const row = known === undefined ? undefined : before.find((one) => one.id === known);
  if (known !== undefined && row?.kind !== kind) throw new ApiError(400, `${field}.id: there is no such receiver`);
  if (kind === 'email') {
    if (url !== undefined) throw new ApiError(400, `${field}.url: an e-mail receiver has none`);
    const kept = address ?? row?.address ?? undefined;
    if (kept === undefined) throw new ApiError(400, `${field}.address: is required`);
    return { kind, address: kept, url: null, row };
  }
  if (address !== undefined) throw new ApiError(400, `${field}.address: only an e-mail receiver has one`);
  if (url === undefined && !row) throw new ApiError(400, `${field}.url: is required`);
  const problem = url === undefined ? undefined : webhookUrlProblem(url);
  if (problem !== undefined) throw new ApiError(400, `${field}.url: ${problem}`);
  return { kind, address: null, url: url ?? null, row };
}

function refuseTwice(checked: readonly { address: string | null; row: ReceiverRow | undefined }[]): void {
  const seen = new Set<string>();
  checked.forEach(({ address, row }, at) => {
    const keys = [address && `address ${address.toLowerCase()}`, row && `id ${row.id}`].filter(Boolean) as string[];
    if (keys.some((key) => seen.has(key))) throw new ApiError(400, `receivers[${at}]: is there twice`);
    keys.forEach((key) => seen.add(key));
  });
}

/** As people see it: of a URL only where it leads. */
export function presentReceiver({ id: receiverId, kind, address, url, unsubscribed_at }: ReceiverRow, seals: Seals) {
  return { id: receiverId, kind, to: address ?? hostIn(url, seals), unsubscribed_at };
}

function hostIn(url: string | null, seals: Seals): string {
  try {
    return `${new URL(seals.of('receivers').open(url ?? '')).host}/…`;
  } catch {
    return '…';
  }
}
