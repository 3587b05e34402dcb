/** What waits to be sent, by host. Nothing is shown where nothing waits. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { useFormats } from '../../session';
import { messages } from '../../texts/messages';
import classes from './Messages.module.css';
import { pendingQuery, useLogPlace } from './questions';

const text = messages.pending;

export function Pending() {
  const { data, error, refetch } = useQuery(pendingQuery(useLogPlace()));
  const formats = useFormats();
  if (!data) return error && <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (data.pending === 0) return null;
  return (
    <Panel title={text.title}>
      <ul className={classes.hosts} role="list" aria-label={text.title}>
        {data.hosts.map(({ host, pending, oldest_seconds }) => (
          <li key={host}>
            <b>{host}</b>{' '}
            <Text span inherit c="dimmed">
              {text.host(formats.count(pending), formats.seconds(oldest_seconds))}
            </Text>
          </li>
        ))}
      </ul>
      {!data.complete && (
        <Text size="xs" c="dimmed">
          {text.incomplete}
        </Text>
      )}
    </Panel>
  );
}
