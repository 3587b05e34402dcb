/** Small forms: a new key, and the name of one. */
import { Radio, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery, type KeyKind, type ProjectKey } from '../../api/admin';
import { api } from '../../api/client';
import type { useCreateKey } from '../../api/made-keys';
import { queryClient } from '../../api/queries';
import { FormModal } from '../../components/FormModal';
import { useProject } from '../../session';
import { keys as text } from '../../texts/keys';
import { texts } from '../../texts';
import { KINDS } from './search';

const MAX_NAME = 100;

interface NewKeyProps {
  readonly create: ReturnType<typeof useCreateKey>;
  readonly onClose: () => void;
  readonly onCreated: (kind: KeyKind) => void;
}

export function NewKey({ create, onClose, onCreated }: NewKeyProps) {
  const [kind, setKind] = useState<KeyKind>(KINDS[0]);
  const [name, setName] = useState('');
  return (
    <FormModal
      title={text.create}
      submit={text.create}
      error={create.error}
      isSaving={create.isPending}
      isDirty={name !== ''}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(
          { kind, name: name.trim() },
          {
            onSuccess: () => {
              onCreated(kind);
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <Radio.Group label={texts.kind} value={kind} onChange={(next) => setKind(next)}>
        <Stack gap="xs" pt={4}>
          {KINDS.map((one) => (
            <Radio key={one} value={one} label={text.kinds[one]} description={text.kindHints[one]} />
          ))}
        </Stack>
      </Radio.Group>
      <NameInput value={name} onChange={setName} />
    </FormModal>
  );
}

export function RenameKey({ one, onClose }: { one: ProjectKey; onClose: () => void }) {
  const { id } = useProject();
  const [name, setName] = useState(one.name ?? '');
  const rename = useMutation({
    mutationFn: () =>
      api.PUT('/admin/v1/projects/{id}/keys/{key_id}', {
        params: { path: { id, key_id: one.id } },
        body: { name: name.trim() || null },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery(id).queryKey });
      onClose();
    },
  });
  return (
    <FormModal
      title={text.renameTitle(text.kinds[one.kind])}
      error={rename.error}
      isSaving={rename.isPending}
      isDirty={name !== (one.name ?? '')}
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
      onClose={onClose}
    >
      <NameInput value={name} onChange={setName} />
    </FormModal>
  );
}

const NameInput = ({ value, onChange }: { value: string; onChange: (next: string) => void }) => (
  <TextInput
    label={texts.name}
    description={text.nameHint}
    value={value}
    maxLength={MAX_NAME}
    data-autofocus
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
