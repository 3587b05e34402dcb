/** The overview of a partner: what was accepted, refused and credited, over time and by project. */
import { Button, SegmentedControl, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trafficQuery } from '../../api/partner';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Figure, Figures } from '../../components/Figure';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ShareMenu } from '../../components/ShareMenu';
import { ProjectSelect } from '../../components/ProjectSelect';
import { RefusalTable } from '../../components/RefusalTable';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, usePartner } from '../../session';
import { texts } from '../../texts';
import { ByCampaign } from './ByCampaign';
import { ByProject } from './ByProject';
import { Curve } from './Curve';
import { readCount, FIGURES, figureText } from './figures';
import { partnerOverviewSearch } from './search';
import { partner as partnerTexts } from '../../texts/partner';
import { toPage } from '../../addresses';

const text = partnerTexts.overview;
const MAX_HOUR_DAYS = 31;

export default function PartnerOverview() {
  const [view, setView] = useView(partnerOverviewSearch);
  const [period] = usePeriod();
  const partner = usePartner();
  const formats = useFormats();
  const mayBeHours = period.days <= MAX_HOUR_DAYS;
  const granularity = mayBeHours ? view.granularity : 'day';
  const asked = { from: period.from, to: period.to, granularity, project_id: view.project };
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(trafficQuery(partner.id, asked));
  const figure = FIGURES.find((one) => one === view.figure) ?? 'clicks';
  const isLoading = isPending && !error;
  const isEmpty = data && !isPlaceholderData && FIGURES.every((one) => readCount(data.totals, one) === 0);
  const until = data?.complete_until;
  return (
    <PageBody>
      <PageHeader
        title={texts.titles.overview}
        about={`${partnerTexts.utc}${until ? ` · ${texts.overview.completeUntil(formats.time(until))}` : ''}`}
      >
        <ProjectSelect value={view.project} onChange={(project) => setView({ project })} />
        <Granularity value={granularity} disabled={!mayBeHours} onChange={(next) => setView({ granularity: next })} />
        <PeriodPicker withComparison={false} />
        <ShareMenu
          name={`${partner.name} ${texts.titles.overview} ${period.from} ${period.to}`}
          csv={data?.buckets.map(({ refused: _, ...bucket }, at) => ({
            ...bucket,
            refused: readCount(data.buckets[at] ?? data.totals, 'refused'),
          }))}
        />
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <Figures label={texts.titles.overview}>
        {FIGURES.map((name) => (
          <Figure
            key={name}
            metric={name}
            text={figureText(name)}
            value={data && readCount(data.totals, name)}
            loading={isLoading}
            selected={name === figure}
            onSelect={() => setView({ figure: name === 'clicks' ? undefined : name }, { replace: true })}
          />
        ))}
      </Figures>
      {isEmpty ? (
        <Nothing partnerId={partner.id} />
      ) : (
        <>
          <Curve
            traffic={data}
            figure={figure}
            isHour={granularity === 'hour'}
            loading={isLoading}
            stale={isPlaceholderData}
          />
          <RefusalTable refused={data?.totals.refused} loading={isLoading} stale={isPlaceholderData} />
          <ByCampaign from={period.from} to={period.to} project={view.project} />
          {view.project === undefined && <ByProject from={period.from} to={period.to} />}
        </>
      )}
    </PageBody>
  );
}

interface GranularityProps {
  readonly value: 'day' | 'hour';
  readonly disabled: boolean;
  readonly onChange: (next: 'day' | 'hour') => void;
}

const Granularity = (props: GranularityProps) => (
  <Tooltip label={text.hourAbout} disabled={!props.disabled}>
    <SegmentedControl
      size="xs"
      aria-label={text.granularity}
      data={[
        { value: 'day', label: texts.byDay },
        { value: 'hour', label: texts.byHour },
      ]}
      {...props}
    />
  </Tooltip>
);

const Nothing = ({ partnerId }: { readonly partnerId: number }) => (
  <EmptyState title={text.empty} text={text.emptyText}>
    <Button component={Link} {...toPage('/partners/$partnerId/test-bench', { partnerId })} variant="default" size="xs">
      {text.toBench}
    </Button>
  </EmptyState>
);
