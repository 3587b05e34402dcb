/** A partner's campaigns, of all advertisers that work with it. */
import { Badge, Button, Group, Pagination, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { campaignsQuery, type PartnerCampaign } from '../../api/partner';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { ShareMenu } from '../../components/ShareMenu';
import { SwitchBadges, switchNames } from '../../components/SwitchBadges';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useView } from '../../search';
import { useFormats, usePartner } from '../../session';
import { texts } from '../../texts';
import { partnerCampaignsSearch } from './search';
import { partner as partnerTexts } from '../../texts/partner';

const text = partnerTexts.campaigns;
const PER_PAGE = 50;
const TYPING_MS = 250;

const readStatus = ({ active, paused }: PartnerCampaign) => (!active ? 'inactive' : paused ? 'paused' : 'active');
const COLORS = { active: 'green', paused: 'yellow', inactive: 'gray' } as const;

export default function PartnerCampaigns() {
  const [{ search, page, sort }, setView] = useView(partnerCampaignsSearch);
  const partner = usePartner();
  const formats = useFormats();
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(
    campaignsQuery(partner.id, { search, page, limit: PER_PAGE }),
  );
  const typed = useDebouncedCallback(
    (value: string) => setView({ search: value || undefined, page: 1 }, { replace: true }),
    TYPING_MS,
  );
  const columns: Column<PartnerCampaign>[] = [
    {
      id: 'campaign',
      header: partnerTexts.campaign,
      value: ({ name }) => name,
      cell: (row) => <Name campaign={row} />,
    },
    { id: 'project', header: partnerTexts.project, value: ({ project }) => project },
    { id: 'account', header: partnerTexts.account, value: ({ account }) => account },
    {
      id: 'status',
      header: text.status,
      value: readStatus,
      cell: (row) => (
        <Badge size="sm" variant="dot" tt="none" fw={500} color={COLORS[readStatus(row)]}>
          {text[readStatus(row)]}
        </Badge>
      ),
    },
    {
      id: 'accepts',
      header: text.accepts,
      value: ({ switches }) => switchNames(switches).length,
      cell: ({ switches }) => <SwitchBadges switches={switches} none={text.nothingOn} />,
    },
    {
      id: 'created',
      header: text.created,
      value: (row) => row.created_at,
      cell: (row) => <Time value={row.created_at} />,
    },
    {
      id: 'actions',
      header: text.actions,
      canSort: false,
      value: () => null,
      cell: ({ display_id, name, switches }) => (
        <Button
          component={Link}
          to={`/partners/${partner.id}/test-bench`}
          search={{ campaign: display_id, mode: 'form', ...(!switches.s2s_clicks && { kind: 'impression' }) } as never}
          size="compact-xs"
          variant="default"
          aria-label={text.testOf(name)}
        >
          {text.test}
        </Button>
      ),
    },
  ];
  const pages = data?.pagination.pages ?? 1;
  return (
    <PageBody>
      <PageHeader title={text.title} about={text.about}>
        <TextInput
          size="xs"
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          leftSection={<IconSearch size={14} />}
          maxLength={100}
          defaultValue={search}
          onChange={({ currentTarget }) => typed(currentTarget.value)}
        />
        <ShareMenu
          name={`${partner.name} ${text.title}`}
          csv={data?.campaigns.map(({ switches, ...row }) => ({
            ...row,
            switched_on: switchNames(switches).join(', '),
          }))}
        />
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <Panel
        title={text.title}
        about={
          data && texts.tools.table.rows(formats.count(data.campaigns.length), formats.count(data.pagination.total))
        }
        flush
      >
        <DataTable
          label={text.title}
          columns={columns}
          rows={data?.campaigns}
          rowId={({ project_id, display_id }) => `${project_id} ${display_id}`}
          {...(sort !== undefined && { sort })}
          onSort={(next) => setView({ sort: next }, { replace: true })}
          loading={isPending && !error}
          stale={isPlaceholderData}
          empty={
            search ? <EmptyState title={text.nothingFound} /> : <EmptyState title={text.empty} text={text.emptyText} />
          }
        />
      </Panel>
      {pages > 1 && (
        <Group justify="center">
          <Pagination
            size="sm"
            total={pages}
            value={page}
            getControlProps={(control) => ({ 'aria-label': control })}
            onChange={(next) => setView({ page: next })}
          />
        </Group>
      )}
    </PageBody>
  );
}

const Name = ({ campaign: { name, display_id } }: { campaign: PartnerCampaign }) => (
  <div>
    <Text size="sm" fw={500}>
      {name}
    </Text>
    <Text size="xs" c="dimmed" ff="monospace">
      {display_id}
    </Text>
  </div>
);
