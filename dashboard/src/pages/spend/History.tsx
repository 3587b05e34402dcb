/** The files that were uploaded, and what becomes of each when it is undone. */
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { useFormats, useProject } from '../../session';
import { spend as spendTexts } from '../../texts/spend';
import { buildColumns, type Upload } from './history-columns';

const text = spendTexts.history;
const PAGE = 50;

export const uploadsKey = (project: number) => ['spend-uploads', project];

const useUploads = (project: number) =>
  useInfiniteQuery({
    queryKey: uploadsKey(project),
    queryFn: ({ pageParam }) =>
      unwrapData(
        api.GET('/collect/v1/spend/uploads', {
          params: { query: { limit: PAGE, ...(pageParam !== null && { before: pageParam }) } },
          headers: { 'project-id': String(project) },
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before }) => next_before,
  });

async function undo(project: number, upload: Upload): Promise<void> {
  await unwrapData(
    api.POST('/collect/v1/spend/uploads/{upload_id}/undo', {
      params: { path: { upload_id: upload.id } },
      headers: { 'project-id': String(project) },
    }),
  );
  await queryClient.invalidateQueries({ queryKey: uploadsKey(project) });
  await queryClient.invalidateQueries({ queryKey: ['report', project] });
}

export function History() {
  const { id } = useProject();
  const formats = useFormats();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useUploads(id);
  return (
    <Panel title={text.title} about={text.about} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.title}
          columns={buildColumns(formats, (upload) => undo(id, upload))}
          rows={data?.pages.flatMap(({ uploads }) => uploads)}
          rowId={(one) => String(one.id)}
          loading={isPending}
          skeletons={3}
          sortedByService
          empty={<EmptyState title={text.empty} text={text.emptyText} />}
        />
      )}
      {hasNextPage && (
        <Button
          variant="subtle"
          size="compact-sm"
          m="sm"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
    </Panel>
  );
}
