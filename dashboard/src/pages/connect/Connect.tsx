/** Users of ClickHouse that see one project, and how to connect with them. */
import { Alert, Button, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { readersQuery } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { Secret } from '../../components/Secret';
import { Snippet } from '../../components/Snippet';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useView } from '../../search';
import { useProject } from '../../session';
import { buildConnection, buildTunnel } from './connections';
import { connectSearch, TOOLS, type Tool } from './search';
import { engineers as engineersTexts } from '../../texts/engineers';
import { texts } from '../../texts';

const text = engineersTexts.connect;
const at = (id: number) => ({ params: { path: { id } } });
const refresh = (id: number) => queryClient.invalidateQueries({ queryKey: readersQuery(id).queryKey });

export default function Connect() {
  const { id } = useProject();
  const { data, error, refetch } = useQuery(readersQuery(id));
  const create = useMutation({
    mutationFn: () => unwrapData(api.POST('/admin/v1/projects/{id}/readers', at(id))),
    onSuccess: () => refresh(id),
  });
  const made = create.data;
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.connect} about={text.about}>
        <Button size="xs" loading={create.isPending} onClick={() => create.mutate()} title={text.createHint}>
          {text.create}
        </Button>
      </PageHeader>
      {create.error && <FormError message={readMessage(create.error)} />}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {made && <Secret title={text.created(made.user)} value={made.password} onClose={create.reset} />}
      {!error && (
        <Panel title={text.strings} about={made ? text.stringsFilled(made.user) : text.stringsAbout}>
          {data ? (
            <Connections
              address={data.address}
              embedded={data.embedded}
              user={made?.user ?? 'USER'}
              password={made?.password ?? 'PASSWORD'}
            />
          ) : (
            <Skeleton height={260} mt="sm" />
          )}
        </Panel>
      )}
      {!error && <Users />}
    </PageBody>
  );
}

interface ConnectionsProps {
  readonly address: string;
  readonly embedded: boolean;
  readonly user: string;
  readonly password: string;
}

function Connections({ address, embedded, user, password }: ConnectionsProps) {
  const [{ tool }, setView] = useView(connectSearch);
  const data = TOOLS.map((value) => ({ value, label: text.tools[value] }));
  const choose = (next: string | null) => setView({ tool: (next ?? 'metabase') as Tool }, { replace: true });
  const isMissing = embedded && tool === 'client';
  const step = tool === 'client' ? text.native : text.steps[tool];
  return (
    <Stack gap="sm" pt="sm" align="flex-start">
      {embedded && (
        <Alert variant="light" icon={<IconInfoCircle size={18} />} w="100%">
          <Stack gap="xs">
            <Text size="sm">{text.local}</Text>
            <Snippet code={buildTunnel(address, text.host)} />
          </Stack>
        </Alert>
      )}
      <SegmentedControl visibleFrom="sm" size="xs" aria-label={text.tool} value={tool} data={data} onChange={choose} />
      <Select hiddenFrom="sm" label={text.tool} value={tool} data={data} allowDeselect={false} onChange={choose} />
      <Text size="sm">{isMissing ? text.http : step}</Text>
      {!isMissing && <Snippet code={buildConnection(tool, { address, user, password })} />}
    </Stack>
  );
}

type Reader = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof readersQuery>['queryFn']>>>>;

function Users() {
  const { id } = useProject();
  const { data, isPending } = useQuery(readersQuery(id));
  const columns: Column<Reader['readers'][number]>[] = [
    { id: 'user', header: texts.user, value: ({ user }) => user },
    { id: 'since', header: texts.created, value: () => null, cell: (one) => <Time value={one.created_at} /> },
    {
      id: 'action',
      header: texts.action,
      value: () => null,
      cell: ({ user }) => (
        <ConfirmButton
          label={texts.revoke}
          name={text.revokeNamed(user)}
          title={text.revokeTitle(user)}
          text={text.revokeText}
          confirm={texts.revoke}
          done={text.revoked}
          action={async () => {
            await api.DELETE('/admin/v1/projects/{id}/readers/{user}', { params: { path: { id, user } } });
            await refresh(id);
          }}
        />
      ),
    },
  ];
  return (
    <Panel title={text.users} about={text.usersAbout} flush>
      <DataTable
        label={text.users}
        columns={columns}
        rows={data?.readers}
        rowId={({ user }) => user}
        loading={isPending}
        skeletons={1}
        empty={<EmptyState title={text.empty} text={text.emptyText} />}
      />
    </Panel>
  );
}
