/** The figures at the head of a page, with their change; pressing one shows its curve. */
import { describeComparison } from '../compared';
import type { Period } from '../period';
import type { useSeries } from '../series';
import { useFormats } from '../session';
import { Figure, Figures } from './Figure';

interface Props {
  readonly label: string;
  readonly names: readonly string[];
  readonly period: Period;
  readonly series: ReturnType<typeof useSeries>;
  readonly chosen: string;
  readonly onChoose: (metric: string) => void;
  /** A line below a figure. */
  readonly note?: (metric: string) => string | undefined;
}

export function SeriesFigures({ label, names, period, series, chosen, onChoose, note }: Props) {
  const { head, figure, hour } = series;
  const compared = describeComparison(period, useFormats(), hour);
  return (
    <Figures label={label}>
      {names.map((name) => {
        const { value, change } = figure(name);
        return (
          <Figure
            key={name}
            metric={name}
            value={value}
            {...(change && { before: change.before, now: change.value })}
            compared={compared}
            note={note?.(name)}
            loading={head.isPending && !head.error}
            selected={name === chosen}
            onSelect={() => onChoose(name)}
          />
        );
      })}
    </Figures>
  );
}
