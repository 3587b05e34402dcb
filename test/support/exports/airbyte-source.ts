/**
 * As much of Airbyte's low-code CDK as the manifest of integrations/airbyte uses: reads a stream as the CDK does, with
 * slices of days and their state, pages, and retries. Every other component is an error.
 */
import nunjucks from 'nunjucks';
import type { Component, Cursor, ErrorHandler, Json, RequestOption, Requester, Stream } from './airbyte-manifest';

export interface Sync {
  readonly config: Json;
  /** What the sync before has returned. */
  readonly state?: Json;
  readonly now?: () => number;
  /** Waits so many seconds. */
  readonly sleep?: (seconds: number) => Promise<void>;
}

export interface Synced {
  readonly records: readonly Json[];
  readonly state: Json;
  /** Path and query of every request, with the days of a body, and how it was answered. */
  readonly requests: readonly string[];
  readonly waits: readonly number[];
}

/** What Airbyte shows where a response filter fails a sync. */
export class SourceError extends Error {
  constructor(
    message: string,
    readonly failureType: string,
  ) {
    super(message);
  }
}

interface Slice {
  readonly start: string;
  readonly end: string;
}
interface Request {
  readonly parameters: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

const DAY_MS = 86_400_000;
const environment = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: true });

/** A text with what it says in braces; `config.get` is what Python's dictionaries have. */
export function interpolate(text: string, config: Json): string {
  const get = (name: string, otherwise: unknown) => config[name] ?? otherwise;
  return environment.renderString(text, { config: { ...config, get } });
}

/** Reads a stream to its end. */
export async function readStream(stream: Stream, { config, state = {}, now = Date.now, sleep }: Sync): Promise<Synced> {
  const [requests, waits, records]: [string[], number[], Json[]] = [[], [], []];
  const wait = async (seconds: number) => {
    waits.push(seconds);
    await (sleep ?? sleepSeconds)(seconds);
  };
  const cursor = stream.incremental_sync;
  if (!cursor) {
    for await (const page of readPages(stream, config, undefined, { requests, wait })) records.push(...page);
    return { records, state: {}, requests, waits };
  }
  const first = readFirst(cursor, config, state);
  let latest = first;
  for (const slice of listSlices(cursor, config, first, now())) {
    for await (const page of readPages(stream, config, slice, { requests, wait })) {
      records.push(...page);
      for (const record of page) latest = Math.max(latest, readCursorValue(cursor, record[cursor.cursor_field]));
    }
  }
  return { records, state: { [cursor.cursor_field]: writeDay(cursor, latest) }, requests, waits };
}

const sleepSeconds = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

/** Where the sync before ended, or the first day of the source. */
function readFirst(cursor: Cursor, config: Json, state: Json): number {
  const start = readStart(cursor, config);
  const before = state[cursor.cursor_field];
  return before === undefined ? start : Math.max(start, readCursorValue(cursor, before));
}

const readStart = ({ start_datetime }: Cursor, config: Json) =>
  parseTime(interpolate(start_datetime.datetime, config), start_datetime.datetime_format);

/** From the state less the lookback, but not before the first day, until now; the last slice ends with today. */
function* listSlices(cursor: Cursor, config: Json, first: number, now: number): Generator<Slice> {
  const lookback = parseDays(interpolate(cursor.lookback_window, config));
  const [step, granularity] = [parseDays(cursor.step), parseDays(cursor.cursor_granularity)];
  let lower = Math.max(first - lookback, readStart(cursor, config));
  while (lower < now) {
    const upper = Math.min(lower + step, now);
    const end = upper >= now ? now : upper - granularity;
    yield { start: writeDay(cursor, lower), end: writeDay(cursor, end) };
    lower = upper;
  }
}

function parseDays(duration: string): number {
  const [, days] = /^P(\d+)D$/.exec(duration) ?? [];
  if (days === undefined) throw new Error(`${duration} is no number of days`);
  return Number(days) * DAY_MS;
}

const FIELDS: Readonly<Record<string, string>> = {
  Y: '(?<Y>\\d{4})',
  m: '(?<m>\\d\\d)',
  d: '(?<d>\\d\\d)',
  H: '(?<H>\\d\\d)',
  M: '(?<M>\\d\\d)',
  S: '(?<S>\\d\\d)',
  f: '(?<f>\\d{1,6})',
};

/** As Python's strptime reads it, in UTC. */
function parseTime(text: string, format: string): number {
  const pattern = format.replace(/\./g, '\\.').replace(/%(.)/g, (_, field: string) => FIELDS[field] ?? '(?!)');
  const found = new RegExp(`^${pattern}$`).exec(text)?.groups;
  if (!found) throw new Error(`${text} is not as ${format} says`);
  const { Y, m, d, H = '00', M = '00', S = '00', f = '0' } = found;
  return Date.parse(`${Y}-${m}-${d}T${H}:${M}:${S}.${f.padEnd(6, '0').slice(0, 3)}Z`);
}

function readCursorValue({ cursor_datetime_formats = [], datetime_format }: Cursor, value: unknown): number {
  for (const format of [...cursor_datetime_formats, datetime_format])
    try {
      return parseTime(String(value), format);
    } catch {
      // The next format may be its own.
    }
  throw new Error(`No format of the cursor reads ${String(value)}`);
}

function writeDay({ datetime_format }: Cursor, time: number): string {
  if (datetime_format !== '%Y-%m-%d') throw new Error(`Days are written by ${datetime_format}`);
  return new Date(time).toISOString().slice(0, 10);
}

interface Sending {
  readonly requests: string[];
  readonly wait: (seconds: number) => Promise<void>;
}

async function* readPages(
  { retriever, incremental_sync: cursor }: Stream,
  config: Json,
  slice: Slice | undefined,
  sending: Sending,
): AsyncGenerator<Json[]> {
  const { requester, paginator, decoder, record_selector } = retriever;
  const isPaged = paginator.type === 'DefaultPaginator';
  if (!isPaged) expectType(paginator, 'NoPagination');
  const { page_size, start_from_page } = isPaged ? paginator.pagination_strategy : { page_size: 0, start_from_page: 0 };
  if (isPaged) expectType(paginator.pagination_strategy, 'PageIncrement');
  for (let page = start_from_page; ; page += 1) {
    const request = buildRequest(requester, config);
    if (isPaged) inject(request, paginator.page_token_option, page);
    if (isPaged) inject(request, paginator.page_size_option, page_size);
    if (cursor && slice) {
      inject(request, cursor.start_time_option, slice.start);
      inject(request, cursor.end_time_option, slice.end);
    }
    const text = await (await send(requester, request, config, sending)).text();
    const records = decode(decoder, text).flatMap((body) => extract(record_selector.extractor, body));
    yield records;
    if (!isPaged || records.length < page_size) return;
  }
}

function buildRequest({ authenticator, request_parameters = {}, request_body }: Requester, config: Json): Request {
  expectType(authenticator, 'ApiKeyAuthenticator');
  if (request_body) expectType(request_body, 'RequestBodyJsonObject');
  const parameters = Object.entries(request_parameters).map(([name, value]) => [name, interpolate(value, config)]);
  const request: Request = {
    parameters: Object.fromEntries(parameters) as Record<string, string>,
    headers: {},
    body: { ...request_body?.value },
  };
  inject(request, authenticator.inject_into, interpolate(authenticator.api_token, config));
  return request;
}

function inject(request: Request, { inject_into, field_name }: RequestOption, value: string | number): void {
  if (inject_into === 'request_parameter') request.parameters[field_name] = String(value);
  else if (inject_into === 'header') request.headers[field_name] = String(value);
  else request.body[field_name] = value;
}

/** Sends a request until it succeeds, waiting as the error handler says. */
async function send(
  requester: Requester,
  { parameters, headers, body }: Request,
  config: Json,
  { requests, wait }: Sending,
): Promise<Response> {
  const url = new URL(interpolate(requester.url, config));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const isPost = requester.http_method === 'POST';
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method: requester.http_method,
      headers: { ...headers, ...(isPost && { 'Content-Type': 'application/json' }) },
      ...(isPost && { body: JSON.stringify(body) }),
    });
    const days = isPost ? ` ${String(body.from)} to ${String(body.to)}` : '';
    requests.push(`${url.pathname}${url.search}${days} ${response.status}`);
    if (response.ok) return response;
    await response.arrayBuffer();
    const { action, message, failureType } = judge(requester.error_handler, response);
    if (action === 'FAIL' || (action === 'RETRY' && attempt > requester.error_handler.max_retries))
      throw new SourceError(message, failureType);
    await wait(readWait(requester.error_handler, response, attempt));
  }
}

/** What the response filters say; what none of them speaks of is as the CDK has it by default. */
function judge({ response_filters }: ErrorHandler, { status }: Response) {
  const filter = response_filters.find(({ http_codes }) => http_codes.includes(status));
  const byDefault = status === 429 ? 'RATE_LIMITED' : status >= 500 ? 'RETRY' : 'FAIL';
  return {
    action: filter?.action ?? byDefault,
    message: filter?.error_message ?? `The server answered ${status}`,
    failureType: filter?.failure_type ?? 'system_error',
  };
}

/** The first strategy that knows how long to wait; the CDK adds a second for fractions. */
function readWait({ backoff_strategies }: ErrorHandler, response: Response, attempt: number): number {
  for (const strategy of backoff_strategies) {
    if (strategy.type === 'WaitTimeFromHeader') {
      const seconds = Number(response.headers.get(String(strategy.header)) ?? NaN);
      if (seconds > 0) return seconds + 1;
    } else {
      expectType(strategy, 'ExponentialBackoffStrategy');
      return Number(strategy.factor) * 2 ** attempt + 1;
    }
  }
  throw new Error('No strategy says how long to wait');
}

function decode({ type }: Component<'JsonDecoder' | 'JsonlDecoder'>, text: string): unknown[] {
  if (type === 'JsonDecoder') return [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

function extract({ field_path }: Component & { readonly field_path: readonly string[] }, body: unknown): Json[] {
  const found = field_path.reduce<unknown>((at, name) => (at as Json)[name], body);
  return Array.isArray(found) ? (found as Json[]) : [found as Json];
}

function expectType({ type }: Component, expected: string): void {
  if (type !== expected) throw new Error(`The source knows no ${type} in the place of ${expected}`);
}
