/** The device and user of an install, with links to their other installs. */
import { Anchor, Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Panel } from '../../components/Panel';
import { Time } from '../../components/Values';
import { countryName } from '../../format';
import { useProject } from '../../session';
import { texts, valueTexts } from '../../texts';
import { installQuery, type Explanation } from './questions';
import { install as installTexts } from '../../texts/install';
import { toPage } from '../../addresses';

const { fields } = installTexts;

export function Details({ explanation: { install_id, install, decision } }: { explanation: Explanation }) {
  const { id } = useProject();
  const { data, isPending } = useQuery(installQuery(id, install_id));
  const wait = (value: ReactNode) => (isPending ? <Skeleton height={12} width={120} /> : value);
  const all = (value: string | null | undefined) =>
    value && (
      <>
        {value}{' '}
        <Anchor
          component={Link}
          {...toPage('/projects/$projectId/installs', { projectId: id }, { search: value })}
          size="xs"
        >
          {installTexts.others}
        </Anchor>
      </>
    );
  const rows: readonly (readonly [string, ReactNode])[] = [
    [fields.user, wait(all(data?.user_id))],
    [fields.gaid, all(install?.gaid)],
    [fields.idfa, all(install?.idfa)],
    [fields.ip, install?.ip],
    [texts.country, wait(data?.country && countryName(data.country))],
    [fields.os, wait(data?.os)],
    [fields.ua, install?.ua],
    [fields.app, install?.app_id],
    [texts.platform, install && (valueTexts[install.platform] ?? install.platform)],
    [texts.installed, install && <Time value={install.install_time} />],
    [fields.received, install && <Time value={install.received_at} />],
    [fields.event, install?.event_id],
    [fields.touch, decision?.touch_id],
  ];
  return (
    <Panel title={installTexts.details} flush>
      <Table aria-label={installTexts.details} layout="fixed" fz="sm">
        <Table.Tbody>
          {rows.map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th w={170} fw={500} c="dimmed" pl="md">
                {label}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value || texts.none}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
