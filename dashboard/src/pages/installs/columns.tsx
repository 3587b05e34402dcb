/** The columns of the list of installs. */
import { Anchor, Badge, Group, Text, Tooltip } from '@mantine/core';
import { IconBrandAndroid, IconBrandApple } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Time } from '../../components/Values';
import type { Column } from '../../components/table-columns';
import { countryName } from '../../format';
import { texts, valueTexts } from '../../texts';
import classes from './Installs.module.css';
import type { Install } from './questions';
import { installs as text } from '../../texts/installs';
import { toPage } from '../../addresses';

const Dim = ({ children }: { children: string }) => (
  <Text span size="xs" c="dimmed" display="block" truncate>
    {children}
  </Text>
);

function Device({ install: { platform, os, country } }: { install: Install }) {
  const Icon = platform === 'IOS' ? IconBrandApple : IconBrandAndroid;
  return (
    <Group gap={6} wrap="nowrap" className={classes.whole}>
      <Icon size={16} stroke={1.6} className={classes.icon} role="img" aria-label={valueTexts[platform] ?? platform} />
      <span>{[country && countryName(country), os].filter(Boolean).join(' · ') || texts.none}</span>
    </Group>
  );
}

function Credit({ install }: { install: Install }) {
  if (!install.decided)
    return (
      <Badge variant="light" color="gray" size="sm">
        {text.undecided}
      </Badge>
    );
  if (!install.campaign) return <Text span c="dimmed" inherit children={texts.organic} />;
  const { ad_network: network, partner } = install;
  return (
    <div className={classes.credit}>
      <span>{install.campaign.name || install.campaign.display_id}</span>
      <Dim>{partner?.name ?? (network ? (valueTexts[network.toLowerCase()] ?? network) : texts.none)}</Dim>
    </div>
  );
}

const Signs = ({ install }: { install: Install }) => (
  <Group gap={4} wrap="nowrap">
    {install.suspicious && (
      <Tooltip label={install.suspicious_reasons.map((reason) => text.reasonTexts[reason]).join(' ')}>
        <Badge variant="light" color="red" size="sm" className={classes.sign}>
          {install.suspicious_reasons.map((reason) => text.reasons[reason]).join(', ')}
        </Badge>
      </Tooltip>
    )}
    {install.reinstall && (
      <Badge variant="light" color="gray" size="sm">
        {texts.reinstall}
      </Badge>
    )}
  </Group>
);

/** `fresh`: the IDs of rows that have just come. */
export const installColumns = (projectId: number, fresh: ReadonlySet<string>): Column<Install>[] => [
  {
    id: 'installed',
    header: texts.installed,
    value: (row) => row.installed_at,
    cell: (row) => (
      <span className={classes.when} data-fresh={fresh.has(row.install_id) || undefined}>
        <Time value={row.installed_at} />
        {fresh.has(row.install_id) && <span className={classes.fresh}>{text.isNew}</span>}
      </span>
    ),
  },
  {
    id: 'install',
    header: text.columns.install,
    value: (row) => row.install_id,
    cell: (row) => (
      <div className={classes.id}>
        <Anchor
          component={Link}
          {...toPage('/projects/$projectId/installs/$installId', { projectId, installId: row.install_id })}
          title={row.install_id}
          inherit
        >
          {row.install_id}
        </Anchor>
        {row.user_id && <Dim>{row.user_id}</Dim>}
      </div>
    ),
  },
  { id: 'credit', header: text.columns.credit, value: () => '', cell: (row) => <Credit install={row} /> },
  {
    id: 'rule',
    header: text.columns.rule,
    value: (row) => row.rule,
    cell: (row) => <div className={classes.rule}>{row.rule ? (text.rules[row.rule] ?? row.rule) : texts.none}</div>,
  },
  { id: 'after', header: text.columns.after, kind: 'seconds', value: (row) => row.seconds_to_install },
  { id: 'device', header: texts.device, value: () => '', cell: (row) => <Device install={row} /> },
  { id: 'signs', header: text.columns.signs, value: () => '', cell: (row) => <Signs install={row} /> },
];
