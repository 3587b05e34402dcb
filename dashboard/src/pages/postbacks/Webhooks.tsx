/** The webhooks of a project: where its own servers are told, of what, and with which secret. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { webhooksQuery, type Webhook, type WebhookSettings } from '../../api/postbacks';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { EmptyState } from '../../components/EmptyState';
import { NewSecret } from '../../components/NewSecret';
import { Address, Entry, EntryList } from '../../components/postbacks/Entries';
import { EntryActions } from '../../components/postbacks/EntryActions';
import { eventName } from '../../components/postbacks/EventField';
import { TestButton } from '../../components/postbacks/TestButton';
import { useFormats, useProject } from '../../session';
import { postbacks } from '../../texts/postbacks';
import { RotateButton, type Made } from './RotateButton';
import { WebhookForm } from './WebhookForm';

const text = postbacks.webhooks;

export function Webhooks() {
  const { id } = useProject();
  const formats = useFormats();
  const [made, setMade] = useState<Made>();
  return (
    <>
      <EntryList
        title={text.title}
        about={text.about}
        answer={useQuery(webhooksQuery(id))}
        add={{ variant: 'default', children: text.add }}
        empty={<EmptyState title={text.empty} text={text.emptyText} />}
        height={90}
        entry={(one, onEdit) => <WebhookEntry key={one.id} webhook={one} onEdit={onEdit} onMade={setMade} />}
        form={(webhook, _, onClose) => (
          <WebhookForm
            webhook={webhook}
            onMade={(secret) => setMade({ secret, former_valid_until: null })}
            onClose={onClose}
          />
        )}
      />
      <NewSecret
        title={text.secretTitle}
        text={text.secretText}
        secret={made?.secret}
        former={made?.former_valid_until && text.former(formats.time(made.former_valid_until))}
        onClose={() => setMade(undefined)}
      />
    </>
  );
}

interface EntryProps {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onMade: (made: Made) => void;
}

function WebhookEntry({ webhook, onEdit, onMade }: EntryProps) {
  const { id } = useProject();
  const { url, events } = webhook;
  const params = { path: { id, webhook: webhook.id } };
  const refresh = () => queryClient.invalidateQueries(webhooksQuery(id));
  const put = async (body: WebhookSettings) => {
    await unwrapData(api.PUT('/admin/v1/projects/{id}/webhooks/{webhook}', { params, body }));
    await refresh();
  };
  const remove = async () => {
    await api.DELETE('/admin/v1/projects/{id}/webhooks/{webhook}', { params });
    await refresh();
  };
  return (
    <Entry
      title={<Address url={url} />}
      state={webhook}
      actions={
        <EntryActions
          name={url}
          state={webhook}
          title={text.removeTitle}
          about={text.removeText(url)}
          onSwitch={(enabled) => put({ url, events, enabled })}
          onEdit={onEdit}
          onRemove={remove}
        >
          <TestButton area="project" id={id} test={{ webhook_id: webhook.id }} name={url} />
          <RotateButton webhook={webhook} onMade={onMade} />
        </EntryActions>
      }
    >
      <Text size="sm" c="dimmed">
        {events.map((event) => (event === '*' ? postbacks.allEvents : eventName(event))).join(', ')}
      </Text>
    </Entry>
  );
}
