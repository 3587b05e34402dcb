/** A partner's campaigns, of all advertisers that work with it. */
import { Group, Pagination, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { campaignsQuery } from '../../api/partner';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { ShareMenu } from '../../components/ShareMenu';
import { switchNames } from '../../components/SwitchBadges';
import { useView } from '../../search';
import { useFormats, usePartner } from '../../session';
import { texts } from '../../texts';
import { buildColumns } from './columns';
import { partnerCampaignsSearch } from './search';
import { partner as partnerTexts } from '../../texts/partner';

const text = partnerTexts.campaigns;
const PER_PAGE = 50;
const TYPING_MS = 250;

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
  const pages = data?.pagination.pages ?? 1;
  return (
    <PageBody>
      <PageHeader title={texts.titles.campaigns} about={text.about}>
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
          name={`${partner.name} ${texts.titles.campaigns}`}
          csv={data?.campaigns.map(({ switches, apps, ...row }) => ({
            ...row,
            apps: apps.join(', '),
            switched_on: switchNames(switches).join(', '),
          }))}
        />
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <Panel
        title={texts.titles.campaigns}
        about={
          data && texts.tools.table.rows(formats.count(data.campaigns.length), formats.count(data.pagination.total))
        }
        flush
      >
        <DataTable
          label={texts.titles.campaigns}
          columns={buildColumns(partner.id)}
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
