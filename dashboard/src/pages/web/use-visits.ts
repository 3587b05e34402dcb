/** The figures of the page and the rows of its table, by one model or by both beside each other. */
import { useMemo } from 'react';
import { useReport, type Report } from '../../api/queries';
import { useChanges } from '../../changes';
import { usePeriod } from '../../period';
import type { Static } from '../../search';
import { useSeries } from '../../series';
import { useFormats, useProject } from '../../session';
import { bothColumns, buildRows, modelColumns } from './columns';
import { FIGURES, isOfSession, listMetrics, tableQuestion, type Tab } from './questions';
import type { webSearch } from './search';

/** The answer if it belongs to this tab: the rows of another tab are about something else. */
const about = (report: Report | undefined, tab: Tab) =>
  (report?.query as { dimensions?: string[] } | undefined)?.dimensions?.[0] === tab ? report : undefined;

/** @param onFilter called with a value that the view is to be filtered to */
export function useVisits(view: Static<typeof webSearch>, onFilter: (dimension: string, value: string) => void) {
  const { tab, filters, search = '' } = view;
  const [period] = usePeriod();
  const { id } = useProject();
  const formats = useFormats();
  const asked = { period, filters };
  const model = isOfSession(tab) ? 'last_touch' : view.model;
  const isBoth = model === 'both';
  const series = useSeries({ source: 'web', metrics: FIGURES, ...(filters && { filters }) }, period);
  const lastQuestion = tableQuestion(asked, tab, 'last_touch', !isBoth);
  const firstQuestion = tableQuestion(asked, tab, 'first_touch', !isBoth);
  const shownQuestion = model === 'first_touch' ? firstQuestion : lastQuestion;
  const changes = useChanges(isBoth ? undefined : shownQuestion, period);
  const last = useReport(id, model === 'first_touch' ? undefined : lastQuestion);
  const first = useReport(id, model === 'last_touch' ? undefined : firstQuestion);
  const metric = view.metric !== undefined && FIGURES.includes(view.metric) ? view.metric : (FIGURES[0] as string);
  const lastReport = model === 'first_touch' ? undefined : about(last.data, tab);
  const firstReport = model === 'last_touch' ? undefined : about(first.data, tab);
  const isThere = isBoth ? lastReport && firstReport : (lastReport ?? firstReport);
  const rows = useMemo(
    () =>
      isThere ? buildRows({ source: 'web', dimensions: [tab] }, lastReport?.results, firstReport?.results) : undefined,
    [isThere, tab, lastReport, firstReport],
  );
  const columns = useMemo(() => {
    const metrics = listMetrics(tab);
    const sums = (lastReport ?? firstReport)?.totals;
    if (isBoth) return bothColumns(tab, metrics, sums, formats, onFilter);
    return modelColumns(tab, metrics, model === 'first_touch' ? 'first' : 'last', sums, changes, onFilter);
  }, [tab, isBoth, model, lastReport, firstReport, formats, changes, onFilter]);
  const wanted = search.trim().toLowerCase();
  const found = useMemo(
    () => rows?.filter(({ id: one, name }) => `${one}\n${name}`.toLowerCase().includes(wanted)),
    [rows, wanted],
  );
  const standardSort = isBoth ? '-visitors:last' : '-visitors';
  const sort = columns.some((column) => column.id === view.sort?.replace(/^-/, '')) ? view.sort : standardSort;
  return {
    asked,
    model: isBoth ? ('last_touch' as const) : model,
    series,
    question: shownQuestion,
    metric,
    rows,
    found,
    columns,
    sort,
    standardSort,
    count: (lastReport ?? firstReport)?.meta.rows ?? 0,
    error: last.error ?? first.error,
    refetch: () => void Promise.all([last.refetch(), first.refetch()]),
    isStale: last.isPlaceholderData || first.isPlaceholderData,
  };
}
