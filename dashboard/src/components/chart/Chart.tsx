/**
 * A chart of ECharts: loaded when it is needed, of fixed height so that nothing jumps, in light and dark, as PNG, and
 * with the same figures as a table for all who cannot see or point at it.
 */
import { ActionIcon, Menu, Skeleton, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import type { EChartsOption } from 'echarts';
import type { EChartsType } from 'echarts/core';
import { IconChartLine, IconTable } from '@tabler/icons-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../texts';
import { notes as pointTexts } from '../../texts/notes';
import classes from './Chart.module.css';
import { offerImage } from './image';
import { baseOption, useLook, type Look } from './look';

const text = texts.tools.chart;

/** What a point leads to. */
export interface PointAction {
  readonly label: string;
  readonly run: () => void;
}

export interface ChartProps {
  /** What the chart shows; also the name of its image. */
  readonly title: string;
  /** Made anew for every look; keep it stable with useCallback. */
  readonly option: (look: Look) => EChartsOption;
  /** The same figures as a table: a DataTable. */
  readonly table: ReactNode;
  readonly height?: number;
  readonly loading?: boolean;
  /** Whether there is nothing to draw. */
  readonly empty?: boolean;
  readonly stale?: boolean;
  /** Called with the place of a label, and the name of a series or label, where either is pressed. */
  readonly onPoint?: (at: number, series: string) => void;
  /** What a point leads to: one thing at once, of several a menu is shown. */
  readonly actions?: (at: number, series: string) => readonly PointAction[];
  /** Instead of saying that there are no figures. */
  readonly emptyText?: string;
  /** For example a Legend; at the left, above the chart. */
  readonly legend?: ReactNode;
}

export function Chart({ height = 280, loading = false, empty = false, ...props }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const label = isTable ? text.asChart : text.asTable;
  return (
    <figure className={classes.figure} aria-label={props.title}>
      <div className={classes.bar}>
        {props.legend}
        <Tooltip label={label}>
          <ActionIcon ml="auto" size="sm" aria-label={label} onClick={() => setTable(!isTable)}>
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
            height={height}
          />
        )}
      </div>
    </figure>
  );
}

type DrawingProps = Pick<ChartProps, 'title' | 'option' | 'onPoint' | 'actions'> & { height: number };

/** A point that has been chosen, and where it is. */
interface Chosen {
  readonly at: number;
  readonly series: string;
  readonly x: number;
  readonly y: number;
}

function Drawing({ title, option, onPoint, actions, height }: DrawingProps) {
  const look = useLook();
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType>();
  const [menu, setMenu] = useState<Chosen>();
  const [said, setSaid] = useState('');
  const pointed = useRef<number>(undefined);
  const isPressed = onPoint !== undefined || actions !== undefined;
  const press = useRef<(chosen: Chosen) => void>(() => undefined);
  press.current = (chosen) => {
    if (onPoint) return onPoint(chosen.at, chosen.series);
    const [first, ...more] = actions?.(chosen.at, chosen.series) ?? [];
    if (first && more.length === 0) first.run();
    else if (first) setMenu(chosen);
  };
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    // Keys that are pressed in the menu come here as well, though it is elsewhere in the document: they are its own.
    if (!event.currentTarget.contains(event.target as Node)) return;
    const { data = [] } = (chart?.getOption()?.xAxis as { data?: unknown[] }[] | undefined)?.[0] ?? {};
    if (!chart || data.length === 0) return;
    const last = data.length - 1;
    const at = pointed.current;
    const next = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      pointed.current = Math.min(last, Math.max(0, next));
      chart.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: pointed.current });
      setSaid(String(data[pointed.current]));
    } else if ((event.key === 'Enter' || event.key === ' ') && at !== undefined) {
      event.preventDefault();
      const x = chart.convertToPixel({ xAxisIndex: 0 }, at);
      press.current({ at, series: '', x: Number(x), y: 24 });
    }
  };
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    let made: EChartsType | undefined;
    let isGone = false;
    void import('./echarts').then(({ init }) => {
      if (isGone) return;
      made = init(target);
      setChart(made);
    });
    const observer = new ResizeObserver(() => made?.resize());
    observer.observe(target);
    return () => {
      isGone = true;
      observer.disconnect();
      made?.dispose();
    };
  }, []);
  useEffect(() => {
    chart?.setOption({ ...baseOption(look), ...option(look) }, { notMerge: true });
  }, [chart, look.scheme, option]);
  useEffect(() => {
    if (!chart || !isPressed) return undefined;
    type Pressed = { dataIndex?: number; seriesName?: string };
    // The chart tells first which series it is, if any; then it is known where that was.
    let hit: Pressed | undefined;
    const listen = (pressed: Pressed) => {
      hit = pressed;
    };
    // Wherever it is pressed above a label, not only on the thin line of a series.
    const listenAbove = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
      const { dataIndex, seriesName = '' } = hit ?? {};
      hit = undefined;
      if (dataIndex === undefined && !chart.containPixel('grid', [offsetX, offsetY])) return;
      const [x] = chart.convertFromPixel('grid', [offsetX, offsetY]);
      const at = dataIndex ?? (x === undefined ? undefined : Math.round(x));
      if (at !== undefined) press.current({ at, series: seriesName, x: offsetX, y: offsetY });
    };
    chart.on('click', listen);
    chart.getZr().on('click', listenAbove);
    return () => {
      chart.off('click', listen);
      if (!chart.isDisposed()) chart.getZr().off('click', listenAbove);
    };
  }, [chart, isPressed]);
  useEffect(() => {
    if (!chart) return undefined;
    return offerImage({ title, image: () => chart.getDataURL({ pixelRatio: 2, backgroundColor: look.surface }) });
  }, [chart, title, look.surface]);
  const drawn = <div ref={element} role="img" aria-label={text.description(title)} style={{ height }} />;
  if (!isPressed) return drawn;
  return (
    <div
      role="group"
      tabIndex={0}
      aria-label={pointTexts.keys(title)}
      className={classes.points}
      onKeyDown={move}
      onBlur={() => chart?.dispatchAction({ type: 'hideTip' })}
    >
      {drawn}
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
      <Menu
        opened={menu !== undefined}
        onClose={() => setMenu(undefined)}
        position="bottom-start"
        shadow="md"
        // The first of the actions is next, not an element that is none.
        withInitialFocusPlaceholder={false}
        // Without keys: the one that opens it at the chart would be outside, and close it.
        clickOutsideEvents={['mousedown', 'touchstart']}
      >
        <Menu.Target>
          <span aria-hidden className={classes.anchor} style={{ left: menu?.x ?? 0, top: menu?.y ?? 0 }} />
        </Menu.Target>
        <Menu.Dropdown>
          {menu &&
            actions?.(menu.at, menu.series).map(({ label, run }) => (
              <Menu.Item key={label} onClick={run}>
                {label}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
