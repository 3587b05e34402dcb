/** The ports to the engines with a span around each statement, under the name of its file: never its text or values. */
import type { ClickHouse, ClickHouseReads } from '../db/clickhouse';
import type { Postgres, Queryable } from '../db/postgres';
import { nameOfStatement } from '../db/sql';
import type { Tracing } from './tracing';

/** What a statement that no file has is called by. */
const VERB = /^\s*(SELECT|INSERT|UPDATE|DELETE|ALTER|BEGIN|COMMIT|WITH|SYSTEM|CREATE|DROP)\b/i;

/** One that src/figures/compile.ts makes begins with its name; what others write before theirs is not repeated. */
const NAMED = /^-- (query|web-report)\n/;

const nameStatement = (sql: string) =>
  nameOfStatement(sql) ?? NAMED.exec(sql)?.[1] ?? VERB.exec(sql)?.[1]?.toUpperCase() ?? 'statement';

const statement = (tracing: Tracing, system: 'clickhouse' | 'postgresql') => {
  return <T>(name: string, work: () => Promise<T>) =>
    tracing.part(`${system} ${name}`, { 'db.system.name': system, 'db.query.summary': name }, work);
};

/** A stream is there when its span ends; how long it is read is in the span of the request. */
export function traceClickHouse(clickhouse: ClickHouse, tracing: Tracing): ClickHouse {
  if (!tracing.isOn) return clickhouse;
  const traced = statement(tracing, 'clickhouse');
  const reads = (port: ClickHouseReads): ClickHouseReads => ({
    rows: (sql, ...more) => traced(nameStatement(sql), () => port.rows(sql, ...more)),
    file: (sql, ...more) => traced(nameStatement(sql), () => port.file(sql, ...more)),
    tuples: (sql, ...more) => traced(nameStatement(sql), () => port.tuples(sql, ...more)),
  });
  return {
    ...reads(clickhouse),
    until: (signal) => reads(clickhouse.until(signal)),
    binary: (sql, ...more) => traced(nameStatement(sql), () => clickhouse.binary(sql, ...more)),
    command: (sql, ...more) => traced(nameStatement(sql), () => clickhouse.command(sql, ...more)),
    insert: (table, ...more) => traced(`INSERT ${table}`, () => clickhouse.insert(table, ...more)),
    insertFile: (table, ...more) => traced(`INSERT ${table}`, () => clickhouse.insertFile(table, ...more)),
    ping: () => clickhouse.ping(),
    close: () => clickhouse.close(),
  };
}

/** A transaction is one span, with those of its statements in it. */
export function tracePostgres(postgres: Postgres, tracing: Tracing): Postgres {
  if (!tracing.isOn) return postgres;
  const traced = statement(tracing, 'postgresql');
  const queryable = (db: Queryable): Queryable => ({
    rows: (sql, values) => traced(nameStatement(sql), () => db.rows(sql, values)),
  });
  return {
    ...queryable(postgres),
    tx: (work) => traced('transaction', () => postgres.tx((db) => work(queryable(db)))),
    session: (work) => postgres.session((db) => work(queryable(db))),
    listen: (...of) => postgres.listen(...of),
    close: () => postgres.close(),
  };
}
