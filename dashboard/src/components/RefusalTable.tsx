/** Refused requests by reason, in words, with what helps. */
import { Text } from '@mantine/core';
import { refusalTable as text, refusalText } from '../texts/refusals';
import { DataTable } from './DataTable';
import { EmptyState } from './EmptyState';
import { Panel } from './Panel';
import type { Column } from './table-columns';

interface Props {
  readonly refused: Readonly<Record<string, number>> | undefined;
  readonly loading: boolean;
  readonly stale?: boolean;
}

interface Row {
  readonly reason: string;
  readonly requests: number;
}

export function RefusalTable({ refused = {}, loading, stale }: Props) {
  const rows = Object.entries(refused).map(([reason, requests]): Row => ({ reason, requests }));
  const all = rows.reduce((sum, { requests }) => sum + requests, 0);
  const columns: Column<Row>[] = [
    {
      id: 'reason',
      header: text.reason,
      value: ({ reason }) => refusalText(reason).label,
      cell: ({ reason }) => (
        <div>
          <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
            {refusalText(reason).label}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {reason}
          </Text>
        </div>
      ),
    },
    { id: 'requests', header: text.requests, kind: 'count', value: ({ requests }) => requests, total: all },
    {
      id: 'share',
      header: text.share,
      about: text.shareAbout,
      kind: 'percent',
      value: ({ requests }) => (requests / all) * 100,
    },
    {
      id: 'help',
      header: text.help,
      value: ({ reason }) => refusalText(reason).help,
      cell: ({ reason }) => (
        <Text size="sm" miw={240}>
          {refusalText(reason).help}
        </Text>
      ),
    },
  ];
  return (
    <Panel title={text.title} flush>
      <DataTable
        label={text.title}
        columns={columns}
        rows={rows}
        rowId={({ reason }) => reason}
        sort="-requests"
        loading={loading}
        stale={stale}
        skeletons={3}
        empty={<EmptyState title={text.none} text={text.noneText} />}
      />
    </Panel>
  );
}
