/** The figures of a partner by what the first columns say. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { readCount, figureText, type Counts, type FigureName } from './figures';

const SHOWN: readonly FigureName[] = [
  'clicks',
  'impressions',
  'ctv_impressions',
  'refused',
  'installs',
  'signups',
  'events',
];

export const FIGURE_COLUMNS = SHOWN.map((name): Column<Counts> => {
  const { label, about } = figureText(name);
  return { id: name, header: label, about, kind: 'count', value: (row) => readCount(row, name) };
});

interface Props<Row extends object> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly answer: UseQueryResult<unknown>;
  readonly rows: readonly Row[] | undefined;
  readonly rowId: (row: Row) => string;
  readonly initialSort: string;
}

export function FiguresTable<Row extends object>({ title, columns, answer, rows, rowId, initialSort }: Props<Row>) {
  const [sort, setSort] = useState(initialSort);
  const { error, isPending, isPlaceholderData, refetch } = answer;
  return (
    <Panel title={title} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          rowId={rowId}
          sort={sort}
          onSort={setSort}
          loading={isPending}
          stale={isPlaceholderData}
          skeletons={3}
        />
      )}
    </Panel>
  );
}
