/** Adds a saved question, or a heading, to a board. */
import { Button, Group, Popover, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { questionsQuery } from '../../api/boards';
import { MAX_NAME } from '../../api/generated-limits';
import { MAX_ITEMS } from '../../components/board/places';
import { useEscape } from '../../escape';
import { boards as text } from '../../texts/boards';
import type { Added } from './arranged';

interface Props {
  readonly projectId: number;
  readonly count: number;
  readonly onAdd: (added: Added) => void;
}

export function AddItem({ projectId, count, onAdd }: Props) {
  const questions = useQuery(questionsQuery(projectId));
  const [isOpen, setOpen] = useState(false);
  const [heading, setHeading] = useState('');
  useEscape(isOpen, () => setOpen(false));
  const add = (added: Added) => {
    onAdd(added);
    setOpen(false);
  };
  const addHeading = (event: FormEvent) => {
    event.preventDefault();
    if (heading.trim() === '') return;
    add({ questionId: null, title: heading.trim() });
    setHeading('');
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={340}
      trapFocus
      withinPortal
      closeOnEscape={false}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} />}
          disabled={count >= MAX_ITEMS}
          title={count >= MAX_ITEMS ? text.full : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {text.add}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {questions.data?.length === 0 ? (
            <Text size="sm" c="dimmed">
              {text.noQuestions}
            </Text>
          ) : (
            <Select
              size="xs"
              label={text.addQuestion}
              placeholder={text.chooseQuestion}
              searchable
              value={null}
              comboboxProps={{ withinPortal: false }}
              data={(questions.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              onChange={(value) => {
                const question = questions.data?.find(({ id }) => String(id) === value);
                if (question) add({ questionId: question.id, title: question.name });
              }}
            />
          )}
          <form onSubmit={addHeading}>
            <Group align="flex-end" gap="xs" wrap="nowrap">
              <TextInput
                size="xs"
                style={{ flex: 1 }}
                label={text.addHeading}
                maxLength={MAX_NAME}
                value={heading}
                onChange={({ currentTarget }) => setHeading(currentTarget.value)}
              />
              <Button size="xs" type="submit" variant="default" disabled={heading.trim() === ''}>
                {text.add}
              </Button>
            </Group>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
