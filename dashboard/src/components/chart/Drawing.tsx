/** What ECharts draws, and what its points lead to: by the pointer and by keys. */
import { Menu, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { texts } from '../../texts';
import { notes as pointTexts } from '../../texts/notes';
import classes from './Chart.module.css';
import { offerImage } from './image';
import { listLegend, type LegendProps } from './Legend';
import { useLook } from './look';
import { listenToPresses, findPoint, useEChart, type MakeOption, type Point } from './use-echart';

/** What a point leads to. */
export interface PointAction {
  readonly label: string;
  readonly run: () => void;
}

export interface DrawingProps {
  /** What the chart shows; also the name of its image. */
  readonly title: string;
  /** Made anew for every look; keep it stable with useCallback. */
  readonly option: MakeOption;
  /** Called with the place of a label, and the name of a series or label, where either is pressed. */
  readonly onPoint?: (at: number, series: string) => void;
  /** What a point leads to: one thing at once, of several a menu is shown. */
  readonly actions?: (at: number, series: string) => readonly PointAction[];
  /** For its image. */
  readonly legend?: LegendProps | undefined;
  readonly height: number;
}

const NO_LEGEND: Pick<LegendProps, 'names' | 'hidden' | 'colors' | 'comparison'> = { names: [], hidden: new Set() };

export function Drawing({ title, option, onPoint, actions, legend, height }: DrawingProps) {
  const look = useLook();
  const { element, chart } = useEChart(look, option);
  const [menu, setMenu] = useState<Point>();
  const [said, setSaid] = useState('');
  const pointed = useRef<number>(undefined);
  const isPressed = onPoint !== undefined || actions !== undefined;
  const press = useRef<(point: Point) => void>(() => undefined);
  press.current = (point) => {
    if (onPoint) return onPoint(point.at, point.series);
    const [first, ...more] = actions?.(point.at, point.series) ?? [];
    if (first && more.length === 0) first.run();
    else if (first) setMenu(point);
  };
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    // Keys that are pressed in the menu come here as well, though it is elsewhere in the document: they are its own.
    if (!chart || !event.currentTarget.contains(event.target as Node)) return;
    const step = findPoint(chart, event.key, pointed.current);
    if (!step) return;
    event.preventDefault();
    if (step.isPressed) return press.current(step.point);
    pointed.current = step.point.at;
    chart.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: step.point.at });
    setSaid(step.label);
  };
  useEffect(
    () => (chart && isPressed ? listenToPresses(chart, (point) => press.current(point)) : undefined),
    [chart, isPressed],
  );
  const { names, hidden, colors, comparison } = legend ?? NO_LEGEND;
  const items = useMemo(
    () => listLegend({ names, hidden, colors, comparison }, look),
    [names.join('\n'), hidden, colors?.join(), comparison, look.scheme],
  );
  useEffect(() => {
    if (!chart) return undefined;
    const image = () => chart.getDataURL({ pixelRatio: 2, backgroundColor: look.surface });
    return offerImage({ title, legend: items, image });
  }, [chart, title, look.surface, items]);
  const drawn = <div ref={element} role="img" aria-label={texts.tools.chart.description(title)} style={{ height }} />;
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
      <PointMenu point={menu} actions={menu && actions?.(menu.at, menu.series)} onClose={() => setMenu(undefined)} />
    </div>
  );
}

interface PointMenuProps {
  readonly point: Point | undefined;
  readonly actions: readonly PointAction[] | undefined;
  readonly onClose: () => void;
}

function PointMenu({ point, actions, onClose }: PointMenuProps) {
  return (
    <Menu
      opened={point !== undefined}
      onClose={onClose}
      position="bottom-start"
      shadow="md"
      // The first of the actions is next, not an element that is none.
      withInitialFocusPlaceholder={false}
      // Without keys: the one that opens it at the chart would be outside, and close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        <span aria-hidden className={classes.anchor} style={{ left: point?.x ?? 0, top: point?.y ?? 0 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions?.map(({ label, run }) => (
          <Menu.Item key={label} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
