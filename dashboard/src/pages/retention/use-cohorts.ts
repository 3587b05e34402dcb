/** The cohorts of the retention page: what is asked, what is drawn of it, and what its curve leads to. */
import { useCallback, useMemo } from 'react';
import { useReport } from '../../api/queries';
import { useDayActions } from '../../components/use-lead-on';
import { usePeriod } from '../../period';
import type { Static } from '../../search';
import { useFormats, useProject } from '../../session';
import { retention as text } from '../../texts/retention';
import { buildCohorts, COLUMNS, readAsked, sizesQuestion, triangleQuestion, type Cohort } from './cohorts';
import { cohortName } from './names';
import type { retentionSearch } from './search';

type View = Static<typeof retentionSearch>;
const NONE: string[] = [];

export function useCohorts({ unit, definition, horizon, filters, cohorts: drawn = NONE }: View) {
  const [period] = usePeriod();
  const { id, name: project } = useProject();
  const formats = useFormats();
  const asked = useMemo(
    () => ({ unit, definition, days: COLUMNS[horizon], period, filters }),
    [unit, definition, horizon, period, filters],
  );
  const question = triangleQuestion(asked);
  const answer = useReport(id, question);
  const { data } = answer;
  const sizes = useReport(id, sizesQuestion(asked));
  // Figures of the question before stay until the new ones are there: they are drawn by what they say of themselves.
  const shown = useMemo(() => ({ ...asked, ...(data && readAsked(data)) }), [data, asked]);
  const cohorts = useMemo(
    () => data && buildCohorts(data, sizes.isPlaceholderData ? undefined : sizes.data, shown),
    [data, sizes.data, sizes.isPlaceholderData, shown],
  );
  const name = useCallback((cohort: Cohort) => cohortName(shown.unit, cohort, formats), [shown, formats]);
  const lines = useMemo(() => {
    const inOrder = drawn.flatMap((one) => (cohorts ?? []).filter((cohort) => cohort.id === one));
    return [
      { name: text.all, values: (data?.totals ?? []).slice(1) },
      ...inOrder.map((cohort) => ({ name: name(cohort), values: cohort.cells.map(({ value }) => value) })),
    ];
  }, [cohorts, drawn, data, name]);
  const askDay = useCallback(
    (day: number, series: string) => {
      const cohort = cohorts?.find((one) => name(one) === series);
      return {
        metrics: ['installs', `${definition}_d${day}`],
        ...(filters && { filters }),
        ...(cohort && { days: { from: cohort.from, to: cohort.to } }),
      };
    },
    [cohorts, name, definition, filters],
  );
  const actions = useDayActions(askDay, shown.days);
  const captions = useMemo(
    () => ({
      above: [text.imageTitle(project, formats.day(period.from), formats.day(period.to)), text.meanings[definition]],
      below: [text.partialMark, `· ${text.openMark}`],
    }),
    [project, period, definition, formats],
  );
  return { question, answer, shown, cohorts, drawn, lines, actions, captions };
}
