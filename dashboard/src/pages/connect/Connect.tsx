/** Users of ClickHouse that see one project, and how to connect with them. */
import { Button, Skeleton } from '@mantine/core';
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
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useProject } from '../../session';
import { Connections } from './Connections';
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
  const known = made?.user ?? data?.readers.at(-1)?.user;
  return (
    <PageBody>
      <PageHeader title={texts.titles.connect} about={text.about}>
        <Button size="xs" loading={create.isPending} onClick={() => create.mutate()} title={text.createHint}>
          {text.create}
        </Button>
      </PageHeader>
      {create.error && <FormError message={readMessage(create.error)} />}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {made && <Secret title={text.created(made.user)} value={made.password} onClose={create.reset} />}
      {!error && (
        <Panel
          title={text.strings}
          about={made ? text.stringsFilled(made.user) : known ? text.stringsKnown(known) : text.stringsAbout}
        >
          {data ? (
            <Connections
              address={data.address}
              embedded={data.embedded}
              user={known ?? 'USER'}
              password={made?.password ?? 'PASSWORD'}
            />
          ) : (
            <Skeleton height={420} mt="sm" />
          )}
        </Panel>
      )}
      {!error && <Users />}
    </PageBody>
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
