/** What of the project was refused in the last hour, with its reason and what helps. */
import { Text } from '@mantine/core';
import type { Setup } from '../../api/admin';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { refusalText } from '../../texts/refusals';
import { setup as text } from '../../texts/setup';

type Row = Setup['refused'][number];

function explain({ source, reason }: Row): { label: string; help: string } {
  if (source === 's2s') return refusalText(reason);
  const [label = reason, help = ''] = (Object.hasOwn(text.reasons, reason) ? text.reasons[reason] : undefined) ?? [];
  return { label, help };
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'from', header: text.from, value: ({ source }) => text.from_[source] },
  {
    id: 'reason',
    header: text.help,
    value: (row) => explain(row).label,
    cell: (row) => (
      <div style={{ minWidth: 220 }}>
        <Text size="sm" fw={500}>
          {explain(row).label}{' '}
          <Text span size="xs" c="dimmed" ff="monospace">
            {row.reason}
          </Text>
        </Text>
        <Text size="xs" c="dimmed">
          {explain(row).help}
        </Text>
      </div>
    ),
  },
  { id: 'field', header: text.field, value: ({ field }) => field },
  { id: 'times', header: text.times, kind: 'count', value: ({ refused }) => refused },
  { id: 'last', header: text.last, value: (row) => row.last_at, cell: (row) => <Time value={row.last_at} /> },
];

export const Refused = ({ refused }: { refused: readonly Row[] }) => (
  <Panel title={text.refused} about={text.refusedAbout} flush>
    <DataTable
      label={text.refused}
      columns={COLUMNS}
      rows={refused}
      rowId={({ source, reason, field }) => `${source} ${reason} ${field}`}
      loading={false}
      empty={<EmptyState title={text.nothingRefused} text={text.nothingRefusedText} />}
    />
  </Panel>
);
