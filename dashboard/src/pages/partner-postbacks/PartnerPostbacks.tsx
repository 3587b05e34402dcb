/** What a partner receives about the installs and events that are credited to it, and where. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import { postbacksQuery, type Postback } from '../../api/postbacks';
import { queryClient } from '../../api/queries';
import { EmptyState } from '../../components/EmptyState';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Address, Entry, EntryList } from '../../components/postbacks/Entries';
import { EntryActions } from '../../components/postbacks/EntryActions';
import { eventName } from '../../components/postbacks/EventField';
import classes from '../../components/postbacks/Postbacks.module.css';
import { Secrets } from '../../components/postbacks/Secrets';
import { bodyText } from '../../components/postbacks/request';
import { useMay, usePartner } from '../../session';
import { postbacks } from '../../texts/postbacks';
import { PostbackForm } from './PostbackForm';
import { texts } from '../../texts';

const text = postbacks.partner;

export default function PartnerPostbacks() {
  const { id } = usePartner();
  const mayChange = useMay('partner-postbacks');
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.postbacks} about={text.about} />
      <EntryList
        title={text.list}
        about={text.listAbout}
        answer={useQuery(postbacksQuery(id))}
        add={mayChange ? { children: text.add } : undefined}
        empty={<EmptyState title={text.empty} text={mayChange ? text.emptyText : text.emptyReader} />}
        height={180}
        entry={(one, onEdit) => <PostbackEntry key={one.id} postback={one} onEdit={mayChange ? onEdit : undefined} />}
        form={(postback, others, onClose) => <PostbackForm postback={postback} others={others} onClose={onClose} />}
      />
      <Secrets place={{ area: 'partner', id }} mayChange={mayChange} />
    </PageBody>
  );
}

interface EntryProps {
  readonly postback: Postback;
  /** None for readers, who change nothing. */
  readonly onEdit: (() => void) | undefined;
}

function PostbackEntry({ postback, onEdit }: EntryProps) {
  const { id } = usePartner();
  const { event, method, url, headers, body } = postback;
  const params = { path: { id, event } };
  const name = eventName(event);
  const names = Object.keys(headers).join(', ');
  const refresh = () => queryClient.invalidateQueries(postbacksQuery(id));
  const change = async (enabled: boolean) => {
    const changed = { method, url, headers, body, enabled };
    await unwrapData(api.PUT('/admin/v1/partners/{id}/postbacks/{event}', { params, body: changed }));
    await refresh();
  };
  const remove = async () => {
    await api.DELETE('/admin/v1/partners/{id}/postbacks/{event}', { params });
    await refresh();
  };
  return (
    <Entry
      title={
        <Text size="sm" fw={500}>
          {name}
        </Text>
      }
      state={postback}
      actions={
        onEdit && (
          <EntryActions
            name={name}
            state={postback}
            title={text.removeTitle(name)}
            about={text.removeText}
            onSwitch={change}
            onEdit={onEdit}
            onRemove={remove}
          />
        )
      }
    >
      <Address method={method} url={url} />
      {names && (
        <Text size="xs" c="dimmed">
          {postbacks.headers(names)}
        </Text>
      )}
      {body !== null && (
        <Text component="div" lineClamp={6} className={`${classes.address} ${classes.body}`} c="dimmed">
          {bodyText(body)}
        </Text>
      )}
    </Entry>
  );
}
