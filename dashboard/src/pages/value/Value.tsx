/**
 * The page of a value of a dimension, for example a country, a partner, a network or a creative: its figures, their
 * curve, and what it consists of.
 */
import { Button, SimpleGrid } from '@mantine/core';
import { IconChartDots, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { Payback } from '../../components/cohorts/Payback';
import { Retention } from '../../components/cohorts/Retention';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { MetricCurve } from '../../components/MetricCurve';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PeriodPicker } from '../../components/PeriodPicker';
import { SeriesFigures } from '../../components/SeriesFigures';
import { UnknownNote } from '../../components/UnknownNote';
import { CountrySource } from '../../components/Values';
import { ViewTools } from '../../components/ViewTools';
import { toExplore } from '../../drill';
import { conversionMetric } from '../../figures';
import { valueName } from '../../names';
import { todayIn, usePeriod } from '../../period';
import { readPeriod, useView, type Filter } from '../../search';
import { useSeries } from '../../series';
import { useFormats, useProject } from '../../session';
import { dimensionText } from '../../texts';
import { value as text } from '../../texts/value';
import { allPartnersQuery } from '../partners/questions';
import { Parts } from './Parts';
import { figures, hasCohorts, hasCost, parts, type Subject } from './questions';
import { valueSearch } from './search';

export default function Value() {
  const { dimension = '' }: { dimension?: string } = useParams({ strict: false });
  const [{ source, value }] = useView(valueSearch);
  if (value === undefined)
    return (
      <PageBody>
        <PageHeader title={dimensionText(dimension)} />
        <EmptyState title={text.missing} text={text.missingText} />
      </PageBody>
    );
  return <Body source={source} dimension={dimension} value={value} />;
}

function Body(subject: Subject) {
  const { source, dimension, value } = subject;
  const [view, setView] = useView(valueSearch);
  const [period] = usePeriod();
  const { id } = useProject();
  const { timezone } = useFormats();
  const names = figures(subject, conversionMetric(period, todayIn(timezone)));
  const filters: Filter[] = [['is', dimension, [value]]];
  const series = useSeries({ source, metrics: names, filters, more: [dimension] }, period);
  const metric = names.find((one) => one === view.metric) ?? names[0] ?? '';
  const { head, curve, questions } = series;
  // What the value is called stands in each row, after the time.
  const row = curve.isPlaceholderData ? undefined : curve.data?.results[0];
  const name = row
    ? valueName(source, dimension, row.dimensions[1] ?? '', row.labels[1])
    : valueName(source, dimension, value);
  const isEmpty = head.data?.meta.rows === 0 && !head.isPlaceholderData;
  return (
    <PageBody>
      <PageHeader withZone title={name} about={dimensionText(dimension)}>
        {source === 'app' && dimension === 'partner' && <ToPartner name={value} />}
        <Button
          component={Link}
          {...toExplore(id, {
            source,
            metrics: names,
            by: [parts(subject)[0] as string],
            filters: [['is', dimension, [value]]],
          })}
          size="xs"
          variant="default"
          leftSection={<IconChartDots size={15} />}
        >
          {text.explore}
        </Button>
        <PeriodPicker withGranularity />
        <ViewTools question={questions.curve} name={name} />
      </PageHeader>
      {head.error && <ErrorBox error={head.error} onRetry={series.refetch} />}
      {isEmpty ? (
        <EmptyState title={text.empty} text={text.emptyText} />
      ) : (
        <>
          <SeriesFigures
            label={text.figures}
            names={names}
            period={period}
            series={series}
            chosen={metric}
            onChoose={(one) => setView({ metric: one === names[0] ? undefined : one }, { replace: true })}
          />
          <MetricCurve source={source} period={period} metric={metric} series={series} />
          {hasCohorts(subject) && (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
              <Payback
                filters={filters}
                period={period}
                hasCost={hasCost(subject)}
                view={view}
                onChange={(changes) => setView(changes, { replace: true })}
              />
              <Retention filters={filters} period={period} name={name} />
            </SimpleGrid>
          )}
          <Parts subject={subject} period={period} />
        </>
      )}
      <UnknownNote reports={[head.data]} />
      <CountrySource />
    </PageBody>
  );
}

/** The quality of a partner's traffic stands on another page; clicks of one that was deleted have none. */
function ToPartner({ name }: { readonly name: string }) {
  const { id } = useProject();
  const partner = useQuery(allPartnersQuery).data?.partners.find((one) => one.name === name);
  if (!partner) return null;
  return (
    <Button
      component={Link}
      {...toPage('/projects/$projectId/partners/$partnerId', { projectId: id, partnerId: partner.id }, readPeriod)}
      size="xs"
      variant="default"
      leftSection={<IconShieldCheck size={15} />}
    >
      {text.quality}
    </Button>
  );
}
