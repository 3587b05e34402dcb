/** The list of links as a table, of which only so many rows are drawn before somebody asks for all. */
import { Button } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Panel } from '../../components/Panel';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { links as text } from '../../texts/links';
import { buildColumns, type Chosen } from './columns';
import { channelName } from './names';
import { linksSearch } from './search';
import type { Shown } from './shown';

const DRAWN = 200;

interface Props {
  readonly all: readonly Shown[] | undefined;
  /** Those that the filters leave. */
  readonly found: readonly Shown[] | undefined;
  readonly chosen: Chosen | undefined;
  readonly loading: boolean;
  readonly stale: boolean;
  /** Below the text that there are none yet. */
  readonly children: ReactNode;
}

export function LinkTable({ all, found, chosen, loading, stale, children }: Props) {
  const { id } = useProject();
  const { count } = useFormats();
  const [{ state, search, tag, sort = '-created' }, setView] = useView(linksSearch);
  const [isWhole, setWhole] = useState(false);
  const hasChannels = all?.some((one) => channelName(one) !== '') ?? false;
  const hasTags = all?.some(({ its }) => its && its.tags.length > 0) ?? false;
  const columns = useMemo(
    () => buildColumns(id, chosen).filter((one) => ({ channel: hasChannels, tags: hasTags })[one.id] ?? true),
    [id, chosen, hasChannels, hasTags],
  );
  const isNarrowed = search !== undefined || state !== 'ALL' || tag !== undefined;
  return (
    <Panel
      title={texts.titles.links}
      about={all && found && texts.tools.table.rows(count(found.length), count(all.length))}
      flush
    >
      <DataTable
        label={texts.titles.links}
        columns={columns}
        rows={isWhole ? found : found?.slice(0, DRAWN)}
        rowId={({ display_id }) => display_id}
        sort={sort}
        onSort={(next) => setView({ sort: next })}
        loading={loading}
        stale={stale}
        empty={
          isNarrowed ? (
            <EmptyState title={text.noMatch} text={text.noMatchText} />
          ) : (
            <EmptyState title={text.empty} text={text.emptyText}>
              {children}
            </EmptyState>
          )
        }
      />
      {found && found.length > DRAWN && !isWhole && (
        <Button variant="subtle" size="xs" m="sm" onClick={() => setWhole(true)}>
          {text.showAll(count(found.length))}
        </Button>
      )}
    </Panel>
  );
}
