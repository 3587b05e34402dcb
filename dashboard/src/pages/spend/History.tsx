/** The files that were uploaded, and what becomes of each when it is undone. */
import { Badge, Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import type { components } from '@adtrail/client';
import { queryClient } from '../../api/queries';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useFormats, useProject } from '../../session';
import { spend as spendTexts } from '../../texts/spend';
import { texts } from '../../texts';

const text = spendTexts.history;
type Upload = components['schemas']['SpendUpload'];
const COLORS = { storing: 'orange', stored: 'teal', undoing: 'orange', undone: 'gray' } as const;
const PAGE = 50;

export const uploadsKey = (project: number) => ['spend-uploads', project];

export function History() {
  const { id } = useProject();
  const formats = useFormats();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: uploadsKey(id),
    queryFn: ({ pageParam }) =>
      unwrapData(
        api.GET('/collect/v1/spend/uploads', {
          params: { query: { limit: PAGE, ...(pageParam !== null && { before: pageParam }) } },
          headers: { 'project-id': String(id) },
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before }) => next_before,
  });
  const undo = async (upload: Upload) => {
    await unwrapData(
      api.POST('/collect/v1/spend/uploads/{upload_id}/undo', {
        params: { path: { upload_id: upload.id } },
        headers: { 'project-id': String(id) },
      }),
    );
    await queryClient.invalidateQueries({ queryKey: uploadsKey(id) });
    await queryClient.invalidateQueries({ queryKey: ['report', id] });
  };
  const columns: Column<Upload>[] = [
    { id: 'at', header: text.at, value: () => null, cell: (one) => <Time value={one.created_at} /> },
    { id: 'by', header: text.by, value: (one) => one.made_by },
    { id: 'name', header: text.file, value: (one) => one.name || text.noName },
    { id: 'rows', header: text.rows, value: (one) => one.rows, kind: 'count' },
    { id: 'days', header: texts.days, value: (one) => formats.range(one.first_day, one.last_day) },
    {
      id: 'sums',
      header: text.sums,
      value: (one) => one.sums.map(({ currency, spend }) => `${spend} ${currency}`).join(', '),
    },
    {
      id: 'state',
      header: texts.state,
      value: () => null,
      cell: (one) => (
        <>
          <Badge size="sm" variant="light" color={COLORS[one.state]}>
            {text.states[one.state]}
          </Badge>
          {one.undone_at && (
            <Text size="xs" c="dimmed">
              {text.undone({
                by: one.undone_by ?? '',
                restored: formats.count(one.restored),
                removed: formats.count(one.removed),
                kept: formats.count(one.kept),
              })}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'undo',
      header: '',
      value: () => null,
      cell: (one) =>
        one.state !== 'undone' && (
          <ConfirmButton
            label={text.undo}
            name={text.undoName(one.name || `#${one.id}`)}
            title={text.confirmTitle(one.name || `#${one.id}`)}
            text={text.confirmText}
            confirm={text.confirm}
            done={text.done}
            action={() => undo(one)}
          />
        ),
    },
  ];
  return (
    <Panel title={text.title} about={text.about} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.title}
          columns={columns}
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
