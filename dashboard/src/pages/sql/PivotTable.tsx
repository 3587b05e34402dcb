/** A result as a table of two of its columns, with the sums of a third, which are exact. */
import { Group, Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { SqlResult } from '../../api/sql';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import type { Column } from '../../components/table-columns';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';
import { MAX_ACROSS, pivotResult, type Pivot } from './pivot';
import classes from './Sql.module.css';
import { useDrawnColumns } from './use-drawn-columns';

const text = engineersTexts.sql;
const HEIGHT = 520;

type Line = Pivot['rows'][number];

const buildColumns = (label: string, across: readonly string[]): Column<Line>[] => [
  { id: 'label', header: label, value: (line) => line.label },
  ...across.map((head, at): Column<Line> => ({
    id: `${at} ${head}`,
    header: head,
    kind: 'count',
    value: ({ values }) => values[at],
    cell: ({ values }) => <span className={classes.cell}>{values[at] ?? texts.none}</span>,
  })),
];

export function PivotTable({ result, stale }: { result: SqlResult; stale: boolean }) {
  const { names, numbers, label, drawn, others, over, setView } = useDrawnColumns(result);
  const measure = drawn.find((name) => name !== over);
  const pivot = useMemo(
    () => (label && over && measure ? pivotResult(result, label, over, measure) : undefined),
    [result, label, over, measure],
  );
  if (!pivot || !label) return <EmptyState title={text.noPivot} />;
  const pick = (title: string, data: string[], value: string | undefined, set: (next: string) => object) => (
    <Select
      size="xs"
      label={title}
      data={[...new Set(data)]}
      value={value ?? null}
      allowDeselect={false}
      onChange={(next) => next && setView(set(next), { replace: true })}
    />
  );
  return (
    <>
      <Group gap="xs" px="md" pb="xs">
        {pick(text.rowsLabel, names, label, (x) => ({ x }))}
        {pick(text.across, others, over, (across) => ({ across }))}
        {pick(text.sums, numbers, measure, (one) => ({ y: [one] }))}
      </Group>
      {pivot.isCut && (
        <Text size="xs" c="dimmed" px="md" pb="xs" role="status">
          {text.cut(MAX_ACROSS)}
        </Text>
      )}
      <DataTable
        label={texts.result}
        columns={buildColumns(label, pivot.across)}
        rows={pivot.rows}
        rowId={(line) => line.label}
        stale={stale}
        maxHeight={HEIGHT}
        empty={<EmptyState title={text.noRows} />}
      />
    </>
  );
}
