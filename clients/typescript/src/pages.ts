/** Lists, page after page. */

type Row = Readonly<Record<string, unknown>>;
interface Paged {
  readonly pagination?: { readonly total: number; readonly pages: number };
  readonly next_before?: unknown;
  readonly more?: boolean;
}
type Query = Readonly<Record<string, unknown>>;
/** How a list is paged, as `generated-operations.ts` has it. */
export interface Paging {
  readonly by: 'page' | 'before';
  readonly limit?: number;
  readonly within: 'data' | null;
  readonly rows: string;
  readonly id: string | null;
}

/** Asks for one page. */
export type AskPage = (query: Query) => Promise<unknown>;

/**
 * The rows of a list, each once. A list that is paged by what was last (`before`) does not shift. One with numbered
 * pages does: rows that come twice because others came before them are left out, and where rows went away, and others
 * moved to pages that were read already, those are read again.
 */
export function readPages(paging: Paging, query: Query, ask: AskPage): AsyncGenerator<Row, void, undefined> {
  const sent = { ...(paging.limit === undefined ? {} : { limit: paging.limit }), ...query };
  const read = async (place: Query) => {
    const body = (await ask({ ...sent, ...place })) as Record<string, unknown>;
    const about = (paging.within === null ? body : body[paging.within]) as Paged & Record<string, unknown>;
    return { about, rows: about[paging.rows] as readonly Row[] };
  };
  return paging.by === 'before' ? readOnwards(read) : readNumbered(read, paging.id, Number(query.page ?? 1));
}

type Read = (place: Query) => Promise<{ readonly about: Paged; readonly rows: readonly Row[] }>;

async function* readOnwards(read: Read): AsyncGenerator<Row, void, undefined> {
  for (let place: Query = {}; ;) {
    const { about, rows } = await read(place);
    yield* rows;
    const before = about.next_before ?? (about.more === true ? rows.at(-1)?.id : undefined);
    if (before === undefined || before === null) return;
    place = { before };
  }
}

async function* readNumbered(read: Read, id: string | null, first: number): AsyncGenerator<Row, void, undefined> {
  const seen = new Set<unknown>();
  let known = Infinity;
  for (let page = first; ;) {
    const { about, rows } = await read({ page });
    for (const row of rows) {
      const key = (id === null ? undefined : row[id]) ?? JSON.stringify(row);
      if (seen.has(key)) continue;
      seen.add(key);
      yield row;
    }
    const { total, pages } = about.pagination ?? { total: 0, pages: 0 };
    const hasShrunk = total < known && known !== Infinity;
    const gone = hasShrunk ? known - total : 0;
    known = total;
    if (gone > 0 && page > first) {
      // As many rows may have moved to pages before this one.
      const size = Math.max(1, Math.ceil(total / Math.max(1, pages)));
      page = Math.max(first, Math.min(page, pages + 1) - Math.ceil(gone / size));
    } else if (page >= pages) return;
    else page += 1;
  }
}
