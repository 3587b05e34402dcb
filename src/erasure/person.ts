/**
 * What there is of a person, before anything is erased: counted, and as a file for who asks for their own data. The
 * same declarations as erasure's say which rows are theirs (src/tables), so that neither forgets a table.
 */
import { Readable } from 'node:stream';
import type { ClickHouse, Limits } from '../db/clickhouse';
import { quoted, readRegister, type Register } from '../db/personal-data';
import { readQuery } from '../db/sql';
import { ApiError } from '../errors';
import type { SubjectKind } from '../tables/table';
import { beginCounts, countText, isOwned, listPersonRecords, listPersonTables, type Found, type Owned } from './owned';
import { localName } from './plan';
import { countRows, type Kind } from './queries';

const texts = {
  installs: readQuery('clickhouse', 'erasure.person-installs'),
  devices: readQuery('clickhouse', 'erasure.person-devices'),
  touches: readQuery('clickhouse', 'erasure.person-touches'),
  visitors: readQuery('clickhouse', 'erasure.person-visitors'),
};

/** What a project knows somebody by. */
export interface Identifier {
  readonly project: number;
  readonly kind: Kind;
  readonly value: string;
}

/** What connects records with a person, by kind. */
type Subjects = Readonly<Record<SubjectKind, readonly string[]>>;

/** Nobody has as many installs, touches or visits: the identifier is a placeholder. */
const MOST_SUBJECTS = 50_000;

/**
 * Finds what connects records with a person, as erasing does.
 *
 * @throws ApiError 409 for an identifier that stands for many.
 */
export async function findSubjects(db: ClickHouse, { project, kind, value }: Identifier): Promise<Subjects> {
  const limit = MOST_SUBJECTS + 1;
  const read = async (text: string, params: object) => {
    const rows = await db.rows<{ value: string }>(text, { project, limit, ...params });
    if (rows.length <= MOST_SUBJECTS) return rows.map((row) => row.value);
    throw new ApiError(409, `More than ${MOST_SUBJECTS} installs, touches or visitors have this identifier.`);
  };
  const installs = await read(texts.installs, { kind, value });
  const found = await read(texts.devices, { installs });
  const devices = [...new Set([...found, ...(kind === 'user' ? [] : [value])])];
  const touches = await read(texts.touches, { installs, devices });
  const visitors = kind === 'user' ? await read(texts.visitors, { value }) : [];
  return { install: installs, device: devices, touch: touches, visitor: visitors };
}

/** Which rows of a table are of the person; the identifiers are values of the statement. */
const isTheirs = (owned: Owned, project: number) =>
  isOwned(owned, {
    values: (kind) => `(SELECT arrayJoin({${kind}:Array(String)}) AS value)`,
    hash: (text) => text,
    project,
  });

const isAbout =
  (subjects: Subjects) =>
  ({ erasure }: Owned) =>
    erasure.kinds.some((kind) => subjects[kind].length > 0);

/** How much there is of a person now. */
export async function countPerson(db: ClickHouse, project: number, subjects: Subjects): Promise<Found> {
  const found = beginCounts();
  found.installs = subjects.install.length;
  found.visitors = subjects.visitor.length;
  for (const owned of listPersonRecords().filter(isAbout(subjects))) {
    found[owned.table] = await countRows(db, countText(owned.table, isTheirs(owned, project)), subjects);
  }
  return found;
}

/** Numbers are given digit by digit. */
const EXACT = { output_format_json_quote_decimals: 1, output_format_json_quote_64bit_integers: 1 } as const;

/**
 * All rows of a person as lines of JSON, table by table, each with the name of its `table`: records, what is derived of
 * them and what was sent to others. Rows that workers hold for an hour repeat those, and are left out.
 */
export async function openPerson(
  db: ClickHouse,
  limits: Limits,
  project: number,
  subjects: Subjects,
): Promise<Readable> {
  const register = await readRegister(db);
  const tables = listPersonTables().filter((owned) => owned.holds !== 'working' && isAbout(subjects)(owned));
  async function* readTables() {
    for (const owned of tables) {
      const rows = await db.file(selectRows(register, owned, project), subjects, 'JSONEachRow', {
        ...limits,
        ...EXACT,
      });
      yield* rows as AsyncIterable<Buffer>;
    }
  }
  return Readable.from(readTables(), { objectMode: false });
}

function selectRows(register: Register, owned: Owned, project: number): string {
  const columns = (register.get(localName(register, owned.table)) ?? []).filter(({ stored }) => stored);
  return `SELECT '${owned.table}' AS table, ${columns.map(({ name }) => quoted(name)).join(', ')}
FROM adtrail.${owned.table}
WHERE ${isTheirs(owned, project)}
SETTINGS final = 1`;
}
