/** Changes several links at once. */
import { Select, TagsInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../../components/FormModal';
import { useFormats, useProject } from '../../session';
import { links as linksTexts } from '../../texts/links';
import { toTags, useTags } from './LinkSettingsForm';
import { editLinks, forget } from './queries';

const text = linksTexts.many;
type Active = keyof typeof text.states;

interface Props {
  readonly displayIds: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function EditMany({ displayIds, onClose, onDone }: Props) {
  const { id } = useProject();
  const formats = useFormats();
  const known = useTags();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const [active, setActive] = useState<Active>('keep');
  const isDirty = add.length + remove.length > 0 || active !== 'keep';
  const save = useMutation({
    mutationFn: async () => {
      if (!isDirty) throw new Error(text.nothing);
      return editLinks(id, {
        display_ids: [...displayIds],
        ...(add.length > 0 && { add_tags: toTags(add) }),
        ...(remove.length > 0 && { remove_tags: remove }),
        ...(active !== 'keep' && { active: active === 'on' }),
      });
    },
    onSuccess: async ({ changed }) => {
      notifications.show({ message: text.done(formats.count(changed)) });
      await forget(id);
      onDone();
    },
  });
  return (
    <FormModal
      title={text.title(formats.count(displayIds.length))}
      error={save.error}
      isSaving={save.isPending}
      isDirty={isDirty && !save.isSuccess}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
      onClose={onClose}
    >
      <TagsInput label={text.add.label} description={text.add.about} data={known} value={add} onChange={setAdd} />
      <TagsInput label={text.remove} data={known} value={remove} onChange={setRemove} />
      <Select
        label={text.active}
        allowDeselect={false}
        value={active}
        data={Object.entries(text.states).map(([value, label]) => ({ value, label }))}
        onChange={(value) => setActive((value ?? 'keep') as Active)}
      />
    </FormModal>
  );
}
