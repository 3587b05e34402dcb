/** Sends a message to a destination to see whether it takes it; what it answered is shown. */
import { Button, Code, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import type { components } from '../../api/generated';
import { messageOf } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { PlainBadge } from '../../components/postbacks/Entries';
import { writtenRequest } from '../../components/postbacks/request';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { postbacks } from '../../texts/postbacks';

const text = postbacks.test;
type Test = components['schemas']['TestOfDestination'];
type Tested = components['schemas']['TestedDestination'];

interface Props {
  /** What is tried out. */
  readonly test: Test;
  /** Of what, for who does not see where the button stands. */
  readonly name: string;
  readonly disabled?: boolean;
}

export function TestButton({ test, name, disabled = false }: Props) {
  const { id } = useProject();
  const send = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/admin/v1/projects/{id}/postbacks/test', { params: { path: { id } }, body: test })),
  });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={postbacks.of(text.action, name)}
        disabled={disabled}
        loading={send.isPending}
        onClick={() => send.mutate()}
      >
        {text.action}
      </Button>
      <Modal
        opened={send.isSuccess || send.isError}
        onClose={() => send.reset()}
        title={text.title}
        centered
        size="lg"
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        {send.error && <FormError message={messageOf(send.error)} />}
        {send.data && <Result tested={send.data} />}
      </Modal>
    </>
  );
}

function Result({ tested: { sample, request, answer } }: { tested: Tested }) {
  const formats = useFormats();
  const isTaken = answer.status !== null && answer.status >= 200 && answer.status < 300;
  return (
    <Stack gap="sm">
      <div>
        <PlainBadge color={isTaken ? 'teal' : 'red'}>
          {answer.status === null
            ? text.noAnswer(answer.error ?? '')
            : text.answered(answer.status, formats.count(answer.latency_ms))}
        </PlainBadge>
      </div>
      <Text size="sm">{sample ? text.sample : text.latest}</Text>
      <Code block role="region" aria-label={text.request} tabIndex={0}>
        {writtenRequest(request)}
      </Code>
    </Stack>
  );
}
