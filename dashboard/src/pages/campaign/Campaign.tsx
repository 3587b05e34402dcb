/** A campaign: what it costs and earns, when its users pay back, whether they stay, what it consists of, its link. */
import { Alert, Anchor, Badge, Button, Group, SimpleGrid, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCampaigns } from '../../api/campaigns';
import { useReport } from '../../api/queries';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Figure, Figures } from '../../components/Figure';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PauseDialog, useActivity } from '../../components/PauseCampaign';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ViewTools } from '../../components/ViewTools';
import { valueName } from '../../names';
import { usePeriod } from '../../period';
import { readPeriod, useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { Curve } from './Curve';
import { LinkPanel } from './LinkPanel';
import { Parts } from './Parts';
import { Payback } from './Payback';
import { curveQuestion, FIGURES, totalsQuestion } from './questions';
import { Retention } from './Retention';
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
  const totals = useReport(project.id, campaign && totalsQuestion(displayId, period));
  const metric = FIGURES.find((one) => one === view.metric) ?? FIGURES[0];
  const name = campaign?.default_link ? campaignsTexts.systemCampaign : (campaign?.name ?? displayId);
  const row = totals.data?.results[0];
  const [network = '', partner] = row?.dimensions ?? [];
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
      <PageHeader title={name} about={<Back />}>
        {campaign && <Activity displayId={displayId} name={name} active={campaign.active} network={owner} />}
        <PeriodPicker />
        <ViewTools question={curveQuestion(displayId, period)} name={name} />
      </PageHeader>
      {totals.error && <ErrorBox error={totals.error} onRetry={() => void totals.refetch()} />}
      <Loss row={row?.metrics} />
      <Figures label={text.figures}>
        {FIGURES.map((one, at) => (
          <Figure
            key={one}
            metric={one}
            value={row?.metrics[at]}
            before={row?.comparison?.[at]}
            loading={totals.isPending && !totals.error}
            selected={one === metric}
            onSelect={() => setView({ metric: one === FIGURES[0] ? undefined : one }, { replace: true })}
          />
        ))}
      </Figures>
      <Curve campaign={displayId} period={period} metric={metric} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Payback campaign={displayId} period={period} />
        <Retention campaign={displayId} period={period} />
      </SimpleGrid>
      <Parts campaign={displayId} period={period} />
      {campaign ? <LinkPanel campaign={campaign} network={owner} /> : <Skeleton height={220} />}
    </PageBody>
  );
}

const Back = () => (
  <Anchor
    component={Link}
    {...toPage('/projects/$projectId/campaigns', { projectId: useProject().id }, readPeriod)}
    size="sm"
  >
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
      <IconArrowLeft size={14} aria-hidden /> {text.back}
    </Group>
  </Anchor>
);

/** Says it where the campaign costs more than it earns. */
function Loss({ row }: { row: readonly (number | null)[] | undefined }) {
  const formats = useFormats();
  const value = (name: (typeof FIGURES)[number]) => row?.[FIGURES.indexOf(name)] ?? 0;
  const [spend, revenue] = [value('spend'), value('revenue')];
  if (spend <= revenue) return null;
  return (
    <Alert variant="light" color="red" icon={<IconAlertTriangle size={18} />} title={campaignsTexts.lossAbout}>
      {text.lossText(formats.money(spend), formats.money(revenue), formats.money(spend - revenue))}
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
