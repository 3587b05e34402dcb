/** What the account allows its members beyond their roles, as its owners set it. */
import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { accountsQuery } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { members as text } from '../../texts/members';

export function Allowed({ accountId }: { readonly accountId: number }) {
  const { data, error, refetch } = useQuery(accountsQuery);
  const account = data?.find(({ id }) => id === accountId);
  const set = useMutation({
    mutationFn: (analyst_sql: boolean) =>
      unwrapData(api.PUT('/admin/v1/accounts/{id}', { params: { path: { id: accountId } }, body: { analyst_sql } })),
    onSuccess: async ({ analyst_sql }) => {
      await queryClient.invalidateQueries({ queryKey: accountsQuery.queryKey });
      notifications.show({ message: analyst_sql ? text.analystSqlOn : text.analystSqlOff });
    },
    onError: (failure) => notifications.show({ color: 'red', message: readMessage(failure) }),
  });
  return (
    <Panel title={text.allowed}>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <Switch
          label={text.analystSql}
          description={text.analystSqlText}
          disabled={!account || set.isPending}
          checked={set.isPending ? set.variables : (account?.analyst_sql ?? false)}
          onChange={({ currentTarget }) => set.mutate(currentTarget.checked)}
        />
      )}
    </Panel>
  );
}
