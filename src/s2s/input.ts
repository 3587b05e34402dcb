/** Reads an S2S request: every parameter once, nothing checked yet. */
import type { Campaign } from '../configuration/config-snapshot';
import type { Definition } from './definitions';
import { parseQueryString } from '../lib/query-string';

/** A record in the making; the checks fill in what they find out. */
export interface S2sRequest {
  readonly definition: Definition;
  /** When it arrived, in milliseconds. */
  readonly now: number;
  /** How it came: reported as it happened, or with its original time afterwards. */
  readonly source: 's2s' | 'import';
  /** The partner token; empty when none was sent. */
  readonly token: string;
  /** Everything sent, ignored parameters, the token and the app ID of the path included: checked, never stored. */
  readonly sent: ReadonlyMap<string, string>;
  /** The parameters that the endpoint reads, by their own names; empty where not sent. */
  readonly fields: Readonly<Record<string, string>>;
  /** The app that the request names; empty when it names a domain. */
  readonly appId: string;
  /** The tracking domain that the request names, which wins over an app. */
  readonly domain: string;
  partnerId: number;
  campaign: Campaign | undefined;
  gaid: string | null;
  idfa: string | null;
  /** The public IP in canonical form; empty if there is none. */
  ip: string;
  /** When the touch happened, in milliseconds. */
  time: number;
  /** View-through window in hours that the partner asked for. */
  lookbackHours: number | null;
}

/**
 * Reads a request. A header token wins over `svc_token`; a name wins over its alias, and `app_id` over the path; a
 * parameter sent empty counts as not sent (docs/contract/s2s.md).
 */
export function readRequest(
  definition: Definition,
  now: number,
  pathAppId: string | undefined,
  queryString: string,
  headerToken: string | undefined,
): S2sRequest {
  const sent = parseQueryString(queryString);
  if (pathAppId && !sent.get('app_id')) sent.set('app_id', pathAppId);
  return toRequest(definition, now, sent, { source: 's2s', token: headerToken || sent.get('svc_token') || '' });
}

/** The request of what was sent, by name. */
export function toRequest(
  definition: Definition,
  now: number,
  sent: ReadonlyMap<string, string>,
  { source, token }: Pick<S2sRequest, 'source' | 'token'>,
): S2sRequest {
  const fields: Record<string, string> = {};
  for (const field in definition.reads) fields[field] = read(sent, definition.reads[field] as readonly string[]);
  const domain = sent.get('d') ?? '';
  return {
    definition,
    now,
    source,
    token,
    sent,
    fields,
    appId: domain ? '' : (sent.get('app_id') ?? ''),
    domain,
    partnerId: 0,
    campaign: undefined,
    gaid: null,
    idfa: null,
    ip: '',
    time: now,
    lookbackHours: null,
  };
}

function read(sent: ReadonlyMap<string, string>, names: readonly string[]): string {
  for (const name of names) {
    const value = sent.get(name);
    if (value) return value;
  }
  return '';
}
