/** All campaigns of a project: which earn and which lose money, with what they consist of. */
import { Button, Group, Pagination, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ColumnPicker } from '../../components/ColumnPicker';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { FilterBar } from '../../components/FilterBar';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PauseDialog } from '../../components/PauseCampaign';
import { PeriodPicker } from '../../components/PeriodPicker';
import { UnknownNote } from '../../components/UnknownNote';
import { CountrySource } from '../../components/Values';
import { ViewTools } from '../../components/ViewTools';
import { shownColumns } from '../../components/table-columns';
import { describeComparison } from '../../compared';
import { HORIZONS, useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { Actions } from './Actions';
import { buildColumns } from './columns';
import { NameCell } from './NameCell';
import { FILTERS, isByCountry } from './questions';
import { rowId, openName, type Row } from './rows';
import { campaignsSearch } from './search';
import { DEFAULT_SORT, useHorizon, useRows } from './use-rows';
import { Verdict } from './Verdict';
import { campaigns as text } from '../../texts/campaigns';
import { toPage } from '../../addresses';

const NO_CELLS = { name: () => null, actions: () => null };

export default function Campaigns() {
  const [view, setView] = useView(campaignsSearch);
  const { id } = useProject();
  const formats = useFormats();
  const mayCreate = useMay('links');
  const [pausing, setPausing] = useState<Row>();
  const { filters, state, search, sort = DEFAULT_SORT, columns: named, open = [] } = view;
  const horizon = useHorizon(view.horizon);
  // The columns before there are any figures: they tell which metrics to ask for.
  const shown = shownColumns(buildColumns(NO_CELLS, { horizon }), named).map((column) => column.id);
  const { question, report, error, refetch, all, rows, totals, pages, current, count, countAll, ...found } = useRows(
    view,
    shown,
    horizon,
  );
  const { target, period } = found;
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
    { totals, horizon, compared: describeComparison(period, formats) },
  );
  const until = report.data?.meta.complete_until;
  const isCut = report.data && report.data.meta.rows > report.data.results.length;
  const reset = () => setView({ state: 'all', search: undefined, filters: undefined, page: 1 });
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
          <Panel
            flush
            question={question}
            title={all ? text.found(formats.count(count), formats.count(countAll)) : texts.titles.campaigns}
            tools={<ColumnPicker columns={columns} named={named} onChange={(next) => setView({ columns: next })} />}
          >
            <Group gap="xs" px="md" pb="sm">
              <Search
                value={search ?? ''}
                onChange={(next) => setView({ search: next || undefined, page: 1 }, { replace: true })}
              />
              <SegmentedControl
                size="xs"
                aria-label={texts.state}
                value={state}
                data={(['all', 'active', 'paused'] as const).map((value) => ({ value, label: text.states[value] }))}
                onChange={(next) => setView({ state: next, page: 1 })}
              />
              <FilterBar
                source="app"
                dimensions={FILTERS}
                filters={filters}
                onChange={(next) => setView({ filters: next, page: 1 })}
              />
            </Group>
            <DataTable
              label={text.table}
              columns={shownColumns(columns, named)}
              rows={rows}
              totalsLabel={text.total}
              footRows={found.organic ? [found.organic] : []}
              rowId={rowId}
              sort={sort}
              onSort={(next) => setView({ sort: next === DEFAULT_SORT ? undefined : next, page: 1 }, { replace: true })}
              sortedByService
              loading={all === undefined && !error}
              skeletons={6}
              stale={report.isPlaceholderData}
              empty={
                countAll === 0 && filters === undefined ? (
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
                ) : (
                  <EmptyState title={text.nothingFound} text={text.nothingFoundText}>
                    <Button size="xs" variant="default" onClick={reset}>
                      {text.reset}
                    </Button>
                  </EmptyState>
                )
              }
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
                  value={current}
                  onChange={(next) => setView({ page: next })}
                />
              </Group>
            )}
          </Panel>
          <UnknownNote reports={[report.data]} />
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

/** Typed into at once; the URL follows. */
function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const tell = useDebouncedCallback(onChange, 250);
  useEffect(() => {
    if (value === '') setTyped('');
  }, [value]);
  return (
    <TextInput
      size="xs"
      w={230}
      aria-label={text.search}
      placeholder={text.search}
      leftSection={<IconSearch size={15} />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        tell(currentTarget.value);
      }}
    />
  );
}
