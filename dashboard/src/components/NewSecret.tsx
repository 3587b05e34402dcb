/** A secret, this once. It is gone for good once it is closed, so that only its button closes it. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { texts } from '../texts';
import { Modal } from './layers';
import { Snippet } from './Snippet';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly secret: string | undefined;
  /** What becomes of the one before, where there was one. */
  readonly former: string | null | undefined;
  readonly onClose: () => void;
}

export const NewSecret = ({ title, text, secret, former, onClose }: Props) => (
  <Modal
    opened={secret !== undefined}
    onClose={onClose}
    title={title}
    size="lg"
    centered
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {secret && (
      <Stack gap="sm">
        <Text size="sm">{text}</Text>
        <Snippet code={secret} />
        {former && (
          <Alert variant="light" color="yellow" p="xs" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
            {former}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{texts.copiedIt}</Button>
        </Group>
      </Stack>
    )}
  </Modal>
);
