/**
 * Runs a person's statement as a user of ClickHouse that sees one project and nothing else, within narrow limits
 * (docs/contract/sql.md).
 */
import { ClickHouseError } from '@clickhouse/client';
import { findReaderPlace, isEmbedded } from '../db/project-readers';
import type { ClickHouse } from '../db/clickhouse';
import type { Login, ReaderAnswer, ReaderClient } from '../db/reader-client';
import { ApiError } from '../errors';
import { hasName, readErrorName, type ErrorName } from '../lib/clickhouse-codes';
import { messageForProject } from '../lib/project-only';
import { derivedSecret } from '../lib/secrets';
import type { StatementInput } from './input';
import { readResult, type Result } from './result';
import { Turns } from './turns';
import { presentMessage } from './presenter';

export interface ConsoleOptions {
  readonly clickhouse: ClickHouse;
  readonly reader: ReaderClient;
  readonly cluster: string | undefined;
  /** What the passwords of the users follow from: they are kept nowhere and shown to nobody. */
  readonly secret: string;
  readonly turns: Turns;
}

export interface StatementResult extends Result {
  readonly rows_read: null;
  readonly bytes_read: null;
  readonly elapsed_ms: number;
}

const FORMAT = 'JSONCompactEachRowWithNamesAndTypes';
/** How long a statement may take. */
const SECONDS = 15;
/** How large a result may be; beyond that it is cut. */
const MAX_BYTES = 10_000_000;
/** ClickHouse has no such user, or it has another password. */
const UNKNOWN_USER: ReadonlySet<ErrorName> = new Set([
  'UNKNOWN_USER',
  'WRONG_PASSWORD',
  'REQUIRED_PASSWORD',
  'AUTHENTICATION_FAILED',
]);

/**
 * The rows of a statement, which ends at once when `gone` is aborted: whoever asked has left.
 *
 * @throws ApiError 400 with what ClickHouse says against it, 409 when it does not let the service make users, 503 when
 * too many run.
 */
export async function runStatement(
  options: ConsoleOptions,
  projectId: number,
  { query, limit }: StatementInput,
  gone?: AbortSignal,
): Promise<StatementResult> {
  return options.turns.take(projectId, async () => {
    const started = performance.now();
    const answer = await ask(options, projectId, { query, limit }, gone).catch(async (error: unknown) => {
      if (gone?.aborted) throw new ApiError(400, 'The statement was cancelled.');
      return refused(error, query, await isEmbedded(options.clickhouse));
    });
    if (answer.format !== FORMAT) {
      answer.rows.destroy();
      throw new ApiError(400, 'query: must not say its FORMAT');
    }
    const result = await readResult(answer.rows, limit, MAX_BYTES);
    return {
      ...result,
      // How many were read would count those of other projects.
      rows_read: null,
      bytes_read: null,
      elapsed_ms: Math.round(performance.now() - started),
    };
  });
}

/** Makes the user where it is not there yet, or has the password of another secret. */
async function ask(
  options: ConsoleOptions,
  projectId: number,
  { query, limit }: StatementInput,
  gone: AbortSignal | undefined,
): Promise<ReaderAnswer> {
  const login = buildLogin(options.secret, projectId);
  const limits = {
    max_execution_time: SECONDS,
    // One more, to tell whether there are more.
    max_result_rows: String(limit + 1),
    max_result_bytes: String(MAX_BYTES),
  };
  const run = () => options.reader.ask(query, login, FORMAT, limits, gone);
  try {
    return await run();
  } catch (error) {
    if (!hasName(error, UNKNOWN_USER)) throw error;
    const place = await findReaderPlace(options.clickhouse, options.cluster);
    await place.add(login.username, projectId, login.password);
    return run();
  }
}

const buildLogin = (secret: string, projectId: number): Login => ({
  username: `console_${projectId}_${derivedSecret(secret, `console user of project ${projectId}`).slice(0, 8)}`,
  password: derivedSecret(secret, `console password of project ${projectId}`),
});

function refused(error: unknown, query: string, embedded: boolean): never {
  if (!(error instanceof ClickHouseError)) throw error;
  if (readErrorName(error) === 'TOO_MANY_SIMULTANEOUS_QUERIES')
    throw new ApiError(503, 'Too many statements are running. Please try again later.', { 'Retry-After': '5' });
  throw new ApiError(400, embedded ? presentMessage(error) : messageForProject(error, query));
}
