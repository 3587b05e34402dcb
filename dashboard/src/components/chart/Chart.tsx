/**
 * A chart of ECharts: loaded when it is needed, of fixed height so that nothing jumps, in light and dark, as PNG, and
 * with the same figures as a table for all who cannot see or point at it.
 */
import { ActionIcon, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconChartLine, IconTable } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts';
import classes from './Chart.module.css';
import { Drawing, type DrawingProps } from './Drawing';
import { Legend } from './Legend';

const text = texts.tools.chart;

export interface ChartProps extends Omit<DrawingProps, 'height'> {
  /** The same figures as a table: a DataTable. */
  readonly table: ReactNode;
  readonly height?: number;
  readonly loading?: boolean;
  /** Whether there is nothing to draw. */
  readonly empty?: boolean;
  readonly stale?: boolean;
  /** Instead of saying that there are no figures. */
  readonly emptyText?: string;
}

export function Chart({ height = 280, loading = false, empty = false, ...props }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const label = isTable ? text.asChart : text.asTable;
  return (
    <figure className={classes.figure} aria-label={props.title}>
      <div className={classes.bar}>
        {props.legend && <Legend {...props.legend} />}
        <Tooltip label={label}>
          <ActionIcon ml="auto" size="sm" data-print="hidden" aria-label={label} onClick={() => setTable(!isTable)}>
            {isTable ? <IconChartLine size={16} /> : <IconTable size={16} />}
          </ActionIcon>
        </Tooltip>
      </div>
      <div style={{ height }} className={classes.area} data-stale={props.stale || undefined}>
        {loading && <Skeleton height={height} />}
        {!loading && empty && (
          <Text size="sm" c="dimmed" className={classes.empty}>
            {props.emptyText ?? text.empty}
          </Text>
        )}
        {!loading && !empty && isTable && (
          <div className={classes.table} tabIndex={0} role="region" aria-label={props.title}>
            {props.table}
          </div>
        )}
        {!loading && !empty && !isTable && (
          <Drawing
            title={props.title}
            option={props.option}
            onPoint={props.onPoint}
            actions={props.actions}
            legend={props.legend}
            height={height}
          />
        )}
      </div>
    </figure>
  );
}
