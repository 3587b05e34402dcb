/** What happened on an install, the latest first. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { components } from '@adtrail/client';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useProject } from '../../session';
import { eventsQuery } from './questions';
import { install as text } from '../../texts/install';
import { texts } from '../../texts';

type Event = components['schemas']['InstallEvent'];

function formatAmount({ type, amount, currency }: Event): string | null {
  if (amount === null) return null;
  const number = amount.toLocaleString('en-US', { minimumFractionDigits: 2 });
  return `${type === 'refund' ? '−' : ''}${number} ${currency ?? ''}`;
}

const COLUMNS: readonly Column<Event>[] = [
  { id: 'time', header: texts.time, value: (row) => row.time, cell: (row) => <Time value={row.time} /> },
  {
    id: 'event',
    header: texts.event,
    value: (row) => row.name ?? text.types[row.type] ?? row.type,
    cell: (row) => (
      <>
        {row.name ?? text.types[row.type] ?? row.type}
        {(row.payment_type ?? row.link) && (
          <Text span size="xs" c="dimmed" display="block" style={{ overflowWrap: 'anywhere' }}>
            {row.payment_type ?? row.link}
          </Text>
        )}
      </>
    ),
  },
  { id: 'amount', header: text.eventColumns.amount, value: formatAmount, kind: 'money' },
  { id: 'user', header: texts.user, value: (row) => row.user_id },
];

export function Events({ installId }: { installId: string }) {
  const { id } = useProject();
  const { data, error, isPending, refetch } = useQuery(eventsQuery(id, installId));
  const columns = useMemo(() => [...COLUMNS], []);
  return (
    <Panel title={texts.events} about={data && text.eventsShown(data.events.length, data.total)} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={texts.events}
          columns={columns}
          rows={data?.events}
          rowId={(row) => row.event_id}
          loading={isPending}
          skeletons={6}
          maxHeight={520}
        />
      )}
    </Panel>
  );
}
