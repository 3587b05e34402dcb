/** The figures of the period; pressing one shows its curve. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { Report } from '../../api/queries';
import { Figure, Figures } from '../../components/Figure';
import { texts } from '../../texts';

interface Props {
  readonly names: readonly string[];
  readonly answer: UseQueryResult<Report>;
  readonly chosen: string;
  readonly onChoose: (metric: string) => void;
}

export function Numbers({ names, answer: { data, isPending, error }, chosen, onChoose }: Props) {
  const row = data?.results[0];
  return (
    <Figures label={texts.titles.overview}>
      {names.map((name, at) => (
        <Figure
          key={name}
          metric={name}
          value={row?.metrics[at]}
          before={row?.comparison?.[at]}
          loading={isPending && !error}
          selected={name === chosen}
          onSelect={() => onChoose(name)}
        />
      ))}
    </Figures>
  );
}
