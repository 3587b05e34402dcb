/** The greatest of a dimension. */
import { useMemo, useState } from 'react';
import { useReport, type Question, type ReportRow } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { metricColumn, type Column } from '../../components/table-columns';
import { ValueLink, ViewAll } from '../../components/ValueCell';
import { rowName } from '../../names';
import type { Period } from '../../period';
import { useProject } from '../../session';
import { dimensionText } from '../../texts';
import { topMetrics, type Source } from '../../figures';
import { ROWS, topQuestion, type TopList } from './questions';

interface Props extends TopList {
  readonly source: Source;
  readonly period: Period;
}

/** The height of the head and all rows: a list does not shrink when it has loaded. */
const HEIGHT = 36 + ROWS * 33 + 38;

export function Top({ source, period, dimension, title }: Props) {
  const metrics = topMetrics(source, dimension);
  const [sort, setSort] = useState(`-${metrics[0]}`);
  const question = useMemo(() => topQuestion(source, period, dimension), [source, period, dimension]);
  const sorted: Question = {
    ...question,
    order_by: [[sort.replace(/^-/, ''), sort.startsWith('-') ? 'desc' : 'asc']],
  };
  const { data, error, isPending, isPlaceholderData, refetch } = useReport(useProject().id, sorted);
  const columns = useMemo(
    (): Column<ReportRow>[] => [
      {
        id: dimension,
        header: dimensionText(dimension),
        value: (row) => rowName(question, row),
        cell: (row) => (
          <ValueLink
            source={source}
            dimension={dimension}
            value={row.dimensions[0] ?? ''}
            name={rowName(question, row)}
          />
        ),
      },
      ...metrics.map((metric, at) => metricColumn<ReportRow>(metric, at)),
    ],
    [source, dimension, metrics, question],
  );
  return (
    <Panel title={title} question={sorted} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <div style={{ minHeight: HEIGHT }}>
          <DataTable
            label={title}
            columns={columns}
            rows={data?.results}
            rowId={(row) => row.dimensions.join(' ')}
            sort={sort}
            onSort={setSort}
            sortedByService
            loading={isPending}
            skeletons={ROWS}
            stale={isPlaceholderData}
          />
          {data && data.meta.rows > 0 && <ViewAll source={source} metrics={metrics} by={[dimension]} sort={sort} />}
        </div>
      )}
    </Panel>
  );
}
