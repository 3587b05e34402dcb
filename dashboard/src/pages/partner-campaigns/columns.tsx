/** The columns of the list of a partner's campaigns. */
import { Badge, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import type { PartnerCampaign } from '../../api/partner';
import { SwitchBadges, switchNames } from '../../components/SwitchBadges';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { texts } from '../../texts';
import { partner as partnerTexts } from '../../texts/partner';

const text = partnerTexts.campaigns;

const readStatus = ({ active, paused }: PartnerCampaign) => (!active ? 'inactive' : paused ? 'paused' : 'active');
const COLORS = { active: 'green', paused: 'yellow', inactive: 'gray' } as const;

export const buildColumns = (partnerId: number): Column<PartnerCampaign>[] => [
  {
    id: 'campaign',
    header: texts.campaign,
    value: ({ name }) => name,
    cell: (row) => <Name campaign={row} />,
  },
  { id: 'project', header: partnerTexts.project, value: ({ project }) => project },
  { id: 'account', header: partnerTexts.account, value: ({ account }) => account },
  {
    id: 'status',
    header: texts.status,
    value: readStatus,
    cell: (row) => (
      <Badge size="sm" variant="dot" tt="none" fw={500} color={COLORS[readStatus(row)]}>
        {text[readStatus(row)]}
      </Badge>
    ),
  },
  {
    id: 'accepts',
    header: texts.switchedOn,
    value: ({ switches }) => switchNames(switches).length,
    cell: ({ switches }) => <SwitchBadges switches={switches} none={text.nothingOn} />,
  },
  {
    id: 'created',
    header: texts.created,
    value: (row) => row.created_at,
    cell: (row) => <Time value={row.created_at} />,
  },
  {
    id: 'actions',
    header: texts.actions,
    canSort: false,
    value: () => null,
    cell: ({ display_id, name, switches }) => (
      <Button
        component={Link}
        {...toPage(
          '/partners/$partnerId/test-bench',
          { partnerId: partnerId },
          { campaign: display_id, mode: 'form', ...(!switches.s2s_clicks && { kind: 'impression' }) },
        )}
        size="compact-xs"
        variant="default"
        aria-label={text.testNamed(name)}
      >
        {texts.test}
      </Button>
    ),
  },
];

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
