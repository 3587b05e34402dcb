/** How commands ask a running service. */
import { StartError } from '../errors';

/** What was asked for is refused; the message is in the words of the service, if it has some. */
export class RefusedError extends StartError {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

interface Asking {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export const withAdminToken = (token: string) => ({ Authorization: `Bearer ${token}` });

export function jsonRequest({ method = 'GET', headers, body }: Asking): RequestInit {
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/**
 * Resolves with an answer that is a success, as it begins.
 *
 * @throws StartError where nothing answers, RefusedError for any other status than 2xx.
 */
export async function reachService(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, request).catch((error: Error) => {
    throw new StartError(
      `No service answers at ${new URL(url).origin}: ${error.message}. Start it; its log says what is wrong.`,
    );
  });
  if (response.ok) return response;
  // What stands before the service may answer in its place, with a page for people.
  const answer = (await response.json().catch(() => undefined)) as { readonly msg?: string } | null | undefined;
  throw new RefusedError(answer?.msg ?? `The service answered ${response.status}`, response.status);
}

/**
 * Resolves with the parsed answer of the service at `service`, an address without a slash at its end; with undefined
 * for 204.
 *
 * @throws as `reachService` does, and StartError for a success that is not of adtrail.
 */
export async function askService<Answer>(service: string, path: string, asking: Asking): Promise<Answer> {
  const response = await reachService(service + path, jsonRequest(asking));
  if (response.status === 204) return undefined as Answer;
  return (await response.json().catch(() => {
    throw new StartError(`What answers at ${service} is no adtrail, or broke off.`);
  })) as Answer;
}
