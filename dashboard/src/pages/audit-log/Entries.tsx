/** Entries of the audit log, with what differs before and after. */
import { Badge, Spoiler, Text } from '@mantine/core';
import type { AuditEntry } from '../../api/people';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import classes from './AuditLog.module.css';
import { auditLog as text } from '../../texts/audit-log';
import { texts } from '../../texts';

export const COLORS = { create: 'teal', change: 'blue', delete: 'red' } as const;
/** Three whole lines. */
const HEIGHT = 62;

const columns: Column<AuditEntry>[] = [
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
    cell: ({ action, subject, name }) => (
      <>
        <Badge size="sm" variant="light" color={COLORS[action]}>
          {text.actions[action]}
        </Badge>{' '}
        {text.subjects[subject] ?? subject}
        <div className={classes.name}>{name}</div>
      </>
    ),
  },
  { id: 'changes', header: text.changes, value: () => null, cell: (entry) => <Difference entry={entry} /> },
];

interface Props {
  readonly entries: readonly AuditEntry[] | undefined;
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

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return text.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** A new thing has no fields before it; those that say nothing are left out. */
export function Difference({ entry }: { entry: Pick<AuditEntry, 'action' | 'before' | 'after'> }) {
  const before = (entry.before ?? {}) as Fields;
  const after = (entry.after ?? {}) as Fields;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => entry.action === 'change' || !isEmpty({ ...before, ...after }[name]))
    .sort();
  return (
    <Spoiler maxHeight={HEIGHT} showLabel={text.more} hideLabel={text.less} classNames={{ control: classes.more }}>
      <dl className={classes.fields}>
        {names.map((name) => (
          <div key={name} className={classes.field}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              {entry.action !== 'create' && <del className={classes.before}>{shown(before[name])}</del>}
              {entry.action === 'change' && <span aria-hidden> → </span>}
              {entry.action !== 'delete' && <ins className={classes.after}>{shown(after[name])}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </Spoiler>
  );
}
