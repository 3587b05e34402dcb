/**
 * The page of a value of a dimension, for example a country, a partner, a network or a creative: its figures, their
 * curve, and what it consists of.
 */
import { Button } from '@mantine/core';
import { IconChartDots } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useReport } from '../../api/queries';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Figure, Figures } from '../../components/Figure';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PeriodPicker } from '../../components/PeriodPicker';
import { CountrySource } from '../../components/Values';
import { ViewTools } from '../../components/ViewTools';
import { toExplore } from '../../drill';
import { rowName, valueName } from '../../names';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useProject } from '../../session';
import { dimensionText } from '../../texts';
import { value as text } from '../../texts/value';
import { Curve } from './Curve';
import { Parts } from './Parts';
import { curveQuestion, figures, parts, totalsQuestion, type Subject } from './questions';
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
  const totals = useReport(id, totalsQuestion(subject, period));
  const names = figures(subject);
  const metric = names.find((one) => one === view.metric) ?? names[0] ?? '';
  const answer = totals.isPlaceholderData && totals.data?.results[0]?.dimensions[0] !== value ? undefined : totals.data;
  const row = answer?.results[0];
  const name = row ? rowName({ source, dimensions: [dimension] }, row) : valueName(source, dimension, value);
  return (
    <PageBody>
      <PageHeader title={name} about={dimensionText(dimension)}>
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
        <PeriodPicker />
        <ViewTools question={curveQuestion(subject, period)} name={name} />
      </PageHeader>
      {totals.error && <ErrorBox error={totals.error} onRetry={() => void totals.refetch()} />}
      {answer?.results.length === 0 ? (
        <EmptyState title={text.empty} text={text.emptyText} />
      ) : (
        <>
          <Figures label={text.figures}>
            {names.map((one, at) => (
              <Figure
                key={one}
                metric={one}
                value={row?.metrics[at]}
                before={row?.comparison?.[at]}
                loading={!answer && !totals.error}
                selected={one === metric}
                onSelect={() => setView({ metric: one === names[0] ? undefined : one }, { replace: true })}
              />
            ))}
          </Figures>
          <Curve subject={subject} period={period} metric={metric} />
          <Parts subject={subject} period={period} />
        </>
      )}
      <CountrySource />
    </PageBody>
  );
}
