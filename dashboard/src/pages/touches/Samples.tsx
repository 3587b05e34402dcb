/** The latest refused requests, of any reason or of one. */
import { Button, Group, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { refusedQuery, type Asker } from '../../api/touches';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { REASONS } from '../../api/generated-s2s';
import { touches as text } from '../../texts/touches';
import { RefusedList } from './RefusedList';

interface Props {
  readonly asker: Asker;
  readonly reason: string | undefined;
  readonly onReason: (reason: string | undefined) => void;
}

/** Nobody sees the requests of an unknown token. */
const UNKNOWN = new Set(['missing_token', 'invalid_token', 's2s_disabled', 'unavailable']);
const CHOICES = Object.entries(REASONS)
  .filter(([value]) => !UNKNOWN.has(value))
  .map(([value, { label }]) => ({ value, label }));

export function Samples({ asker, reason, onReason }: Props) {
  const { data, error, refetch, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(refusedQuery(asker, reason));
  const choose = (
    <Select
      size="xs"
      aria-label={text.reason}
      placeholder={text.anyReason}
      data={CHOICES}
      searchable
      clearable
      value={reason ?? null}
      onChange={(value) => onReason(value ?? undefined)}
    />
  );
  return (
    <Panel title={text.samples} about={text.samplesAbout} tools={choose} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <RefusedList
          asker={asker}
          rows={data?.pages.flatMap(({ requests }) => requests)}
          label={text.samples}
          loading={isPending}
          stale={isPlaceholderData}
          empty={
            reason === undefined ? (
              <EmptyState title={text.none} text={text.noneText} />
            ) : (
              <EmptyState title={text.noneOfReason} />
            )
          }
        />
      )}
      {hasNextPage && (
        <Group justify="center" p="sm">
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text.more}
          </Button>
        </Group>
      )}
    </Panel>
  );
}
