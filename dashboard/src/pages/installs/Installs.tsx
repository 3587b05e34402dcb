/** Single installs, the latest first, as they come. */
import { Button, Group, Paper, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ShareMenu } from '../../components/ShareMenu';
import { DataTable } from '../../components/DataTable';
import { FirstEvent } from '../../components/FirstEvent';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { CountrySource } from '../../components/Values';
import { useView } from '../../search';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { installColumns } from './columns';
import { Filters, isFiltered } from './Filters';
import classes from './Installs.module.css';
import { toCsvRow, buildCurl, installsQuery, isLive, buildParameters, type Install, type View } from './questions';
import { installsSearch } from './search';
import { useHeldRows } from './use-held-rows';
import { installs as text } from '../../texts/installs';

const ROWS = 50;

export default function Installs() {
  const project = useProject();
  const [view, setView] = useView(installsSearch);
  const [isPointedAt, setPointedAt] = useState(false);
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(installsQuery(project.id, view));
  const live = isLive(view);
  const list = JSON.stringify(buildParameters(view));
  const held = useHeldRows(isPlaceholderData ? undefined : data?.installs, list, isPointedAt && live);
  const { fresh } = held;
  const columns = useMemo(() => installColumns(project.id, fresh), [project.id, fresh]);
  const rows = isPlaceholderData ? data?.installs : held.rows;
  const change: typeof setView = (changes, options) => setView({ ...changes, before: undefined }, options);
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.installs} about={text.about}>
        {held.waiting > 0 && (
          <Button size="xs" variant="light" onClick={held.show}>
            {text.fresh(held.waiting)}
          </Button>
        )}
        <Live view={view} isUp={live && !error} onPause={(paused) => setView({ paused }, { replace: true })} />
        <ShareMenu
          name={texts.titles.installs}
          call={buildCurl(view, texts.tools.keyPlaceholder)}
          csv={rows?.map(toCsvRow)}
        />
      </PageHeader>
      <Filters view={view} onChange={change} />
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <Paper
        style={{ minWidth: 0 }}
        onPointerEnter={({ pointerType }) => setPointedAt(pointerType === 'mouse')}
        onPointerLeave={() => setPointedAt(false)}
        onFocus={() => setPointedAt(true)}
        onBlur={() => setPointedAt(false)}
      >
        {(!error || data) && (
          <DataTable<Install>
            label={texts.titles.installs}
            columns={columns}
            rows={rows}
            rowId={(row) => row.install_id}
            loading={isPending}
            skeletons={12}
            stale={isPlaceholderData}
            empty={
              isFiltered(view) || view.before !== undefined ? (
                <EmptyState title={text.nothingFound} text={text.nothingFoundText} />
              ) : (
                <EmptyState title={text.emptyTitle} text={text.emptyText}>
                  <FirstEvent source="app" />
                </EmptyState>
              )
            }
          />
        )}
        {data && (rows?.length ?? 0) > 0 && (
          <Foot
            shown={Math.min(rows?.length ?? 0, ROWS)}
            before={view.before}
            older={data.next_before ?? undefined}
            isWaiting={isPlaceholderData}
            onOpen={(before) => setView({ before })}
          />
        )}
      </Paper>
      <CountrySource />
    </PageBody>
  );
}

/** Whether new installs appear as they come, and the button that holds them back. */
function Live({ view, isUp, onPause }: { view: View; isUp: boolean; onPause: (paused: boolean) => void }) {
  const { before, paused } = view;
  return (
    <>
      <span className={classes.live}>
        <span className={classes.dot} data-live={isUp || undefined} />
        {before === undefined ? (paused ? texts.paused : text.live) : text.past}
      </span>
      {before === undefined && (
        <Button
          size="xs"
          variant="default"
          leftSection={paused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          onClick={() => onPause(!paused)}
        >
          {paused ? texts.goOn : texts.pause}
        </Button>
      )}
    </>
  );
}

interface FootProps {
  readonly shown: number;
  /** The place in the list that is shown; undefined for its top. */
  readonly before: string | undefined;
  /** The place of the next page. */
  readonly older: string | undefined;
  readonly isWaiting: boolean;
  readonly onOpen: (before: string | undefined) => void;
}

const Foot = ({ shown, before, older, isWaiting, onOpen }: FootProps) => (
  <Group className={classes.foot} px="md" py={6} justify="space-between">
    <Text size="xs" c="dimmed">
      {text.shown(shown)}
    </Text>
    <Group gap="xs">
      {before !== undefined && (
        <Button size="compact-sm" variant="default" onClick={() => onOpen(undefined)}>
          {text.latest}
        </Button>
      )}
      {older !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isWaiting}
          onClick={() => {
            onOpen(older);
            window.scrollTo({ top: 0 });
          }}
        >
          {text.older}
        </Button>
      )}
    </Group>
  </Group>
);
