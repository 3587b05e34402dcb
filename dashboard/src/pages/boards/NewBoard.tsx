/** The form of a new board: its name, and what it begins with. */
import { Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { createBoard, type Template } from '../../api/boards';
import { MAX_NAME } from '../../api/generated-limits';
import { FormModal } from '../../components/FormModal';
import { boards as text } from '../../texts/boards';

type Choice = keyof typeof text.templates;
const CHOICES = Object.keys(text.templates) as Choice[];

export function NewBoard({ projectId, onClose }: { readonly projectId: number; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm<{ name: string; template: Choice }>({
    initialValues: { name: '', template: 'advertiser' },
    validate: { name: (name) => (name.trim() === '' ? text.nameMissing : null) },
  });
  const create = useMutation({
    mutationFn: ({ name, template }: { name: string; template: Choice }) =>
      createBoard(projectId, { name, ...(template === 'none' ? {} : { template: template satisfies Template }) }),
    onSuccess: (board) => {
      onClose();
      void navigate(toPage('/projects/$projectId/boards/$boardId', { projectId, boardId: board.id }));
    },
  });
  return (
    <FormModal
      title={text.create}
      submit={text.create}
      error={create.error}
      isSaving={create.isPending}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onClose={onClose}
    >
      <TextInput label={text.name} maxLength={MAX_NAME} data-autofocus {...form.getInputProps('name')} />
      <Radio.Group label={text.template} {...form.getInputProps('template')}>
        <Stack gap="xs" mt="xs">
          {CHOICES.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={text.templates[choice].label}
              description={text.templates[choice].about}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormModal>
  );
}
