/** The saved queries of a project: open, save, change, delete. */
import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrapData, projectApi } from '../../api/client';
import { queryClient } from '../../api/queries';
import { savedQueriesQuery, type SavedQuery } from '../../api/sql';
import { ConfirmButton } from '../../components/ConfirmButton';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { Panel } from '../../components/Panel';
import { useFormats, useProject } from '../../session';
import classes from './Sql.module.css';
import { engineers as engineersTexts } from '../../texts/engineers';
import { texts } from '../../texts';

const text = engineersTexts.sql;

interface Props {
  readonly statement: string;
  readonly onOpen: (statement: string) => void;
}

export function Saved({ statement, onOpen }: Props) {
  const { id } = useProject();
  const { time } = useFormats();
  const { data, error, refetch } = useQuery(savedQueriesQuery(id));
  const [name, setName] = useState('');
  const refresh = () => queryClient.invalidateQueries({ queryKey: savedQueriesQuery(id).queryKey });
  const same = data?.find((one) => one.name === name.trim());
  const save = useMutation({
    mutationFn: () => put(id, same, { name: name.trim(), query: statement }),
    onSuccess: async (saved) => {
      await refresh();
      notifications.show({ message: text.savedNow(saved.name) });
    },
  });
  return (
    <Panel title={text.saved}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Group gap="xs" mt="xs" align="flex-end" wrap="nowrap">
          <TextInput
            size="xs"
            flex={1}
            aria-label={texts.name}
            placeholder={texts.name}
            maxLength={255}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button
            type="submit"
            size="xs"
            variant="default"
            disabled={name.trim() === '' || statement.trim() === ''}
            loading={save.isPending}
          >
            {same ? text.save : texts.save}
          </Button>
        </Group>
      </form>
      {save.error && <FormError message={readMessage(save.error)} />}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          {text.savedEmpty}
        </Text>
      )}
      <div className={classes.saved}>
        {data?.map((one) => (
          <div key={one.id} className={classes.entry}>
            <div style={{ flex: 1, minWidth: 0 }}>
              <Anchor
                component="button"
                type="button"
                size="sm"
                aria-label={text.open(one.name)}
                onClick={() => {
                  setName(one.name);
                  onOpen(one.query);
                }}
              >
                {one.name}
              </Anchor>
              <Text size="xs" c="dimmed" truncate>
                {text.by(one.created_by, time(one.updated_at))}
              </Text>
            </div>
            <ConfirmButton
              label={texts.delete}
              name={texts.deleteNamed(one.name)}
              title={texts.deleteTitle(one.name)}
              text={text.removeText}
              confirm={texts.delete}
              done={text.removed}
              action={async () => {
                const params = { path: { id: one.id } };
                await projectApi(id).DELETE('/api/v1/saved-queries/{id}', { params });
                await refresh();
              }}
            />
          </div>
        ))}
      </div>
    </Panel>
  );
}

/** A query of that name is changed; else there is a new one. */
const put = (projectId: number, same: SavedQuery | undefined, body: { name: string; query: string }) =>
  same
    ? unwrapData(projectApi(projectId).PUT('/api/v1/saved-queries/{id}', { params: { path: { id: same.id } }, body }))
    : unwrapData(projectApi(projectId).POST('/api/v1/saved-queries', { body }));
