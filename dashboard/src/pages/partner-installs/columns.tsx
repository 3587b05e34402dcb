/** The columns of the list of a partner's installs. */
import { Badge, Text } from '@mantine/core';
import type { CreditedInstall } from '../../api/partner';
import type { Column } from '../../components/table-columns';
import { Country, Time } from '../../components/Values';
import { countryName } from '../../format';
import { dimensionText, texts, valueTexts } from '../../texts';
import { partner as partnerTexts } from '../../texts/partner';

const text = partnerTexts.installs;

export const buildColumns = (projectName: (row: CreditedInstall) => string): Column<CreditedInstall>[] => [
  {
    id: 'time',
    header: texts.installed,
    value: (row) => row.install_time,
    cell: (row) => (
      <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
        <Time value={row.install_time} />
      </Text>
    ),
  },
  { id: 'campaign', header: texts.campaign, value: ({ campaign }) => campaign },
  { id: 'project', header: partnerTexts.project, value: projectName },
  { id: 'kind', header: texts.kind, value: ({ kind }) => text.kinds[kind] ?? kind },
  { id: 'touch', header: text.touch, value: (row) => valueTexts[row.touch_type] ?? row.touch_type },
  {
    id: 'tid',
    header: 'tid',
    value: ({ tid }) => tid,
    cell: ({ tid }) => <Sent value={tid} />,
  },
  {
    id: 'touched',
    header: text.touched,
    value: (row) => row.touch_time,
    cell: (row) => (
      <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
        <Time value={row.touch_time} />
      </Text>
    ),
  },
  { id: 'rule', header: text.rule, value: ({ rule }) => text.rules[rule] ?? rule },
  {
    id: 'country',
    header: dimensionText('country'),
    value: ({ country }) => countryName(country),
    cell: ({ country }) => <Country code={country} />,
  },
  { id: 'platform', header: texts.platform, value: ({ platform }) => valueTexts[platform] ?? platform },
  ...(['s2', 's3', 's4'] as const).map((name): Column<CreditedInstall> => ({
    id: name,
    header: name,
    value: (row) => row[name],
    cell: (row) => <Sent value={row[name]} />,
  })),
  {
    id: 'suspicious',
    header: text.sign,
    value: ({ suspicious }) => (suspicious ? texts.suspicious : null),
    cell: ({ suspicious }) =>
      suspicious ? (
        <Badge size="sm" color="red" variant="light" tt="none">
          {texts.suspicious}
        </Badge>
      ) : (
        <Text span c="dimmed" inherit>
          {texts.none}
        </Text>
      ),
  },
];

/** As the partner sent it: long values are cut, and whole as a title. */
const Sent = ({ value }: { value: string | null }) => (
  <Text span size="xs" ff="monospace" truncate display="block" maw={180} title={value ?? undefined}>
    {value ?? texts.none}
  </Text>
);
