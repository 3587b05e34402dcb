/** Web visits: figures, a curve, and channels, sources, campaigns and landing pages by first and last touch. */
import { Button, Group, SegmentedControl, Tabs, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useReport, type Report } from '../../api/queries';
import { ColumnPicker } from '../../components/ColumnPicker';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Figure, Figures } from '../../components/Figure';
import { useFilterValues } from '../../components/filter-values';
import { FilterBar } from '../../components/FilterBar';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PeriodPicker } from '../../components/PeriodPicker';
import { shownColumns } from '../../components/table-columns';
import { CountrySource } from '../../components/Values';
import { ViewTools } from '../../components/ViewTools';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { buildSnippet } from '../../snippets';
import { texts } from '../../texts';
import { bothColumns, modelColumns, buildRows } from './columns';
import { Curve } from './Curve';
import { FIGURES, LINES, listMetrics, ROWS, tableQuestion, totalsQuestion, type Tab } from './questions';
import { webSearch } from './search';
import { web as webTexts } from '../../texts/web';

const text = webTexts;
const FILTERS = ['channel', 'source', 'campaign', 'landing_page', 'country', 'device'];
const TABS = Object.keys(text.tabs) as Tab[];
const MODELS = Object.keys(text.models) as (keyof typeof text.models)[];

/** The answer if it belongs to this tab: the rows of another tab are about something else. */
const about = (report: Report | undefined, tab: Tab) =>
  (report?.query as { dimensions?: string[] } | undefined)?.dimensions?.[0] === tab ? report : undefined;

export default function Web() {
  const [view, setView] = useView(webSearch);
  const { tab, filters, search = '', columns: named } = view;
  const [period] = usePeriod();
  const { id } = useProject();
  const formats = useFormats();
  const asked = { period, filters };
  // Landing pages are the same in both models.
  const model = tab === 'landing_page' ? 'last_touch' : view.model;
  const isBoth = model === 'both';
  const totals = useReport(id, totalsQuestion(asked));
  const lastQuestion = tableQuestion(asked, tab, 'last_touch', !isBoth);
  const firstQuestion = tableQuestion(asked, tab, 'first_touch', !isBoth);
  const shownQuestion = model === 'first_touch' ? firstQuestion : lastQuestion;
  const last = useReport(id, model === 'first_touch' ? undefined : lastQuestion);
  const first = useReport(id, model === 'last_touch' ? undefined : firstQuestion);
  const offered = useFilterValues({ source: 'web', from: period.from, to: period.to }, FILTERS);
  const metric = view.metric !== undefined && FIGURES.includes(view.metric) ? view.metric : (FIGURES[0] as string);
  const lastReport = model === 'first_touch' ? undefined : about(last.data, tab);
  const firstReport = model === 'last_touch' ? undefined : about(first.data, tab);
  const isThere = isBoth ? lastReport && firstReport : (lastReport ?? firstReport);
  const rows = useMemo(
    () =>
      isThere
        ? buildRows({ source: 'web', dimensions: [tab] } as never, lastReport?.results, firstReport?.results)
        : undefined,
    [isThere, tab, lastReport, firstReport],
  );
  const columns = useMemo(() => {
    const metrics = listMetrics(tab);
    const sums = (lastReport ?? firstReport)?.totals;
    if (isBoth) return bothColumns(tab, metrics, sums, formats);
    return modelColumns(tab, metrics, model === 'first_touch' ? 'first' : 'last', sums, formats);
  }, [tab, isBoth, model, lastReport, firstReport, formats]);
  const wanted = search.trim().toLowerCase();
  const found = useMemo(
    () => rows?.filter(({ id: one, name }) => `${one}\n${name}`.toLowerCase().includes(wanted)),
    [rows, wanted],
  );
  const standardSort = isBoth ? '-visitors:last' : '-visitors';
  const sort = columns.some((column) => column.id === view.sort?.replace(/^-/, '')) ? view.sort : standardSort;
  const error = last.error ?? first.error;
  const isStale = last.isPlaceholderData || first.isPlaceholderData;
  const isEmpty = totals.data?.meta.rows === 0 && !totals.isPlaceholderData;
  const isCut = (lastReport ?? firstReport)?.meta.rows ?? 0;
  return (
    <PageBody>
      <PageHeader title={text.title} about={text.about}>
        <PeriodPicker />
        <ViewTools question={shownQuestion} name={`${text.title} ${tab}`} />
      </PageHeader>
      <FilterBar dimensions={FILTERS} filters={filters} {...offered} onChange={(next) => setView({ filters: next })} />
      {totals.error && <ErrorBox error={totals.error} onRetry={() => void totals.refetch()} />}
      {isEmpty ? (
        <Nothing isFiltered={filters !== undefined} onClear={() => setView({ filters: undefined })} />
      ) : (
        <>
          <Figures label={text.title}>
            {FIGURES.map((name, at) => (
              <Figure
                key={name}
                metric={name}
                value={totals.data?.results[0]?.metrics[at]}
                before={totals.data?.results[0]?.comparison?.[at]}
                loading={totals.isPending && !totals.error}
                selected={name === metric}
                onSelect={() => setView({ metric: name === FIGURES[0] ? undefined : name }, { replace: true })}
              />
            ))}
          </Figures>
          <Curve
            {...asked}
            tab={tab}
            model={isBoth ? 'last_touch' : model}
            metric={metric}
            rows={greatest(rows, listMetrics(tab).indexOf(metric))}
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
                {one === tab && (
                  <Panel
                    title={text.tabs[tab]}
                    question={shownQuestion}
                    about={tab === 'landing_page' ? text.landing : text.modelTexts[view.model]}
                    flush
                  >
                    <Group gap="xs" px="md" pb="xs">
                      <TextInput
                        size="xs"
                        aria-label={text.search}
                        placeholder={text.search}
                        leftSection={<IconSearch size={15} />}
                        value={search}
                        onChange={({ currentTarget }) =>
                          setView({ search: currentTarget.value || undefined }, { replace: true })
                        }
                      />
                      {tab !== 'landing_page' && (
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
                    {error ? (
                      <ErrorBox error={error} onRetry={() => void Promise.all([last.refetch(), first.refetch()])} />
                    ) : (
                      <DataTable
                        label={text.tabs[tab]}
                        columns={shownColumns(columns, named)}
                        rows={found}
                        rowId={(row) => row.id}
                        sort={sort}
                        onSort={(next) => setView({ sort: next === standardSort ? undefined : next })}
                        loading={!rows}
                        stale={isStale}
                      />
                    )}
                    {isCut > ROWS && (
                      <Text size="xs" c="dimmed" px="md" py="xs">
                        {text.more(formats.count(ROWS))}
                      </Text>
                    )}
                  </Panel>
                )}
              </Tabs.Panel>
            ))}
          </Tabs>
          <CountrySource />
        </>
      )}
    </PageBody>
  );
}

/** The rows with most of a metric; of one that the table lacks, with most visitors. */
function greatest(rows: ReturnType<typeof buildRows>, at: number) {
  const of = (row: NonNullable<typeof rows>[number]) => (row.last ?? row.first)?.metrics[Math.max(0, at)] ?? 0;
  return rows && [...rows].sort((a, b) => of(b) - of(a)).slice(0, LINES);
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) return <EmptyState title={text.empty} text={text.emptyText} snippet={buildSnippet('web')} />;
  return (
    <EmptyState title={text.noMatch} text={text.noMatchText}>
      <Button size="xs" variant="default" onClick={onClear}>
        {texts.tools.filters.clear}
      </Button>
    </EmptyState>
  );
}
