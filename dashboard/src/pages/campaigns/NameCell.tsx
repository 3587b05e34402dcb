/** The name of a row, with what it belongs to, its state, and the switch that shows its parts. */
import { ActionIcon, Badge, Group, Skeleton, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { CampaignLink } from './CampaignLink';
import classes from './Campaigns.module.css';
import type { Row } from './rows';
import { campaigns as text } from '../../texts/campaigns';
import { texts } from '../../texts';

const INDENT = 22;

interface Props {
  readonly row: Row;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

const canOpen = ({ kind }: Row) => kind === 'campaign' || kind === 'ad_set';

export function NameCell({ row, isOpen, onToggle }: Props) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.name} style={{ paddingLeft: (row.path.length - 1) * INDENT }}>
      {canOpen(row) ? (
        <ActionIcon
          size={20}
          aria-expanded={isOpen}
          aria-label={isOpen ? text.shut(row.name) : text.open(row.name)}
          onClick={onToggle}
        >
          <Chevron size={15} />
        </ActionIcon>
      ) : (
        <span style={{ width: 20, flex: 'none' }} />
      )}
      <div className={classes.words}>
        <Words row={row} />
      </div>
    </div>
  );
}

function Words({ row }: { row: Row }) {
  if (row.kind === 'loading') return <Skeleton height={12} width={140} my={5} />;
  if (row.kind === 'note')
    return (
      <Text span inherit c="dimmed">
        {row.name}
      </Text>
    );
  if (row.kind !== 'campaign')
    return <span title={row.kind === 'organic' ? text.organicAbout : undefined}>{row.name}</span>;
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <CampaignLink row={row} inherit />
        <Badges row={row} />
      </Group>
      <span className={classes.about}>{row.partner || row.network || row.path[0]}</span>
    </>
  );
}

const Badges = ({ row }: { row: Row }) => (
  <>
    {row.verdict === 'below' && (
      <Badge size="xs" variant="outline" radius="sm" c="var(--app-bad)" bd="1px solid var(--app-bad)">
        {text.belowTarget}
      </Badge>
    )}
    {row.campaign && !row.campaign.active && (
      <Badge size="xs" variant="light" color="gray" radius="sm">
        {texts.paused}
      </Badge>
    )}
  </>
);
