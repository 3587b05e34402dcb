/** Sends a message to a destination to see whether it takes it; what it answered is shown. */
import { Button, Code, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import type { components } from '@adtrail/client';
import { readMessage } from '../ErrorBox';
import { FormError } from '../FormError';
import { PlainBadge } from './Entries';
import { writtenRequest } from './request';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { postbacks } from '../../texts/postbacks';
import { Modal } from '../layers';

const text = postbacks.test;
type Test = Omit<components['schemas']['TestOfDestination'], 'dry_run'>;
type PartnerTest = Omit<components['schemas']['TestOfPostback'], 'dry_run'>;
type Tested = components['schemas']['TestedDestination'];

/** What is tried out, and for whom. */
type Props = (
  | { readonly area: 'project'; readonly id: number; readonly test: Test }
  | { readonly area: 'partner'; readonly id: number; readonly test: PartnerTest }
) & {
  /** What is tested, for whoever does not see where the button stands. */
  readonly name: string;
  readonly disabled?: boolean;
};

const ask = (props: Props) => {
  const params = { path: { id: props.id } };
  return props.area === 'project'
    ? api.POST('/admin/v1/projects/{id}/postbacks/test', { params, body: { ...props.test, dry_run: false } })
    : api.POST('/admin/v1/partners/{id}/postbacks/test', { params, body: { ...props.test, dry_run: false } });
};

export function TestButton(props: Props) {
  const { name, disabled = false } = props;
  const send = useMutation({ mutationFn: () => unwrapData(ask(props)) });
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
        {send.error && <FormError message={readMessage(send.error)} />}
        {send.data && <Result tested={send.data} />}
      </Modal>
    </>
  );
}

function Result({ tested: { sample, request, answer } }: { tested: Tested }) {
  const formats = useFormats();
  const status = answer?.status ?? null;
  const isTaken = status !== null && status >= 200 && status < 300;
  return (
    <Stack gap="sm">
      <div>
        <PlainBadge color={isTaken ? 'teal' : 'red'}>
          {status === null
            ? text.noAnswer(answer?.error ?? '')
            : text.answered(status, formats.count(answer?.latency_ms ?? 0))}
        </PlainBadge>
      </div>
      <Text size="sm">{sample ? text.sample : text.latest}</Text>
      <Code block role="region" aria-label={text.request} tabIndex={0}>
        {writtenRequest(request)}
      </Code>
    </Stack>
  );
}
