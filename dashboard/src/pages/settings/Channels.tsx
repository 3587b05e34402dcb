/** Custom channels: what campaigns have made, and how to end one. */
import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { channelsQuery, type Channel } from '../../api/admin';
import { api } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { useProject } from '../../session';
import { settings as settingsTexts } from '../../texts/settings';
import { texts } from '../../texts';

const text = settingsTexts.channels;

async function deactivate(id: number, slug: string) {
  await api.DELETE('/admin/v1/projects/{id}/channels/{slug}', { params: { path: { id, slug } } });
  await queryClient.invalidateQueries({ queryKey: channelsQuery(id).queryKey });
}

export function Channels() {
  const { id } = useProject();
  const { data, error, isPending, refetch } = useQuery(channelsQuery(id));
  const columns: Column<Channel>[] = [
    { id: 'name', header: texts.channel, value: ({ name }) => name },
    { id: 'code', header: texts.code, value: ({ slug }) => slug },
    {
      id: 'state',
      header: texts.state,
      value: ({ active }) => String(active),
      cell: ({ active }) => (
        <Badge size="sm" variant="light" color={active ? 'teal' : 'gray'}>
          {active ? texts.active : text.inactive}
        </Badge>
      ),
    },
    {
      id: 'action',
      header: texts.action,
      canSort: false,
      value: () => null,
      cell: ({ name, slug, active }) =>
        active && (
          <ConfirmButton
            label={text.deactivate}
            name={text.deactivateNamed(name)}
            title={text.title(name)}
            text={text.text}
            confirm={text.deactivate}
            done={text.done}
            action={() => deactivate(id, slug)}
          />
        ),
    },
  ];
  return (
    <Panel title={settingsTexts.tabs.channels} about={text.about} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={settingsTexts.tabs.channels}
          columns={columns}
          rows={data}
          rowId={(one) => one.slug}
          loading={isPending}
          skeletons={2}
          empty={<EmptyState title={text.empty} text={text.emptyText} />}
        />
      )}
    </Panel>
  );
}
