/** The columns of the list of links. */
import { Anchor, Badge, Checkbox, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { CopyIcon } from '../../components/CopyIcon';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { metricText, texts } from '../../texts';
import { links as text } from '../../texts/links';
import { StateBadge } from './LinkState';
import classes from './Links.module.css';
import { campaignName, channelName } from './names';
import type { Shown } from './shown';

/** The links that are selected. */
export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

const selectColumn = ({ ids, toggle }: Chosen): Column<Shown> => ({
  id: 'select',
  header: '',
  canSort: false,
  value: () => null,
  cell: (one) => (
    <Checkbox
      size="xs"
      aria-label={text.select(campaignName(one))}
      checked={ids.has(one.display_id)}
      onChange={() => toggle(one.display_id)}
    />
  ),
});

/** `chosen`: for who may select some. */
export function buildColumns(projectId: number, chosen: Chosen | undefined): Column<Shown>[] {
  return [
    ...(chosen ? [selectColumn(chosen)] : []),
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
            <CopyIcon value={one.its.short_url} label={text.copyLink(campaignName(one))} variant="subtle" size="sm" />
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
