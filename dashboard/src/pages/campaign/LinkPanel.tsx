/** The link of the campaign, to copy and as a QR code, and what is configured about it. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Campaign } from '../../api/campaigns';
import { unwrapData, projectApi } from '../../api/client';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { Time } from '../../components/Values';
import { download } from '../../components/files';
import { useFormats, useProject } from '../../session';
import classes from './Campaign.module.css';
import { campaigns as campaignsTexts } from '../../texts/campaigns';
import { texts } from '../../texts';

const text = campaignsTexts.one.link;

/** The drawing itself as the address of an image. */
function useQr({ display_id: displayId, domain }: Campaign) {
  const { id } = useProject();
  return useQuery({
    queryKey: ['link-qr', id, displayId],
    queryFn: async ({ signal }) => {
      const path = { display_id: displayId };
      const options = { params: { path }, parseAs: 'text' as const, signal };
      const svg = await unwrapData<string>(projectApi(id).GET('/api/v1/links/{display_id}/qr', options));
      return `data:image/svg+xml,${encodeURIComponent(svg)}`;
    },
    enabled: domain !== null,
  });
}

interface Props {
  readonly campaign: Campaign;
  /** The name of the ad network or partner; empty for none. */
  readonly network: string;
}

export function LinkPanel({ campaign, network }: Props) {
  const formats = useFormats();
  const qr = useQr(campaign);
  const [channel] = campaign.custom_channels;
  const facts: [string, ReactNode][] = [
    [texts.id, campaign.display_id],
    ...(network ? [[texts.network, network] as [string, string]] : []),
    ...(channel ? [[texts.channel, channel.name] as [string, string]] : []),
    ...(campaign.website ? [[text.desktop, campaign.website] as [string, string]] : []),
    [texts.created, <Time key="created" value={campaign.created_at} />],
    [text.credited, formats.count(campaign.attributed_users)],
  ];
  return (
    <Panel title={texts.link}>
      {campaign.domain === null ? (
        <Text size="sm" c="dimmed">
          {text.noDomain}
        </Text>
      ) : (
        <Group align="flex-start" gap="md" mt="xs">
          <Stack gap="sm" style={{ flex: '1 1 260px', minWidth: 0 }}>
            <Snippet code={campaign.link} />
            <dl className={classes.facts}>
              {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
            </dl>
          </Stack>
          <Stack gap={6} align="center">
            {qr.data ? (
              <img className={classes.qr} src={qr.data} alt={text.qr} />
            ) : (
              <Skeleton width={132} height={132} animate={qr.isPending} />
            )}
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconDownload size={14} />}
              disabled={!qr.data}
              onClick={() => download(`${campaign.display_id}-qr.svg`, qr.data ?? '')}
            >
              {text.downloadQr}
            </Button>
          </Stack>
        </Group>
      )}
    </Panel>
  );
}
