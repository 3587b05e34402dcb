/** Carries out one authenticated request: reads its statement, runs it and answers. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { isDecodingError, receiveBody, writeData, type Body } from './body';
import { COUNTING_SETTINGS, messageForProject, PROJECT_SETTINGS } from '../../lib/project-only';
import type { User } from './access-control';
import type { Engine, Caller, Outcome } from './engine';
import { ClickHouseException, withGetHint } from './errors';
import { planInsert } from './insert';
import { NativeProtocol } from './native-protocol';
import type { Reply } from './reply';
import { checkReaderStatement } from './reader-statement';
import { CONSOLE_LIMITS, READER_LIMITS, readerSettings } from './reader-settings';
import { isOn, buildPreamble, quote, readerPreamble, readScope, type Scope } from './settings';
import { callsFile, classify, planQuery, singleStatement, slipsPastReadonly } from './statement';

const NO_OUTCOME: Outcome = { resultRows: 0, resultBytes: 0, writtenRows: 0, writtenBytes: 0 };

interface Job {
  engine: Engine;
  caller: Caller;
  reply: Reply;
  preamble: string;
  defaultFormat: string;
  isReadOnly: boolean;
  /** The version that the client speaks, 0 unless it names one. */
  protocolVersion: number;
  /** Text of the `query` parameter, ending in a newline unless empty. */
  query: Buffer;
  body: Body;
  /** Prefix for the files of this request. */
  file: string;
  /** What system.processes finds the statement by, if it ends when its client leaves. */
  tag?: string | undefined;
}

/** Runs the request's statement and answers it. Rejects with an error that the caller turns into the response. */
export async function execute(
  req: IncomingMessage,
  parameters: URLSearchParams,
  engine: Engine,
  reply: Reply,
  user: User,
): Promise<void> {
  reply.inBlocks = isOn(parameters.get('compress'));
  const file = join(engine.spoolFolder, `body-${randomUUID()}`);
  const body = await receiveBody(req, file, isOn(parameters.get('decompress'))).catch((error: unknown) => {
    throw isDecodingError(error)
      ? new ClickHouseException(354, 'ZLIB_INFLATE_FAILED', 'The compressed body of the request cannot be read', 400)
      : error;
  });
  try {
    const given = await withForm(req, parameters, body);
    const isReadOnlyMethod = req.method !== 'POST';
    const scope = readScope(
      given.parameters,
      header(req, 'x-clickhouse-database') || given.parameters.get('database') || '',
    );
    if (isOn(scope.settings.get('enable_http_compression'))) reply.accept(header(req, 'accept-encoding'));
    reply.waitsForEnd =
      isOn(given.parameters.get('wait_end_of_query')) || isOn(scope.settings.get('http_wait_end_of_query'));
    reply.timezone = scope.settings.get('session_timezone') || 'UTC';
    const query = given.parameters.get('query') ?? '';
    const request = {
      engine,
      reply,
      file,
      body: given.body,
      caller: user.name === 'default' ? ('service' as const) : ('reader' as const),
      isReadOnly: isReadOnlyMethod || (scope.settings.get('readonly') ?? '0') !== '0',
      protocolVersion: Number(given.parameters.get('client_protocol_version') ?? 0),
      defaultFormat: header(req, 'x-clickhouse-format') || given.parameters.get('default_format') || 'TabSeparated',
      query: Buffer.from(query === '' ? '' : `${query}\n`),
    };
    if (user.name !== 'default') await runForReader(request, user, scope, given.parameters.getAll('role'));
    else await run({ ...request, tag: setTag(scope.settings), preamble: buildPreamble(scope, isReadOnlyMethod) });
  } catch (error) {
    throw error instanceof ClickHouseException && req.method !== 'POST' ? withGetHint(error) : error;
  } finally {
    if (body.file !== undefined) await rm(body.file, { force: true });
  }
}

/** The engine's ClickHouse allows as much, and says it so. */
const LARGEST_READER_QUERY = 262_144;

/**
 * Runs a data engineer's statement, as the engine's own parser understood it, with a reader's grants, settings and
 * limits.
 */
async function runForReader(
  job: Omit<Job, 'preamble'>,
  user: User,
  scope: Scope,
  roles: readonly string[],
): Promise<void> {
  const text = wholeText(job);
  if (Buffer.byteLength(text) > LARGEST_READER_QUERY)
    throw new ClickHouseException(62, 'SYNTAX_ERROR', `Max query size exceeded (${LARGEST_READER_QUERY} bytes)`);
  if (classify(text) === 'empty') throw new ClickHouseException(62, 'SYNTAX_ERROR', 'Empty query');
  if (roles.some((role) => role !== user.name))
    throw new ClickHouseException(512, 'SET_NON_GRANTED_ROLE', 'Role should be granted to set as a current');
  if (!['', 'analytics', 'default'].includes(scope.database))
    throw new ClickHouseException(497, 'ACCESS_DENIED', 'reader: Not enough privileges: only analytics is for readers');
  const { engine, reply } = job;
  const statement = checkReaderStatement(await engine.parsed(text), scope.parameters, engine.tableFunctions);
  if (user.projectId !== undefined) refuseCounts(statement.sql, job.defaultFormat);
  const limits = user.name.startsWith('console_') ? CONSOLE_LIMITS : READER_LIMITS;
  const refused = user.projectId === undefined ? new Set<string>() : COUNTING_SETTINGS;
  const settings = readerSettings(scope.settings, statement.settings, limits, refused);
  reply.timezone = settings.get('session_timezone') || 'UTC';
  for (const [name, value] of await projectSettings(engine, user.projectId)) settings.set(name, value);
  await runQuery({
    ...job,
    tag: setTag(settings),
    preamble: readerPreamble({ ...scope, database: 'analytics' }, settings, statement.readonly),
    query: Buffer.from(statement.sql),
    body: { head: Buffer.alloc(0) },
  }).catch((error: unknown) => {
    throw error instanceof ClickHouseException ? ofReader(error, user, text) : error;
  });
}

/** Names a statement that ends when its client leaves, in its settings; undefined for others. */
function setTag(settings: Map<string, string>): string | undefined {
  if (!isOn(settings.get('cancel_http_readonly_queries_on_client_close'))) return undefined;
  const tag = `ends with its client: ${randomUUID()}`;
  settings.set('log_comment', tag);
  return tag;
}

/** The engine knows one user, by another name. Users of one project are told the kind of an error, and no values. */
function ofReader(error: ClickHouseException, { name, projectId }: User, statement: string): ClickHouseException {
  const message =
    projectId === undefined ? error.message.replace(/^default: /, `${name}: `) : messageForProject(error, statement);
  return new ClickHouseException(error.code, error.type, message, error.httpStatus);
}

/** The settings under which every view shows one project only, before any condition of the statement is tried. */
async function projectSettings(engine: Engine, projectId: number | undefined): Promise<[string, string][]> {
  if (projectId === undefined) return [];
  return [
    ['additional_table_filters', await engine.projectFilters(projectId)],
    ...Object.entries(PROJECT_SETTINGS).map(([name, value]): [string, string] => [name, String(value)]),
  ];
}

/** A plan tells how many rows there are of all projects, and formats with progress how many of them were read. */
function refuseCounts(sql: string, defaultFormat: string): void {
  const isPlan = /^EXPLAIN\s+(?!SYNTAX|QUERY TREE)/.test(sql);
  if (!isPlan && !/withprogress$/i.test(planQuery(sql, defaultFormat).format)) return;
  const what = isPlan ? 'EXPLAIN' : 'progress';
  throw new ClickHouseException(497, 'ACCESS_DENIED', `Not enough privileges: ${what} is for readers of all projects`);
}

async function run(job: Job): Promise<void> {
  // Latin-1 keeps one character a byte: an INSERT's data may be binary, and offsets are needed in bytes.
  const head = Buffer.concat([job.query, job.body.head.subarray(0, 1024 * 1024)]).toString('latin1');
  const kind = classify(head);
  if (kind === 'empty') throw new ClickHouseException(62, 'SYNTAX_ERROR', 'Empty query');
  if (job.isReadOnly && slipsPastReadonly(head))
    throw new ClickHouseException(164, 'READONLY', 'default: Cannot execute query in readonly mode');
  // The engine lets it read any file of the machine, whatever the grants.
  if (callsFile(head)) throw new ClickHouseException(497, 'ACCESS_DENIED', 'default: Not enough privileges: file()');
  if (kind === 'insert') return runInsert(job, head);
  if (kind === 'command') return runCommand(job);
  return runQuery(job);
}

async function runQuery({
  engine,
  caller,
  reply,
  preamble,
  defaultFormat,
  protocolVersion,
  tag,
  ...job
}: Job): Promise<void> {
  const plan = planQuery(wholeText(job), knownFormat(engine, defaultFormat));
  const format = engine.formats.get(plan.format.toLowerCase());
  reply.format = format?.name;
  reply.contentType = chooseContentType(format?.name, format?.contentType);
  if (format?.name === 'Native' && protocolVersion > 0) reply.protocol = new NativeProtocol(protocolVersion);
  try {
    const outcome = await engine.query(
      preamble,
      (pipe) => plan.into(pipe),
      (chunk) => reply.write(chunk),
      () => !reply.isGone,
      { caller, tag },
    );
    if (outcome) await reply.finish(outcome);
  } catch (error) {
    // A syntax error may be told with our INTO OUTFILE in it, or come from it: the untouched text settles both.
    if (!(error instanceof ClickHouseException) || error.code !== 62) throw error;
    const { bytes, ...outcome } = await engine.command(preamble, plan.original, defaultFormat);
    await reply.write(bytes);
    await reply.finish(outcome);
  }
}

async function runCommand({ engine, reply, preamble, defaultFormat, ...job }: Job): Promise<void> {
  const text = wholeText(job);
  const last = singleStatement(text).at(-1);
  const { bytes, ...outcome } = await engine.command(
    preamble,
    text.slice(0, last?.end),
    knownFormat(engine, defaultFormat),
  );
  await reply.write(bytes);
  await reply.finish(outcome);
}

async function runInsert(job: Job, head: string): Promise<void> {
  const { engine, reply, preamble, query, body } = job;
  const plan = planInsert(head);
  if (plan.kind === 'select') {
    const text = wholeText(job);
    const last = singleStatement(text).at(-1);
    return reply.finish(await engine.insert(preamble, text.slice(0, last?.end)));
  }
  const before = query.subarray(plan.dataStart);
  const offset = Math.max(0, plan.dataStart - query.length);
  const usesBodyFile = body.file !== undefined && offset === 0 && before.length === 0;
  const file = usesBodyFile ? (body.file as string) : `${job.file}-data`;
  try {
    if (!usesBodyFile) await writeData(file, before, body, offset);
    if (reply.isGone) return;
    const statement = Buffer.from(plan.from(Buffer.from(quote(file)).toString('latin1')), 'latin1').toString();
    await reply.finish({ ...NO_OUTCOME, ...(await engine.insert(preamble, statement)) });
  } finally {
    await rm(file, { force: true });
  }
}

function wholeText({ query, body }: Pick<Job, 'query' | 'body'>): string {
  if (body.file !== undefined)
    throw new ClickHouseException(229, 'QUERY_IS_TOO_LARGE', 'The text of the query is too large');
  return Buffer.concat([query, body.head]).toString();
}

/** The default format goes into SQL as it is, so only one that the engine has may pass. */
function knownFormat(engine: Engine, name: string): string {
  const format = engine.formats.get(name.toLowerCase());
  if (!format) throw new ClickHouseException(73, 'UNKNOWN_FORMAT', `Unknown format ${name.slice(0, 64)}`);
  return format.name;
}

function chooseContentType(name: string | undefined, contentType: string | undefined): string {
  if (contentType) return contentType;
  return name === undefined ? 'text/plain; charset=UTF-8' : 'application/octet-stream';
}

/** A multipart form carries further parameters in its fields (`use_multipart_params` of the client). */
async function withForm(
  req: IncomingMessage,
  parameters: URLSearchParams,
  body: Body,
): Promise<{ parameters: URLSearchParams; body: Body }> {
  const type = header(req, 'content-type');
  if (!/^multipart\/form-data\b/i.test(type)) return { parameters, body };
  if (body.file !== undefined) throw new ClickHouseException(229, 'QUERY_IS_TOO_LARGE', 'The form is too large');
  const merged = new URLSearchParams(parameters);
  const form = await new Response(new Uint8Array(body.head), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new ClickHouseException(36, 'BAD_ARGUMENTS', 'The multipart form cannot be read');
    });
  for (const [name, value] of form) {
    if (typeof value !== 'string')
      throw new ClickHouseException(48, 'NOT_IMPLEMENTED', 'The embedded ClickHouse does not support external tables');
    merged.append(name, value);
  }
  return { parameters: merged, body: { head: Buffer.alloc(0) } };
}

function header(req: IncomingMessage, name: string): string {
  const value = req.headers[name];
  return Buffer.from((Array.isArray(value) ? value.join(', ') : value) ?? '', 'latin1').toString();
}
