/** The series of a chart; each can be hidden, by keyboard too. */
import { UnstyledButton } from '@mantine/core';
import { texts } from '../../texts';
import classes from './Chart.module.css';
import type { LegendItem } from './compose-image';
import { useLook, type Look } from './look';

export interface LegendProps {
  readonly names: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
  /** One for each name; without them the names take the palette's colours in their order. */
  readonly colors?: readonly string[] | undefined;
  /** What dashed lines are: `vs Oct 1 – 25`. */
  readonly comparison?: string | undefined;
  /** What is dotted, because it is not over. */
  readonly unfinished?: string | undefined;
}

export function Legend({ names, hidden, onToggle, comparison, unfinished, ...props }: LegendProps) {
  const look = useLook();
  const colors = props.colors ?? look.colors;
  return (
    <div className={classes.legend} role="group" aria-label={texts.tools.chart.series}>
      {names.map((name, at) => (
        <UnstyledButton
          key={name}
          className={classes.series}
          aria-pressed={!hidden.has(name)}
          aria-label={texts.tools.chart.show(name)}
          onClick={() => onToggle(name)}
        >
          <span className={classes.swatch} style={{ background: colors[at % colors.length] }} />
          {name}
        </UnstyledButton>
      ))}
      {comparison && (
        <span className={classes.series} data-quiet>
          <span className={classes.dashes} />
          {comparison}
        </span>
      )}
      {unfinished && (
        <span className={classes.series} data-quiet>
          <span className={classes.dots} />
          {unfinished}
        </span>
      )}
    </div>
  );
}

/** The same for an image: what is drawn, with its colours. */
export function listLegend(
  { names, hidden, colors, comparison }: Omit<LegendProps, 'onToggle'>,
  look: Look,
): LegendItem[] {
  const palette = colors ?? look.colors;
  const items = names.map((name, at) => ({ name, color: palette[at % palette.length] as string }));
  return [
    ...items.filter(({ name }) => !hidden.has(name)),
    ...(comparison ? [{ name: comparison, color: look.muted, isDashed: true }] : []),
  ];
}
