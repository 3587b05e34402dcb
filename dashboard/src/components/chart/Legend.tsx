/** The series of a chart; each can be hidden, by keyboard too. */
import { UnstyledButton } from '@mantine/core';
import { texts } from '../../texts';
import classes from './Chart.module.css';
import { useLook } from './look';

interface Props {
  readonly names: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
  readonly hasComparison?: boolean;
}

export function Legend({ names, hidden, onToggle, hasComparison = false }: Props) {
  const { colors } = useLook();
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
      {hasComparison && (
        <span className={classes.series} data-quiet>
          <span className={classes.dashes} />
          {texts.period.comparison}
        </span>
      )}
    </div>
  );
}
