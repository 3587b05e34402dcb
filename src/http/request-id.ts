/** The ID by which a request is found again: in its answer, and in the log of each server that it passed. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const REQUEST_ID = 'X-Request-Id';

/** What proxies make; nothing in it can break a line of a log or a header. */
const ACCEPTABLE = /^[A-Za-z0-9._:/+=-]{1,128}$/;

export const newRequestId = (): string => randomUUID();

/** The ID that the request came with; one of ours where there is none, several, or one that is not acceptable. */
export function chooseRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : newRequestId();
}

/** The ID under which a request is being answered; empty for an answer that `listen` has not begun. */
export const requestIdIn = (res: Pick<ServerResponse, 'getHeader'>): string => String(res.getHeader(REQUEST_ID) ?? '');
