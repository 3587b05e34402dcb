/**
 * The statements that erase a person, made from the declarations of the tables (src/tables) and the register of
 * personal data: which columns of which rows are blanked, which rows move to a random ID, and which go. They name a
 * request; its identifiers are in adtrail.erasure_subjects. test/fixtures/erasure has them as they run.
 */
import { blankValue, personalColumns, quoted, type Register, type RegisteredColumn } from '../db/personal-data';
import { IS_REPLACED } from '../tables/attribution';
import { findEscaping } from '../tables/check';
import type { SubjectKind } from '../tables/table';
import type { TableName } from '../tables/tables';
import { countText, isOwned, listPersonRecords, listPersonTables, type Owned } from './owned';

/** What a request is about, as statements need it. Numbers only: they become part of the text. */
export interface Target {
  readonly request: number;
  readonly project: number;
  /** Records received up to then, in milliseconds since 1970, are meant; what arrives later is new. */
  readonly until: number;
  /** What was written of them elsewhere was written up to then: the device may keep sending. */
  readonly settled: number;
  /** The kinds of identifiers that there are any of. */
  readonly kinds: ReadonlySet<string>;
}

type Moved = Owned & { readonly erasure: Extract<Owned['erasure'], { readonly does: 'move' }> };

/** Whether a table holds anything that a request is about. */
const isAbout =
  ({ kinds }: Target) =>
  ({ erasure }: Owned) =>
    erasure.kinds.some((kind) => kinds.has(kind));

/** The tables that hold anything that a request is about. Those that persons are found by come last. */
function listOwned(target: Target): Owned[] {
  const all = listPersonTables().filter(isAbout(target));
  const isRemoved = ({ erasure }: Owned) => erasure.does === 'remove';
  return [...all.filter((owned) => !isRemoved(owned)), ...all.filter(isRemoved)];
}
const isMoved = (owned: Owned): owned is Moved => owned.erasure.does === 'move';

/** The table of identifiers itself: the rows of a request are dropped. */
const SUBJECTS = 'erasure_subjects' satisfies TableName;

/** The table itself on one machine, the part that a node holds on a cluster: both have the columns. */
export const localName = (register: Register, table: string) =>
  register.has(`${table}_local`) ? `${table}_local` : table;

const findColumns = (register: Register, table: string): readonly RegisteredColumn[] => {
  const columns = register.get(localName(register, table));
  if (!columns) throw new Error(`There is no table adtrail.${table}`);
  return columns;
};

/** @throws Error for a column that the register calls personal or pseudonymous and that erasure would leave alone. */
export function checkPlan(register: Register): void {
  const escaping = findEscaping([...register.values()].flat());
  if (escaping.length > 0) throw new Error(`src/tables does not say what becomes of ${escaping.join(', ')}`);
}

/** The identifiers of a kind that a request is about. */
const selectSubjects =
  ({ request }: Target) =>
  (kind: SubjectKind) =>
    `(SELECT value FROM adtrail.${SUBJECTS} WHERE request_id = ${request} AND kind = '${kind}')`;

/** Advertising IDs are noted as hashes. */
const hashWithSalt =
  ({ request }: Target) =>
  (text: string) =>
    `hex(sipHash128((SELECT any(salt) FROM adtrail.${SUBJECTS} WHERE request_id = ${request}), ${text}))`;

/** Which rows of a table are of the person. */
function condition(owned: Owned, target: Target): string {
  const { written } = owned.erasure;
  // Records received later are new; what is written of earlier ones is written a little later.
  const until = written === 'received_at' ? target.until : target.settled;
  const theirs = isOwned(owned, {
    values: selectSubjects(target),
    hash: hashWithSalt(target),
    project: target.project,
  });
  return written ? `${theirs}\n    AND ${written} <= fromUnixTimestamp64Milli(${until}, 'UTC')` : theirs;
}

// How a change is made on a cluster: the local tables of every node. Which key a table is sharded by does not matter.
function change(register: Register, table: string, text: string): string {
  const spread = register.has(`${table}_local`) ? 'shard by id' : 'on every node';
  return `-- cluster: ${spread}\nALTER TABLE adtrail.${table}\n  ${text}`;
}

const removal = (register: Register, owned: Owned, target: Target, which?: string) =>
  change(
    register,
    owned.table,
    `DELETE WHERE ${condition(owned, target)}${which === undefined ? '' : `\n    AND ${which}`}`,
  );

/** What replaces an identifier: the same in all records of a request, whose salt is thrown away with it. */
const replaceIdentifier = (text: string, target: Target) =>
  `if(${text} = '', '', concat('#', ${hashWithSalt(target)(text)}))`;

/** What a personal value that still connects records is replaced with; undefined for one that is blanked. */
const replacement = (erasure: Owned['erasure'], { name }: RegisteredColumn, text: string, target: Target) =>
  erasure.replaces?.[name]?.(text, (part) => replaceIdentifier(part, target));

/**
 * What names the devices of a person in adtrail.installs_by_identifier, beside what it replaces: to be written before
 * that goes. Written again it changes nothing.
 */
export const replacements = (target: Target) =>
  namesOfDevices(target, 'install_id', replaceIdentifier('value', target), `NOT ${IS_REPLACED}`);

/** The same for the random IDs of the installs. */
export const movedReplacements = (target: Target) => namesOfDevices(target, 'subject.pseudonym', 'value', IS_REPLACED);

function namesOfDevices(target: Target, install: string, name: string, which: string): string[] {
  if (!target.kinds.has('install')) return [];
  return [
    `INSERT INTO adtrail.installs_by_identifier (project_id, identifier, kind, value, install_id)
SELECT project_id, bitShiftRight(sipHash64(project_id, 'device', name), 16), kind, name, install
FROM (
  SELECT held.project_id AS project_id, held.kind AS kind,
    ${name} AS name,
    ${install} AS install
  FROM adtrail.installs_by_identifier AS held
  INNER JOIN (
    SELECT value AS named, min(pseudonym) AS pseudonym
    FROM adtrail.erasure_subjects
    WHERE request_id = ${target.request} AND kind = 'install'
    GROUP BY named
  ) AS subject ON held.install_id = subject.named
  WHERE held.project_id = ${target.project} AND held.kind != 'user' AND ${which}
)`,
  ];
}

/** One query per table of records: how many of them are of the person, each once. */
export const counts = (target: Target): { table: string; query: string }[] =>
  listPersonRecords()
    .filter(isAbout(target))
    .map((owned) => ({
      table: owned.table,
      query: countText(owned.table, condition(owned, target)),
    }));

/** The changes that hide a person: everything personal is blanked, and nothing but installs can be found by it. */
export function hidingChanges(register: Register, target: Target): string[] {
  return listOwned(target).flatMap((owned) => {
    const { table, erasure } = owned;
    if (erasure.does === 'remove')
      return erasure.when === 'hidden' && !erasure.goesLast ? [removal(register, owned, target)] : [];
    const columns = findColumns(register, table);
    const assignments = personalColumns(columns).map((column) => {
      const { name } = column;
      return `${quoted(name)} = ${replacement(erasure, column, name, target) ?? blankValue(column, columns)}`;
    });
    return [
      change(
        register,
        table,
        `UPDATE\n    ${assignments.join(',\n    ')}\n  WHERE ${condition(owned, target)}
    AND (${notBlank(columns)})`,
      ),
    ];
  });
}

/**
 * The changes that hide it last: installs are not found by their devices any more. Whatever is derived from records
 * with the devices in them must have ended: it would not find which installs are of one device.
 */
export const unlinkingChanges = (register: Register, target: Target): string[] =>
  listOwned(target).flatMap((owned) => {
    const { erasure } = owned;
    return erasure.does === 'remove' && erasure.goesLast ? [removal(register, owned, target, erasure.goesLast)] : [];
  });

/** Whether a row holds anything personal. */
function notBlank(columns: readonly RegisteredColumn[]): string {
  return personalColumns(columns)
    .map((column) => {
      const name = quoted(column.name);
      if (column.type.startsWith('Nullable(')) return `${name} IS NOT NULL`;
      return `${name} != ${blankValue(column, columns)}`;
    })
    .join('\n      OR ');
}

/** No table derived from events takes them in again because they were copied: they count as stored long ago. */
const LONG_AGO = "toDateTime64(0, 3, 'UTC')";
const NEVER_SHOWN = '18446744073709551615';

/**
 * The statements that copy rows under random IDs. A copy and the tombstone of its row are one insert, so that nothing
 * is counted twice or not at all in between.
 */
export const copies = (register: Register, target: Target): string[] =>
  listOwned(target)
    .filter(isMoved)
    .map((owned) => buildCopy(owned, findColumns(register, owned.table), target));

function buildCopy(owned: Moved, columns: readonly RegisteredColumn[], target: Target): string {
  const { table, erasure } = owned;
  const stored = columns.filter((column) => column.stored);
  const names = stored.map(({ name }) => quoted(name)).join(',\n    ');
  const list = (value: (column: RegisteredColumn) => string) =>
    stored
      .map((column, i) => {
        const [text, comma] = [value(column), i < stored.length - 1 ? ',' : ''];
        return text === readHeld(column) ? `${text}${comma}` : `${text}${comma} -- ${column.name}`;
      })
      .join('\n  ');
  const alive = erasure.alive === undefined ? '' : `\n    AND ${erasure.alive}`;
  const from = `FROM (
  SELECT
    ${names}
  FROM adtrail.${table} FINAL
  WHERE ${condition(owned, target)}${alive}
) AS held`;
  return `INSERT INTO adtrail.${table} (
    ${names}
)
SELECT * FROM (
WITH (SELECT any(salt) FROM adtrail.${SUBJECTS} WHERE request_id = ${target.request}) AS salt
SELECT
  ${list((column) => copyValue(erasure, column, columns, target))}
${from}
${joinSubjects(erasure, target)}
UNION ALL
SELECT
  ${list((column) => tombstoneValue(erasure, column))}
${from}
)`;
}

const readHeld = ({ name }: RegisteredColumn) => `held.${quoted(name)}`;

/** What a column of the copy under a random ID becomes. */
function copyValue(
  erasure: Moved['erasure'],
  column: RegisteredColumn,
  columns: readonly RegisteredColumn[],
  target: Target,
): string {
  if (column.name === 'stored_at') return LONG_AGO;
  const said = erasure.copy[column.name] ?? replacement(erasure, column, readHeld(column), target);
  if (said !== undefined) return said;
  if (column.sort !== 'personal') return readHeld(column);
  return blankValue(column, columns).replaceAll(', parameters)', ', held.parameters)');
}

/** What a column of the row becomes that hides the one that was copied. */
function tombstoneValue({ tombstone = {}, isEmptied }: Moved['erasure'], column: RegisteredColumn): string {
  const { name, type, sort, inKey } = column;
  const said = tombstone[name] ?? { version: NEVER_SHOWN, is_deleted: '1', stored_at: LONG_AGO }[name];
  if (said !== undefined) return said;
  if (inKey || name === 'id') return readHeld(column);
  return isEmptied || sort !== 'none' || type.startsWith('Nullable(') ? emptyValue(column) : readHeld(column);
}

/** The identifiers of the request with their pseudonyms, beside each row; a journey may have one of two. */
function joinSubjects({ kinds: [kind], joins }: Moved['erasure'], { request }: Target): string {
  const all = Object.entries(joins);
  return all
    .map(
      ([name, on]) => `${all.length > 1 ? 'LEFT ANY' : 'INNER'} JOIN (
  SELECT
    value,
    pseudonym,
    reinterpretAsUUID(sipHash128(value)) AS named,
    reinterpretAsUUID(sipHash128(pseudonym)) AS renamed
  FROM adtrail.${SUBJECTS}
  WHERE request_id = ${request} AND kind = '${kind}'
  ORDER BY value, pseudonym
  LIMIT 1 BY value
) AS ${name} ON ${on}`,
    )
    .join('\n');
}

const emptyValue = ({ type }: RegisteredColumn) =>
  type.startsWith('Nullable(') ? 'NULL' : `defaultValueOfTypeName('${type.replaceAll("'", "\\'")}')`;

/** The changes that remove what has been copied, and everything else that names an install. */
export function removingChanges(register: Register, target: Target, emptiedVersion: number): string[] {
  return listOwned(target)
    .filter((owned) => owned.erasure.does !== 'blank')
    .map((owned) =>
      // What was derived of a visitor since is of later visits.
      removal(register, owned, target, owned.table === 'web_visitors' ? `version <= ${emptiedVersion}` : undefined),
    );
}

/** One query per table: how many rows still tell of the person. Visitors are derived anew meanwhile. */
export function remainders(register: Register, target: Target): { table: string; query: string }[] {
  return listOwned(target)
    .filter(({ table }) => table !== 'web_visitors')
    .map((owned) => {
      const { table, erasure } = owned;
      const more = erasure.does === 'blank' ? `\n    AND (${notBlank(findColumns(register, table))})` : '';
      const query = `SELECT count() AS held\nFROM adtrail.${table}\nWHERE ${condition(owned, target)}${more}`;
      return { table, query };
    });
}

/** Drops the identifiers of a request. */
export const dropSubjects = (register: Register, request: number) =>
  change(register, SUBJECTS, `DROP PARTITION ${request}`);
