/** What is halved, what is set aside, and what is no fault of the data (src/derive/chunks.ts, quarantine.ts). */
import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouse } from '../../../src/db/clickhouse';
import { deriveInChunks, type Chunk } from '../../../src/derive/chunks';
import { Quarantine, type Entity } from '../../../src/derive/quarantine';

const failure = (code: string) => new ClickHouseError({ message: 'a value: secret', code, type: 'OF_THE_TEST' });
const entities = (count: number): Entity[] =>
  Array.from({ length: count }, (_, i) => ({ project_id: 7, entity: `e${i}` }));

/** Derives four entities, e0 to e3, of which e2 fails as told; returns what was set aside, cleared, and logged. */
async function derive(error: Error) {
  const chunks = new Map([[0, entities(4)]]);
  const setAside: string[] = [];
  const logged: string[] = [];
  const cleared: number[] = [];
  const db = {
    // Asked which chunks there are, and for the greatest of them.
    rows: (sql: string) => Promise.resolve([{ chunk: sql.includes('max(') ? Math.max(...chunks.keys()) : 0 }]),
    insert: (_table: string, _columns: unknown, lines: string[]) => Promise.resolve(setAside.push(...lines)),
  } as unknown as ClickHouse;
  const derived: string[] = [];
  const outcome = await deriveInChunks(
    db,
    'install-journeys',
    1,
    {
      batches: 'a_table',
      readSeeds: (_db, { chunk }) => Promise.resolve((chunks.get(chunk as number) ?? []).slice(0, 2)),
      clear: (_db, { chunk }) => Promise.resolve(void cleared.push(chunk as number)),
      split: (_db, { chunk, first, second }) => {
        const all = chunks.get(chunk as number) ?? [];
        chunks.set(first as number, all.slice(0, all.length / 2)).set(second as number, all.slice(all.length / 2));
        return Promise.resolve();
      },
    },
    new Quarantine(db, { error: (text: string) => logged.push(text) } as never, () => 1_000),
    ({ chunk }: Chunk) => {
      const of = (chunks.get(chunk) ?? []).map(({ entity }) => entity);
      if (of.includes('e2')) return Promise.reject(error);
      derived.push(...of);
      return Promise.resolve();
    },
  ).catch((thrown: unknown) => thrown);
  return { outcome, derived, cleared, setAside: setAside.map((line) => JSON.parse(line) as unknown[]), logged };
}

test.each(['241', '159', '70'])(
  'what is too much, or does not fit (%s), is halved down to what fails',
  async (code) => {
    const { outcome, derived, cleared, setAside, logged } = await derive(failure(code));
    expect(outcome).toBeUndefined();
    expect(derived).toEqual(['e0', 'e1', 'e3']);
    expect(cleared).toHaveLength(1);
    expect(setAside).toEqual([['install-journeys', 7, 'e2', 'set_aside', `OF_THE_TEST (${code})`, 1_000]]);
    expect(logged).toEqual([`Set aside by install-journeys: e2 of project 7: OF_THE_TEST (${code})`]);
  },
);

test.each([
  ['of the server: a table is read-only', failure('242')],
  ['of the server: too many at once', failure('202')],
  ['of the way there', new Error('socket hang up')],
])('an error %s ends the run, and nothing is set aside', async (_, error) => {
  expect(await derive(error)).toEqual({ outcome: error, derived: [], cleared: [], setAside: [], logged: [] });
});

test('of many that are set aside the log names three, and no value of them', async () => {
  const logged: string[] = [];
  const lines: string[] = [];
  const db = { insert: (_t: string, _c: unknown, rows: string[]) => Promise.resolve(lines.push(...rows)) } as never;
  const quarantine = new Quarantine(db, { error: (text: string) => logged.push(text) } as never, () => 0);
  await quarantine.setAside('attribution', entities(4), failure('241'));
  expect(lines).toHaveLength(4);
  const named = 'e0 of project 7, e1 of project 7, e2 of project 7';
  expect(logged).toEqual([`Set aside by attribution: ${named}: OF_THE_TEST (241)`]);
});
