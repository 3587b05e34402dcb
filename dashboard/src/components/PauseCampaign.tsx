/** Pauses a campaign after asking, or makes it active again. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useSetActive } from '../api/campaigns';
import { useProject } from '../session';
import { texts } from '../texts';
import { readMessage } from './ErrorBox';
import { campaigns as campaignsTexts } from '../texts/campaigns';
import { Modal } from './layers';

const text = campaignsTexts.pause;

interface Target {
  readonly displayId: string;
  readonly name: string;
}

/** The change itself, which says what it did. */
export function useActivity() {
  const change = useSetActive(useProject().id);
  const set = ({ displayId, name }: Target, active: boolean, onDone?: () => void) =>
    change.mutate(
      { displayId, active },
      {
        onSuccess: () => {
          notifications.show({ color: 'teal', message: active ? texts.activeAgain(name) : text.paused(name) });
          onDone?.();
        },
        onError: (error) => notifications.show({ color: 'red', title: text.failed, message: readMessage(error) }),
      },
    );
  return { set, isPending: change.isPending };
}

interface Props {
  /** Undefined: closed. */
  readonly target: (Target & { readonly network: string }) | undefined;
  readonly onClose: () => void;
}

/** What pausing means, before it is done. */
export function PauseDialog({ target, onClose }: Props) {
  const { set, isPending } = useActivity();
  return (
    <Modal
      opened={target !== undefined}
      onClose={onClose}
      title={text.title(target?.name ?? '')}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <Stack gap="sm">
        <Text size="sm">{text.text}</Text>
        {target?.network && <Text size="sm">{text.network(target.network)}</Text>}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button color="red" loading={isPending} onClick={() => target && set(target, false, onClose)}>
            {texts.pause}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
