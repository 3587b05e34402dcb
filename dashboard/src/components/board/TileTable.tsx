/** The answer of a tile as figures, or as a table with its changes; a value leads to the question filtered to it. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReportRow } from '../../api/queries';
import { isTime } from '../../drill';
import { rowName } from '../../names';
import { dimensionText } from '../../texts';
import { boards as text } from '../../texts/boards';
import { DataTable } from '../DataTable';
import { Figure, FigureCell, Figures } from '../Figure';
import { metricColumn, type Column } from '../table-columns';
import type { Answered } from './tile';

export function TileFigures({ report, asked, title, readChange, compared }: Answered) {
  const [row] = report.results;
  return (
    <Figures label={title}>
      {asked.metrics.map((metric, at) => {
        const change = readChange([], metric);
        return (
          <Figure
            key={metric}
            metric={metric}
            value={row?.metrics[at] ?? null}
            before={change?.before}
            {...(change && { now: change.value })}
            compared={compared}
          />
        );
      })}
    </Figures>
  );
}

export function TileTable({ item, report, asked, title, readChange, compared, lead }: Answered) {
  const question = { source: asked.source, dimensions: [...asked.dimensions] };
  const columns: Column<ReportRow>[] = [
    ...asked.dimensions.map((dimension, at): Column<ReportRow> => ({
      id: `dimension ${dimension}`,
      header: dimensionText(dimension),
      value: (row) => rowName(question, row, at),
      cell: (row) => {
        const name = rowName(question, row, at);
        if (!lead || isTime(dimension)) return name;
        return (
          <Anchor component={Link} {...lead(item, { filter: [dimension, row.dimensions[at] ?? ''] })} inherit>
            {name}
          </Anchor>
        );
      },
    })),
    ...asked.metrics.map((metric, at) =>
      metricColumn<ReportRow>(metric, at, report.totals, {
        cell: (row) => (
          <FigureCell
            metric={metric}
            value={row.metrics[at]}
            change={readChange(row.dimensions, metric)}
            compared={compared}
          />
        ),
      }),
    ),
  ];
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={report.results}
      rowId={({ dimensions }) => dimensions.join('\n')}
      empty={
        <Text size="sm" c="dimmed" p="md">
          {text.noFigures}
        </Text>
      }
    />
  );
}
