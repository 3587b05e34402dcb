/** The latest installs that are credited to a partner's campaigns. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { campaignsQuery, creditedQuery, listProjects, type CreditedInstall } from '../../api/partner';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ShareMenu } from '../../components/ShareMenu';
import { ProjectSelect } from '../../components/ProjectSelect';
import { CountrySource } from '../../components/Values';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, usePartner } from '../../session';
import { texts } from '../../texts';
import { buildColumns } from './columns';
import { partnerInstallsSearch } from './search';
import { partner as partnerTexts } from '../../texts/partner';
import { toPage } from '../../addresses';

const text = partnerTexts.installs;
const MOST = 200;
const MAX_HEIGHT = '70vh';

export default function PartnerInstalls() {
  const [{ project, sort }, setView] = useView(partnerInstallsSearch);
  const [period] = usePeriod();
  const partner = usePartner();
  const formats = useFormats();
  const asked = { from: period.from, to: period.to, project_id: project };
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(creditedQuery(partner.id, asked, MOST));
  const campaigns = useQuery(campaignsQuery(partner.id));
  const projects = new Map(listProjects(campaigns.data?.campaigns).map(({ id, name }) => [id, name]));
  const projectName = ({ project_id }: CreditedInstall) => projects.get(project_id) ?? String(project_id);
  return (
    <PageBody>
      <PageHeader title={texts.titles.installs} about={`${text.about} · ${partnerTexts.utc}`}>
        <ProjectSelect value={project} onChange={(next) => setView({ project: next })} />
        <PeriodPicker withComparison={false} />
        <ShareMenu
          name={`${partner.name} ${texts.titles.installs} ${period.from} ${period.to}`}
          csv={data?.installs.map((row) => ({ ...row, project: projectName(row) }))}
        />
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <Panel
        title={texts.titles.installs}
        about={data && data.installs.length === MOST ? text.latest(formats.count(MOST)) : undefined}
        flush
      >
        <DataTable
          label={texts.titles.installs}
          columns={buildColumns(projectName)}
          rows={data?.installs}
          rowId={(row) => String(data?.installs.indexOf(row))}
          sort={sort ?? '-time'}
          onSort={(next) => setView({ sort: next }, { replace: true })}
          loading={isPending && !error}
          stale={isPlaceholderData}
          maxHeight={MAX_HEIGHT}
          empty={
            <EmptyState title={text.empty} text={text.emptyText}>
              <Button
                component={Link}
                {...toPage('/partners/$partnerId/test-bench', { partnerId: partner.id })}
                variant="default"
                size="xs"
              >
                {partnerTexts.overview.toBench}
              </Button>
            </EmptyState>
          }
        />
      </Panel>
      <CountrySource />
    </PageBody>
  );
}
