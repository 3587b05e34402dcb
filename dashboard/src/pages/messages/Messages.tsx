/** The log of postbacks and webhooks: what was sent to whom, what came of it, and what is sent again. */
import { Button, Group, Paper } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { ShareMenu } from '../../components/ShareMenu';
import { useView } from '../../search';
import { useMay } from '../../session';
import { messages as text } from '../../texts/messages';
import { toCsvRow, messageColumns } from './columns';
import { Details } from './Details';
import { Filters, isFiltered } from './Filters';
import { Pending } from './Pending';
import { areDays, isSearchable, logQuery, useLogPlace, type Attempt } from './questions';
import { ReplayDay } from './ReplayDay';
import { messagesSearch } from './search';
import { texts } from '../../texts';

const rowId = ({ postback_id, attempted_at, attempt }: Attempt) => `${postback_id} ${attempted_at} ${attempt}`;

export default function Messages() {
  const place = useLogPlace();
  const [view, setView] = useView(messagesSearch);
  const log = useInfiniteQuery(logQuery(place, view));
  const [opened, setOpened] = useState<Attempt>();
  const columns = useMemo(() => messageColumns(setOpened), []);
  const maySend = useMay('settings');
  const canSearch = isSearchable(view) && areDays(view);
  const rows = canSearch ? log.data?.pages.flatMap(({ attempts }) => attempts) : [];
  return (
    <PageBody>
      <PageHeader
        withZone
        title={texts.titles.messages}
        about={place.area === 'partner' ? text.aboutOfPartner : text.about}
      >
        {maySend && <ReplayDay />}
        <ShareMenu name={texts.titles.messages} csv={rows?.map(toCsvRow)} />
      </PageHeader>
      <Pending />
      <Filters view={view} withKinds={place.area === 'project'} onChange={setView} />
      {log.error && <ErrorBox error={log.error} onRetry={() => void log.refetch()} />}
      {(!log.error || log.data) && (
        <Paper style={{ minWidth: 0 }}>
          <DataTable
            label={texts.titles.messages}
            columns={columns}
            rows={rows}
            rowId={rowId}
            loading={canSearch && log.isPending}
            stale={log.isPlaceholderData}
            empty={
              isFiltered(view) ? (
                <EmptyState title={text.nothingFound} text={text.nothingFoundText} />
              ) : (
                <EmptyState
                  title={text.emptyTitle}
                  text={place.area === 'partner' ? text.emptyOfPartner : text.emptyText}
                />
              )
            }
          />
          {canSearch && log.hasNextPage && (
            <Group justify="center" p="sm">
              <Button
                size="xs"
                variant="default"
                loading={log.isFetchingNextPage}
                disabled={log.isPlaceholderData}
                onClick={() => void log.fetchNextPage()}
              >
                {text.more}
              </Button>
            </Group>
          )}
        </Paper>
      )}
      {opened && <Details attempt={opened} maySend={maySend} onClose={() => setOpened(undefined)} />}
    </PageBody>
  );
}
