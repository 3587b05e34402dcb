/** All links of a project: a table, and a form for a new one. */
import { Anchor, Badge, Button, Checkbox, Group, Select, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconFileImport, IconPlus, IconSearch, IconTags } from '@tabler/icons-react';
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
import { DomainFirst } from './DomainFirst';
import { EditMany } from './EditMany';
import { FromFile } from './FromFile';
import { StateBadge } from './LinkState';
import classes from './Links.module.css';
import { campaignName, channelName } from './names';
import {
  campaignsQuery,
  linkDomainsQuery,
  linksQuery,
  type Campaign,
  type Link as LinkRow,
  type State,
} from './queries';
import { linksSearch } from './search';
import { UtmRulesForm } from './UtmRulesForm';
import { useReport } from '../../api/queries';
import { metricText } from '../../texts';
import { todayIn } from '../../period';
import { links as text } from '../../texts/links';
import { curlCall } from '../../shell';
import { toPage } from '../../addresses';

/** How many rows are drawn before somebody asks for all. */
const DRAWN = 200;

/** A campaign, with what is known of its link and how often it was clicked lately; undefined until it is there. */
interface Shown extends Campaign {
  readonly its: LinkRow | undefined;
  readonly clicks: number | null | undefined;
}

interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

function buildColumns(projectId: number, chosen: Chosen | undefined): Column<Shown>[] {
  return [
    ...(chosen
      ? [
          {
            id: 'select',
            header: '',
            canSort: false,
            value: () => null,
            cell: (one: Shown) => (
              <Checkbox
                size="xs"
                aria-label={text.select(campaignName(one))}
                checked={chosen.ids.has(one.display_id)}
                onChange={() => chosen.toggle(one.display_id)}
              />
            ),
          },
        ]
      : []),
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
      value: ({ its }) => its?.short_url,
      cell: (one) =>
        one.its?.short_url && (
          <Group gap={4} wrap="nowrap">
            <span className={classes.address}>{one.its.short_url.replace(/^https:\/\//, '')}</span>
            <CopyIcon value={one.its.short_url} label={text.copyLink(campaignName(one))} />
          </Group>
        ),
    },
    { id: 'channel', header: texts.channel, value: channelName },
    {
      id: 'status',
      header: text.stateLabel,
      value: ({ its }) => its && text.stateNames[its.state],
      cell: ({ its, default_link }) => (
        <Group gap={4} wrap="nowrap">
          {its && <StateBadge state={its.state} reason={its.reason} />}
          {default_link && (
            <Badge size="sm" variant="light" color="gray">
              {text.standard}
            </Badge>
          )}
        </Group>
      ),
    },
    {
      id: 'tags',
      header: text.tags,
      value: ({ its }) => its?.tags.join(', '),
      cell: ({ its }) => (
        <Group gap={4}>
          {its?.tags.map((tag) => (
            <Badge key={tag} size="sm" variant="default" tt="none">
              {tag}
            </Badge>
          ))}
        </Group>
      ),
    },
    {
      id: 'clicks',
      header: metricText('clicks').label,
      about: text.clicksAbout,
      kind: 'count',
      value: ({ clicks }) => clicks,
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

const matches = (campaign: Shown, search: string) =>
  [campaignName(campaign), campaign.display_id, channelName(campaign), campaign.its?.short_url]
    .join('\n')
    .toLowerCase()
    .includes(search.toLowerCase());

/** The call behind the list, for a shell. */
const buildCall = (state: State) =>
  curlCall(`${window.location.origin}/api/v1/campaigns?filter=${state}&limit=1000`, {
    headers: [`service-key: ${texts.tools.keyPlaceholder}`],
  });

const toCsvRow = ({
  display_id,
  name,
  active,
  shareable_link,
  link,
  website,
  attributed_users,
  its,
  clicks,
}: Shown) => ({
  display_id,
  name,
  active,
  state: its?.state ?? '',
  short_url: its?.short_url ?? '',
  tags: its?.tags.join(', ') ?? '',
  clicks: clicks ?? null,
  shareable_link,
  link,
  website,
  attributed_users,
});

const DAY = 86_400_000;

/** Clicks by campaign of the last 28 days, today included. */
function useClicks(projectId: number): ReadonlyMap<string, number | null> | undefined {
  const today = todayIn(useFormats().timezone);
  const from = new Date(Date.parse(today) - 27 * DAY).toISOString().slice(0, 10);
  const { data } = useReport(projectId, {
    source: 'app',
    metrics: ['clicks'],
    dimensions: ['campaign'],
    from,
    to: today,
    limit: 10_000,
  });
  return useMemo(
    () => data && new Map(data.results.map((row) => [row.dimensions[0] ?? '', row.metrics[0] ?? null])),
    [data],
  );
}

/** Campaigns with their links and clicks, as far as they are there. */
function useShown(projectId: number, state: State) {
  const campaigns = useQuery(campaignsQuery(projectId, state));
  const links = useQuery(linksQuery(projectId));
  const clicks = useClicks(projectId);
  const rows = useMemo(() => {
    const byId = new Map((links.data ?? []).map((link) => [link.display_id, link]));
    return campaigns.data?.map((one): Shown => ({
      ...one,
      its: byId.get(one.display_id),
      clicks: clicks && (clicks.has(one.display_id) ? clicks.get(one.display_id) : 0),
    }));
  }, [campaigns.data, links.data, clicks]);
  return { ...campaigns, error: campaigns.error ?? links.error, data: rows };
}

function useChosen() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(
    () => ({
      ids,
      toggle: (id: string) =>
        setIds((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    }),
    [ids],
  );
  return { chosen, clear: () => setIds(new Set()) };
}

export default function Links() {
  const [{ state, search = '', sort = '-created', create, tag, form }, setView] = useView(linksSearch);
  const { id } = useProject();
  const mayChange = useMay('links');
  const formats = useFormats();
  const { data, error, isPending, isPlaceholderData, refetch } = useShown(id, state);
  const domains = useQuery(linkDomainsQuery(id)).data;
  const [isWhole, setWhole] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const { chosen, clear } = useChosen();
  const hasChannels = data?.some((one) => channelName(one) !== '') ?? false;
  const columns = useMemo(
    () => buildColumns(id, mayChange ? chosen : undefined).filter((one) => hasChannels || one.id !== 'channel'),
    [id, mayChange, chosen, hasChannels],
  );
  const tags = [...new Set(data?.flatMap(({ its }) => its?.tags ?? []))].sort();
  const found = useMemo(
    () => data?.filter((one) => matches(one, search.trim()) && (tag === undefined || one.its?.tags.includes(tag))),
    [data, search, tag],
  );
  const hasDomain = domains?.some((one) => one.state !== 'domain_unproven');
  const isWithout = domains !== undefined && !hasDomain;
  const open = mayChange && hasDomain && (
    <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setView({ create: true })}>
      {text.create}
    </Button>
  );
  const isNarrowed = search !== '' || state !== 'ALL' || tag !== undefined;
  return (
    <PageBody>
      <PageHeader title={texts.titles.links} about={text.about}>
        {open}
        {open && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFileImport size={15} />}
            onClick={() => setView({ form: 'file' })}
          >
            {text.file.open}
          </Button>
        )}
        {mayChange && (
          <Button size="xs" variant="default" onClick={() => setView({ form: 'rules' })}>
            {text.utm.rules}
          </Button>
        )}
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
        {(tags.length > 0 || tag !== undefined) && (
          <Select
            size="xs"
            w={160}
            clearable
            searchable
            aria-label={text.tag}
            placeholder={text.allTags}
            leftSection={<IconTags size={15} />}
            value={tag ?? null}
            data={tag === undefined || tags.includes(tag) ? tags : [tag, ...tags]}
            onChange={(next) => setView({ tag: next ?? undefined })}
          />
        )}
      </Group>
      {chosen.ids.size > 0 && (
        <Group gap="xs" role="status">
          <Text size="sm">{text.selected(formats.count(chosen.ids.size))}</Text>
          <Button size="compact-xs" onClick={() => setEditing(true)}>
            {text.many.open}
          </Button>
          <Button size="compact-xs" variant="default" onClick={clear}>
            {text.many.clear}
          </Button>
        </Group>
      )}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!error && isWithout && <DomainFirst unproven={domains[0]?.name} />}
      {!error && !(isWithout && data?.length === 0) && (
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
      {mayChange && hasDomain && <CreateLink isOpen={create} onClose={() => setView({ create: false })} />}
      {mayChange && form === 'file' && <FromFile onClose={() => setView({ form: 'none' })} />}
      {mayChange && form === 'rules' && <UtmRulesForm onClose={() => setView({ form: 'none' })} />}
      {isEditing && (
        <EditMany
          displayIds={[...chosen.ids]}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false);
            clear();
          }}
        />
      )}
    </PageBody>
  );
}
