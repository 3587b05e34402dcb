/** The columns of the list: what a campaign is, its figures with their change, and what can be done with it. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Change } from '../../components/Figure';
import { metricColumn, type Column } from '../../components/table-columns';
import { useFormats } from '../../session';
import { metricText, texts } from '../../texts';
import classes from './Campaigns.module.css';
import { METRICS, type Figures } from './questions';
import { isLosing, type Row } from './rows';
import { campaigns as text } from '../../texts/campaigns';

function Value({ row, metric }: { row: Row; metric: string }) {
  const formats = useFormats();
  if (row.kind === 'note' || row.kind === 'loading') return null;
  const about = metricText(metric);
  const value = row.figures[metric];
  const isBad = (metric === 'profit' || metric === 'roas') && isLosing(row);
  return (
    <span className={classes.value}>
      {value === null || value === undefined ? (
        <Text span inherit c="dimmed">
          {texts.none}
        </Text>
      ) : (
        <span className={isBad ? classes.loss : undefined}>{formats.of(about.kind, value)}</span>
      )}
      {row.before && (
        <span className={classes.about}>
          <Change text={about} value={value} before={row.before[metric] ?? null} />
        </span>
      )}
    </span>
  );
}

const figureColumn = (metric: string, totals: Figures | undefined, shown: boolean): Column<Row> => {
  const { label, kind, about } = metricText(metric);
  return {
    ...metricColumn(metric, 0),
    header: label,
    about,
    kind,
    shown,
    value: (row: Row) => row.figures[metric],
    cell: (row: Row) => <Value row={row} metric={metric} />,
    total: totals?.[metric],
  };
};

interface Cells {
  readonly name: (row: Row) => ReactNode;
  readonly actions: (row: Row) => ReactNode;
}

/** All columns. */
export function buildColumns(totals: Figures | undefined, cells: Cells): Column<Row>[] {
  const figures = METRICS.map((metric) => figureColumn(metric.name, totals, 'shown' in metric));
  const word = (id: 'network' | 'partner' | 'channel'): Column<Row> => ({
    id,
    header: text[id],
    shown: false,
    value: (row) => (row.path.length === 1 ? row[id] : ''),
  });
  return [
    { id: 'name', header: texts.campaign, canHide: false, value: ({ name }) => name, cell: cells.name },
    word('network'),
    word('partner'),
    word('channel'),
    ...figures,
    { id: 'actions', header: '', kind: 'count', canHide: false, canSort: false, value: () => '', cell: cells.actions },
  ];
}
