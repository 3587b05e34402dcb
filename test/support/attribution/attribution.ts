/** Reads what became of installs, as data engineers and advertisers see it. */
import crypto from 'node:crypto';
import { caughtUp } from '../caught-up';
import { collectApp, appEvent, SERVER_KEY, type Json } from '../collect/collect-client';
import { eventually, type Service } from '../service';

export interface Decided extends Json {
  install_id: string;
  rule: string;
  campaign_display_id: string;
  touch_id: string | null;
  reinstall: number;
}

type Decisions = ReadonlyMap<string, Decided>;
/** What is asked of a service next, once what it is asked now is answered. */
interface Round {
  readonly ids: Set<string>;
  readonly found: Promise<Decisions>;
}
const rounds = new WeakMap<Service, { next: Round | undefined; last: Promise<unknown> }>();

/** Those of the installs that are decided; concurrent tests ask together, for one catch-up and one statement. */
function readDecided(service: Service, installIds: readonly string[]): Promise<Decisions> {
  const known = rounds.get(service) ?? { next: undefined, last: Promise.resolve() };
  rounds.set(service, known);
  if (!known.next) {
    const ids = new Set<string>();
    const found = known.last.then(async () => {
      known.next = undefined;
      await caughtUp(service);
      const list = [...ids].map((id) => `'${id}'`).join(', ');
      const rows = await service.rows<Decided>(`SELECT * FROM analytics.installs WHERE install_id IN (${list})`);
      return new Map(rows.map((row) => [row.install_id, row]));
    });
    known.next = { ids, found };
    known.last = found.catch(() => undefined);
  }
  for (const id of installIds) known.next.ids.add(id);
  return known.next.found;
}

/** The decisions of installs, by install_id, once all of them are there. */
export async function decided(service: Service, installIds: readonly string[], ms = 40_000): Promise<Decisions> {
  return eventually(
    `${installIds.length} installs are decided`,
    async () => {
      const found = await readDecided(service, installIds);
      const own = installIds.flatMap((id) => found.get(id) ?? []);
      return own.length >= installIds.length ? new Map(own.map((row) => [row.install_id, row])) : undefined;
    },
    ms,
  );
}

/** Reports an install of com.acme.shop with an ID of its own, and waits for its decision. */
export async function installed(service: Service, more: Json, key = SERVER_KEY): Promise<Decided> {
  const install_id = `install-${crypto.randomUUID()}`;
  const events = [appEvent('install', { install_id, ...more })];
  const { accepted, body } = await collectApp(service, events, { 'service-key': key });
  if (accepted !== 1) throw new Error(`The install was refused: ${JSON.stringify(body)}`);
  return (await decided(service, [install_id])).get(install_id) as Decided;
}

/** `installed` for a project by its server key. */
export const installsWith = (service: Service, key: string) => (more: Json) => installed(service, more, key);
