/** What has been spent in a period. */
import { Button, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useReport, type ReportRow } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { MetricCurve } from '../../components/MetricCurve';
import { Panel } from '../../components/Panel';
import { metricColumn, type Column } from '../../components/table-columns';
import { valueColumn } from '../../components/ValueCell';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useSeries } from '../../series';
import { useFormats, useProject } from '../../session';
import { dimensionText, texts } from '../../texts';
import { buildQuestion } from './questions';
import { spendSearch } from './search';
import { spend as text } from '../../texts/spend';

/** `onUpload` is missing for those who may not upload. */
export function Spent({ onUpload }: { onUpload?: () => void }) {
  const [view, setView] = useView(spendSearch);
  const [period] = usePeriod();
  const project = useProject();
  const question = useMemo(() => buildQuestion(view.rows, period), [view.rows, period]);
  const report = useReport(project.id, question);
  const { data, error, isPending, isPlaceholderData, refetch } = report;
  const columns = useColumns(question, data?.totals);
  const byDay = view.rows === 'days';
  const nothing = data !== undefined && !isPlaceholderData && !data.results.some((row) => (row.metrics[0] ?? 0) > 0);
  return (
    <Stack gap="md">
      <Curve />
      <Panel title={byDay ? text.byDayAndCampaign : text.byCampaign} question={question} flush>
        {error ? (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        ) : nothing ? (
          <EmptyState title={text.emptyTitle} text={text.emptyText}>
            {onUpload && <Button onClick={onUpload}>{text.toUpload}</Button>}
          </EmptyState>
        ) : (
          <DataTable
            label={texts.titles.spend}
            columns={columns}
            rows={data?.results.filter((row) => !byDay || (row.metrics[0] ?? 0) > 0)}
            rowId={(row) => row.dimensions.join(' ')}
            sort={view.sort ?? (byDay ? '-day' : '-spend')}
            onSort={(sort) => setView({ sort }, { replace: true })}
            loading={isPending}
            stale={isPlaceholderData}
            maxHeight={640}
          />
        )}
      </Panel>
      {data?.meta.unconverted_currencies && (
        <Text size="xs" c="dimmed">
          {texts.overview.unconverted(data.meta.unconverted_currencies.join(', '))}
        </Text>
      )}
    </Stack>
  );
}

function useColumns(question: ReturnType<typeof buildQuestion>, totals: readonly (number | null)[] | undefined) {
  const formats = useFormats();
  return useMemo((): Column<ReportRow>[] => {
    const dimensions = question.dimensions ?? [];
    const names = dimensions.map((name, at): Column<ReportRow> => {
      if (name !== 'day') return valueColumn(question, name, at);
      const value = (row: ReportRow) => row.dimensions[at] ?? '';
      return { id: name, header: dimensionText(name), value, cell: (row) => formats.day(value(row)) };
    });
    return [...names, ...(question.metrics ?? []).map((metric, at) => metricColumn<ReportRow>(metric, at, totals))];
  }, [question, totals, formats]);
}

function Curve() {
  const [period] = usePeriod();
  const series = useSeries({ source: 'app', metrics: ['spend'] }, period);
  return <MetricCurve source="app" period={period} metric="spend" series={series} />;
}
