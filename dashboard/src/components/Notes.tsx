/** The dated notes of the days of a chart, below it: to read without pointing, to add, change and delete. */
import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { IconNote, IconPencil } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteAnnotation, saveAnnotation, type Annotation } from '../api/annotations';
import { useFormats, useMay, useProject } from '../session';
import { texts } from '../texts';
import { notes as text } from '../texts/notes';
import { ConfirmButton } from './ConfirmButton';
import { FormModal } from './FormModal';

/** What the form is about: a new note of a day, or one that is there. */
export type Noted = Pick<Annotation, 'day' | 'text'> & { readonly id?: number };

interface Props {
  readonly notes: readonly Annotation[] | undefined;
  /** The day that a new one begins with. */
  readonly day: string;
  /** What is being written; undefined while nothing is. */
  readonly noted: Noted | undefined;
  readonly onNote: (noted: Noted | undefined) => void;
}

export function Notes({ notes = [], day, noted, onNote }: Props) {
  const formats = useFormats();
  const mayWrite = useMay('boards');
  const { id: projectId } = useProject();
  if (notes.length === 0 && !mayWrite) return null;
  return (
    <Group gap="xs" mt="xs" align="flex-start" role="group" aria-label={text.label}>
      {notes.map((note) => (
        <Group key={note.id} gap={4} wrap="nowrap">
          <Text size="xs">
            <Text span fw={600} size="xs">
              {formats.shortDay(note.day)}
            </Text>{' '}
            {note.text}{' '}
            <Text span c="dimmed" size="xs">
              {text.by(note.created_by)}
            </Text>
          </Text>
          {mayWrite && (
            <>
              <ActionIcon size="sm" aria-label={text.changeNamed(note.text)} onClick={() => onNote(note)}>
                <IconPencil size={14} />
              </ActionIcon>
              <ConfirmButton
                label={texts.delete}
                name={text.deleteNamed(note.text)}
                title={text.deleteTitle}
                text={text.deleteText}
                confirm={texts.delete}
                done={text.deleted}
                action={() => deleteAnnotation(projectId, note.id)}
              />
            </>
          )}
        </Group>
      ))}
      {mayWrite && (
        <Button
          size="compact-xs"
          variant="subtle"
          data-print="hidden"
          leftSection={<IconNote size={14} />}
          onClick={() => onNote({ day, text: '' })}
        >
          {text.add}
        </Button>
      )}
      {noted && <NoteForm noted={noted} onClose={() => onNote(undefined)} />}
    </Group>
  );
}

function NoteForm({ noted, onClose }: { readonly noted: Noted; readonly onClose: () => void }) {
  const { id: projectId } = useProject();
  const [day, setDay] = useState(noted.day);
  const [says, setSays] = useState(noted.text);
  const save = useMutation({
    mutationFn: () => saveAnnotation(projectId, noted.id, { day, text: says.trim() }),
    onSuccess: onClose,
  });
  return (
    <FormModal
      title={noted.id === undefined ? text.add : text.change}
      error={save.error}
      isSaving={save.isPending}
      isDirty={says !== noted.text || day !== noted.day}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        type="date"
        label={text.day}
        required
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <TextInput
        label={text.text}
        placeholder={text.textHint}
        required
        maxLength={500}
        data-autofocus
        value={says}
        onChange={({ currentTarget }) => setSays(currentTarget.value)}
      />
    </FormModal>
  );
}
