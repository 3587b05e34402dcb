/** Entries of the audit log, with what differs before and after, and names where fields have IDs. */
import { Anchor, Badge, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AuditEntry } from '../../api/people';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import classes from './AuditLog.module.css';
import { auditLog as text } from '../../texts/audit-log';
import { texts } from '../../texts';

export const COLORS = { create: 'teal', change: 'blue', delete: 'red' } as const;
/** What an entry shows of itself until all of it is asked for: so many fields, and three lines of each. */
const FIRST_FIELDS = 3;
const LONG = 100;

/** What the IDs in fields are called, by field and ID. */
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;
export type Entry = AuditEntry & { readonly names: Names };

const columns: Column<Entry>[] = [
  {
    id: 'at',
    header: text.at,
    value: () => null,
    cell: ({ at, actor, actor_name, address }) => (
      <>
        <Time value={at} />
        <div className={classes.name}>{text.actors[actor] || actor_name}</div>
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      </>
    ),
  },
  {
    id: 'what',
    header: text.what,
    value: () => null,
    cell: ({ action, subject, name, project_id, names }) => (
      <>
        <Badge size="sm" variant="light" color={COLORS[action]}>
          {text.actions[action]}
        </Badge>{' '}
        {text.subjects[subject] ?? subject}
        <div className={classes.name}>{name}</div>
        {project_id !== null && subject !== 'projects' && (
          <Text size="xs" c="dimmed">
            {names.project_id?.[project_id]}
          </Text>
        )}
      </>
    ),
  },
  { id: 'changes', header: text.changes, value: () => null, cell: (entry) => <Difference entry={entry} /> },
];

interface Props {
  readonly entries: readonly Entry[] | undefined;
  readonly loading: boolean;
}

export const Entries = ({ entries, loading }: Props) => (
  <DataTable
    label={texts.titles.auditLog}
    columns={columns}
    rows={entries}
    rowId={({ id }) => String(id)}
    loading={loading}
    empty={<EmptyState title={text.none} text={text.noneText} />}
  />
);

type Fields = Readonly<Record<string, unknown>>;

/** A value as people read it: an ID by its name, where it still has one. */
function shown(value: unknown, names: Readonly<Record<string, string>> = {}): string {
  if (value === null || value === undefined || value === '') return text.nothing;
  if (Array.isArray(value)) return value.length === 0 ? text.nothing : value.map((one) => shown(one, names)).join(', ');
  const name = typeof value === 'number' ? names[value] : undefined;
  if (name !== undefined) return `${name} (${JSON.stringify(value)})`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `partner_id` is shown as `partner`: its value says the name. */
const fieldName = (name: string) => text.fields[name] ?? name.replace(/_ids?$/, '').replaceAll('_', ' ');

/** An entry as a file has it. */
export const toCsvRow = ({ at, actor, actor_name, address, action, subject, name, project_id, ...entry }: Entry) => ({
  at,
  who: text.actors[actor] || actor_name,
  address,
  action,
  subject,
  name,
  project: project_id === null ? null : (entry.names.project_id?.[project_id] ?? project_id),
  ...Object.fromEntries((['before', 'after'] as const).map((side) => [side, listFields(entry[side], entry.names)])),
});

const listFields = (fields: unknown, names: Names) =>
  Object.entries((fields ?? {}) as Fields)
    .map(([name, value]) => `${fieldName(name)}: ${shown(value, names[name])}`)
    .join('; ');

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** A new thing has no fields before it; those that say nothing are left out. */
type Changed = Pick<AuditEntry, 'action' | 'before' | 'after'> & { readonly names?: Names };

export function Difference({ entry }: { entry: Changed }) {
  const [isWhole, { toggle }] = useDisclosure(false);
  const before = (entry.before ?? {}) as Fields;
  const after = (entry.after ?? {}) as Fields;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => entry.action === 'change' || !isEmpty({ ...before, ...after }[name]))
    .sort();
  const values = (name: string) =>
    [before, after].map((fields) => shown(fields[name], entry.names?.[name])) as [string, string];
  const isLong = names.length > FIRST_FIELDS || names.some((name) => values(name).join('').length > LONG);
  return (
    <>
      <dl className={classes.fields} data-whole={isWhole || undefined}>
        {names.slice(0, isWhole ? undefined : FIRST_FIELDS).map((name) => (
          <div key={name} className={classes.field}>
            <dt>{fieldName(name)}</dt>
            <dd>
              {entry.action !== 'create' && <del className={classes.before}>{values(name)[0]}</del>}
              {entry.action === 'change' && <span aria-hidden> → </span>}
              {entry.action !== 'delete' && <ins className={classes.after}>{values(name)[1]}</ins>}
            </dd>
          </div>
        ))}
      </dl>
      {isLong && (
        <Anchor component="button" type="button" size="xs" aria-expanded={isWhole} onClick={toggle}>
          {isWhole ? text.less : text.more}
        </Anchor>
      )}
    </>
  );
}
