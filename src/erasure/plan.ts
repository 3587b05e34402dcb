/**
 * What erasing a person does to every table, made from the register of personal data: which columns of which rows are
 * blanked, which rows move to a random ID, and which go. Statements name a request; the identifiers are in
 * adtrail.erasure_subjects.
 */
import { blankValue, personalColumns, quoted, type Register, type RegisteredColumn } from '../db/personal-data';

export type SubjectKind = 'device' | 'install' | 'touch' | 'visitor';

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

/** Rows of a table that are of a person, found by identifiers of `kinds`; of no kind there is no statement. */
interface Owned {
  readonly table: string;
  readonly kinds: readonly SubjectKind[];
  readonly where: (of: (kind: SubjectKind) => string, hash: (text: string) => string, project: number) => string;
  /** Where rows say when they were received. */
  readonly timed?: boolean;
  /** Where rows say when they were written instead: the column, in seconds. */
  readonly writtenAt?: 'noted_at' | 'started_at' | 'set_aside_at' | 'attempted_at';
  /** Which of the rows go as soon as the person is hidden; the others go with what is moved. Without it all go. */
  readonly goesAtOnce?: string;
}

/** Whether a row of adtrail.installs_by_identifier names a device by what replaces it: a device itself is a UUID. */
const IS_REPLACED = "(kind != 'user' AND startsWith(value, '#'))";

const byDevice = (id: string): Owned['where'] => {
  return (of, hash) => {
    const named = ['gaid', 'idfa'].map((name) => `${hash(`ifNull(toString(${name}), '')`)} IN ${of('device')}`);
    return `(${named.join(' OR ')} OR toString(${id}) IN ${of('touch')})`;
  };
};
const byInstall: Owned['where'] = (of) => `install_id IN ${of('install')}`;
/** By the order of the table, too. */
const byInstallHash: Owned['where'] = (of, _, project) =>
  `install IN (SELECT reinterpretAsUUID(sipHash128(toUInt32(${project}), value)) FROM ${of('install')} AS subject)` +
  ` AND install_id IN ${of('install')}`;
const byVisitor: Owned['where'] = (of) => `visitor_id IN ${of('visitor')}`;
const byTouch: Owned['where'] = (of) => `toString(touch_id) IN ${of('touch')}`;
const byKey: Owned['where'] = (of, hash) =>
  `((match != 'ip' AND ${hash('key')} IN ${of('device')}) OR toString(touch_id) IN ${of('touch')})`;
const hashed = (of: string) => `(SELECT reinterpretAsUUID(sipHash128(value)) FROM ${of} AS subject)`;
const byJourney: Owned['where'] = (of) =>
  `(root_install IN ${hashed(of('install'))} OR conversion_id IN ${hashed(of('install'))})`;

/** Facts whose personal columns are blanked in place. */
const BLANKED: readonly Owned[] = [
  { table: 'app_events', kinds: ['install'], where: byInstall, timed: true },
  { table: 'installs', kinds: ['install'], where: byInstall, timed: true },
  { table: 'records_by_install', kinds: ['install'], where: byInstallHash, timed: true },
  { table: 'clicks', kinds: ['device', 'touch'], where: byDevice('click_id'), timed: true },
  { table: 'impressions', kinds: ['device', 'touch'], where: byDevice('impression_id'), timed: true },
  {
    table: 'ctv_impressions',
    kinds: ['touch'],
    where: (of) => `toString(impression_id) IN ${of('touch')}`,
    timed: true,
  },
  { table: 'web_events', kinds: ['visitor'], where: byVisitor, timed: true },
  { table: 'web_visitors', kinds: ['visitor'], where: byVisitor },
  { table: 'journeys', kinds: ['install'], where: byJourney },
];
/** Rows that are there to find a person by, and go. */
const REMOVED: readonly Owned[] = [
  { table: 'touches_by_id', kinds: ['touch'], where: byTouch },
  { table: 'touches_by_identifier', kinds: ['touch'], where: byTouch },
  {
    table: 'installs_by_identifier',
    kinds: ['install'],
    where: byInstall,
    writtenAt: 'noted_at',
    goesAtOnce: `NOT ${IS_REPLACED}`,
  },
  { table: 'install_queue', kinds: ['install'], where: byInstall, timed: true },
  { table: 'attribution_batches', kinds: ['install'], where: byInstall, timed: true },
  { table: 'attribution_matches', kinds: ['device', 'touch'], where: byKey, timed: true },
  {
    table: 'attribution_candidates',
    kinds: ['install', 'touch'],
    where: (of) => `(install_id IN ${of('install')} OR toString(touch_id) IN ${of('touch')})`,
    timed: true,
  },
  { table: 'attribution_reinstalls', kinds: ['install'], where: byInstall, writtenAt: 'started_at' },
  // Messages about them that are not sent yet are dropped: what they would say is gone.
  { table: 'outbox_batches', kinds: ['install'], where: byInstall, writtenAt: 'started_at' },
  { table: 'outbox_events', kinds: ['install'], where: byInstall, writtenAt: 'noted_at' },
  { table: 'postbacks', kinds: ['install'], where: byInstall, writtenAt: 'attempted_at' },
];
const REMOVED_LATER: readonly Owned[] = [
  { table: 'journey_batches', kinds: ['install'], where: byInstall, writtenAt: 'started_at' },
  { table: 'journey_records', kinds: ['install'], where: byInstall, writtenAt: 'started_at' },
  {
    table: 'journey_members',
    kinds: ['install'],
    where: (of) => `(install_id IN ${of('install')} OR root_install IN ${of('install')})`,
    writtenAt: 'started_at',
  },
  { table: 'web_visitor_batches', kinds: ['visitor'], where: byVisitor, writtenAt: 'started_at' },
  {
    table: 'quarantine',
    kinds: ['install', 'visitor'],
    where: (of) => `(entity IN ${of('install')} OR entity IN ${of('visitor')})`,
    writtenAt: 'set_aside_at',
  },
];
/** Rows whose key names a device or a browser: copied under a random ID, then removed. In this order. */
const MOVED: readonly Owned[] = [
  { table: 'installs', kinds: ['install'], where: byInstall, timed: true },
  { table: 'app_events', kinds: ['install'], where: byInstall, timed: true },
  { table: 'records_by_install', kinds: ['install'], where: byInstallHash, timed: true },
  { table: 'journeys', kinds: ['install'], where: byJourney },
  { table: 'web_events', kinds: ['visitor'], where: byVisitor, timed: true },
  { table: 'web_visitors', kinds: ['visitor'], where: byVisitor },
];
/**
 * What stays of a forgotten person, by the register pseudonymous: IDs of records, by which a repeat is recognised for
 * good. They are hashes of what a sender called the record, or random, and lead to nothing but the blanked record.
 */
const RECORD_IDS: ReadonlySet<string> = new Set([
  'clicks.click_id',
  'impressions.impression_id',
  'ctv_impressions.impression_id',
  'app_events.event_key',
  'app_events.id',
  'app_events.referrer_click_id',
  'records_by_install.record_key',
  'records_by_install.record',
  'web_events.id',
  'installs.touch_id',
  'installs.candidates',
]);
/** The table of identifiers itself: the rows of a request are dropped. */
const SUBJECTS = 'erasure_subjects';

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
  const blanked = new Set(BLANKED.map(({ table }) => table));
  const gone = new Set([...REMOVED, ...REMOVED_LATER].map(({ table }) => table).concat(SUBJECTS));
  const escaping = [...register].flatMap(([local, columns]) => {
    const table = local.replace(/_local$/, '');
    if (gone.has(table)) return [];
    return columns
      .filter(({ sort, stored, name }) => {
        if (!stored || sort === 'none' || RECORD_IDS.has(`${table}.${name}`)) return false;
        return sort === 'personal' ? !blanked.has(table) : moved(table, name) === undefined;
      })
      .map(({ name }) => `${table}.${name}`);
  });
  if (escaping.length > 0) throw new Error(`src/erasure/plan.ts does not say what becomes of ${escaping.join(', ')}`);
}

const selectSubjects =
  ({ request }: Target) =>
  (kind: SubjectKind) =>
    `(SELECT value FROM adtrail.${SUBJECTS} WHERE request_id = ${request} AND kind = '${kind}')`;

/** Advertising IDs are noted as hashes. */
const hashWithSalt =
  ({ request }: Target) =>
  (text: string) =>
    `hex(sipHash128((SELECT any(salt) FROM adtrail.${SUBJECTS} WHERE request_id = ${request}), ${text}))`;

const applies = ({ kinds }: Owned, target: Target) => kinds.some((kind) => target.kinds.has(kind));

function condition(owned: Owned, target: Target): string {
  const upTo = (column: string, ms: number) => ` AND ${column} <= fromUnixTimestamp64Milli(${ms}, 'UTC')`;
  const received = owned.timed ? upTo('received_at', target.until) : '';
  const written = owned.writtenAt ? upTo(owned.writtenAt, target.settled) : '';
  const theirs = owned.where(selectSubjects(target), hashWithSalt(target), target.project);
  return `project_id = ${target.project} AND ${theirs}${received}${written}`;
}

// How a change is made on a cluster: the local tables of every node. Which key a table is sharded by does not matter.
function change(register: Register, table: string, text: string): string {
  const spread = register.has(`${table}_local`) ? 'shard by id' : 'on every node';
  return `-- cluster: ${spread}\nALTER TABLE adtrail.${table}\n  ${text}`;
}

const removal = (register: Register, owned: Owned, target: Target, which = '') =>
  change(register, owned.table, `DELETE WHERE ${condition(owned, target)}${which && ` AND ${which}`}`);

/** What replaces an identifier: the same in all records of a request, whose salt is thrown away with it. */
const replaceIdentifier = (text: string, target: Target) =>
  `if(${text} = '', '', concat('#', ${hashWithSalt(target)(text)}))`;

/**
 * Replaces whom a record of adtrail.records_by_install names: journeys that are derived again still find which installs
 * are of one device, and which events of one user. The result has a blank that is in no other text.
 */
function replacedPerson(person: string, target: Target): string {
  const named = `CAST(if(${person} = '', '(\\'\\',\\'\\',\\'\\')', ${person}), 'Tuple(String, String, String)')`;
  const parts = [1, 2, 3].map((part) => replaceIdentifier(`tupleElement(${named}, ${part})`, target));
  return `if(${person} = '' OR startsWith(${person}, '( '), ${person},
    concat('( ', substring(toString(tuple(${parts.join(', ')})), 2)))`;
}

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
  SELECT held.project_id AS project_id, held.kind AS kind, ${name} AS name, ${install} AS install
  FROM adtrail.installs_by_identifier AS held
  INNER JOIN (
    SELECT value AS named, min(pseudonym) AS pseudonym FROM adtrail.erasure_subjects
    WHERE request_id = ${target.request} AND kind = 'install' GROUP BY named
  ) AS subject ON held.install_id = subject.named
  WHERE held.project_id = ${target.project} AND held.kind != 'user' AND ${which}
)`,
  ];
}

/** The changes that hide a person: everything personal is blanked, and nothing can be found by it. */
export function hidingChanges(register: Register, target: Target): string[] {
  const blanking = BLANKED.filter((owned) => applies(owned, target)).map((owned) => {
    const columns = findColumns(register, owned.table);
    const assignments = personalColumns(columns).map((column) => {
      const replaced = replacementIn(owned.table, column, column.name, target);
      return `${quoted(column.name)} = ${replaced ?? blankValue(column, columns)}`;
    });
    return change(
      register,
      owned.table,
      `UPDATE ${assignments.join(', ')}\n  WHERE ${condition(owned, target)} AND (${notBlank(columns)})`,
    );
  });
  return [
    ...blanking,
    ...REMOVED.filter((owned) => applies(owned, target)).map((owned) =>
      removal(register, owned, target, owned.goesAtOnce),
    ),
  ];
}

/** What a personal value that still connects records is replaced with; undefined for one that is blanked. */
const replacementIn = (table: string, { name }: RegisteredColumn, text: string, target: Target) =>
  `${table}.${name}` === 'records_by_install.person' ? replacedPerson(text, target) : undefined;

/** Whether a row holds anything personal. */
function notBlank(columns: readonly RegisteredColumn[]): string {
  return personalColumns(columns)
    .map((column) => {
      const name = quoted(column.name);
      if (column.type.startsWith('Nullable(')) return `${name} IS NOT NULL`;
      return `${name} != ${blankValue(column, columns)}`;
    })
    .join(' OR ');
}

/**
 * What a value becomes in the copy of its row, where the register calls it pseudonymous. `subject` is the identifier
 * with its pseudonym, `salt` is thrown away with the request: what is hashed with it leads back to nothing.
 */
function moved(table: string, column: string): string | undefined {
  const known: Readonly<Record<string, string>> = {
    'installs.install_id': 'subject.pseudonym',
    'installs.event_id': 'subject.pseudonym',
    'app_events.install_id': 'subject.pseudonym',
    'app_events.event_id': 'toString(held.id)',
    'records_by_install.install_id': 'subject.pseudonym',
    'records_by_install.install': 'reinterpretAsUUID(sipHash128(held.project_id, subject.pseudonym))',
    'journeys.install_id': "if(root.pseudonym != '', root.pseudonym, held.install_id)",
    'journeys.root_install': "if(root.pseudonym != '', root.renamed, held.root_install)",
    'journeys.conversion_id': "if(conversion.pseudonym != '', conversion.renamed, held.conversion_id)",
    'journeys.event_users': 'arrayMap(user -> sipHash64(salt, user), held.event_users)',
    'web_events.visitor_id': 'subject.pseudonym',
    'web_events.event_id': 'toString(held.id)',
    'web_events.session_id': 'toString(reinterpretAsUUID(sipHash128(salt, held.session_id)))',
    'web_visitors.visitor_id': 'subject.pseudonym',
    'web_visitors.conversion.user':
      'arrayMap(user -> reinterpretAsUInt128(sipHash128(salt, user)), held.`conversion.user`)',
  };
  return known[`${table}.${column}`];
}

/** No table derived from events takes them in again because they were copied: they count as stored long ago. */
const LONG_AGO = "toDateTime64(0, 3, 'UTC')";
const NEVER_SHOWN = '18446744073709551615';

/**
 * The statements that copy rows under random IDs. A copy and the tombstone of its row are one insert, so that nothing
 * is counted twice or not at all in between.
 */
export function copies(register: Register, target: Target): string[] {
  const copied = MOVED.filter((owned) => applies(owned, target));
  return copied.map((owned) => buildCopy(owned, findColumns(register, owned.table), target));
}

function buildCopy(owned: Owned, columns: readonly RegisteredColumn[], target: Target): string {
  const { table } = owned;
  const stored = columns.filter((column) => column.stored);
  const list = (value: (column: RegisteredColumn) => string) => stored.map(value).join(', ');
  const held = (name: string) => `held.${quoted(name)}`;
  const blankedOr = (column: RegisteredColumn, other: string) =>
    column.sort === 'personal' ? blankValue(column, columns).replaceAll(', parameters)', ', held.parameters)') : other;
  const isEvents = table === 'app_events' || table === 'web_events';
  const copy = list((column) => {
    if (column.name === 'stored_at') return LONG_AGO;
    // Among the copies of an event, the one under the random ID counts as the first.
    if (column.name === 'version' && isEvents) return 'held.version + 1';
    const replaced = replacementIn(table, column, held(column.name), target);
    return moved(table, column.name) ?? replaced ?? blankedOr(column, held(column.name));
  });
  const tombstone = list((column) => {
    const { name } = column;
    if (name === 'version') return table === 'web_visitors' || table === 'journeys' ? 'held.version + 1' : NEVER_SHOWN;
    if (name === 'is_deleted') return '1';
    // Visitors are derived anew for it: other visits of theirs may have arrived.
    if (name === 'stored_at') return table === 'web_events' ? "now64(3, 'UTC')" : LONG_AGO;
    if (column.inKey || name === 'id') return held(name);
    return column.type.startsWith('Nullable(') || column.sort !== 'none' || table === 'web_visitors'
      ? emptyValue(column)
      : held(name);
  });
  // Run again, it takes up no tombstone where FINAL does not drop it.
  const alive =
    table === 'web_visitors'
      ? ' AND notEmpty(`element.day`)'
      : ['installs', 'records_by_install'].includes(table)
        ? ' AND is_deleted = 0'
        : '';
  const where = `${condition(owned, target)}${alive}`;
  const from = `FROM (SELECT ${list(({ name }) => quoted(name))} FROM adtrail.${table} FINAL WHERE ${where}) AS held`;
  const kind = owned.kinds[0] as SubjectKind;
  const subject = (as: string, on: string) =>
    `${table === 'journeys' ? 'LEFT ANY' : 'INNER'} JOIN (
  SELECT value, pseudonym, reinterpretAsUUID(sipHash128(value)) AS named,
    reinterpretAsUUID(sipHash128(pseudonym)) AS renamed
  FROM adtrail.${SUBJECTS} WHERE request_id = ${target.request} AND kind = '${kind}'
  ORDER BY value, pseudonym LIMIT 1 BY value
) AS ${as} ON ${on}`;
  const joins =
    table === 'journeys'
      ? [
          subject('root', 'held.root_install = root.named'),
          subject('conversion', 'held.conversion_id = conversion.named'),
        ]
      : [subject('subject', `held.${kind}_id = subject.value`)];
  const salt = `WITH (SELECT any(salt) FROM adtrail.${SUBJECTS} WHERE request_id = ${target.request}) AS salt`;
  const insert = `INSERT INTO adtrail.${table} (${list(({ name }) => quoted(name))})`;
  const copying = `${salt} SELECT ${copy} ${from} ${joins.join('\n')}`;
  return `${insert}\nSELECT * FROM (\n${copying}\nUNION ALL\nSELECT ${tombstone} ${from}\n)`;
}

const emptyValue = ({ type }: RegisteredColumn) =>
  type.startsWith('Nullable(') ? 'NULL' : `defaultValueOfTypeName('${type.replaceAll("'", "\\'")}')`;

/** The changes that remove what has been copied, and everything else that names an install. */
export function removingChanges(register: Register, target: Target, emptiedVersion: number): string[] {
  const all = [...MOVED, ...REMOVED, ...REMOVED_LATER].filter((owned) => applies(owned, target));
  return all.map((owned) => {
    const text = removal(register, owned, target);
    // What was derived of a visitor since is of later visits.
    return owned.table === 'web_visitors' ? `${text} AND version <= ${emptiedVersion}` : text;
  });
}

/** One query per table: how many rows still tell of the person. */
export function remainders(register: Register, target: Target): { table: string; query: string }[] {
  const moving = new Set(MOVED.map(({ table }) => table));
  const rows = (owned: Owned, more = '') => ({
    table: owned.table,
    query: `SELECT count() AS held FROM adtrail.${owned.table} WHERE ${condition(owned, target)}${more}`,
  });
  return [
    ...BLANKED.filter((owned) => !moving.has(owned.table) && applies(owned, target)).map((owned) =>
      rows(owned, ` AND (${notBlank(findColumns(register, owned.table))})`),
    ),
    ...MOVED.filter((owned) => owned.table !== 'web_visitors' && applies(owned, target)).map((owned) => rows(owned)),
    ...[...REMOVED, ...REMOVED_LATER].filter((owned) => applies(owned, target)).map((owned) => rows(owned)),
  ];
}

/** Drops the identifiers of a request. */
export const dropSubjects = (register: Register, request: number) =>
  change(register, SUBJECTS, `DROP PARTITION ${request}`);
