/** How commands ask a running service. */
import { StartError } from '../errors';

/** What was asked for is refused; the message is in the words of the service. */
export class RefusedError extends StartError {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface Asking {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export const withAdminToken = (token: string) => ({ Authorization: `Bearer ${token}` });

/**
 * Resolves with the parsed answer of the service at `service`, an address without a slash at its end; with undefined
 * for 204.
 *
 * @throws StartError where nothing answers, and where what answers is no adtrail; RefusedError for any other status
 * than 2xx.
 */
export async function askService<Answer>(
  service: string,
  path: string,
  { method = 'GET', headers, body }: Asking,
): Promise<Answer> {
  const type = { 'Content-Type': 'application/json' };
  const sent = body === undefined ? { headers } : { headers: { ...headers, ...type }, body: JSON.stringify(body) };
  const answered = fetch(service + path, { method, ...sent });
  const [response, text] = await answered
    .then(async (one) => [one, await one.text()] as const)
    .catch((error: Error) => {
      throw new StartError(`No service answers at ${service}: ${error.message}. Start it; its log says what is wrong.`);
    });
  if (response.status === 204) return undefined as Answer;
  const answer = readJson(text);
  if (!response.ok) throw new RefusedError(answer?.msg ?? `The service answered ${response.status}`, response.status);
  if (answer === undefined) throw new StartError(`What answers at ${service} is no adtrail.`);
  return answer as Answer;
}

/** What stands before the service may answer in its place, with a page for people. */
function readJson(text: string): { readonly msg?: string } | undefined {
  try {
    return JSON.parse(text) as { readonly msg?: string };
  } catch {
    return undefined;
  }
}
