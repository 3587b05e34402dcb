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
import { MetricCurve } from '../../components/MetricCurve';
import { UnknownNote } from '../../components/UnknownNote';
import { conversionMetric, headFigures } from '../../figures';
import { todayIn, usePeriod } from '../../period';
import { useSeries } from '../../series';
import { useFormats } from '../../session';
import { useView } from '../../search';
import { texts } from '../../texts';
import { Numbers } from './Numbers';
import { tops } from './questions';
import classes from './Overview.module.css';
import { overviewSearch } from './search';
import { Top } from './Top';

const text = texts.overview;

export default function Overview() {
  const [{ source, metric }, setView] = useView(overviewSearch);
  const [period] = usePeriod();
  const formats = useFormats();
  const names = headFigures(source, conversionMetric(period, todayIn(formats.timezone)));
  const chosen = metric !== undefined && names.includes(metric) ? metric : (names[0] as string);
  const series = useSeries({ source, metrics: names }, period);
  const { head, questions } = series;
  const until = head.data?.meta.complete_until;
  const isEmpty = head.data !== undefined && head.data.meta.rows === 0 && !head.isPlaceholderData;
  return (
    <PageBody>
      <PageHeader
        withZone
        title={texts.titles.overview}
        about={until ? text.completeUntil(formats.time(until)) : texts.none}
      >
        <SegmentedControl
          size="xs"
          value={source}
          data={[
            { value: 'app', label: text.app },
            { value: 'web', label: texts.titles.web },
          ]}
          onChange={(next) => setView({ source: next, metric: undefined })}
        />
        <PeriodPicker withGranularity />
        <ViewTools question={questions.curve} name={texts.titles.overview} />
      </PageHeader>
      {head.error && <ErrorBox error={head.error} onRetry={() => void head.refetch()} />}
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
            source={source}
            period={period}
            names={names}
            series={series}
            chosen={chosen}
            onChoose={(next) => setView({ metric: next === names[0] ? undefined : next }, { replace: true })}
          />
          <MetricCurve source={source} period={period} metric={chosen} series={series} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" className={classes.tops}>
            {tops(source).map((top) => (
              <Top key={`${source} ${top.dimension}`} source={source} period={period} {...top} />
            ))}
          </SimpleGrid>
          <UnknownNote reports={[series.answers.curve]} />
          <CountrySource />
        </>
      )}
      {head.data?.meta.unconverted_currencies && (
        <Text size="xs" c="dimmed">
          {text.unconverted(head.data.meta.unconverted_currencies.join(', '))}
        </Text>
      )}
    </PageBody>
  );
}
