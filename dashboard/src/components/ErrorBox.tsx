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

/** Tries again by itself after so many seconds; never, where none are given. */
function useRetry(error: unknown, seconds: number | undefined, onRetry: (() => void) | undefined): void {
  const latest = useRef(onRetry);
  useEffect(() => void (latest.current = onRetry));
  useEffect(() => {
    if (seconds === undefined) return;
    const timer = setTimeout(() => latest.current?.(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [error, seconds]);
}

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** It changes something: only a press tries it again. */
  readonly isChange?: boolean;
}

export function ErrorBox({ error, onRetry, isChange = false }: Props) {
  const isDown = useIsDown();
  const wait = onRetry && !isChange ? readWait(error) : undefined;
  useRetry(error, wait, onRetry);
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
