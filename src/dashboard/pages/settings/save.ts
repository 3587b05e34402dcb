/** Saves changes of a project, and asks again for all that may look otherwise then. */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ProjectSettings } from '../../api/admin';
import { api, dataOf } from '../../api/client';
import { queryClient } from '../../api/queries';
import { useProject } from '../../session';
import { settings as settingsTexts } from '../../texts/settings';

interface Options {
  readonly message?: string;
  readonly onSaved?: () => void;
}

export function useSave({ message = settingsTexts.saved, onSaved }: Options = {}) {
  const { id } = useProject();
  return useMutation({
    mutationFn: (body: ProjectSettings) =>
      dataOf(api.PUT('/admin/v1/projects/{id}', { params: { path: { id } }, body })),
    onSuccess: async () => {
      // Reports have the currency and zone of the project; who is signed in has them too.
      await queryClient.invalidateQueries();
      notifications.show({ message });
      onSaved?.();
    },
  });
}
