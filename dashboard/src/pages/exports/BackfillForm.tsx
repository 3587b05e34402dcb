/** Asks for days before an export began to be written too. */
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { backfillExport, forgetExports, type ScheduledExport } from '../../api/exports';
import { readFieldErrors } from '../../components/field-errors';
import { FormModal } from '../../components/FormModal';
import { useProject } from '../../session';
import { scheduledExports } from '../../texts/exports';

const text = scheduledExports.backfillForm;
const NO_DAYS = { from: '', to: '' };

export function BackfillForm({ one, onClose }: { one: ScheduledExport; onClose: () => void }) {
  const { id } = useProject();
  const [days, setDays] = useState(NO_DAYS);
  const ask = useMutation({
    mutationFn: () => backfillExport(id, one.id, days),
    onSuccess: async () => {
      await forgetExports(id);
      onClose();
      notifications.show({ message: text.asked });
    },
  });
  const errors = readFieldErrors(ask.error, ['from', 'to']);
  return (
    <FormModal
      title={scheduledExports.backfillNamed(one.name)}
      submit={text.save}
      error={Object.keys(errors).length > 0 ? null : ask.error}
      isSaving={ask.isPending}
      isDirty={days.from !== '' || days.to !== ''}
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">{text.about[one.every]}</Text>
      <SimpleGrid cols={2} spacing="sm">
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={text[name]}
            required
            error={errors[name]}
            value={days[name]}
            onChange={({ currentTarget: { value } }) => setDays((now) => ({ ...now, [name]: value }))}
          />
        ))}
      </SimpleGrid>
    </FormModal>
  );
}
