/** Gives an export other keys of its bucket; those that it has are never shown. */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changeExport, forgetExports, type ScheduledExport } from '../../api/exports';
import { FormModal } from '../../components/FormModal';
import { useProject } from '../../session';
import { scheduledExports as text } from '../../texts/exports';
import { KeyFields } from './KeyFields';

export function KeysForm({ one, onClose }: { one: ScheduledExport; onClose: () => void }) {
  const { id } = useProject();
  const [keys, setKeys] = useState({ key: '', secret: '' });
  const change = useMutation({
    mutationFn: () => changeExport(id, one.id, { keys }),
    onSuccess: async () => {
      await forgetExports(id);
      onClose();
      notifications.show({ message: text.keysChanged });
    },
  });
  return (
    <FormModal
      title={text.keysNamed(one.name)}
      error={change.error}
      isSaving={change.isPending}
      isDirty={keys.key !== '' || keys.secret !== ''}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
      onClose={onClose}
    >
      <KeyFields keys={keys} onChange={(next) => setKeys((now) => ({ ...now, ...next }))} />
    </FormModal>
  );
}
