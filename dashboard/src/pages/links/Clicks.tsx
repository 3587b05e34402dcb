/** The clicks of a link: over time, by device, system, country and by where it was opened. */
import { Anchor, SimpleGrid, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useReport, type Question, type ReportRow } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { MetricCurve } from '../../components/MetricCurve';
import { Panel } from '../../components/Panel';
import { metricColumn, type Column } from '../../components/table-columns';
import { filterTo, toExplore } from '../../drill';
import { rowName } from '../../names';
import { usePeriod, type Period } from '../../period';
import type { Filter } from '../../search';
import { useSeries } from '../../series';
import { useProject } from '../../session';
import { dimensionText } from '../../texts';
import { links as linksTexts } from '../../texts/links';

const text = linksTexts.clicks;
const ROWS = 8;

export function Clicks({ displayId }: { readonly displayId: string }) {
  const [period] = usePeriod();
  const asked = useMemo(
    () => ({
      source: 'app' as const,
      metrics: ['clicks'],
      filters: [['is', 'campaign', [displayId]]] as [['is', string, string[]]],
    }),
    [displayId],
  );
  const series = useSeries(asked, period);
  return (
    <Stack gap="md">
      <MetricCurve source="app" period={period} metric="clicks" series={series} height={200} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {Object.keys(text.by).map((dimension) => (
          <By key={dimension} displayId={displayId} period={period} dimension={dimension} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

interface ByProps {
  readonly displayId: string;
  readonly period: Period;
  readonly dimension: string;
}

const nameValue = (question: Question, row: ReportRow) =>
  row.dimensions[0] === '' ? text.none : rowName(question, row);

/** The clicks of the link with this value, day by day. */
const leadToClicks = (
  projectId: number,
  { filters = [], dimensions: [dimension = ''] = [] }: Question,
  row: ReportRow,
) =>
  toExplore(projectId, {
    source: 'app',
    metrics: ['clicks'],
    by: ['day'],
    filters: filterTo(filters as Filter[], dimension, row.dimensions[0] ?? ''),
  });

function By({ displayId, period: { from, to }, dimension }: ByProps) {
  const { id } = useProject();
  const question = useMemo(
    (): Question => ({
      source: 'app',
      metrics: ['clicks'],
      dimensions: [dimension],
      filters: [['is', 'campaign', [displayId]]],
      order_by: [['clicks', 'desc']],
      from,
      to,
      limit: ROWS,
    }),
    [displayId, dimension, from, to],
  );
  const { data, error, isPending, isPlaceholderData, refetch } = useReport(id, question);
  const columns = useMemo(
    (): Column<ReportRow>[] => [
      {
        id: dimension,
        header: dimensionText(dimension),
        canSort: false,
        value: (row) => nameValue(question, row),
        cell: (row) => (
          <Anchor component={Link} {...leadToClicks(id, question, row)} inherit>
            {nameValue(question, row)}
          </Anchor>
        ),
      },
      metricColumn<ReportRow>('clicks', 0, undefined, { canSort: false }),
    ],
    [id, dimension, question],
  );
  return (
    <Panel title={text.by[dimension]} question={question} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.by[dimension] ?? dimension}
          columns={columns}
          rows={data?.results}
          rowId={({ dimensions }) => dimensions.join()}
          loading={isPending}
          stale={isPlaceholderData}
          sortedByService
          skeletons={3}
        />
      )}
    </Panel>
  );
}
