/** The columns of the list of partners: what each may do, and how good its traffic is. */
import { Anchor, Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { SwitchBadges, switchNames, type Switches } from '../../components/SwitchBadges';
import type { Column } from '../../components/table-columns';
import { readSearch } from '../../search';
import { metricText, texts } from '../../texts';
import { partners as text } from '../../texts/partners';
import { countRefused, judgeTraffic, type Quality } from './questions';
import { partnerSearch } from './search';

const VERDICT_COLORS = { good: 'green', early: 'red', late: 'orange', few: 'gray' } as const;

const number = (
  id: 'clicks' | 'impressions' | 'installs' | 'repeats',
  header: string,
  about?: string,
): Column<Quality> => ({ id, header, about, kind: 'count', value: (row) => row[id] });

export const buildColumns = (projectId: number, findSwitches: (row: Quality) => Switches): Column<Quality>[] => [
  {
    id: 'partner',
    header: texts.partner,
    value: ({ partner }) => partner,
    cell: ({ partner_id, partner }) => (
      <Anchor
        component={Link}
        {...toPage(
          '/projects/$projectId/partners/$partnerId',
          { projectId: projectId, partnerId: partner_id },
          (before) => readSearch(partnerSearch, { ...before, sort: undefined }),
        )}
        fw={500}
        size="sm"
        style={{ whiteSpace: 'nowrap' }}
      >
        {partner}
      </Anchor>
    ),
  },
  {
    id: 'switches',
    header: texts.switchedOn,
    value: (row) => switchNames(findSwitches(row)).length,
    cell: (row) => <SwitchBadges switches={findSwitches(row)} none={text.nothingOn} />,
  },
  number('clicks', metricText('clicks').label),
  number('impressions', metricText('impressions').label),
  number('installs', metricText('installs').label),
  {
    id: 'conversion',
    header: text.conversion,
    about: text.conversionAbout,
    kind: 'percent',
    value: (row) => row.conversion_rate,
  },
  {
    id: 'shape',
    header: text.time.title,
    about: text.time.about,
    value: (row) => judgeTraffic(row.click_to_install).verdict,
    cell: (row) => {
      const { verdict } = judgeTraffic(row.click_to_install);
      return (
        <Badge size="sm" variant="dot" color={VERDICT_COLORS[verdict]} tt="none" fw={500}>
          {text.time.verdict[verdict]}
        </Badge>
      );
    },
  },
  {
    id: 'suspicious',
    header: texts.suspicious,
    about: text.suspiciousAbout,
    kind: 'percent',
    value: (row) => row.suspicious_share,
  },
  { id: 'refused', header: texts.refused, about: text.refusedAbout, kind: 'count', value: countRefused },
  number('repeats', text.repeats, text.repeatsAbout),
];
