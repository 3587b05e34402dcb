/** Speaks to the collectors as an SDK or an advertiser's server would. */
import crypto from 'node:crypto';
import { answered, type Service } from '../service';

export const APP_KEY = 'app-key-of-the-shop';
export const SERVER_KEY = 'server-key-of-the-shop';

export type Json = Record<string, unknown>;

export interface Collected {
  readonly status: number;
  readonly accepted: number;
  readonly rejected: readonly { index: number; reason: string; field: string }[];
  readonly body: Json;
}

/** A complete event of a type, with an ID of its own; `more` replaces and adds fields. */
export function appEvent(type: string, more: Json = {}): Json {
  const own =
    { event: { name: 'level_up' }, payment: { amount: 9.99, currency: 'USD' }, refund: { amount: 1, currency: 'USD' } }[
      type
    ] ?? {};
  return {
    event_id: crypto.randomUUID(),
    type,
    time: new Date().toISOString(),
    app_id: 'com.acme.shop',
    install_id: 'install-1',
    ...own,
    ...more,
  };
}

/** Posts events until they are taken; with a server key unless `headers` say otherwise. */
export const collectApp = (
  service: Pick<Service, 'request'>,
  events: unknown,
  headers: Record<string, string> = { 'service-key': SERVER_KEY },
): Promise<Collected> => answered(() => post(service, JSON.stringify({ events }), headers));

export async function post(
  service: Pick<Service, 'request'>,
  body: string | Buffer,
  headers: Record<string, string>,
  path = '/collect/v1/app',
): Promise<Collected> {
  const response = await service.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body as RequestInit['body'],
  });
  const answer = (await response.json()) as Json;
  return {
    status: response.status,
    accepted: answer.accepted as number,
    rejected: answer.rejected as Collected['rejected'],
    body: answer,
  };
}
