/** A link that is shown once, for installations that send no e-mail. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { members as text } from '../../texts/members';
import { Snippet } from '../Snippet';
import { Modal } from '../layers';

export interface ShownLink {
  readonly email: string;
  readonly link: string;
  readonly expires_at: string;
}

export function LinkOnce({ shown, onClose }: { shown: ShownLink | undefined; onClose: () => void }) {
  const formats = useFormats();
  return (
    <Modal
      opened={shown !== undefined}
      onClose={onClose}
      title={text.linkTitle}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {shown && (
        <Stack gap="sm">
          <Text size="sm">{text.linkFor(shown.email)}</Text>
          <Snippet code={shown.link} />
          <Text size="sm" c="dimmed">
            {text.linkText(formats.time(shown.expires_at))}
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>{text.done}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
