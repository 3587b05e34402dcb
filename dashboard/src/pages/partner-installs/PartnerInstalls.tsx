/** The latest installs that are credited to a partner's campaigns. */
import { Badge, Button, Text } from '@mantine/core';
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
import type { Column } from '../../components/table-columns';
import { Country, CountrySource, Time } from '../../components/Values';
import { countryName } from '../../format';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, usePartner } from '../../session';
import { dimensionText, texts, valueTexts } from '../../texts';
import { partnerInstallsSearch } from './search';
import { partner as partnerTexts } from '../../texts/partner';

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
  const columns: Column<CreditedInstall>[] = [
    {
      id: 'time',
      header: text.time,
      value: (row) => row.install_time,
      cell: (row) => (
        <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
          <Time value={row.install_time} />
        </Text>
      ),
    },
    { id: 'campaign', header: partnerTexts.campaign, value: ({ campaign }) => campaign },
    { id: 'project', header: partnerTexts.project, value: projectName },
    { id: 'kind', header: text.kind, value: ({ kind }) => text.kinds[kind] ?? kind },
    { id: 'touch', header: text.touch, value: (row) => valueTexts[row.touch_type] ?? row.touch_type },
    { id: 'rule', header: text.rule, value: ({ rule }) => text.rules[rule] ?? rule },
    {
      id: 'country',
      header: dimensionText('country'),
      value: ({ country }) => countryName(country),
      cell: ({ country }) => <Country code={country} />,
    },
    { id: 'platform', header: text.platform, value: ({ platform }) => valueTexts[platform] ?? platform },
    {
      id: 'suspicious',
      header: text.sign,
      value: ({ suspicious }) => (suspicious ? text.suspicious : null),
      cell: ({ suspicious }) =>
        suspicious ? (
          <Badge size="sm" color="red" variant="light" tt="none">
            {text.suspicious}
          </Badge>
        ) : (
          <Text span c="dimmed" inherit>
            {texts.none}
          </Text>
        ),
    },
  ];
  return (
    <PageBody>
      <PageHeader title={text.title} about={`${text.about} · ${partnerTexts.utc}`}>
        <ProjectSelect value={project} onChange={(next) => setView({ project: next })} />
        <PeriodPicker withComparison={false} />
        <ShareMenu
          name={`${partner.name} ${text.title} ${period.from} ${period.to}`}
          csv={data?.installs.map((row) => ({ ...row, project: projectName(row) }))}
        />
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <Panel
        title={text.title}
        about={data && data.installs.length === MOST ? text.latest(formats.count(MOST)) : undefined}
        flush
      >
        <DataTable
          label={text.title}
          columns={columns}
          rows={data?.installs}
          rowId={(row) => String(data?.installs.indexOf(row))}
          sort={sort ?? '-time'}
          onSort={(next) => setView({ sort: next }, { replace: true })}
          loading={isPending && !error}
          stale={isPlaceholderData}
          maxHeight={MAX_HEIGHT}
          empty={
            <EmptyState title={text.empty} text={text.emptyText}>
              <Button component={Link} to={`/partners/${partner.id}/test-bench`} variant="default" size="xs">
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
