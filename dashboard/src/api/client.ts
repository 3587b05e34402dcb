/** The client of the service's API for the pages: signed in by the cookie, for a project or a partner by its ID. */
import { ApiFailure, createClient, type Client } from '@adtrail/client';
import { noteUnreachable } from './connection';

export { ApiFailure };

/** Called where a session has ended; the shell leads to the sign-in page. */
let onSignedOut: () => void = () => undefined;
export const whenSignedOut = (listener: () => void) => (onSignedOut = listener);

/** What signs in answers 401 to a wrong password: that ends no session. */
const SIGNING_IN = /^\/auth\/v1\/(sign-in|links|me$|me\/)/;

/** The header with the token of a partner, to try one out. */
export const TOKEN = 'X-Service-Token';

/** Undefined in tests of what needs no page. */
const { location } = globalThis as typeof globalThis & { readonly location?: { readonly origin: string } };

const clientWith = (headers: Record<string, string>): Client =>
  createClient({
    url: location?.origin ?? 'http://localhost',
    headers,
    // Queries are asked again by the pages, which show it; what changes something is never sent twice.
    maxRetries: 0,
    timeoutMs: Infinity,
    onFailure: ({ status }, { path, headers: sent }) => {
      if (status === 0) noteUnreachable();
      // What was asked with its own token says nothing about the session.
      const isSession = !SIGNING_IN.test(path) && !sent.has(TOKEN);
      if (status === 401 && isSession) onSignedOut();
    },
  });

/** For what belongs to no project: people, administration. */
export const api: Client = clientWith({});

const clients = new Map<string, Client>();
const createClientFor = (header: string, id: number): Client => {
  const key = `${header}:${id}`;
  const known = clients.get(key) ?? clientWith({ [header]: String(id) });
  clients.set(key, known);
  return known;
};

/** The main API (`/api/v1`) and the collectors, for a project. */
export const projectApi = (projectId: number): Client => createClientFor('project-id', projectId);

/** The routes of a partner, for a partner. */
export const partnerApi = (partnerId: number): Client => createClientFor('partner-id', partnerId);

/** The data of an answer; failures have been thrown before. */
export const unwrapData = async <T>(answer: Promise<{ readonly data: T }>): Promise<T> => (await answer).data;
