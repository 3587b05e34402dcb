/** A secret that is shown this once, with what to do with it. */
import { Alert, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { texts } from '../texts';
import { Snippet } from './Snippet';

interface Props {
  readonly title: string;
  readonly value: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

export const Secret = ({ title, value, children, onClose }: Props) => (
  <Alert
    variant="light"
    icon={<IconKey size={18} />}
    title={title}
    withCloseButton
    closeButtonLabel={texts.close}
    onClose={onClose}
    role="status"
  >
    <Stack gap="xs">
      <Text size="sm">{texts.shownOnce}</Text>
      <Snippet code={value} />
      {children}
    </Stack>
  </Alert>
);
