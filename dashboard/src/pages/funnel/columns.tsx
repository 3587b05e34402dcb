/** The columns of the table of a funnel, and the rows of its file. */
import type { CsvRow } from '../../components/files';
import type { Column } from '../../components/table-columns';
import { ValueFilter } from '../../components/ValueCell';
import { rowName, valueName } from '../../names';
import { dimensionText } from '../../texts';
import { funnel as text } from '../../texts/funnel';
import { nameStep, type FunnelAnswer, type FunnelQuestion } from './steps';

type Row = FunnelAnswer['results'][number];

export function buildColumns(
  { steps, dimensions = [] }: FunnelQuestion,
  onFilter: (value: string) => void,
): Column<Row>[] {
  const [by = ''] = dimensions;
  const name = (row: Row) => valueName('app', by, row.dimensions[0] ?? '', row.labels[0]);
  return [
    {
      id: 'name',
      header: dimensionText(by),
      value: name,
      cell: (row) => (
        <ValueFilter
          source="app"
          dimension={by}
          value={row.dimensions[0] ?? ''}
          name={name(row)}
          onFilter={() => onFilter(row.dimensions[0] ?? '')}
        />
      ),
    },
    ...steps.map((step, at): Column<Row> => ({
      id: String(at),
      header: nameStep(step),
      kind: 'count',
      value: (row) => row.steps[at]?.installs,
    })),
    {
      id: 'conversion',
      header: text.conversion,
      kind: 'percent',
      value: (row) => row.steps.at(-1)?.conversion,
    },
    {
      id: 'median',
      header: text.medianColumn,
      about: text.medianAbout,
      kind: 'seconds',
      value: (row) => row.steps.at(-1)?.median_seconds,
    },
  ];
}

/** A row for each group and step. */
export const toCsvRows = ({ results, totals }: FunnelAnswer, { steps, dimensions = [] }: FunnelQuestion): CsvRow[] =>
  [...results, { dimensions: [], labels: [], steps: totals }].flatMap((row) =>
    row.steps.map((figures, at) => ({
      ...Object.fromEntries(
        dimensions.map((dimension, i) => [
          dimension,
          row.dimensions.length === 0 ? text.all : rowName({ source: 'app', dimensions }, { ...row, metrics: [] }, i),
        ]),
      ),
      step: steps[at] ?? '',
      ...figures,
    })),
  );
