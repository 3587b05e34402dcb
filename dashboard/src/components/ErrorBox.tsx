/** What happened, in words, and a button to try again. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
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

/** How long to wait where too much was asked at once. */
const readWait = (error: unknown): number | undefined =>
  error instanceof ApiFailure && error.status === 429 ? error.retryAfter : undefined;

/** Tries again by itself once the service takes requests again. */
function useRetry(error: unknown, onRetry: (() => void) | undefined): void {
  const latest = useRef(onRetry);
  useEffect(() => void (latest.current = onRetry));
  useEffect(() => {
    const seconds = readWait(error);
    if (seconds === undefined) return;
    const timer = setTimeout(() => latest.current?.(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [error]);
}

export function ErrorBox({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const isDown = useIsDown();
  useRetry(error, onRetry);
  const wait = onRetry && readWait(error);
  // Said once, above the page, which is loaded again by itself.
  if (isDown && error instanceof ApiFailure && error.status === 0) return null;
  return (
    <Alert variant="light" color="red" icon={<IconAlertTriangle size={18} />} title={errors.title} role="alert">
      <Group justify="space-between" align="center">
        <Text size="sm">{wait === undefined ? readMessage(error) : errors.limitedAgain(wait)}</Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
