/** One install: who gets it, why, and why each other does not. */
import { Alert, SimpleGrid, Skeleton } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiFailure } from '../../api/client';
import { BackLink } from '../../components/BackLink';
import { ShareMenu } from '../../components/ShareMenu';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { CountrySource } from '../../components/Values';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { Details } from './Details';
import { Events } from './Events';
import { buildCurl, explanationQuery } from './questions';
import { Timeline } from './Timeline';
import { Verdict } from './Verdict';
import { WhyNot } from './WhyNot';
import { install as text } from '../../texts/install';
import { toPage } from '../../addresses';

export default function Install() {
  const { id } = useProject();
  const params: { installId?: string } = useParams({ strict: false });
  const installId = params.installId ?? '';
  const { data, error, isPending, refetch } = useQuery(explanationQuery(id, installId));
  const isMissing = error instanceof ApiFailure && error.status === 404;
  return (
    <PageBody>
      <PageHeader
        withZone
        title={`${texts.titles.install} ${installId}`}
        about={<BackLink {...toPage('/projects/$projectId/installs', { projectId: id })}>{texts.allInstalls}</BackLink>}
      >
        <ShareMenu
          name={`${texts.titles.install} ${installId}`}
          call={buildCurl(installId, texts.tools.keyPlaceholder)}
        />
      </PageHeader>
      {isMissing && <EmptyState title={text.missingTitle} text={text.missing} />}
      {error && !isMissing && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <>
          <Skeleton height={112} />
          <Skeleton height={300} />
        </>
      )}
      {data && !data.decided && (
        <Alert variant="light" icon={<IconHourglass size={18} />} title={text.waitingTitle} role="status">
          {text.waiting}
        </Alert>
      )}
      {data?.decision && data.install && (
        <>
          <Verdict decision={data.decision} candidates={data.candidates} />
          <Timeline candidates={data.candidates} limits={data.limits} />
          <WhyNot install={data.install} candidates={data.candidates} />
        </>
      )}
      {data && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
          <Details explanation={data} />
          <Events installId={installId} />
        </SimpleGrid>
      )}
      {data && <CountrySource />}
    </PageBody>
  );
}
