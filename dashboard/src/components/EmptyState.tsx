/** Where there is nothing yet: what to do next, with something to paste. */
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Snippet } from './Snippet';
import classes from './components.module.css';

interface Props {
  readonly title: string;
  readonly text?: string;
  /** Code to paste. */
  readonly snippet?: string;
  /** A button or link, or what is to be done first. */
  readonly children?: ReactNode;
}

export function EmptyState({ title, text, snippet, children }: Props) {
  return (
    <Stack align="center" gap="xs" className={classes.empty}>
      <Text fw={600}>{title}</Text>
      {text && (
        <Text size="sm" c="dimmed" ta="center" maw={520}>
          {text}
        </Text>
      )}
      {snippet && <Snippet code={snippet} />}
      {children}
    </Stack>
  );
}
