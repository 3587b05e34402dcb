/** Whether partners are told suspicious installs as rejected. */
import { Skeleton, Stack, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { Panel } from '../../components/Panel';
import { useProject } from '../../session';
import { postbacks } from '../../texts/postbacks';
import { texts } from '../../texts';

const text = postbacks.suspicious;

export function Suspicious() {
  const { id } = useProject();
  const { data, error, refetch } = useQuery(projectsQuery);
  const project = data?.find((one) => one.id === id);
  const save = useMutation({
    mutationFn: (reject_suspicious: boolean) =>
      unwrapData(api.PUT('/admin/v1/projects/{id}', { params: { path: { id } }, body: { reject_suspicious } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
      notifications.show({ message: texts.saved });
    },
  });
  return (
    <Panel title={text.title}>
      <Stack gap="sm" pt="xs">
        {save.error && <FormError message={readMessage(save.error)} />}
        {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {project ? (
          <Switch
            label={text.label}
            description={text.about}
            // What was clicked counts until the answer is there.
            checked={save.isPending ? save.variables : project.reject_suspicious}
            disabled={save.isPending}
            onChange={({ currentTarget }) => save.mutate(currentTarget.checked)}
          />
        ) : (
          !error && <Skeleton height={56} />
        )}
      </Stack>
    </Panel>
  );
}
