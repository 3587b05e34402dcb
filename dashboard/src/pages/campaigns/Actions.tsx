/** What can be done with a campaign of the list. */
import { ActionIcon, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDots, IconExternalLink, IconLink, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useActivity } from '../../components/PauseCampaign';
import { useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { toCampaign } from './CampaignLink';
import type { Row } from './rows';
import { campaigns as text } from '../../texts/campaigns';

export function Actions({ row, onPause }: { row: Row; onPause: (row: Row) => void }) {
  const mayChange = useMay('links');
  const { copy } = useClipboard();
  const { set } = useActivity();
  const { id: projectId } = useProject();
  const { campaign, name } = row;
  if (!campaign) return null;
  const { display_id: displayId, link } = campaign;
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon size={24} aria-label={texts.actionsFor(name)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} {...toCampaign(projectId, displayId)} leftSection={<IconExternalLink size={16} />}>
          {text.details}
        </Menu.Item>
        {link && (
          <Menu.Item
            leftSection={<IconLink size={16} />}
            onClick={() => {
              copy(link);
              notifications.show({ message: texts.copied, autoClose: 2000 });
            }}
          >
            {text.copyLink}
          </Menu.Item>
        )}
        {mayChange &&
          (campaign.active ? (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => onPause(row)}>
              {texts.pause}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => set({ displayId, name }, true)}>
              {text.pause.resume}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
