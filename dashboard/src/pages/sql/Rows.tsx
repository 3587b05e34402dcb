/** The rows of a result as a table, sorted by any column. */
import { useMemo } from 'react';
import type { SqlResult } from '../../api/sql';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import type { Column } from '../../components/table-columns';
import { useView } from '../../search';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';
import { rankRows } from './order';
import { sqlSearch } from './search';
import classes from './Sql.module.css';
import { isNumeric, valueText } from './values';

const text = engineersTexts.sql;
const HEIGHT = 520;

interface Row {
  readonly at: number;
  readonly values: readonly unknown[];
}

/** Only the column that is sorted by needs to know which of its values is greater. */
function buildColumns(result: SqlResult, sort: string | undefined): Column<Row>[] {
  return result.columns.map(({ name, type }, at) => {
    const id = `${at} ${name}`;
    const ranks = sort?.replace(/^-/, '') === id ? rankRows(result.rows, at, type) : undefined;
    return {
      id,
      header: name,
      about: type,
      kind: isNumeric(type) ? 'count' : 'text',
      value: (row) => ranks?.[row.at],
      cell: ({ values }) => <span className={classes.cell}>{valueText(values[at])}</span>,
    };
  });
}

export function Rows({ result, stale }: { result: SqlResult; stale: boolean }) {
  const [{ sort }, setView] = useView(sqlSearch);
  const columns = useMemo(() => buildColumns(result, sort), [result, sort]);
  const rows = useMemo(() => result.rows.map((values, at): Row => ({ at, values })), [result]);
  return (
    <DataTable
      label={texts.result}
      columns={columns}
      rows={rows}
      rowId={({ at }) => String(at)}
      sort={columns.some(({ id }) => id === sort?.replace(/^-/, '')) ? sort : undefined}
      onSort={(next) => setView({ sort: next }, { replace: true })}
      stale={stale}
      maxHeight={HEIGHT}
      empty={<EmptyState title={text.noRows} />}
    />
  );
}
