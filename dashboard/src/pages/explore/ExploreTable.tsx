/** The rows of the answer with their totals and changes, or as a pivot table. */
import { SegmentedControl, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Question, Report, ReportRow } from '../../api/queries';
import { useChanges, type Changes } from '../../changes';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { FigureCell } from '../../components/Figure';
import { Panel } from '../../components/Panel';
import { metricColumn, type Column } from '../../components/table-columns';
import { ValueFilter } from '../../components/ValueCell';
import { filterTo, type Source } from '../../drill';
import { rowName } from '../../names';
import type { Period } from '../../period';
import { useFormats } from '../../session';
import { dimensionText, metricText, texts } from '../../texts';
import { explore as text } from '../../texts/explore';
import { choices } from './choices';
import { PivotTable } from './PivotTable';
import { readDimensions, readSort, type View } from './questions';

interface Props {
  readonly view: View;
  readonly period: Period;
  readonly question: Question;
  readonly answer: UseQueryResult<Report>;
  readonly onChange: (changes: Partial<View>) => void;
}

export function ExploreTable({ view, period, question, answer, onChange }: Props) {
  const formats = useFormats();
  const { data, isPending, isPlaceholderData } = answer;
  const changes = useChanges(question, period);
  const isPivot = view.table === 'pivot' && readDimensions(view).length > 1;
  const filter = (dimension: string, value: string) => onChange({ filters: filterTo(view.filters, dimension, value) });
  return (
    <Panel
      flush
      title={
        data ? texts.tools.table.rows(formats.count(data.results.length), formats.count(data.meta.rows)) : text.table
      }
      question={question}
      tools={
        <SegmentedControl
          size="xs"
          aria-label={text.table}
          value={view.table}
          data={choices(text.tables)}
          onChange={(table) => onChange({ table })}
        />
      }
    >
      {view.table === 'pivot' && !isPivot && (
        <Text size="sm" c="dimmed" px="md" pb="xs">
          {text.pivotNeeds}
        </Text>
      )}
      {isPivot ? (
        <PivotTable view={view} period={period} onFilter={filter} onChange={onChange} />
      ) : (
        <Rows
          report={data}
          changes={changes}
          sort={readSort(view)}
          onSort={(sort) => onChange({ sort })}
          onFilter={filter}
          loading={isPending}
          stale={isPlaceholderData}
        />
      )}
      <Notes report={data} isPivot={isPivot} />
    </Panel>
  );
}

function Notes({ report, isPivot }: { report: Report | undefined; isPivot: boolean }) {
  const formats = useFormats();
  if (!report) return null;
  const { unknown, unconverted_currencies, rows } = report.meta;
  const notes = [
    ...(rows > report.results.length && !isPivot
      ? [text.cut(formats.count(report.results.length), formats.count(rows))]
      : []),
    ...(unknown ? [text.unknown(unknown.map((one) => metricText(one).label).join(', '))] : []),
    ...(unconverted_currencies ? [texts.overview.unconverted(unconverted_currencies.join(', '))] : []),
  ];
  return notes.map((note) => (
    <Text key={note} size="xs" c="dimmed" px="md" py={6}>
      {note}
    </Text>
  ));
}

interface RowsProps {
  readonly report: Report | undefined;
  readonly changes: Changes;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onFilter: (dimension: string, value: string) => void;
  readonly loading: boolean;
  readonly stale: boolean;
}

/** The columns are those of the answer: while another question is asked, its figures stay as they are. */
function Rows({ report, changes, sort, onSort, onFilter, loading, stale }: RowsProps) {
  const columns = useMemo((): Column<ReportRow>[] => {
    const { source, dimensions, metrics } = (report?.query ?? { dimensions: [], metrics: [] }) as unknown as {
      source: Source;
      dimensions: string[];
      metrics: string[];
    };
    return [
      ...dimensions.map((dimension, at): Column<ReportRow> => ({
        id: dimension,
        header: dimensionText(dimension),
        value: (row) => rowName({ source, dimensions }, row, at),
        cell: (row) => (
          <ValueFilter
            source={source}
            dimension={dimension}
            value={row.dimensions[at] ?? ''}
            name={rowName({ source, dimensions }, row, at)}
            onFilter={() => onFilter(dimension, row.dimensions[at] ?? '')}
          />
        ),
      })),
      ...metrics.map((metric, at) =>
        metricColumn<ReportRow>(metric, at, report?.totals, {
          cell: (row) => (
            <FigureCell
              metric={metric}
              value={row.metrics[at]}
              change={changes.read(row.dimensions, metric)}
              compared={changes.compared}
            />
          ),
        }),
      ),
    ];
  }, [report, changes, onFilter]);
  return (
    <DataTable
      label={text.table}
      columns={columns}
      rows={report?.results}
      rowId={(row) => row.dimensions.join('\n')}
      sort={sort}
      onSort={onSort}
      sortedByService
      loading={loading}
      stale={stale}
      maxHeight="70vh"
      empty={<EmptyState title={text.empty} text={texts.noMatchText} />}
    />
  );
}
