/** Applies a workspace document, and asks again for everything that may be otherwise then. */
import { useMutation } from '@tanstack/react-query';
import type { Workspace } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';

export const useApply = () =>
  useMutation({
    mutationFn: (body: Workspace) => unwrapData(api.PUT('/admin/v1/workspace', { body })),
    onSuccess: () => queryClient.invalidateQueries(),
  });

/** What a workspace document would change; nothing is changed. */
export const useCheck = () =>
  useMutation({
    mutationFn: (body: Workspace) =>
      unwrapData(api.PUT('/admin/v1/workspace', { params: { query: { dry_run: true } }, body })),
  });
