/** Says once that the service cannot be reached, in place of every message that would say so by itself. */
import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { notifications, useNotifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { tryNow, useIsDown } from '../api/connection';
import { texts } from '../texts';
import classes from './Shell.module.css';

export function Connection() {
  const isDown = useIsDown();
  const { notifications: shown } = useNotifications();
  useEffect(() => {
    const repeated = shown.filter(({ message }) => isDown && message === texts.errors.unreachable);
    for (const { id } of repeated) if (id !== undefined) notifications.hide(id);
  }, [shown, isDown]);
  if (!isDown) return null;
  return (
    <Alert className={classes.connection} color="red" variant="filled" role="alert" py="xs">
      <Group gap="sm" wrap="nowrap" justify="space-between">
        <Group gap="sm" wrap="nowrap">
          <Loader size="xs" color="white" />
          <Text size="sm">{texts.errors.down}</Text>
        </Group>
        <Button size="xs" variant="white" color="dark" onClick={tryNow}>
          {texts.tryAgain}
        </Button>
      </Group>
    </Alert>
  );
}
