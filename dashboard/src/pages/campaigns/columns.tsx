/** The columns of the list: what a campaign is, its figures with their change, and what can be done with it. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Change } from '../../components/Figure';
import type { Compared } from '../../compared';
import { metricColumn, type Column } from '../../components/table-columns';
import { CAMPAIGN_METRICS, readHorizon } from '../../figures';
import { useFormats } from '../../session';
import { metricText, texts } from '../../texts';
import classes from './Campaigns.module.css';
import type { Figures } from './questions';
import type { Row } from './rows';
import { campaigns as text } from '../../texts/campaigns';

interface ValueProps extends Shown {
  readonly row: Row;
  readonly metric: string;
}

function Value({ row, metric, horizon, compared }: ValueProps) {
  const formats = useFormats();
  if (row.kind === 'note' || row.kind === 'loading') return null;
  const about = metricText(metric);
  const value = row.figures[metric];
  const day = readHorizon(metric);
  const mature = day === undefined ? undefined : row.figures[`mature_d${day}`];
  const change = day === undefined ? row.change?.(metric) : undefined;
  const isBad = row.verdict === 'below' && metric === `roas_d${horizon}`;
  return (
    <span className={classes.value}>
      {value === null || value === undefined ? (
        <Text span inherit c="dimmed">
          {texts.none}
        </Text>
      ) : (
        <span className={isBad ? classes.loss : undefined}>{formats.of(about.kind, value)}</span>
      )}
      {typeof mature === 'number' && mature < 100 && (
        <span className={classes.about}>{text.mature(formats.whole(mature))}</span>
      )}
      {change && (
        <span className={classes.about}>
          <Change text={about} value={change.value} before={change.before} compared={compared} />
        </span>
      )}
    </span>
  );
}

const figureColumn = (metric: string, isShown: boolean, { totals, ...shown }: Shown): Column<Row> => {
  const { label, kind, about } = metricText(metric);
  return {
    ...metricColumn(metric, 0),
    header: label,
    about,
    kind,
    shown: isShown,
    value: (row: Row) => row.figures[metric],
    cell: (row: Row) => <Value row={row} metric={metric} {...shown} />,
    total: totals?.[metric],
  };
};

/** What the figures are shown with. */
interface Shown {
  readonly totals?: Figures | undefined;
  /** The day by which campaigns are judged. */
  readonly horizon?: number;
  readonly compared?: Compared | undefined;
}

interface Cells {
  readonly name: (row: Row) => ReactNode;
  readonly actions: (row: Row) => ReactNode;
}

/** All columns. */
export function buildColumns(cells: Cells, shown: Shown = {}): Column<Row>[] {
  const figures = CAMPAIGN_METRICS.map((metric) =>
    figureColumn(metric.name, 'shown' in metric || metric.name === `roas_d${shown.horizon}`, shown),
  );
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
