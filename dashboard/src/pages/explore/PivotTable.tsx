/** The answer as a pivot table: the values of the last dimension are its columns. */
import { Group, Select, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useReport } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import type { Column } from '../../components/table-columns';
import { ValueFilter } from '../../components/ValueCell';
import { isTime } from '../../drill';
import { rowName } from '../../names';
import type { Period } from '../../period';
import { useProject } from '../../session';
import { dimensionText, metricText, texts } from '../../texts';
import { explore as text } from '../../texts/explore';
import { buildPivot, type PivotRow } from './pivot';
import { pivotQuestions, readDimensions, readMetric, readMetrics, type View } from './questions';

interface Props {
  readonly view: View;
  readonly period: Period;
  readonly onFilter: (dimension: string, value: string) => void;
  readonly onChange: (changes: Partial<View>) => void;
}

const TOTAL = '\u0000total';

/** The answers to the three questions of a pivot table, put together once all are there. */
function usePivot(view: View, period: Period) {
  const { id } = useProject();
  const questions = pivotQuestions(view, period);
  const [cells, rows, columns] = [
    useReport(id, questions.cells),
    useReport(id, questions.rows),
    useReport(id, questions.columns),
  ];
  const answers = [cells, rows, columns];
  const isStale = answers.some(({ isPlaceholderData }) => isPlaceholderData);
  const failed = answers.find(({ error }) => error);
  const pivot = useMemo(
    () =>
      cells.data && rows.data && columns.data && !isStale ? buildPivot(cells.data, rows.data, columns.data) : undefined,
    [cells.data, rows.data, columns.data, isStale],
  );
  return { pivot, failed };
}

interface Shown {
  readonly by: readonly string[];
  readonly metric: string;
  readonly source: View['source'];
}

function buildColumns(
  { by, metric, source }: Shown,
  pivot: ReturnType<typeof usePivot>['pivot'],
  onFilter: Props['onFilter'],
): Column<PivotRow>[] {
  const { kind } = metricText(metric);
  const leading = by.slice(0, -1);
  const name = (row: PivotRow, at: number) => rowName({ source, dimensions: [...leading] }, row.row, at);
  return [
    ...leading.map((dimension, at): Column<PivotRow> => ({
      id: dimension,
      header: dimensionText(dimension),
      value: (row) => (isTime(dimension) ? row.row.dimensions[at] : name(row, at)),
      cell: (row) => (
        <ValueFilter
          source={source}
          dimension={dimension}
          value={row.row.dimensions[at] ?? ''}
          name={name(row, at)}
          onFilter={() => onFilter(dimension, row.row.dimensions[at] ?? '')}
        />
      ),
    })),
    ...(pivot?.columns ?? []).map((column): Column<PivotRow> => ({
      id: `=${column.id}`,
      header: rowName({ source, dimensions: [by.at(-1) ?? ''] }, column.row),
      kind,
      value: (row) => row.cells.get(column.id),
      total: column.total,
    })),
    { id: TOTAL, header: texts.tools.table.totals, kind, value: (row) => row.total, total: pivot?.total },
  ];
}

export function PivotTable({ view, period, onFilter, onChange }: Props) {
  const { pivot, failed } = usePivot(view, period);
  const [sort, setSort] = useState<string>();
  const metric = readMetric(view);
  const by = readDimensions(view);
  const columns = useMemo(
    () => buildColumns({ by, metric, source: view.source }, pivot, onFilter),
    [by.join('\n'), metric, pivot, view.source, onFilter],
  );
  if (failed) return <ErrorBox error={failed.error} onRetry={() => void failed.refetch()} />;
  return (
    <>
      <Group gap="xs" px="md" pb="xs">
        {readMetrics(view).length > 1 && (
          <Select
            size="xs"
            aria-label={text.metric}
            allowDeselect={false}
            value={metric}
            data={readMetrics(view).map((value) => ({ value, label: metricText(value).label }))}
            onChange={(next) => onChange({ metric: next ?? undefined })}
          />
        )}
        <Text size="xs" c="dimmed">
          {text.pivotAbout(metricText(metric).label)}
          {pivot?.isCut && ` ${text.pivotCut}`}
        </Text>
      </Group>
      <DataTable
        label={text.tables.pivot}
        columns={columns}
        rows={pivot?.rows}
        rowId={(row) => row.id}
        sort={sort}
        onSort={setSort}
        loading={!pivot}
        maxHeight="70vh"
      />
    </>
  );
}
