/** The request of a postback, from its template and the values of its macros (docs/contract/postbacks.md). Pure. */
import { renderJsonText } from './json-text';
import { hasMacro, isSecretMacro, replaceMacros, readSecretName, type AnyMacro, type MacroValues } from './macros';
import { readContentType, isJsonBody, type PostbackTemplate } from './template';

export interface RenderedPostback {
  readonly method: PostbackTemplate['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for none. */
  readonly body: string | null;
}

type ReadValue = (name: AnyMacro) => string;

/** What secrets of a template stand for. @throws Error for one that there is not. */
export type ReadSecret = (name: string) => string;

/** Stands for every secret where a request is shown. */
export const BLANK = '***';
export const blankSecrets: ReadSecret = () => BLANK;

/**
 * The request that a template makes of values. The template has been checked by `validateTemplate`; values are any
 * texts, and half of a surrogate pair in one becomes U+FFFD.
 */
export function render(template: PostbackTemplate, values: MacroValues, secret: ReadSecret): RenderedPostback {
  const { method, url, headers, body } = template;
  const value: ReadValue = (name) => (isSecretMacro(name) ? secret(readSecretName(name)) : values[name].toWellFormed());
  const rendered = Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name, renderHeader(text, value)] as const),
  );
  const request = { method, url: renderUrl(url, value) };
  if (body === null) return { ...request, headers: rendered, body };
  const isJson = isJsonBody(headers, body);
  if (readContentType(headers) === undefined)
    rendered['Content-Type'] = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    ...request,
    headers: rendered,
    body: isJson ? renderJson(body, value) : renderEncoded(body as string, value),
  };
}

const renderEncoded = (text: string, value: ReadValue) =>
  replaceMacros(text, (name) => encodeURIComponent(value(name)));

/** The URL as it is sent: written out as a parser does it. */
function renderUrl(url: string, value: ReadValue): string {
  const [path = '', ...query] = url.split('?');
  const segments = path.split('/').map((segment) => {
    const rendered = renderEncoded(segment, value);
    // Nothing that comes from outside may go up in the path of the receiver.
    return hasMacro(segment) && /^(\.|%2e){1,2}$/i.test(rendered) ? rendered.replaceAll('.', '%252E') : rendered;
  });
  return new URL([segments.join('/'), ...query.map((part) => renderEncoded(part, value))].join('?')).href;
}

/** Whatever the values are, a header stays one line of printable ASCII. */
const renderHeader = (text: string, value: ReadValue) =>
  replaceMacros(text, value).replace(/[^\x20-\x7e]+/gu, encodeURIComponent);

const renderJson = (body: string | object, value: ReadValue) =>
  typeof body === 'string' ? renderJsonText(body, value) : JSON.stringify(renderTexts(body, value));

function renderTexts(part: unknown, value: ReadValue): unknown {
  if (typeof part === 'string') return replaceMacros(part, value);
  if (Array.isArray(part)) return part.map((one) => renderTexts(one, value));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, renderTexts(one, value)]));
}
