/** What a request that failed is told by: the service's own words, and what to do about it. */

/** The fields of an answer that is no success. */
export type FailureBody = Readonly<Record<string, unknown>>;

interface Details {
  readonly code?: string | undefined;
  readonly body?: FailureBody;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** Names for statuses without a reason of the service's own. */
const CODES: Readonly<Record<number, string>> = {
  0: 'unreachable',
  400: 'bad_request',
  401: 'unauthorized',
  402: 'suspended',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
};
/** `url: must be ...`, `headers.X-Key: must ...`, `apps[0].app_id: must ...`. */
const FIELD = /^(\w[\w[\]-]*(?:\.[^:]+)?): (.+)$/s;

/** An answer that is no success, or no whole answer (status 0). It never holds a key. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /**
   * For programs: the `reason` of S2S requests, else a name of the status (`rate_limited`, `not_found`), or without one
   * `unreachable`, `timeout`, `broken_off`, `redirected`, `unreadable`.
   */
  readonly code: string;
  /** The field or parameter that the message is about; undefined where it is about none. */
  readonly field: string | undefined;
  /** What is wrong with the field; without one the whole message. */
  readonly problem: string;
  readonly body: FailureBody;
  /** `X-Request-Id` of the answer, which the log of the service names, too. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(
    /** The HTTP status of the answer; 0 where there is no whole one. */
    readonly status: number,
    message: string,
    { code, body = {}, requestId, retryAfter, cause }: Details = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code ?? CODES[status] ?? (status < 500 ? 'bad_request' : 'internal');
    const [, field, problem] = FIELD.exec(message) ?? [];
    this.field = typeof body.field === 'string' ? body.field : field;
    this.problem = problem ?? message;
    this.body = body;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Seconds, or a date (RFC 9110); undefined without a legal one. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const sent = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(sent)) return Number(sent);
  const at = Date.parse(sent);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

export const readRequestId = (response: Response) => response.headers.get('X-Request-Id') ?? undefined;

/** The failure that an answer tells of. */
export async function readFailure(response: Response): Promise<ApiFailure> {
  const body = parseObject(await response.text().catch(() => ''));
  const told = typeof body.msg === 'string' ? body.msg : body.reason;
  const message = typeof told === 'string' && told !== '' ? told : response.statusText || `HTTP ${response.status}`;
  return new ApiFailure(response.status, message, {
    code: typeof body.reason === 'string' ? body.reason : undefined,
    body,
    requestId: readRequestId(response),
    retryAfter: readRetryAfter(response.headers, Date.now()),
  });
}

function parseObject(text: string): FailureBody {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as FailureBody) : {};
  } catch {
    return {};
  }
}
