/** A table: sorted, its columns chosen, with a head that stays, totals, and skeletons while it loads. */
import { Skeleton, Table, Text, UnstyledButton } from '@mantine/core';
import {
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { useFormats } from '../session';
import { texts } from '../texts';
import classes from './DataTable.module.css';
import { EmptyState } from './EmptyState';
import type { Column } from './table-columns';
import { TableScroll } from './TableScroll';

export interface DataTableProps<Row> {
  /** Those that are shown; `shownColumns` chooses them. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowId: (row: Row) => string;
  /** What the table is of, for readers of the screen. */
  readonly label: string;
  /** A column's id, with `-` before it for greatest first. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  /** Set where the service sorts: the rows stay in the order in which they come. */
  readonly sortedByService?: boolean;
  readonly loading?: boolean;
  /** Figures of the question before; dimmed until the new ones are there. */
  readonly stale?: boolean;
  readonly empty?: ReactNode;
  /** How high it grows before it scrolls; by default it grows with its rows. */
  readonly maxHeight?: number | string;
  /** How many skeleton rows stand while it loads. */
  readonly skeletons?: number;
  /** What the row of totals is called. */
  readonly totalsLabel?: string;
  /** Rows below the totals, which are not in them. */
  readonly footRows?: readonly Row[];
}

type Value = ReturnType<Column<unknown>['value']>;

/** Missing values come last in both orders. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true, sensitivity: 'base' });
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

const isNumber = ({ kind = 'text' }: { kind?: string }) => kind !== 'text';

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, label, sort, sortedByService = false, loading = false, maxHeight } = props;
  const { footRows = [], totalsLabel = texts.tools.table.totals } = props;
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Row> => ({
        id: column.id,
        header: column.header,
        accessorFn: (row) => column.value(row) ?? undefined,
        sortFn: (a, b, id) => compare(a.getValue(id), b.getValue(id)),
        sortUndefined: 'last',
        enableSorting: column.canSort !== false,
      })),
    [columns],
  );
  const data = useMemo(() => [...(rows ?? [])], [rows]);
  const sorting = useMemo(() => (sort ? [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }] : []), [sort]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    manualSorting: sortedByService,
    state: { sorting },
  });
  const hasTotals = columns.some(({ total }) => total !== undefined) && data.length > 0;
  if (!loading && data.length + footRows.length === 0)
    return props.empty ?? <EmptyState title={texts.tools.table.empty} />;
  return (
    <TableScroll label={label} maxHeight={maxHeight} className={classes.scroll}>
      <Table
        aria-label={label}
        aria-busy={loading}
        highlightOnHover
        stickyHeader={maxHeight !== undefined}
        className={classes.table}
        data-stale={props.stale || undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={props.onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {loading
            ? Array.from({ length: props.skeletons ?? 8 }, (_, at) => <SkeletonRow key={at} columns={columns} />)
            : table.getRowModel().rows.map((row) => <BodyRow key={row.id} columns={columns} row={row.original} />)}
        </Table.Tbody>
        {(hasTotals || footRows.length > 0) && !loading && (
          <Table.Tfoot className={classes.totals}>
            {hasTotals && (
              <Table.Tr>
                {columns.map((column, at) => (
                  <Cell key={column.id} column={column}>
                    {at === 0 && column.total === undefined ? (
                      totalsLabel
                    ) : (
                      <Shown column={column} value={column.total} isTotal />
                    )}
                  </Cell>
                ))}
              </Table.Tr>
            )}
            {footRows.map((row) => (
              <BodyRow key={rowId(row)} columns={columns} row={row} />
            ))}
          </Table.Tfoot>
        )}
      </Table>
    </TableScroll>
  );
}

const BodyRow = <Row,>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) => (
  <Table.Tr>
    {columns.map((column) => (
      <Cell key={column.id} column={column}>
        {column.cell ? column.cell(row) : <Shown column={column} value={column.value(row)} />}
      </Cell>
    ))}
  </Table.Tr>
);

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const isSorted = sort?.replace(/^-/, '') === column.id;
  const isDown = isSorted && sort?.startsWith('-');
  const order = isDown ? 'descending' : 'ascending';
  // At first numbers are sorted from the greatest, and names from the letter A.
  const next = isSorted ? (isDown ? column.id : `-${column.id}`) : `${isNumber(column) ? '-' : ''}${column.id}`;
  const Arrow = isDown ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th scope="col" aria-sort={isSorted ? order : undefined} data-number={isNumber(column) || undefined}>
      {onSort && column.canSort !== false ? (
        <UnstyledButton className={classes.sort} onClick={() => onSort(next)} title={column.about}>
          {column.header}
          {isSorted && <Arrow size={13} aria-hidden />}
        </UnstyledButton>
      ) : (
        <span title={column.about}>{column.header}</span>
      )}
    </Table.Th>
  );
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  return <Table.Td data-number={isNumber(column) || undefined}>{children}</Table.Td>;
}

function Shown<Row>({ column, value, isTotal }: { column: Column<Row>; value: Value; isTotal?: boolean }) {
  const formats = useFormats();
  if (value === undefined && isTotal) return null;
  if (typeof value === 'number' && column.kind && column.kind !== 'text') return formats.of(column.kind, value);
  if (value !== null && value !== undefined && value !== '') return value;
  return (
    <Text span c="dimmed" inherit>
      {texts.none}
    </Text>
  );
}

const SkeletonRow = <Row,>({ columns }: { columns: readonly Column<Row>[] }) => (
  <Table.Tr>
    {columns.map((column) => (
      <Cell key={column.id} column={column}>
        <Skeleton height={12} my={5} width={isNumber(column) ? 52 : 140} ml={isNumber(column) ? 'auto' : undefined} />
      </Cell>
    ))}
  </Table.Tr>
);
