/** Sends the messages of a day again: they are counted first, and sent once that is confirmed. */
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { todayIn } from '../../period';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { messages } from '../../texts/messages';
import { refreshMessages, replay, type Selection } from './questions';
import { Modal } from '../../components/layers';

const text = messages.day;
const OUTCOMES = ['dead', 'dropped', 'sent', 'any'] as const;
type Chosen = (typeof OUTCOMES)[number];

export function ReplayDay() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {text.open}
      </Button>
      {isOpen && <ReplayForm onClose={() => setOpen(false)} />}
    </>
  );
}

/** First counts what a choice would send, then sends it. A new choice has to be counted anew. */
function useReplay(onDone: () => void) {
  const { id } = useProject();
  const formats = useFormats();
  const [day, setDay] = useState(todayIn('UTC'));
  const [outcome, setOutcome] = useState<Chosen>('dead');
  const [sent, setSent] = useState(0);
  const selection: Selection = { from: day, to: day, ...(outcome !== 'any' && { outcome }) };
  const count = useMutation({ mutationFn: () => replay(id, selection, true) });
  const send = useMutation({
    mutationFn: () => replay(id, selection, false, setSent),
    onSuccess: (total) => {
      notifications.show({ message: text.sent(formats.count(total)) });
      onDone();
    },
    // What was counted does not hold any more.
    onError: () => count.reset(),
    onSettled: () => refreshMessages(id),
  });
  const forget = () => {
    setSent(0);
    count.reset();
    send.reset();
  };
  return {
    day,
    outcome,
    sent,
    count,
    send,
    isBusy: count.isPending || send.isPending,
    error: send.error ?? count.error,
    chooseDay: (next: string) => {
      setDay(next);
      forget();
    },
    chooseOutcome: (next: Chosen) => {
      setOutcome(next);
      forget();
    },
    countAgain: () => {
      forget();
      count.mutate();
    },
  };
}

function ReplayForm({ onClose }: { onClose: () => void }) {
  const formats = useFormats();
  const { day, outcome, sent, count, send, isBusy, error, ...choose } = useReplay(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.open}
      centered
      closeOnClickOutside={!isBusy}
      closeOnEscape={!isBusy}
      withCloseButton={!send.isPending}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose.countAgain();
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{text.about}</Text>
          <TextInput
            type="date"
            label={texts.day}
            description={text.dayHint}
            required
            max={todayIn('UTC')}
            disabled={isBusy}
            value={day}
            onChange={({ currentTarget: { value } }) => choose.chooseDay(value)}
          />
          <Select
            label={text.outcome}
            description={outcome === 'any' ? text.anyHint : undefined}
            data={OUTCOMES.map((value) => ({ value, label: text.outcomes[value] }))}
            allowDeselect={false}
            disabled={isBusy}
            value={outcome}
            onChange={(next) => choose.chooseOutcome(next ?? 'dead')}
          />
          {error && <FormError message={readMessage(error)} />}
          {send.error && sent > 0 && <Text size="sm">{text.stopped(formats.count(sent))}</Text>}
          {/* Apart from the button that counts: a double click sends nothing. */}
          <Group justify="space-between" gap="xs" mih={36}>
            <Text size="sm" fw={600} role="status">
              {count.data !== undefined && text.counted(formats.count(count.data))}
            </Text>
            {count.data !== undefined && count.data > 0 && (
              <Button loading={send.isPending} onClick={() => send.mutate()}>
                {text.confirm(formats.count(count.data))}
              </Button>
            )}
          </Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={send.isPending} onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" variant="light" loading={count.isPending} disabled={send.isPending}>
              {text.count}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
