/** The client of the service's API: typed by the OpenAPI document, signed in by the cookie. */
import createClient, { type Middleware } from 'openapi-fetch';
import { noteUnreachable } from './connection';
import type { paths } from './generated';

/** An answer that is no success: what the service said, and its status (0: it was not reached). */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly body: Readonly<Record<string, unknown>> = {},
    /** Seconds after which to try again, where the service says so. */
    readonly retryAfter: number | undefined = undefined,
  ) {
    super(message);
  }
}

/** Called where a session has ended; the shell leads to the sign-in page. */
let onSignedOut: () => void = () => undefined;
export const whenSignedOut = (listener: () => void) => (onSignedOut = listener);

/** What signs in answers 401 to a wrong password: that ends no session. */
const SIGNING_IN = /^\/auth\/v1\/(sign-in|links|me$|me\/)/;

/** The header with the token of a partner, to try one out. */
export const TOKEN = 'X-Service-Token';

async function readFailure(response: Response): Promise<ApiFailure> {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Record<string, unknown>;
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  const message = typeof body.msg === 'string' ? body.msg : response.statusText || `HTTP ${response.status}`;
  return new ApiFailure(response.status, message, body, retryAfter);
}

/** Turns every answer that is no success into an ApiFailure. */
const throwFailures: Middleware = {
  async onResponse({ request, response, schemaPath }) {
    if (response.ok) return;
    // What was asked with its own token says nothing about the session.
    const isSession = !SIGNING_IN.test(schemaPath) && !request.headers.has(TOKEN);
    if (response.status === 401 && isSession) onSignedOut();
    throw await readFailure(response);
  },
  onError({ error }) {
    // What nobody waits for any more says nothing about the service.
    if (!(error instanceof DOMException && error.name === 'AbortError')) noteUnreachable();
    return new ApiFailure(0, error instanceof Error ? error.message : String(error));
  },
};

/** Undefined in tests of what needs no page. */
const { location } = globalThis as typeof globalThis & { readonly location?: { readonly origin: string } };

function clientWith(headers: Record<string, string>) {
  const client = createClient<paths>({ baseUrl: location?.origin, headers });
  client.use(throwFailures);
  return client;
}

export type ApiClient = ReturnType<typeof clientWith>;

/** For what belongs to no project: people, administration. */
export const api: ApiClient = clientWith({});

const clients = new Map<string, ApiClient>();
const createClientFor = (header: string, id: number): ApiClient => {
  const key = `${header}:${id}`;
  const known = clients.get(key) ?? clientWith({ [header]: String(id) });
  clients.set(key, known);
  return known;
};

/** The main API (`/api/v1`) and the collectors, for a project. */
export const projectApi = (projectId: number): ApiClient => createClientFor('project-id', projectId);

/** The routes of a partner, for a partner. */
export const partnerApi = (partnerId: number): ApiClient => createClientFor('partner-id', partnerId);

/** The data of an answer; failures have been thrown before. */
export async function unwrapData<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}
