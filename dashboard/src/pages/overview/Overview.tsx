/** The overview of a project: figures of a period, their curve, and where they come from. */
import { SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PeriodPicker } from '../../components/PeriodPicker';
import { CountrySource } from '../../components/Values';
import { ViewTools } from '../../components/ViewTools';
import { ErrorBox } from '../../components/ErrorBox';
import { FirstEvent } from '../../components/FirstEvent';
import { EmptyState } from '../../components/EmptyState';
import { useReport } from '../../api/queries';
import { usePeriod } from '../../period';
import { useFormats, useProject } from '../../session';
import { useView } from '../../search';
import { texts } from '../../texts';
import { Curve } from './Curve';
import { Numbers } from './Numbers';
import { curveQuestion, figures, tops, totalsQuestion } from './questions';
import classes from './Overview.module.css';
import { overviewSearch } from './search';
import { Top } from './Top';

const text = texts.overview;

export default function Overview() {
  const [{ source, metric }, setView] = useView(overviewSearch);
  const [period] = usePeriod();
  const project = useProject();
  const formats = useFormats();
  const totals = useReport(project.id, totalsQuestion(source, period));
  const names = figures(source);
  const chosen = metric !== undefined && names.includes(metric) ? metric : (names[0] as string);
  const until = totals.data?.meta.complete_until;
  const isEmpty = totals.data !== undefined && totals.data.meta.rows === 0 && !totals.isPlaceholderData;
  return (
    <PageBody>
      <PageHeader title={texts.titles.overview} about={until ? text.completeUntil(formats.time(until)) : texts.none}>
        <SegmentedControl
          size="xs"
          value={source}
          data={[
            { value: 'app', label: text.app },
            { value: 'web', label: texts.titles.web },
          ]}
          onChange={(next) => setView({ source: next, metric: undefined })}
        />
        <PeriodPicker />
        <ViewTools question={curveQuestion(source, period, names)} name={texts.titles.overview} />
      </PageHeader>
      {totals.error && <ErrorBox error={totals.error} onRetry={() => void totals.refetch()} />}
      {isEmpty ? (
        <EmptyState
          title={source === 'app' ? text.emptyApp : text.emptyWeb}
          text={source === 'app' ? text.emptyAppText : text.emptyWebText}
        >
          <FirstEvent source={source} />
        </EmptyState>
      ) : (
        <>
          <Numbers
            names={names}
            answer={totals}
            chosen={chosen}
            onChoose={(next) => setView({ metric: next === names[0] ? undefined : next }, { replace: true })}
          />
          <Curve source={source} period={period} metric={chosen} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" className={classes.tops}>
            {tops(source).map((top) => (
              <Top
                key={`${source} ${top.dimension}`}
                source={source}
                period={period}
                waits={totals.isPending}
                {...top}
              />
            ))}
          </SimpleGrid>
          <CountrySource />
        </>
      )}
      {totals.data?.meta.unconverted_currencies && (
        <Text size="xs" c="dimmed">
          {text.unconverted(totals.data.meta.unconverted_currencies.join(', '))}
        </Text>
      )}
    </PageBody>
  );
}
