/** The steps of the funnel, one below the other. */
import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { funnel as text } from '../../texts/funnel';
import { joinStep, MAX_STEPS, MIN_STEPS, moveStep, removeStep, replaceStep, splitStep, TYPES } from './steps';

interface Props {
  readonly steps: readonly string[];
  readonly onChange: (steps: string[]) => void;
}

const TYPING_MS = 400;

export function Steps({ steps, onChange }: Props) {
  return (
    <Stack gap={6} role="group" aria-label={text.steps}>
      {steps.map((step, at) => {
        const { type, name } = splitStep(step);
        return (
          // A step has no name of its own: its place is what it is.
          <Group key={`${at} ${type}`} gap={6} wrap="nowrap">
            <Text size="xs" c="dimmed" w={14}>
              {at + 1}
            </Text>
            <Select
              size="xs"
              w={130}
              aria-label={text.step(at + 1)}
              allowDeselect={false}
              value={type}
              data={TYPES.map((value) => ({ value, label: text.types[value] }))}
              onChange={(next) => onChange(replaceStep(steps, at, joinStep(next ?? type, name)))}
            />
            {type === 'event' && (
              <EventName
                number={at + 1}
                name={name}
                onChange={(next) => onChange(replaceStep(steps, at, joinStep('event', next)))}
              />
            )}
            {at > 0 && (
              <ActionIcon size="sm" aria-label={text.up(at + 1)} onClick={() => onChange(moveStep(steps, at, -1))}>
                <IconArrowUp size={14} />
              </ActionIcon>
            )}
            {steps.length > MIN_STEPS && (
              <ActionIcon size="sm" aria-label={text.remove(at + 1)} onClick={() => onChange(removeStep(steps, at))}>
                <IconX size={14} />
              </ActionIcon>
            )}
          </Group>
        );
      })}
      {steps.length < MAX_STEPS && (
        <div>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...steps, 'payment'])}
          >
            {text.add}
          </Button>
        </div>
      )}
    </Stack>
  );
}

/** Typed into at once; the URL follows. */
function EventName({ number, name, onChange }: { number: number; name: string; onChange: (name: string) => void }) {
  const [typed, setTyped] = useState(name);
  const tell = useDebouncedCallback(onChange, TYPING_MS);
  return (
    <TextInput
      size="xs"
      flex={1}
      maw={240}
      aria-label={text.event(number)}
      placeholder={text.eventHint}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        tell(currentTarget.value);
      }}
    />
  );
}
