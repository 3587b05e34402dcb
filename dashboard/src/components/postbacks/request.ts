/** The request of a template as its form has it, and as the service does. */
import type { Override, PostbackRequest, RenderedRequest } from '../../api/postbacks';
import { postbacks as text } from '../../texts/postbacks';

export interface RequestValues {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: string;
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

type Stored = Pick<Override, 'method' | 'url' | 'headers' | 'body'>;

export const REQUEST_FIELDS = ['method', 'url', 'headers', 'body'] as const;

export const bodyText = (body: Stored['body']): string =>
  typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body, null, 2);

export const toFormValues = (stored: Stored | undefined): RequestValues => ({
  method: stored?.method ?? 'GET',
  url: stored?.url ?? '',
  headers: Object.entries(stored?.headers ?? {}).map(([name, value]) => ({ name, value })),
  body: bodyText(stored?.body ?? null),
});

/** A body that nobody changed stays as it is stored. A GET has none. */
export function buildRequest(
  { method, url, headers, body }: RequestValues,
  stored: Stored | undefined,
): PostbackRequest {
  const named = headers.map(({ name, value }) => [name.trim(), value] as const).filter(([name]) => name !== '');
  const unchanged = stored && body === bodyText(stored.body) ? stored.body : body;
  return {
    method,
    url: url.trim(),
    headers: Object.fromEntries(named),
    body: method === 'GET' || body.trim() === '' ? null : unchanged,
  };
}

/** What the service could not tell: of two headers of one name it would see one. */
export function headersProblem({ headers }: RequestValues): string | undefined {
  const names = headers.map(({ name }) => name.trim().toLowerCase()).filter(Boolean);
  return new Set(names).size < names.length ? text.form.headerTwice : undefined;
}

/** A request as it goes over the wire, to read. */
export const writtenRequest = ({ method, url, headers, body }: RenderedRequest): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
  ].join('\n');
