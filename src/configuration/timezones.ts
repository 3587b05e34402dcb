/**
 * Names of time zones as ClickHouse has them, which computes in them: what Node alone knows would fail in every report.
 */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import { findTimezone } from '../lib/time';
import { change, SERVICE } from './change';

const NAMES = readQuery('clickhouse', 'configuration.time-zones');
const PROJECTS = readQuery('sql', 'configuration.time-zones-of-projects');
const RENAME = readQuery('sql', 'configuration.rename-time-zone');

/** ClickHouse's name of the time zone that a text means, however it is spelt; undefined where an engine knows none. */
export type ResolveTimezone = (text: string) => Promise<string | undefined>;

/** Asks ClickHouse for its names once, when they are first needed. @throws UnavailableError while it is away. */
export function timezoneResolver(clickhouse: ClickHouse): ResolveTimezone {
  let names: Promise<string[]> | undefined;
  const readNames = async () => (await clickhouse.rows<{ name: string }>(NAMES)).map(({ name }) => name);
  return async (text) => {
    names ??= readNames();
    // A failure is not kept: the next caller asks again.
    names.catch(() => (names = undefined));
    return findTimezone(text, await names);
  };
}

/**
 * Gives projects that an earlier version stored with another spelling the name that ClickHouse knows. Returns those
 * whose zone ClickHouse does not know at all.
 */
export async function mendTimezones(postgres: Postgres, clickhouse: ClickHouse): Promise<string[]> {
  const resolve = timezoneResolver(clickhouse);
  const unknown: string[] = [];
  for (const { timezone } of await postgres.rows<{ timezone: string }>(PROJECTS)) {
    const name = await resolve(timezone);
    if (name === undefined) unknown.push(timezone);
    else if (name !== timezone) await change(postgres, SERVICE, (db) => db.rows(RENAME, [timezone, name]));
  }
  return unknown;
}
