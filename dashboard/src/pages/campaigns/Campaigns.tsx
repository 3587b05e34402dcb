/** All campaigns of a project: which earn and which lose money, with what they consist of. */
import { Button, Group, Pagination, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ColumnPicker } from '../../components/ColumnPicker';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PauseDialog } from '../../components/PauseCampaign';
import { PeriodPicker } from '../../components/PeriodPicker';
import { UnknownNote } from '../../components/UnknownNote';
import { CountrySource } from '../../components/Values';
import { ViewTools } from '../../components/ViewTools';
import { shownColumns } from '../../components/table-columns';
import { HORIZONS, useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { Actions } from './Actions';
import { buildColumns } from './columns';
import { Controls } from './Controls';
import { NameCell } from './NameCell';
import { isByCountry } from './questions';
import { rowId, openName, type Row } from './rows';
import { campaignsSearch } from './search';
import { DEFAULT_SORT, useHorizon, useRows } from './use-rows';
import { Verdict } from './Verdict';
import { campaigns as text } from '../../texts/campaigns';
import { toPage } from '../../addresses';

const NO_CELLS = { name: () => null, actions: () => null };

export default function Campaigns() {
  const [view, setView] = useView(campaignsSearch);
  const formats = useFormats();
  const [pausing, setPausing] = useState<Row>();
  const { filters, columns: named, open = [] } = view;
  const horizon = useHorizon(view.horizon);
  // The columns before there are any figures: they tell which metrics to ask for.
  const shown = shownColumns(buildColumns(NO_CELLS, { horizon }), named).map((column) => column.id);
  const found = useRows(view, shown, horizon);
  const { question, report, error, refetch, all, totals, target } = found;
  const toggle = (row: Row) => {
    const name = openName(row.path);
    const next = open.includes(name) ? open.filter((one) => one !== name) : [...open, name];
    setView({ open: next.length > 0 ? next : undefined }, { replace: true });
  };
  const columns = buildColumns(
    {
      name: (row) => <NameCell row={row} isOpen={open.includes(openName(row.path))} onToggle={() => toggle(row)} />,
      actions: (row) => <Actions row={row} onPause={setPausing} />,
    },
    { totals, horizon, compared: found.compared },
  );
  const until = report.data?.meta.complete_until;
  return (
    <PageBody>
      <PageHeader
        withZone
        title={texts.titles.campaigns}
        about={until ? texts.overview.completeUntil(formats.time(until)) : texts.none}
      >
        <PeriodPicker />
        <ViewTools question={question} name={texts.titles.campaigns} />
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={refetch} />}
      {!error && (
        <>
          {!isByCountry(filters) && (
            <Verdict
              rows={found.isJudged ? all : undefined}
              totals={totals}
              horizon={horizon}
              target={target}
              stale={report.isPlaceholderData}
              onSort={(next) => setView({ sort: next })}
              onHorizon={(day) => setView({ horizon: HORIZONS.find((one) => one === day) ?? 'auto' })}
            />
          )}
          <List found={found} columns={columns} />
          <UnknownNote reports={[report.data, found.organicReport]} />
          {isByCountry(filters) && <CountrySource />}
          {report.data?.meta.unconverted_currencies && (
            <Text size="xs" c="dimmed">
              {texts.overview.unconverted(report.data.meta.unconverted_currencies.join(', '))}
            </Text>
          )}
        </>
      )}
      <PauseDialog
        target={pausing && { displayId: pausing.path[0] ?? '', name: pausing.name, network: pausing.network }}
        onClose={() => setPausing(undefined)}
      />
    </PageBody>
  );
}

interface ListProps {
  readonly found: ReturnType<typeof useRows>;
  readonly columns: ReturnType<typeof buildColumns>;
}

/** A page of the campaigns, with what narrows them. */
function List({ found, columns }: ListProps) {
  const [view, setView] = useView(campaignsSearch);
  const formats = useFormats();
  const { filters, sort = DEFAULT_SORT, columns: named } = view;
  const { question, report, error, all, count, countAll, pages } = found;
  const isCut = report.data && report.data.meta.rows > report.data.results.length;
  const reset = () => setView({ state: 'all', search: undefined, filters: undefined, page: 1 });
  return (
    <Panel
      flush
      question={question}
      title={all ? text.found(formats.count(count), formats.count(countAll)) : texts.titles.campaigns}
      tools={<ColumnPicker columns={columns} named={named} onChange={(next) => setView({ columns: next })} />}
    >
      <Controls view={view} onChange={setView} />
      <DataTable
        label={text.table}
        columns={shownColumns(columns, named)}
        rows={found.rows}
        totalsLabel={text.total}
        footRows={found.organic ? [found.organic] : []}
        rowId={rowId}
        sort={sort}
        onSort={(next) => setView({ sort: next === DEFAULT_SORT ? undefined : next, page: 1 }, { replace: true })}
        sortedByService
        loading={all === undefined && !error}
        skeletons={6}
        stale={report.isPlaceholderData}
        empty={<Nothing hasNone={countAll === 0 && filters === undefined} onReset={reset} />}
      />
      {isCut && (
        <Text size="xs" c="dimmed" p="md">
          {text.tooMany(formats.count(report.data.results.length), formats.count(report.data.meta.rows))}
        </Text>
      )}
      {pages > 1 && (
        <Group justify="center" p="sm">
          <Pagination
            size="sm"
            aria-label={text.pages}
            total={pages}
            value={found.current}
            onChange={(next) => setView({ page: next })}
          />
        </Group>
      )}
    </Panel>
  );
}

/** The list is empty: the project has no campaigns, or what is looked for is not among them. */
function Nothing({ hasNone, onReset }: { hasNone: boolean; onReset: () => void }) {
  const { id } = useProject();
  const mayCreate = useMay('links');
  if (hasNone)
    return (
      <EmptyState title={text.empty} text={text.emptyText}>
        {mayCreate && (
          <Button
            size="xs"
            component={Link}
            {...toPage('/projects/$projectId/links', { projectId: id }, { create: true })}
          >
            {text.create}
          </Button>
        )}
      </EmptyState>
    );
  return (
    <EmptyState title={text.nothingFound} text={text.nothingFoundText}>
      <Button size="xs" variant="default" onClick={onReset}>
        {text.reset}
      </Button>
    </EmptyState>
  );
}
