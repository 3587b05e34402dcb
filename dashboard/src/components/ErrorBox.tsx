/** What happened, in words, and a button to try again. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiFailure } from '../api/client';
import { useIsDown } from '../api/connection';
import { texts } from '../texts';

const { errors } = texts;

/** What an error means for who reads the page. */
export function readMessage(error: unknown): string {
  if (!(error instanceof ApiFailure)) return errors.unexpected;
  if (error.status === 0) return errors.unreachable;
  if (error.status === 403) return errors.forbidden;
  if (error.status === 404) return errors.missing;
  if (error.status === 429) return errors.limited(error.retryAfter);
  // Everything else the service says itself.
  return error.message;
}

export function ErrorBox({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const isDown = useIsDown();
  // Said once, above the page, which is loaded again by itself.
  if (isDown && error instanceof ApiFailure && error.status === 0) return null;
  return (
    <Alert variant="light" color="red" icon={<IconAlertTriangle size={18} />} title={errors.title} role="alert">
      <Group justify="space-between" align="center">
        <Text size="sm">{readMessage(error)}</Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
