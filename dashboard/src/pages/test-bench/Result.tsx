/** What a request would be answered, and every check with what it found. */
import { Alert, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { refusalText } from '../../texts/refusals';
import classes from './Result.module.css';
import type { Trial } from './trial';
import { partner as partnerTexts } from '../../texts/partner';
import { texts } from '../../texts';

const text = partnerTexts.bench;

interface Props {
  readonly trial: Trial | undefined;
  readonly error: unknown;
  readonly stale: boolean;
}

export function Result({ trial, error, stale }: Props) {
  if (error) return <ErrorBox error={error} />;
  if (!trial) return <EmptyState title={texts.checks} text={text.waiting} />;
  const isFailed = trial.checks.some(({ ok }) => !ok);
  return (
    <Stack gap="sm" mt="xs" className={classes.result} data-stale={stale || undefined}>
      <Outcome trial={trial} />
      <Title order={3} size="h6">
        {texts.checks}
      </Title>
      <ol className={classes.checks}>
        {trial.checks.map(({ name, ok, detail }) => (
          <li key={name} className={classes.check}>
            {ok ? (
              <IconCircleCheck size={18} className={classes.passed} role="img" aria-label={text.passed} />
            ) : (
              <IconCircleX size={18} className={classes.failed} role="img" aria-label={texts.failed} />
            )}
            <Text size="sm" fw={500}>
              {text.names[name] ?? name}
            </Text>
            {detail !== undefined && (
              <Text size="sm" c="dimmed" className={classes.detail}>
                {detail}
              </Text>
            )}
          </li>
        ))}
      </ol>
      {isFailed && (
        <Text size="xs" c="dimmed">
          {text.more}
        </Text>
      )}
    </Stack>
  );
}

function Outcome({ trial: { outcome, reason, status } }: { trial: Trial }) {
  const isAccepted = outcome === 'accepted';
  const { label, help } = refusalText(reason ?? '');
  return (
    <Alert
      variant="light"
      color={isAccepted ? 'green' : 'red'}
      icon={isAccepted ? <IconCircleCheck size={20} /> : <IconCircleX size={20} />}
      title={isAccepted ? text.accepted : text.rejected(label)}
      styles={{
        message: { color: 'var(--mantine-color-text)' },
        title: { color: isAccepted ? 'var(--app-good)' : 'var(--app-bad)' },
      }}
    >
      {!isAccepted && (
        <Text size="sm">
          {help}{' '}
          <Text span ff="monospace" size="xs">
            {reason}
          </Text>
        </Text>
      )}
      <Text size="sm">{text.answer(status)}</Text>
    </Alert>
  );
}
