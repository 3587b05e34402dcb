/** A campaign: what it costs and earns, when its users pay back, whether they stay, what it consists of, its link. */
import { Alert, Badge, Button, SimpleGrid, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useCampaigns } from '../../api/campaigns';
import { BackLink } from '../../components/BackLink';
import { EmptyState } from '../../components/EmptyState';
import { Payback } from '../../components/cohorts/Payback';
import { Retention } from '../../components/cohorts/Retention';
import { usePayback, type PaybackAsked } from '../../components/cohorts/use-payback';
import { ErrorBox } from '../../components/ErrorBox';
import { MetricCurve } from '../../components/MetricCurve';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PauseDialog, useActivity } from '../../components/PauseCampaign';
import { PeriodPicker } from '../../components/PeriodPicker';
import { SeriesFigures } from '../../components/SeriesFigures';
import { ViewTools } from '../../components/ViewTools';
import { valueName } from '../../names';
import { conversionMetric, headFigures } from '../../figures';
import { todayIn, usePeriod } from '../../period';
import { readJudged, useView, type Filter } from '../../search';
import { useSeries } from '../../series';
import { useFormats, useMay, useProject } from '../../session';
import { LinkPanel } from './LinkPanel';
import { Parts } from './Parts';
import { askFigures } from './questions';
import { campaignSearch } from './search';
import { campaigns as campaignsTexts } from '../../texts/campaigns';
import { texts } from '../../texts';
import { toPage } from '../../addresses';

const text = campaignsTexts.one;

export default function Campaign() {
  const { displayId = '' }: { displayId?: string } = useParams({ strict: false });
  const [view, setView] = useView(campaignSearch);
  const [period] = usePeriod();
  const project = useProject();
  const campaigns = useCampaigns(project.id);
  const campaign = campaigns.data?.find((one) => one.display_id === displayId);
  const today = todayIn(project.timezone);
  const names = headFigures('app', conversionMetric(period, today));
  const metric = names.find((one) => one === view.metric) ?? names[0] ?? '';
  const filters = useMemo((): Filter[] => [['is', 'campaign', [displayId]]], [displayId]);
  const series = useSeries(askFigures(displayId, names), period);
  const name = campaign?.default_link ? campaignsTexts.systemCampaign : (campaign?.name ?? displayId);
  const [, network = '', partner = ''] = series.answers.curve?.results[0]?.dimensions ?? [];
  const owner = partner || (network && valueName('app', 'network', network));
  if (campaigns.error)
    return (
      <PageBody>
        <PageHeader title={displayId} about={<Back />} />
        <ErrorBox error={campaigns.error} onRetry={() => void campaigns.refetch()} />
      </PageBody>
    );
  if (campaigns.data && !campaign)
    return (
      <PageBody>
        <PageHeader title={text.missing} about={<Back />} />
        <EmptyState title={text.missing} text={text.missingText} />
      </PageBody>
    );
  return (
    <PageBody>
      <PageHeader withZone title={name} about={<Back />}>
        {campaign && <Activity displayId={displayId} name={name} active={campaign.active} network={owner} />}
        <PeriodPicker withGranularity />
        <ViewTools question={series.questions.curve} name={name} />
      </PageHeader>
      {series.head.error && <ErrorBox error={series.head.error} onRetry={series.refetch} />}
      <Below filters={filters} period={period} chosen={view.horizon} />
      <SeriesFigures
        label={text.figures}
        names={names}
        period={period}
        series={series}
        chosen={metric}
        onChoose={(one) => setView({ metric: one === names[0] ? undefined : one }, { replace: true })}
      />
      <MetricCurve source="app" period={period} metric={metric} series={series} height={240} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Payback
          filters={filters}
          period={period}
          view={view}
          onChange={(changes) => setView(changes, { replace: true })}
        />
        <Retention filters={filters} period={period} name={text.retention.this} />
      </SimpleGrid>
      <Parts campaign={displayId} period={period} />
      {campaign ? <LinkPanel campaign={campaign} network={owner} /> : <Skeleton height={220} />}
    </PageBody>
  );
}

const Back = () => (
  <BackLink {...toPage('/projects/$projectId/campaigns', { projectId: useProject().id }, readJudged)}>
    {text.back}
  </BackLink>
);

/** Says it where the campaign has not reached the target of the project. */
function Below(asked: PaybackAsked) {
  const formats = useFormats();
  const { horizon, roas, verdict, target } = usePayback(asked);
  if (verdict !== 'below') return null;
  return (
    <Alert variant="light" color="red" icon={<IconAlertTriangle size={18} />} title={campaignsTexts.below(horizon)}>
      {text.belowText(formats.share(roas), formats.share(target), horizon)}
    </Alert>
  );
}

interface ActivityProps {
  readonly displayId: string;
  readonly name: string;
  readonly active: boolean;
  readonly network: string;
}

function Activity({ displayId, name, active, network }: ActivityProps) {
  const mayChange = useMay('links');
  const { set, isPending } = useActivity();
  const [isAsking, setAsking] = useState(false);
  const target = { displayId, name, network };
  return (
    <>
      <Badge variant="dot" color={active ? 'teal' : 'gray'} radius="sm" size="lg" tt="none" fw={500}>
        {active ? texts.active : texts.paused}
      </Badge>
      {mayChange &&
        (active ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlayerPause size={15} />}
            onClick={() => setAsking(true)}
          >
            {texts.pause}
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlayerPlay size={15} />}
            loading={isPending}
            onClick={() => set(target, true)}
          >
            {campaignsTexts.pause.resume}
          </Button>
        ))}
      <PauseDialog target={isAsking ? target : undefined} onClose={() => setAsking(false)} />
    </>
  );
}
