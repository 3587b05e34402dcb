/** When keys were last used: kept in memory, written now and then, never while a request waits. */
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import { MINUTE_MS } from '../lib/time';

const noteKeyUses = readQuery('sql', 'configuration.note-key-uses');

export interface KeyUses {
  /** A request came with the key of this SHA-256. */
  readonly note: (sha256: string) => void;
  /** Writes what was noted: of each key at most once a minute. */
  readonly write: () => Promise<void>;
}

export function keyUses(postgres: Postgres, now: () => number): KeyUses {
  const noted = new Set<string>();
  const writtenAt = new Map<string, number>();
  return {
    note: (sha256) => void noted.add(sha256),
    async write() {
      const at = now();
      const keys = [...noted].filter((key) => (writtenAt.get(key) ?? -Infinity) <= at - MINUTE_MS);
      noted.clear();
      if (keys.length === 0) return;
      // Other processes note the same keys.
      await postgres.rows(noteKeyUses, [keys, new Date(at), new Date(at - MINUTE_MS)]);
      for (const key of keys) writtenAt.set(key, at);
    },
  };
}
