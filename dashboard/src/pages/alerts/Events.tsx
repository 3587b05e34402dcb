/** What fired and was over, the latest first: when, why, and what became of each message. */
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { eventsQuery, type AlertEvent } from '../../api/alerts';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { Time } from '../../components/Values';
import { useView } from '../../search';
import { useProject } from '../../session';
import { alerts as text } from '../../texts/alerts';
import { alertSearch } from './search';

export function Events({ alertId }: { alertId: number }) {
  const { id } = useProject();
  const [{ before }, setView] = useView(alertSearch);
  const { data, error, refetch } = useQuery(eventsQuery(id, alertId, before));
  return (
    <Panel title={text.events}>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={80} mt="xs" />}
      {data?.events.length === 0 && <EmptyState title={text.eventsEmpty} />}
      <Stack gap="md" pt="xs" component="ol" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
        {data?.events.map((event) => (
          <li key={event.id}>
            <Event event={event} />
          </li>
        ))}
      </Stack>
      {data?.more && (
        <Button mt="sm" size="xs" variant="default" onClick={() => setView({ before: data.events.at(-1)?.id })}>
          {text.earlier}
        </Button>
      )}
    </Panel>
  );
}

function Event({ event: { kind, at, why, messages } }: { event: AlertEvent }) {
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant="light" color={kind === 'fired' ? 'red' : 'green'}>
          {text.eventKinds[kind]}
        </Badge>
        <Text size="sm" c="dimmed">
          <Time value={at} />
        </Text>
      </Group>
      {why.map((line) => (
        <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
      {messages.length > 0 && (
        <Text size="xs" c="dimmed">
          {text.told}:{' '}
          {messages
            .map(({ to, state, error }) => `${to} ${text.messageStates[state]}${error === '' ? '' : ` (${error})`}`)
            .join(', ')}
        </Text>
      )}
    </Stack>
  );
}
