/** Asks before what cannot be undone. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts';
import { FormError } from './FormError';
import { Modal } from './layers';

interface Props {
  readonly opened: boolean;
  readonly title: string;
  readonly text: ReactNode;
  /** What the button says that does it. */
  readonly action: string;
  /** Red unless it harms nothing. */
  readonly color?: string;
  readonly loading?: boolean;
  /** What went wrong. */
  readonly message?: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export const Confirm = ({
  color = 'red',
  opened,
  title,
  text,
  action,
  loading,
  message,
  onConfirm,
  onClose,
}: Props) => (
  <Modal opened={opened} onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': texts.close }}>
    <Stack>
      <Text size="sm" component="div">
        {text}
      </Text>
      {message && <FormError message={message} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.cancel}
        </Button>
        <Button color={color} loading={loading} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
