/** One partner of a project: its switches, and the quality of its traffic. */
import { Button, SimpleGrid } from '@mantine/core';
import { IconChartDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiFailure } from '../../api/client';
import { BackLink } from '../../components/BackLink';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Figure, Figures } from '../../components/Figure';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ShareMenu } from '../../components/ShareMenu';
import { RefusalTable } from '../../components/RefusalTable';
import { usePeriod } from '../../period';
import { useProject } from '../../session';
import { metricText, type MetricText, texts } from '../../texts';
import { Addresses } from './Addresses';
import { allPartnersQuery, buildCurl, countRefused, useQuality, type Quality } from './questions';
import { ProjectCampaigns } from './ProjectCampaigns';
import { Switches } from './Switches';
import { TimeToInstall } from './TimeToInstall';
import { partners as text } from '../../texts/partners';
import { toPage } from '../../addresses';

const FIGURES: readonly (readonly [string, (row: Quality) => number | null, Partial<MetricText>])[] = [
  ['clicks', ({ clicks }) => clicks, { about: undefined }],
  ['impressions', ({ impressions }) => impressions, { about: undefined }],
  ['ctv', (row) => row.ctv_impressions, { label: text.ctv }],
  ['installs', ({ installs }) => installs, {}],
  [
    'conversion',
    (row) => row.conversion_rate,
    { label: text.conversion, about: text.conversionAbout, kind: 'percent' },
  ],
  ['suspicious', (row) => row.suspicious_share, { about: text.suspiciousAbout, kind: 'percent' }],
  ['refused', countRefused, { label: texts.refused, about: text.refusedAbout }],
  ['repeats', ({ repeats }) => repeats, { label: text.repeats, about: text.repeatsAbout }],
];

export default function Partner() {
  const { partnerId }: { partnerId?: string } = useParams({ strict: false });
  const id = /^[1-9]\d{0,8}$/.test(partnerId ?? '') ? Number(partnerId) : 0;
  const project = useProject();
  const [period] = usePeriod();
  const quality = useQuality(project.id, period, id);
  const partners = useQuery(allPartnersQuery);
  const name = partners.data?.partners.find((one) => one.id === id)?.name;
  // A partner that does not work with the project yet has no figures, and can be switched on.
  const isNew = quality.error instanceof ApiFailure && quality.error.status === 404;
  const row = isNew ? undefined : quality.data?.partners[0];
  const isLoading = quality.isPending && !quality.error;
  const back = <BackLink {...toPage('/projects/$projectId/partners', { projectId: project.id })}>{text.back}</BackLink>;
  if (id === 0 || (partners.data && name === undefined))
    return (
      <PageBody>
        <PageHeader title={text.missing} about={back} />
        <EmptyState title={text.missing} text={text.missingText} />
      </PageBody>
    );
  return (
    <PageBody>
      <PageHeader withZone title={name ?? texts.partner} about={back}>
        {name !== undefined && (
          <Button
            component={Link}
            {...toPage(
              '/projects/$projectId/values/$dimension',
              { projectId: project.id, dimension: 'partner' },
              { value: name },
            )}
            size="xs"
            variant="default"
            leftSection={<IconChartDots size={15} />}
          >
            {text.figures}
          </Button>
        )}
        <PeriodPicker withComparison={false} />
        <ShareMenu
          name={`${project.name} ${name ?? ''} ${period.from} ${period.to}`}
          call={buildCurl(period, id)}
          csv={buildRows(row)}
        />
      </PageHeader>
      {quality.error && !isNew && <ErrorBox error={quality.error} onRetry={() => void quality.refetch()} />}
      {isNew ? (
        <EmptyState title={text.noTraffic} text={text.noTrafficText} />
      ) : (
        <Figures label={name ?? texts.partner}>
          {FIGURES.map(([metric, readValue, more]) => (
            <Figure
              key={metric}
              metric={metric}
              text={{ ...metricText(metric), ...more }}
              value={row && readValue(row)}
              loading={isLoading}
            />
          ))}
        </Figures>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Switches partnerId={id} name={name ?? ''} />
        {!isNew && (
          <TimeToInstall slots={row?.click_to_install} loading={isLoading} stale={quality.isPlaceholderData} />
        )}
      </SimpleGrid>
      {name !== undefined && <ProjectCampaigns key={id} name={name} />}
      {!isNew && (
        <>
          <Addresses installs={row?.installs_by_ip} loading={isLoading} />
          <RefusalTable refused={row?.refused} loading={isLoading} stale={quality.isPlaceholderData} />
        </>
      )}
    </PageBody>
  );
}

const buildRows = (row: Quality | undefined) =>
  row?.click_to_install.map(({ from, to, installs }) => ({ from_seconds: from, to_seconds: to, installs }));
