/** The series of a chart; each can be hidden, by keyboard too. */
import { UnstyledButton } from '@mantine/core';
import { texts } from '../../texts';
import classes from './Chart.module.css';
import { useLook } from './look';

interface Props {
  readonly names: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
  /** One for each name; without them the names take the palette's colours in their order. */
  readonly colors?: readonly string[];
  /** What dashed lines are: `vs Oct 1 – 25`. */
  readonly comparison?: string | undefined;
  /** What is dotted, because it is not over. */
  readonly unfinished?: string | undefined;
}

export function Legend({ names, hidden, onToggle, comparison, unfinished, ...props }: Props) {
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
