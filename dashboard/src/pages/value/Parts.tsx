/** The figures of the value by something else: each row leads to its own page. */
import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { useReport, type ReportRow } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { metricColumn, type Column } from '../../components/table-columns';
import { ValueLink, ViewAll } from '../../components/ValueCell';
import { rowName } from '../../names';
import type { Period } from '../../period';
import { useView } from '../../search';
import { useProject } from '../../session';
import { dimensionText } from '../../texts';
import { value as text } from '../../texts/value';
import { partMetrics, parts, partsQuestion, type Subject } from './questions';
import { valueSearch } from './search';

export function Parts({ subject, period }: { subject: Subject; period: Period }) {
  const [view, setView] = useView(valueSearch);
  const choices = parts(subject);
  const by = choices.find((one) => one === view.by) ?? choices[0] ?? '';
  const metrics = partMetrics(subject, by);
  const known = [by, ...metrics].includes(view.sort?.replace(/^-/, '') ?? '');
  const sort = known ? (view.sort as string) : `-${metrics[0]}`;
  const question = partsQuestion(subject, period, by, sort);
  const { data, error, isPending, isPlaceholderData, refetch } = useReport(useProject().id, question);
  // The answer to the question before does not fit the columns.
  const isOther = isPlaceholderData && (data?.query as { dimensions?: string[] }).dimensions?.[0] !== by;
  const { source } = subject;
  const columns = useMemo(
    (): Column<ReportRow>[] => [
      {
        id: by,
        header: dimensionText(by),
        value: (row) => rowName({ source, dimensions: [by] }, row),
        cell: (row) => (
          <ValueLink
            source={source}
            dimension={by}
            value={row.dimensions[0] ?? ''}
            name={rowName({ source, dimensions: [by] }, row)}
          />
        ),
      },
      ...metrics.map((metric, at) => metricColumn<ReportRow>(metric, at, data?.totals)),
    ],
    [by, source, metrics.join(' '), data?.totals],
  );
  return (
    <Panel
      flush
      title={text.parts}
      question={question}
      tools={
        <Select
          size="xs"
          w={150}
          aria-label={text.by}
          allowDeselect={false}
          value={by}
          data={choices.map((one) => ({ value: one, label: dimensionText(one) }))}
          onChange={(next) => setView({ by: next ?? undefined, sort: undefined }, { replace: true })}
        />
      }
    >
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <DataTable
            label={dimensionText(by)}
            columns={columns}
            rows={data?.results}
            rowId={(row) => row.dimensions.join(' ')}
            sort={sort}
            onSort={(next) => setView({ sort: next }, { replace: true })}
            sortedByService
            loading={isPending || isOther}
            skeletons={6}
            stale={isPlaceholderData}
          />
          <ViewAll
            source={source}
            metrics={metrics}
            by={[by]}
            filters={[['is', subject.dimension, [subject.value]]]}
            sort={sort}
          />
        </>
      )}
    </Panel>
  );
}
