/** A separate page in the middle of the screen: signing in, welcoming. */
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Logo } from '../shell/Logo';
import { texts } from '../texts';
import classes from './people.module.css';

export function CenteredCard({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <main className={classes.ground}>
      <Paper className={classes.card}>
        <Stack gap="md">
          <Group gap={8}>
            <Logo size={24} />
            <Text fw={650}>{texts.product}</Text>
          </Group>
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Paper>
    </main>
  );
}
