/** Derives what a run has taken up in chunks; one that is too much is halved, down to what cannot be derived at all. */
import type { ClickHouse } from '../db/clickhouse';
import type { WithQuarantine } from '../tables/derivations';
import { readChunks, readLastChunk } from './queries';
import { isAboutData, type Entity, type Quarantine } from './quarantine';

/** Part of a run, by its number. */
export interface Chunk extends Readonly<Record<string, unknown>> {
  readonly run_id: number;
  readonly chunk: number;
}

type Params = Readonly<Record<string, unknown>>;
type Rows<T> = (db: ClickHouse, params: Params) => Promise<T[]>;

/** Where a derived table keeps its chunks, and the statements that work on them. */
export interface ChunkQueries {
  /** The table of adtrail that names the entities of each chunk. */
  readonly batches: string;
  /** Up to two of the entities that a chunk is about. */
  readonly readSeeds: Rows<Entity>;
  /** Drops what is derived already of the entities of a chunk, as of its run. */
  readonly clear: (db: ClickHouse, params: Params) => Promise<void>;
  /** Puts the entities of a chunk into two new ones, `first` and `second`. */
  readonly split: (db: ClickHouse, params: Params) => Promise<void>;
}

/** `derive` may be repeated, on the same chunk or on parts of it. What fails alone is set aside. */
export async function deriveInChunks(
  db: ClickHouse,
  worker: WithQuarantine,
  runId: number,
  queries: ChunkQueries,
  quarantine: Quarantine,
  derive: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  const chunks = (await readChunks(db, { table: queries.batches, run_id: runId })).map((row) => row.chunk);
  for (let number = chunks.shift(); number !== undefined; number = chunks.shift()) {
    const chunk = { run_id: runId, chunk: number };
    try {
      await derive(chunk);
    } catch (error) {
      if (!isAboutData(error)) throw error;
      const seeds = await queries.readSeeds(db, chunk);
      if (seeds.length === 1) {
        await quarantine.setAside(worker, seeds, error);
        await queries.clear(db, chunk);
      } else chunks.unshift(...(await splitChunk(db, chunk, queries)));
    }
  }
}

/** The numbers of the two halves. */
async function splitChunk(db: ClickHouse, chunk: Chunk, queries: ChunkQueries): Promise<[number, number]> {
  const last = (await readLastChunk(db, { table: queries.batches, ...chunk }))[0]?.chunk as number;
  await queries.split(db, { ...chunk, first: last + 1, second: last + 2 });
  return [last + 1, last + 2];
}
