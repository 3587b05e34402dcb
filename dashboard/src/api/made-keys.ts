/** Keys that were made in this page: they are known until it is left, so that snippets have them. */
import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { keysQuery, setupQuery, type Applied, type KeyKind } from './admin';
import { api, unwrapData } from './client';
import { queryClient } from './queries';

const makeQueryKey = (project: number, kind: KeyKind) => ['made key', project, kind] as const;
queryClient.setQueryDefaults(['made key'], { gcTime: Infinity, staleTime: Infinity });

/** The latest key of a kind that was made here; undefined where none was. */
export const useMadeKey = (project: number, kind: KeyKind): string | undefined =>
  useQuery<string>({ queryKey: makeQueryKey(project, kind), queryFn: skipToken }).data;

export const rememberKey = (project: number, kind: KeyKind, key: string): void =>
  void queryClient.setQueryData(makeQueryKey(project, kind), key);

/** The keys among the secrets that the making of a project has shown. */
export function rememberSecrets(project: number, secrets: Applied['secrets']): void {
  for (const { kind, value } of secrets)
    if (kind !== 'partner_token' && kind !== 'webhook_secret') rememberKey(project, kind, value);
}

/** Makes a key of a project, and remembers it. */
export const useCreateKey = (project: number) =>
  useMutation({
    mutationFn: ({ kind, name }: { kind: KeyKind; name?: string }) =>
      unwrapData(
        api.POST('/admin/v1/projects/{id}/keys', {
          params: { path: { id: project } },
          body: { kind, ...(name && { name }) },
        }),
      ),
    onSuccess: ({ kind, key }) => {
      rememberKey(project, kind, key);
      void queryClient.invalidateQueries({ queryKey: setupQuery(project).queryKey });
      return queryClient.invalidateQueries({ queryKey: keysQuery(project).queryKey });
    },
  });
