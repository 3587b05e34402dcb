/** The form of a new export, with a dry run before it is made. */
import { Button, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { questionsQuery } from '../../api/boards';
import { createExport, forgetExports, tryExport } from '../../api/exports';
import { choices } from '../../choices';
import { FormModal } from '../../components/FormModal';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { scheduledExports } from '../../texts/exports';
import { DryRun } from './DryRun';
import { isQuestion, nameQuestion, NEW, readExportEntry, type Values } from './entry';
import { Place } from './Place';

const text = scheduledExports.form;

function useExportForm(onClose: () => void) {
  const { id } = useProject();
  const [values, setValues] = useState(NEW);
  const questions = useQuery(questionsQuery(id)).data ?? [];
  const attempt = useMutation({ mutationFn: () => tryExport(id, readExportEntry(values, questions)) });
  const save = useMutation({
    mutationFn: () => createExport(id, readExportEntry(values, questions)),
    onSuccess: async () => {
      await forgetExports(id);
      onClose();
      notifications.show({ message: text.created });
    },
  });
  const change = (changes: Partial<Values>) => {
    setValues((now) => ({ ...now, ...changes }));
    attempt.reset();
  };
  return { values, change, questions, attempt, save };
}

export function ExportForm({ hasFolders, onClose }: { hasFolders: boolean; onClose: () => void }) {
  const { values, change, questions, attempt, save } = useExportForm(onClose);
  const kinds = [
    { group: text.records, items: choices(scheduledExports.kinds) },
    { group: text.questions, items: questions.map(({ id, name }) => ({ value: nameQuestion(id), label: name })) },
  ];
  return (
    <FormModal
      title={scheduledExports.create}
      size="lg"
      submit={text.save}
      error={save.error ?? attempt.error}
      isSaving={save.isPending}
      isDirty={values !== NEW}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        required
        data-autofocus
        value={values.name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select
          label={text.kind}
          data={kinds.filter(({ items }) => items.length > 0)}
          searchable
          allowDeselect={false}
          value={values.kind}
          onChange={(next) => next && change({ kind: next })}
        />
        <Select
          label={text.format}
          data={choices(scheduledExports.formats)}
          allowDeselect={false}
          value={values.format}
          onChange={(next) => next && change({ format: next })}
        />
        <Select
          label={text.every}
          data={choices(scheduledExports.every)}
          allowDeselect={false}
          disabled={isQuestion(values)}
          value={isQuestion(values) ? 'day' : values.every}
          onChange={(next) => next && change({ every: next })}
        />
      </SimpleGrid>
      <Place values={values} hasFolders={hasFolders} onChange={change} />
      <TextInput
        type="date"
        label={text.from}
        description={`${text.fromHint} ${scheduledExports.everyHint}`}
        value={values.from}
        onChange={({ currentTarget: { value } }) => change({ from: value })}
      />
      <Group>
        <Button
          variant="default"
          size="xs"
          title={text.dryRunHint}
          loading={attempt.isPending}
          onClick={() => attempt.mutate()}
        >
          {text.dryRun}
        </Button>
      </Group>
      {attempt.data && <DryRun tried={attempt.data} isBucket={values.type === 's3'} />}
    </FormModal>
  );
}
