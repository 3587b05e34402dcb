/** Retention of app installs: a triangle of cohorts and their curve. */
import { Button } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useReport } from '../../api/queries';
import { FirstEvent } from '../../components/FirstEvent';
import { DayCurve } from '../../components/cohorts/DayCurve';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PeriodPicker } from '../../components/PeriodPicker';
import { useDayActions } from '../../components/use-lead-on';
import { ViewTools } from '../../components/ViewTools';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { readAsked, buildCohorts, COLUMNS, findGreatest, sizesQuestion, triangleQuestion } from './cohorts';
import { Controls } from './Controls';
import { cohortName } from './names';
import { MAX_DRAWN, retentionSearch } from './search';
import { Legend, Triangle } from './Triangle';
import { retention as text } from '../../texts/retention';

export default function Retention() {
  const [{ unit, definition, horizon, filters, cohorts: drawn = [] }, setView] = useView(retentionSearch);
  const [period] = usePeriod();
  const { id, name: project } = useProject();
  const formats = useFormats();
  const days = COLUMNS[horizon];
  const asked = useMemo(() => ({ unit, definition, days, period, filters }), [unit, definition, days, period, filters]);
  const question = triangleQuestion(asked);
  const { data, error, isPlaceholderData, isPending, refetch } = useReport(id, question);
  const sizes = useReport(id, sizesQuestion(asked));
  // Figures of the question before stay until the new ones are there: they are drawn by what they say of themselves.
  const shown = useMemo(() => data && { ...asked, ...readAsked(data) }, [data, asked]);
  const cohorts = useMemo(
    () => data && shown && buildCohorts(data, sizes.isPlaceholderData ? undefined : sizes.data, shown),
    [data, sizes.data, sizes.isPlaceholderData, shown],
  );
  const lines = useMemo(() => {
    const inOrder = drawn.flatMap((one) => (cohorts ?? []).filter((cohort) => cohort.id === one));
    return [
      { name: text.all, values: (data?.totals ?? []).slice(1) },
      ...inOrder.map((cohort) => ({
        name: cohortName(shown?.unit ?? unit, cohort, formats),
        values: cohort.cells.map(({ value }) => value),
      })),
    ];
  }, [cohorts, drawn, data, shown, unit, formats]);
  const actions = useDayActions(
    useCallback(
      (day: number, series: string) => {
        const cohort = cohorts?.find((one) => cohortName(shown?.unit ?? unit, one, formats) === series);
        return {
          metrics: ['installs', `${definition}_d${day}`],
          ...(filters && { filters }),
          ...(cohort && { days: { from: cohort.from, to: cohort.to } }),
        };
      },
      [cohorts, shown, unit, formats, definition, filters],
    ),
    shown?.days ?? days,
  );
  const captions = useMemo(
    () => ({
      above: [text.imageTitle(project, formats.day(period.from), formats.day(period.to)), text.meanings[definition]],
      below: [text.partialMark, `· ${text.openMark}`],
    }),
    [project, period, definition, formats],
  );
  const draw = (cohort: string) => {
    const next = drawn.includes(cohort) ? drawn.filter((one) => one !== cohort) : [...drawn, cohort].slice(-MAX_DRAWN);
    setView({ cohorts: next.length > 0 ? next : undefined }, { replace: true });
  };
  const matureUntil = data?.meta.cohorts_mature_until;
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.retention} about={text.about}>
        <PeriodPicker withComparison={false} />
        <ViewTools question={question} name={texts.titles.retention} />
      </PageHeader>
      <Controls view={{ unit, definition, horizon, filters }} onChange={setView} />
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!error && data?.results.length === 0 && !isPlaceholderData ? (
        <Nothing isFiltered={filters !== undefined} onClear={() => setView({ filters: undefined })} />
      ) : (
        !error && (
          <>
            <Panel title={texts.retentionByDay} about={text.curveAbout} question={question}>
              <DayCurve
                title={texts.retentionByDay}
                kind="percent"
                days={shown?.days ?? days}
                series={lines}
                actions={actions}
                loading={isPending}
                stale={isPlaceholderData}
                height={240}
              />
            </Panel>
            <Panel
              title={text.table}
              question={question}
              about={
                <>
                  {text.meanings[definition]} {matureUntil && text.tableAbout(formats.day(matureUntil))}
                </>
              }
              flush
            >
              <Triangle
                unit={shown?.unit ?? unit}
                days={shown?.days ?? days}
                cohorts={cohorts}
                totals={data?.totals}
                drawn={drawn}
                onDraw={draw}
                stale={isPlaceholderData}
                captions={captions}
              />
              <Legend greatest={findGreatest(cohorts ?? [])} />
            </Panel>
          </>
        )
      )}
    </PageBody>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return (
      <EmptyState title={text.empty} text={text.emptyText}>
        <FirstEvent source="app" />
      </EmptyState>
    );
  return (
    <EmptyState title={text.noMatch} text={texts.noMatchText}>
      <Button size="xs" variant="default" onClick={onClear}>
        {texts.tools.filters.clear}
      </Button>
    </EmptyState>
  );
}
