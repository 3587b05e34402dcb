/** Web visits: figures, a curve, and channels, sources, campaigns and landing pages by first and last touch. */
import { Button, Group, SegmentedControl, Tabs, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { ColumnPicker } from '../../components/ColumnPicker';
import { DataTable } from '../../components/DataTable';
import { FirstEvent } from '../../components/FirstEvent';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { FilterBar } from '../../components/FilterBar';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PeriodPicker } from '../../components/PeriodPicker';
import { SeriesFigures } from '../../components/SeriesFigures';
import { shownColumns } from '../../components/table-columns';
import { ViewAll } from '../../components/ValueCell';
import { CountrySource } from '../../components/Values';
import { ViewTools } from '../../components/ViewTools';
import { filterTo } from '../../drill';
import { useView } from '../../search';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import type { buildRows } from './columns';
import { Curve } from './Curve';
import { FIGURES, isOfSession, LINES, listMetrics, ROWS, TABS, type Tab } from './questions';
import { webSearch } from './search';
import { useVisits } from './use-visits';
import { web as text } from '../../texts/web';

const FILTERS = [...TABS, 'medium', 'referrer', 'os'];
const MODELS = Object.keys(text.models) as (keyof typeof text.models)[];

export default function Web() {
  const [view, setView] = useView(webSearch);
  const { tab, filters } = view;
  const visits = useVisits(view, (dimension, value) => setView({ filters: filterTo(filters, dimension, value) }));
  const { asked, series, question, metric } = visits;
  const { head } = series;
  const isEmpty = head.data?.meta.rows === 0 && !head.isPlaceholderData;
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.web} about={text.about}>
        <PeriodPicker withGranularity />
        <ViewTools question={question} name={`${texts.titles.web} ${tab}`} />
      </PageHeader>
      <FilterBar source="web" dimensions={FILTERS} filters={filters} onChange={(next) => setView({ filters: next })} />
      {head.error && <ErrorBox error={head.error} onRetry={() => void head.refetch()} />}
      {isEmpty ? (
        <Nothing isFiltered={filters !== undefined} onClear={() => setView({ filters: undefined })} />
      ) : (
        <>
          <SeriesFigures
            label={texts.titles.web}
            names={FIGURES}
            period={asked.period}
            series={series}
            chosen={metric}
            onChoose={(name) => setView({ metric: name === FIGURES[0] ? undefined : name }, { replace: true })}
          />
          <Curve
            {...asked}
            tab={tab}
            model={visits.model}
            metric={metric}
            rows={greatest(visits.rows, listMetrics(tab).indexOf(metric))}
            onFilter={(value) => setView({ filters: filterTo(filters, tab, value) })}
          />
          <Tabs
            value={tab}
            onChange={(next) =>
              setView({ tab: (next ?? 'channel') as Tab, sort: undefined, search: undefined, columns: undefined })
            }
          >
            <Tabs.List>
              {TABS.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {text.tabs[one]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {TABS.map((one) => (
              <Tabs.Panel key={one} value={one} pt="md">
                {one === tab && <Values visits={visits} />}
              </Tabs.Panel>
            ))}
          </Tabs>
          <CountrySource />
        </>
      )}
    </PageBody>
  );
}

/** The values of the tab's dimension, with their figures. */
function Values({ visits }: { visits: ReturnType<typeof useVisits> }) {
  const [view, setView] = useView(webSearch);
  const { tab, filters, search = '', columns: named } = view;
  const { question, columns, standardSort } = visits;
  const formats = useFormats();
  return (
    <Panel title={text.tabs[tab]} question={question} about={aboutTab(tab, view.model)} flush>
      <Group gap="xs" px="md" pb="xs">
        <TextInput
          size="xs"
          aria-label={texts.search}
          placeholder={texts.search}
          leftSection={<IconSearch size={15} />}
          value={search}
          onChange={({ currentTarget }) => setView({ search: currentTarget.value || undefined }, { replace: true })}
        />
        {!isOfSession(tab) && (
          <SegmentedControl
            size="xs"
            aria-label={text.model}
            value={view.model}
            data={MODELS.map((each) => ({ value: each, label: text.models[each] }))}
            onChange={(next) => setView({ model: next, sort: undefined, columns: undefined })}
          />
        )}
        <ColumnPicker columns={columns} named={named} onChange={(next) => setView({ columns: next })} />
      </Group>
      {visits.error ? (
        <ErrorBox error={visits.error} onRetry={visits.refetch} />
      ) : (
        <DataTable
          label={text.tabs[tab]}
          columns={shownColumns(columns, named)}
          rows={visits.found}
          rowId={(row) => row.id}
          sort={visits.sort}
          onSort={(next) => setView({ sort: next === standardSort ? undefined : next })}
          loading={!visits.rows}
          stale={visits.isStale}
        />
      )}
      <ViewAll
        source="web"
        metrics={listMetrics(tab)}
        by={[tab]}
        {...(filters && { filters })}
        {...(visits.model === 'first_touch' && { model: visits.model })}
      />
      {visits.count > ROWS && (
        <Text size="xs" c="dimmed" px="md" py="xs">
          {text.more(formats.count(ROWS))}
        </Text>
      )}
    </Panel>
  );
}

const aboutTab = (tab: Tab, model: keyof typeof text.models) =>
  Object.hasOwn(text.sessions, tab) ? text.sessions[tab as keyof typeof text.sessions] : text.modelTexts[model];

/** The rows with most of a metric; of one that the table lacks, with most visitors. */
function greatest(rows: ReturnType<typeof buildRows>, at: number) {
  const of = (row: NonNullable<typeof rows>[number]) => (row.last ?? row.first)?.metrics[Math.max(0, at)] ?? 0;
  return rows && [...rows].sort((a, b) => of(b) - of(a)).slice(0, LINES);
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return (
      <EmptyState title={texts.overview.emptyWeb} text={text.emptyText}>
        <FirstEvent source="web" />
      </EmptyState>
    );
  return (
    <EmptyState title={text.noMatch} text={texts.noMatchText}>
      <Button size="xs" variant="default" onClick={onClear}>
        {texts.tools.filters.clear}
      </Button>
    </EmptyState>
  );
}
