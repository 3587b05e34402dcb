/** The secret of a webhook, this once. It is gone for good once it is closed, so that only its button closes it. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Snippet } from '../../components/Snippet';
import { useFormats } from '../../session';
import { postbacks } from '../../texts/postbacks';
import { texts } from '../../texts';
import { Modal } from '../../components/layers';

const text = postbacks.webhooks;

export interface Made {
  readonly secret: string;
  readonly former_valid_until: string | null;
}

export function NewSecret({ made, onClose }: { made: Made | undefined; onClose: () => void }) {
  const formats = useFormats();
  return (
    <Modal
      opened={made !== undefined}
      onClose={onClose}
      title={text.secretTitle}
      size="lg"
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {made && (
        <Stack gap="sm">
          <Text size="sm">{text.secretText}</Text>
          <Snippet code={made.secret} />
          {made.former_valid_until && (
            <Alert variant="light" color="yellow" p="xs" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
              {text.former(formats.time(made.former_valid_until))}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button onClick={onClose}>{texts.copiedIt}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
