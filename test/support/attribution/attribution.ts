/** Reads what became of installs, as data engineers and advertisers see it. */
import crypto from 'node:crypto';
import { caughtUp } from '../caught-up';
import { collectApp, appEvent, SERVER_KEY, taken, type Json } from '../collect/collect-client';
import { eventually, type Service } from '../service';

export interface Decided extends Json {
  install_id: string;
  rule: string;
  campaign_display_id: string;
  touch_id: string | null;
  reinstall: number;
}

/** The decisions of installs, by install_id, once all of them are there. */
export async function decided(
  service: Service,
  installIds: readonly string[],
  ms = 40_000,
): Promise<Map<string, Decided>> {
  const list = installIds.map((id) => `'${id}'`).join(', ');
  return eventually(
    `${installIds.length} installs are decided`,
    async () => {
      await caughtUp(service);
      const rows = await service.rows<Decided & { install_id: string }>(
        `SELECT * FROM analytics.installs WHERE install_id IN (${list})`,
      );
      return rows.length >= installIds.length ? new Map(rows.map((row) => [row.install_id, row])) : undefined;
    },
    ms,
  );
}

/** Reports an install of com.acme.shop with an ID of its own, and waits for its decision. */
export async function installed(service: Service, more: Json, key = SERVER_KEY): Promise<Decided> {
  const install_id = `install-${crypto.randomUUID()}`;
  const events = [appEvent('install', { install_id, ...more })];
  const { accepted, body } = await taken(() => collectApp(service, events, { 'service-key': key }));
  if (accepted !== 1) throw new Error(`The install was refused: ${JSON.stringify(body)}`);
  return (await decided(service, [install_id])).get(install_id) as Decided;
}

/** `installed` for a project by its server key. */
export const installsWith = (service: Service, key: string) => (more: Json) => installed(service, more, key);
