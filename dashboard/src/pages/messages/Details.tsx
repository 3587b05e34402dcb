/** One attempt: its request, and a button that sends its message again. */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { eventName } from '../../components/postbacks/EventField';
import { Snippet } from '../../components/Snippet';
import { Time } from '../../components/Values';
import { texts } from '../../texts';
import { messages } from '../../texts/messages';
import { Outcome, nameReceiver } from './columns';
import classes from './Messages.module.css';
import { refreshMessages, replay, useLogPlace, type Attempt } from './questions';
import { toPage } from '../../addresses';
import { Modal } from '../../components/layers';

const text = messages.details;

interface Props {
  readonly attempt: Attempt;
  readonly maySend: boolean;
  readonly onClose: () => void;
}

export function Details({ attempt, maySend, onClose }: Props) {
  const { area, id } = useLogPlace();
  const { postback_id, outcome, event, install_id, tid, method, url, body, macros, error } = attempt;
  const send = useMutation({
    mutationFn: () => replay(id, { postback_id }, false),
    onSuccess: (count) => {
      notifications.show({ message: count > 0 ? messages.again.done : messages.again.nothing });
      onClose();
      return refreshMessages(id);
    },
  });
  // What was tried out is no message that could be sent again.
  const canSend = maySend && outcome !== 'test';
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      centered
      title={`${eventName(event)} · ${nameReceiver(attempt)}`}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <Stack gap="sm">
        <Group gap="xs">
          <Outcome outcome={outcome} />
          <Text size="sm" c="dimmed">
            <Time value={attempt.attempted_at} />
          </Text>
        </Group>
        <dl className={classes.facts}>
          {error && <Fact name={messages.columns.error} children={error} />}
          {install_id && area === 'partner' && <Fact name={texts.titles.install} children={install_id} />}
          {install_id && area === 'project' && (
            <Fact name={texts.titles.install}>
              <Anchor
                inherit
                component={Link}
                {...toPage('/projects/$projectId/installs/$installId', { projectId: id, installId: install_id })}
              >
                {install_id}
              </Anchor>
            </Fact>
          )}
          {tid && <Fact name={text.tid} children={tid} />}
          {area === 'partner' && attempt.project && (
            <Fact name={text.project} children={attempt.project.name ?? String(attempt.project.id)} />
          )}
          {attempt.status !== null && (
            <Fact name={text.answer} children={text.answered(attempt.status, attempt.latency_ms)} />
          )}
          <Fact name={text.attempt} children={text.attempts(attempt.attempt, attempt.is_replay)} />
          <Fact name={text.message} children={postback_id} />
          {method && <Fact name={texts.method} children={method} />}
        </dl>
        {url ? (
          <Part name={texts.url} value={url} />
        ) : (
          <Text size="sm" children={method ? (area === 'partner' ? text.advertisers : text.theirs) : text.noRequest} />
        )}
        {!url && method && <Part name={texts.macros} value={macros.join(' ') || text.noMacros} />}
        {body && <Part name={texts.body} value={body} />}
        <Text size="xs" c="dimmed">
          {text.hidden}
        </Text>
        {send.error && <FormError message={readMessage(send.error)} />}
        {canSend && (
          <Group justify="flex-end">
            <Button loading={send.isPending} onClick={() => send.mutate()}>
              {messages.again.action}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const Part = ({ name, value }: { name: string; value: string }) => (
  <div>
    <Text size="sm" c="dimmed" mb={4}>
      {name}
    </Text>
    <Snippet code={value} />
  </div>
);
