/** Saves the statement: over the query that is open, or as a new one. */
import { Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { projectApi, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { savedQueriesQuery, type SavedQuery } from '../../api/sql';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';

const text = engineersTexts.sql;

interface Props {
  readonly statement: string;
  readonly open: SavedQuery | undefined;
  readonly onSaved: (saved: SavedQuery) => void;
}

export function SaveForm({ statement, open, onSaved }: Props) {
  const { id } = useProject();
  const [name, setName] = useState(open?.name ?? '');
  const save = useMutation({
    mutationFn: (over: SavedQuery | undefined) => put(id, over, { name: name.trim(), query: statement }),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: savedQueriesQuery(id).queryKey });
      notifications.show({ message: text.savedNow(saved.name) });
      onSaved(saved);
    },
  });
  const isEmpty = name.trim() === '' || statement.trim() === '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) save.mutate(open);
      }}
    >
      <TextInput
        size="xs"
        mt="xs"
        aria-label={texts.name}
        placeholder={texts.name}
        maxLength={255}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" variant="default" disabled={isEmpty} loading={save.isPending}>
          {open ? text.save : texts.save}
        </Button>
        {open && (
          <Button
            size="xs"
            variant="default"
            disabled={isEmpty || name.trim() === open.name}
            onClick={() => save.mutate(undefined)}
          >
            {text.saveNew}
          </Button>
        )}
      </Group>
      {save.error && <FormError message={readMessage(save.error)} />}
    </form>
  );
}

const put = (projectId: number, over: SavedQuery | undefined, body: { name: string; query: string }) =>
  over
    ? unwrapData(projectApi(projectId).PUT('/api/v1/saved-queries/{id}', { params: { path: { id: over.id } }, body }))
    : unwrapData(projectApi(projectId).POST('/api/v1/saved-queries', { body }));
