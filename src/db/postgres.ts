/** The port to PostgreSQL: rows, transactions, and one connection that listens. */
import pg from 'pg';
import { UnavailableError } from '../errors';

export type Row = Record<string, unknown>;

/** Anything that runs one statement with bound values: the pool, or one transaction. */
export interface Queryable {
  rows<T extends Row = Row>(sql: string, values?: readonly unknown[]): Promise<T[]>;
}

export interface Postgres extends Queryable {
  /** Runs `work` in one transaction; any error rolls it back and is thrown on. */
  tx<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /** Runs `work` on one separate connection, for session-level advisory locks. */
  session<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /** A separate connection that reports notifications; the caller reconnects when it ends. */
  listen(channel: string, onNotify: (payload: string) => void, onEnd: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

// NUMERIC and BIGINT arrive as text by default; identifiers and revisions of ours fit a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
// A calendar day is not an instant: it stays the text it is.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/**
 * A server that is away, starting or going is no error of the query: SQLSTATE classes 08 and 57P, and errors without
 * any SQLSTATE, which the connection makes itself.
 */
function translate(error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  const isSqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  return isSqlState && !/^(08|57P)/.test(code)
    ? error
    : new UnavailableError('PostgreSQL is not available', { cause: error });
}

const ignore = () => undefined;

const queryable = (client: pg.Pool | pg.ClientBase): Queryable => ({
  async rows<T extends Row>(sql: string, values: readonly unknown[] = []) {
    try {
      return (await client.query<T>(sql, [...values])).rows;
    } catch (error) {
      throw translate(error);
    }
  },
});

/** Opens a pool of at most this many connections on `url`; a statement may take 15 s, a connection attempt 3 s. */
export function connectPostgres(url: string, connections = 8): Postgres {
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 15_000,
    application_name: 'adtrail',
  };
  const pool = new pg.Pool({ ...settings, max: connections });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', ignore);
  // So would one that is held, and one that is just being thrown away: whoever waits for a query is told by its error.
  pool.on('connect', (client) => client.on('error', ignore));

  async function session<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw translate(error);
    });
    let broken = true;
    try {
      const result = await work(queryable(client));
      broken = false;
      return result;
    } finally {
      // A connection on which something failed may still hold a lock or an open transaction: it is thrown away.
      client.release(broken);
    }
  }

  return {
    ...queryable(pool),
    session,
    tx: (work) =>
      session(async (db) => {
        await db.rows('BEGIN');
        const result = await work(db);
        await db.rows('COMMIT');
        return result;
      }),
    async listen(channel, onNotify, onEnd) {
      const client = new pg.Client({ ...settings, keepAlive: true });
      client.on('notification', ({ payload }) => onNotify(payload ?? ''));
      client.on('error', ignore);
      client.on('end', onEnd);
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      return () => client.end();
    },
    close: () => pool.end(),
  };
}
