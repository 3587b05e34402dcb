/** The form of a webhook: its URL, and of which events it is told. */
import { Checkbox, Input, SegmentedControl, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiFailure, unwrapData } from '../../api/client';
import { webhooksQuery, type Webhook, type WebhookSettings } from '../../api/postbacks';
import { queryClient } from '../../api/queries';
import { readFieldErrors } from '../../components/field-errors';
import { FormModal } from '../../components/FormModal';
import { useProject } from '../../session';
import { postbacks } from '../../texts/postbacks';
import { texts } from '../../texts';

const text = postbacks.webhooks;
const OWN = 'event:';
const MAX_URL = 4096;
/** Another webhook of the project has the URL. */
const TAKEN = 409;

/** The same for the same events in any order. */
const describeEvents = (events: readonly string[]) => [...events].sort().join(' ');

/** Which events are chosen: all, or some that everybody has and some by their names. */
interface Chosen {
  readonly isAll: boolean;
  readonly known: string[];
  readonly own: string[];
}

function readChosen(events: readonly string[] = []): Chosen {
  const named = events.filter((event) => event !== '*');
  return {
    isAll: named.length === 0,
    known: named.filter((event) => !event.startsWith(OWN)),
    own: named.filter((event) => event.startsWith(OWN)).map((one) => one.slice(OWN.length)),
  };
}

const listEvents = ({ isAll, known, own }: Chosen) => (isAll ? ['*'] : [...known, ...own.map((name) => OWN + name)]);

interface Props {
  /** None for a new one. */
  readonly webhook: Webhook | undefined;
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

export function WebhookForm({ webhook, onMade, onClose }: Props) {
  const { id } = useProject();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [chosen, setChosen] = useState(() => readChosen(webhook?.events));
  const events = listEvents(chosen);
  const save = useMutation({
    mutationFn: async (body: WebhookSettings) => {
      if (webhook) {
        const params = { path: { id, webhook: webhook.id } };
        await unwrapData(api.PUT('/admin/v1/projects/{id}/webhooks/{webhook}', { params, body }));
        return undefined;
      }
      return unwrapData(api.POST('/admin/v1/projects/{id}/webhooks', { params: { path: { id } }, body }));
    },
    onSuccess: async (made) => {
      await queryClient.invalidateQueries(webhooksQuery(id));
      onClose();
      if (made) onMade(made.secret);
      else notifications.show({ message: texts.saved });
    },
  });
  const errors =
    save.error instanceof ApiFailure && save.error.status === TAKEN
      ? { url: save.error.message }
      : readFieldErrors(save.error, ['url', 'events']);
  const isEmpty = events.length === 0;
  return (
    <FormModal
      title={webhook ? text.edit : text.add}
      error={Object.keys(errors).length > 0 ? null : save.error}
      isSaving={save.isPending}
      isDirty={url !== (webhook?.url ?? '') || describeEvents(events) !== describeEvents(webhook?.events ?? ['*'])}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) save.mutate({ url: url.trim(), events, enabled: webhook?.enabled ?? true });
      }}
      onClose={onClose}
    >
      <TextInput
        label={texts.url}
        description={text.urlHint}
        placeholder={text.urlPlaceholder}
        required
        maxLength={MAX_URL}
        spellCheck={false}
        data-autofocus
        value={url}
        error={errors.url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Input.Wrapper label={texts.events} labelElement="div" error={isEmpty ? text.none : errors.events}>
        <EventChoice value={chosen} onChange={setChosen} />
      </Input.Wrapper>
    </FormModal>
  );
}

interface ChoiceProps {
  readonly value: Chosen;
  readonly onChange: (next: Chosen) => void;
}

function EventChoice({ value, onChange }: ChoiceProps) {
  return (
    <Stack gap="sm" pt={4}>
      <SegmentedControl
        size="xs"
        aria-label={texts.events}
        style={{ alignSelf: 'flex-start' }}
        value={value.isAll ? 'all' : 'chosen'}
        data={[
          { value: 'all', label: texts.all },
          { value: 'chosen', label: text.chosen },
        ]}
        onChange={(which) => onChange({ ...value, isAll: which === 'all' })}
      />
      {!value.isAll && (
        <>
          <Checkbox.Group
            value={value.known}
            onChange={(known) => onChange({ ...value, known })}
            aria-label={texts.events}
          >
            <SimpleGrid cols={2} spacing="xs" verticalSpacing={8}>
              {Object.entries(postbacks.events).map(([event, label]) => (
                <Checkbox key={event} value={event} label={label} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <TagsInput
            label={text.own}
            description={text.ownHint}
            value={value.own}
            onChange={(own) => onChange({ ...value, own })}
          />
        </>
      )}
    </Stack>
  );
}
