/** Where one is signed in, and how to end that. */
import { Badge, Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Session } from '../../api/people';
import { queryClient, sessionsQuery } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { leave } from '../../shell/leave';
import { texts } from '../../texts';

const text = texts.people.profile;

/** `Firefox on Linux`, roughly: enough to know one's own devices apart. */
function describeDevice(agent: string): string {
  const of = (names: Readonly<Record<string, RegExp>>) =>
    Object.entries(names).find(([, pattern]) => pattern.test(agent))?.[0];
  const browser = of({ Edge: /Edg\//, Opera: /OPR\//, Firefox: /Firefox\//, Chrome: /Chrom/, Safari: /Safari\// });
  const system = of({ iOS: /iPhone|iPad/, Android: /Android/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ });
  return [browser, system].filter(Boolean).join(', ') || agent.slice(0, 60) || texts.unknown;
}

export function Sessions() {
  const { data, error, isPending, refetch } = useQuery(sessionsQuery);
  const revoke = useMutation({
    mutationFn: (id: number) => api.DELETE('/auth/v1/sessions/{id}', { params: { path: { id } } }),
    onSettled: () => queryClient.invalidateQueries(sessionsQuery),
  });
  const everywhere = useMutation({ mutationFn: () => api.DELETE('/auth/v1/sessions'), onSuccess: leave });
  const columns: Column<Session>[] = [
    {
      id: 'device',
      header: texts.device,
      value: ({ user_agent }) => describeDevice(user_agent),
      cell: ({ user_agent, current }) => (
        <Group gap="xs" wrap="nowrap">
          <span title={user_agent}>{describeDevice(user_agent)}</span>
          {current && <Badge size="sm">{text.current_}</Badge>}
        </Group>
      ),
    },
    { id: 'address', header: text.address, value: ({ address }) => address },
    {
      id: 'since',
      header: texts.since,
      value: (one) => one.created_at,
      cell: (one) => <Time value={one.created_at} />,
    },
    {
      id: 'seen',
      header: texts.lastSeen,
      value: (one) => one.last_seen_at,
      cell: (one) => <Time value={one.last_seen_at} />,
    },
    {
      id: 'revoke',
      header: texts.action,
      canSort: false,
      value: () => null,
      cell: ({ id, current }) =>
        !current && (
          <Button size="compact-xs" variant="default" onClick={() => revoke.mutate(id)}>
            {texts.signOut}
          </Button>
        ),
    },
  ];
  const all = (
    <Button size="xs" variant="default" loading={everywhere.isPending} onClick={() => everywhere.mutate()}>
      {text.everywhere}
    </Button>
  );
  const failure = error ?? revoke.error ?? everywhere.error;
  return (
    <Panel title={text.sessionsTitle} about={text.sessionsText} tools={all} flush>
      {failure && <ErrorBox error={failure} onRetry={() => void refetch()} />}
      <DataTable
        label={text.sessionsTitle}
        columns={columns}
        rows={data?.sessions}
        rowId={({ id }) => String(id)}
        loading={isPending && !error}
        skeletons={2}
      />
    </Panel>
  );
}
