/** The figures of the period, with how much of them is organic. */
import { useReport } from '../../api/queries';
import { SeriesFigures } from '../../components/SeriesFigures';
import { ORGANIC_FIGURES, type Source } from '../../figures';
import type { Period } from '../../period';
import type { useSeries } from '../../series';
import { useFormats, useProject } from '../../session';
import { metricText, texts } from '../../texts';
import { organicQuestion } from './questions';

interface Props {
  readonly source: Source;
  readonly period: Period;
  readonly names: readonly string[];
  readonly series: ReturnType<typeof useSeries>;
  readonly chosen: string;
  readonly onChoose: (metric: string) => void;
}

export function Numbers({ source, period, ...props }: Props) {
  const formats = useFormats();
  const organic = useReport(useProject().id, source === 'app' ? organicQuestion(period) : undefined);
  const row = organic.data?.results[0]?.metrics;
  const note = (name: string) => {
    const at = (ORGANIC_FIGURES as readonly string[]).indexOf(name);
    if (at < 0 || source !== 'app') return undefined;
    return texts.organicNote(organic.data ? formats.figure(metricText(name).kind, row?.[at] ?? 0) : texts.none);
  };
  return <SeriesFigures {...props} label={texts.titles.overview} period={period} note={note} />;
}
