/** All links of a project: a table, and a form for a new one. */
import { Anchor, Badge, Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { ShareMenu } from '../../components/ShareMenu';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { CopyIcon } from './CopyIcon';
import { CreateLink } from './CreateLink';
import classes from './Links.module.css';
import { campaignName, channelName } from './names';
import { campaignsQuery, type Campaign, type State } from './queries';
import { linksSearch } from './search';
import { links as text } from '../../texts/links';
import { curlCall } from '../../shell';
import { toPage } from '../../addresses';

/** How many rows are drawn before somebody asks for all. */
const DRAWN = 200;

function buildColumns(projectId: number): Column<Campaign>[] {
  return [
    {
      id: 'name',
      header: texts.campaign,
      value: campaignName,
      cell: (one) => (
        <Anchor
          component={Link}
          {...toPage('/projects/$projectId/links/$displayId', { projectId, displayId: one.display_id })}
          inherit
          fw={500}
        >
          {campaignName(one)}
        </Anchor>
      ),
    },
    {
      id: 'link',
      header: texts.link,
      value: (one) => one.shareable_link,
      cell: (one) =>
        one.shareable_link && (
          <Group gap={4} wrap="nowrap">
            <span className={classes.address}>{one.shareable_link.replace(/^https:\/\//, '')}</span>
            <CopyIcon value={one.shareable_link} label={text.copyLink(campaignName(one))} />
          </Group>
        ),
    },
    { id: 'channel', header: texts.channel, value: channelName },
    {
      id: 'status',
      header: texts.status,
      value: ({ active }) => (active ? texts.active : text.inactive),
      cell: ({ active, default_link }) => (
        <Group gap={4} wrap="nowrap">
          <Badge size="sm" variant="light" color={active ? 'brand' : 'gray'}>
            {active ? texts.active : text.inactive}
          </Badge>
          {default_link && (
            <Badge size="sm" variant="light" color="gray">
              {text.standard}
            </Badge>
          )}
        </Group>
      ),
    },
    {
      id: 'installs',
      header: texts.titles.installs,
      about: text.installsAbout,
      kind: 'count',
      value: (one) => one.attributed_users,
    },
    {
      id: 'created',
      header: texts.created,
      value: (one) => one.created_at,
      cell: (one) => <Time value={one.created_at} />,
    },
  ];
}

const matches = (campaign: Campaign, search: string) =>
  [campaignName(campaign), campaign.display_id, channelName(campaign), campaign.shareable_link]
    .join('\n')
    .toLowerCase()
    .includes(search.toLowerCase());

/** The call behind the list, for a shell. */
const buildCall = (state: State) =>
  curlCall(`${window.location.origin}/api/v1/campaigns?filter=${state}&limit=1000`, {
    headers: [`service-key: ${texts.tools.keyPlaceholder}`],
  });

const toCsvRow = ({ display_id, name, active, shareable_link, link, website, attributed_users }: Campaign) => ({
  display_id,
  name,
  active,
  shareable_link,
  link,
  website,
  attributed_users,
});

export default function Links() {
  const [{ state, search = '', sort = '-created', create }, setView] = useView(linksSearch);
  const { id } = useProject();
  const mayChange = useMay('links');
  const formats = useFormats();
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(campaignsQuery(id, state));
  const [isWhole, setWhole] = useState(false);
  const columns = useMemo(() => buildColumns(id), [id]);
  const found = useMemo(() => data?.filter((one) => matches(one, search.trim())), [data, search]);
  const open = mayChange && (
    <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setView({ create: true })}>
      {text.create}
    </Button>
  );
  const isNarrowed = search !== '' || state !== 'ALL';
  return (
    <PageBody>
      <PageHeader title={texts.titles.links} about={text.about}>
        {open}
        <ShareMenu name={texts.titles.links} call={buildCall(state)} csv={found?.map(toCsvRow)} />
      </PageHeader>
      <Group gap="sm">
        <TextInput
          size="xs"
          w={280}
          aria-label={text.search}
          placeholder={text.search}
          leftSection={<IconSearch size={15} />}
          value={search}
          onChange={({ currentTarget }) => setView({ search: currentTarget.value || undefined }, { replace: true })}
        />
        <SegmentedControl
          size="xs"
          aria-label={text.state}
          value={state}
          data={(Object.keys(text.states) as State[]).map((one) => ({ value: one, label: text.states[one] }))}
          onChange={(next) => setView({ state: next })}
        />
      </Group>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!error && (
        <Panel
          title={texts.titles.links}
          about={data && found && texts.tools.table.rows(formats.count(found.length), formats.count(data.length))}
          flush
        >
          <DataTable
            label={texts.titles.links}
            columns={columns}
            rows={isWhole ? found : found?.slice(0, DRAWN)}
            rowId={({ display_id }) => display_id}
            sort={sort}
            onSort={(next) => setView({ sort: next })}
            loading={isPending}
            stale={isPlaceholderData}
            empty={
              <EmptyState
                title={isNarrowed ? text.noMatch : text.empty}
                text={isNarrowed ? text.noMatchText : text.emptyText}
              >
                {!isNarrowed && open}
              </EmptyState>
            }
          />
          {found && found.length > DRAWN && !isWhole && (
            <Button variant="subtle" size="xs" m="sm" onClick={() => setWhole(true)}>
              {text.showAll(formats.count(found.length))}
            </Button>
          )}
        </Panel>
      )}
      {mayChange && <CreateLink isOpen={create} onClose={() => setView({ create: false })} />}
    </PageBody>
  );
}
