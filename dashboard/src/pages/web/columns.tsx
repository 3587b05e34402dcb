/** The columns of the table: one model with its changes, or both models beside each other. */
import type { Question, ReportRow } from '../../api/queries';
import type { Changes } from '../../changes';
import { FigureCell } from '../../components/Figure';
import type { Column } from '../../components/table-columns';
import { ValueFilter } from '../../components/ValueCell';
import { rowName } from '../../names';
import type { Formats } from '../../format';
import { dimensionText, metricText, type Kind } from '../../texts';
import { web as text } from '../../texts/web';

/** A row by last touch, and the same by first touch; either is missing where there is nothing. */
export interface WebRow {
  readonly id: string;
  readonly name: string;
  readonly last: ReportRow | undefined;
  readonly first: ReportRow | undefined;
}

/** What both models have of the same channel, source or campaign, in one row. */
export function buildRows(
  question: Pick<Question, 'source' | 'dimensions'>,
  last: readonly ReportRow[] | undefined,
  first: readonly ReportRow[] | undefined,
): WebRow[] | undefined {
  if (!last && !first) return undefined;
  const rows = new Map<string, WebRow>();
  const add = (row: ReportRow, which: 'last' | 'first') => {
    const id = row.dimensions[0] as string;
    const before = rows.get(id) ?? { id, name: rowName(question, row), last: undefined, first: undefined };
    rows.set(id, { ...before, [which]: row });
  };
  for (const row of last ?? []) add(row, 'last');
  for (const row of first ?? []) add(row, 'first');
  // What only cost money stands with what brought visitors where one model has its columns of spend.
  const isSeen = ({ metrics }: ReportRow) => metrics[0] !== 0;
  return [...rows.values()].filter((row) => !last || !first || isSeen(row.last ?? (row.first as ReportRow)));
}

type OnFilter = (dimension: string, value: string) => void;

const nameColumn = (dimension: string, onFilter: OnFilter): Column<WebRow> => ({
  id: dimension,
  header: dimensionText(dimension),
  value: ({ name }) => name,
  cell: ({ id, name }) => (
    <ValueFilter source="web" dimension={dimension} value={id} name={name} onFilter={() => onFilter(dimension, id)} />
  ),
  canHide: false,
});

/** One model; `of` says which. */
export function modelColumns(
  dimension: string,
  metrics: readonly string[],
  of: 'last' | 'first',
  totals: readonly (number | null)[] | undefined,
  changes: Changes,
  onFilter: OnFilter,
): Column<WebRow>[] {
  return [
    nameColumn(dimension, onFilter),
    ...metrics.map((metric, at): Column<WebRow> => {
      const about = metricText(metric);
      return {
        id: metric,
        header: about.label,
        about: about.about,
        kind: about.kind,
        value: (row) => row[of]?.metrics[at],
        total: totals?.[at],
        cell: (row) => (
          <FigureCell
            metric={metric}
            value={row[of]?.metrics[at]}
            change={changes.read([row.id], metric)}
            compared={changes.compared}
          />
        ),
      };
    }),
  ];
}

/** Both models show these beside each other unless somebody chooses others. */
const SHOWN = ['visitors', 'signups', 'revenue'];
/** What has nothing in a model is zero, as far as it can be counted. */
const readValue = (row: ReportRow | undefined, at: number, kind: Kind) =>
  row ? row.metrics[at] : kind === 'count' || kind === 'money' ? 0 : null;

/** Both models, and what the first has more than the last. */
export function bothColumns(
  dimension: string,
  metrics: readonly string[],
  totals: readonly (number | null)[] | undefined,
  formats: Formats,
  onFilter: OnFilter,
): Column<WebRow>[] {
  const difference = (row: WebRow, at: number, kind: Kind) => {
    const [first, last] = [readValue(row.first, at, kind), readValue(row.last, at, kind)];
    return typeof first === 'number' && typeof last === 'number' ? first - last : null;
  };
  return [
    nameColumn(dimension, onFilter),
    ...metrics.flatMap((metric, at): Column<WebRow>[] => {
      const { label, kind, about } = metricText(metric);
      const common = { kind, shown: SHOWN.includes(metric), total: totals?.[at] };
      return [
        {
          ...common,
          id: `${metric}:first`,
          header: text.first(label),
          about,
          value: (r) => readValue(r.first, at, kind),
        },
        { ...common, id: `${metric}:last`, header: text.last(label), about, value: (r) => readValue(r.last, at, kind) },
        {
          ...common,
          total: undefined,
          id: `${metric}:difference`,
          header: text.difference,
          about: text.differenceAbout(label),
          value: (row) => difference(row, at, kind),
          cell: (row) => formats.difference(kind, difference(row, at, kind)),
        },
      ];
    }),
  ];
}
