/** The secrets that templates name: their names, and a form to set one. What they are is never shown. */
import { Button, Group, PasswordInput, Skeleton, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteSecret, putSecret, secretsQuery, type TemplatePlace } from '../../api/postbacks';
import { queryClient } from '../../api/queries';
import { useFormats } from '../../session';
import { postbacks } from '../../texts/postbacks';
import { ConfirmButton } from '../ConfirmButton';
import { EmptyState } from '../EmptyState';
import { ErrorBox } from '../ErrorBox';
import { FormModal } from '../FormModal';
import { Panel } from '../Panel';
import classes from './Postbacks.module.css';
import { texts } from '../../texts';

const text = postbacks.secrets;

interface Props {
  readonly place: TemplatePlace;
  /** Readers see names alone. */
  readonly mayChange: boolean;
}

export function Secrets({ place, mayChange }: Props) {
  const formats = useFormats();
  const { data, error, isPending, refetch } = useQuery(secretsQuery(place));
  const [edited, setEdited] = useState<string>();
  const refresh = () => queryClient.invalidateQueries(secretsQuery(place));
  const remove = async (name: string) => {
    await deleteSecret(place, name);
    await refresh();
  };
  const add = (
    <Button size="xs" onClick={() => setEdited('')}>
      {text.add}
    </Button>
  );
  return (
    <Panel title={text.title} about={text.about} tools={mayChange && add} flush>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <Skeleton height={60} m="md" w="auto" />}
      {data?.length === 0 && <EmptyState title={text.empty} text={text.emptyText} />}
      {data && data.length > 0 && (
        <ul className={classes.entries} role="list" aria-label={text.title}>
          {data.map(({ name, changed_at }) => (
            <li key={name} className={classes.entry}>
              <Group gap={6} justify="space-between">
                <div>
                  <Text size="sm" ff="monospace">{`{secret:${name}}`}</Text>
                  <Text size="xs" c="dimmed">
                    {text.setOn(formats.time(changed_at))}
                  </Text>
                </div>
                {mayChange && (
                  <Group gap={6}>
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => setEdited(name)}
                      aria-label={postbacks.of(text.replace, name)}
                    >
                      {text.replace}
                    </Button>
                    <ConfirmButton
                      label={texts.delete}
                      name={postbacks.of(texts.delete, name)}
                      title={text.removeTitle(name)}
                      text={text.removeText}
                      confirm={texts.delete}
                      done={postbacks.removed}
                      action={() => remove(name)}
                    />
                  </Group>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <SecretForm place={place} name={edited} onSaved={refresh} onClose={() => setEdited(undefined)} />
      )}
    </Panel>
  );
}

interface FormProps {
  readonly place: TemplatePlace;
  /** Empty for a new one. */
  readonly name: string;
  readonly onSaved: () => Promise<unknown>;
  readonly onClose: () => void;
}

function SecretForm({ place, name, onSaved, onClose }: FormProps) {
  const [given, setGiven] = useState({ name, value: '' });
  const save = useMutation({
    mutationFn: () => putSecret(place, given.name, given.value),
    onSuccess: async () => {
      await onSaved();
      notifications.show({ message: texts.saved });
      onClose();
    },
  });
  return (
    <FormModal
      title={name === '' ? text.add : text.form(name)}
      error={save.error}
      isSaving={save.isPending}
      isDirty={given.name !== name || given.value !== ''}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
      onClose={onClose}
    >
      {name === '' && (
        <TextInput
          label={texts.name}
          description={text.nameHint}
          pattern="[a-z0-9_]{1,64}"
          required
          value={given.name}
          onChange={(event) => setGiven({ ...given, name: event.currentTarget.value })}
        />
      )}
      <PasswordInput
        label={text.value}
        description={text.valueHint}
        autoComplete="off"
        required
        value={given.value}
        onChange={(event) => setGiven({ ...given, value: event.currentTarget.value })}
      />
    </FormModal>
  );
}
