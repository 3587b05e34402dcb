/** Saves changes of a project, and asks again for all that may look otherwise then. */
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ProjectSettings } from '../../api/admin';
import { api, ApiFailure, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { useProject } from '../../session';
import { texts } from '../../texts';

interface Options {
  readonly message?: string;
  readonly onSaved?: () => void;
  readonly onFailed?: (error: Error) => void;
}

export function useSave({ message = texts.saved, onSaved, onFailed }: Options = {}) {
  const { id } = useProject();
  return useMutation({
    mutationFn: (body: ProjectSettings) =>
      unwrapData(api.PUT('/admin/v1/projects/{id}', { params: { path: { id } }, body })),
    onSuccess: async () => {
      // Reports have the currency and zone of the project; who is signed in has them too.
      await queryClient.invalidateQueries();
      notifications.show({ message });
      onSaved?.();
    },
    onError: onFailed,
  });
}

/** What the service says of a field of a form, under its name: `body.name: ...`, `apps[0].app_id: ...`. */
function fieldErrors(error: unknown, values: object): Record<string, string> {
  if (!(error instanceof ApiFailure) || error.status !== 400) return {};
  const [, field, message] = /^(?:[\w[\]]+\.)*(\w+): (.+)$/s.exec(error.message) ?? [];
  return field && message && field in values ? { [field]: message } : {};
}

/** Saves what a form has changed. What the service says of a field is shown there; `error` is everything else. */
export function useFormSave<T extends object>(form: UseFormReturnType<T>, options: Options = {}) {
  const { mutate, isPending, error } = useSave({
    ...options,
    onFailed: (failure) => form.setErrors(fieldErrors(failure, form.values)),
  });
  const isAtField = Object.keys(fieldErrors(error, form.values)).length > 0;
  return { mutate, isPending, error: isAtField ? null : error };
}
