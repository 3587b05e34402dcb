/** Retention of app installs: a triangle of cohorts and their curve. */
import { Button } from '@mantine/core';
import { FirstEvent } from '../../components/FirstEvent';
import { DayCurve } from '../../components/cohorts/DayCurve';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ViewTools } from '../../components/ViewTools';
import { useView } from '../../search';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { findGreatest } from './cohorts';
import { Controls } from './Controls';
import { MAX_DRAWN, retentionSearch } from './search';
import { Legend, Triangle } from './Triangle';
import { useCohorts } from './use-cohorts';
import { retention as text } from '../../texts/retention';

export default function Retention() {
  const [view, setView] = useView(retentionSearch);
  const { filters } = view;
  const { day } = useFormats();
  const { question, answer, shown, cohorts, drawn, lines, actions, captions } = useCohorts(view);
  const { data, error, isPlaceholderData, isPending, refetch } = answer;
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
      <Controls view={view} onChange={setView} />
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
                days={shown.days}
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
                  {text.meanings[view.definition]} {matureUntil && text.tableAbout(day(matureUntil))}
                </>
              }
              flush
            >
              <Triangle
                unit={shown.unit}
                days={shown.days}
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
