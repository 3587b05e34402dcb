/** What partners are told otherwise than by their own templates. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import { overridesQuery, type Override } from '../../api/postbacks';
import { queryClient } from '../../api/queries';
import { EmptyState } from '../../components/EmptyState';
import { Address, Entry, EntryList, isGone, PlainBadge } from '../../components/postbacks/Entries';
import { EntryActions } from '../../components/postbacks/EntryActions';
import { eventName } from '../../components/postbacks/EventField';
import { useProject } from '../../session';
import { postbacks } from '../../texts/postbacks';
import { overrideKey, readMode, pickSettings } from './override';
import { OverrideForm } from './OverrideForm';

const text = postbacks.overrides;

export function Overrides() {
  const { id } = useProject();
  return (
    <EntryList
      title={text.title}
      about={text.about}
      answer={useQuery(overridesQuery(id))}
      add={{ variant: 'default', children: text.add }}
      empty={<EmptyState title={text.empty} text={text.emptyText} />}
      height={90}
      entry={(one, onEdit) => <OverrideEntry key={one.id} override={one} onEdit={onEdit} />}
      form={(override, others, onClose) => <OverrideForm override={override} others={others} onClose={onClose} />}
    />
  );
}

function OverrideEntry({ override, onEdit }: { override: Override; onEdit: () => void }) {
  const { id } = useProject();
  const params = overrideKey(id, override);
  const mode = readMode(override);
  const name = text.name(eventName(override.event), override.partner ?? text.everyPartner);
  const refresh = () => queryClient.invalidateQueries(overridesQuery(id));
  const switchOn = async () => {
    const body = pickSettings(override);
    await unwrapData(api.PUT('/admin/v1/projects/{id}/postback_overrides/{event}', { params, body }));
    await refresh();
  };
  const remove = async () => {
    await api.DELETE('/admin/v1/projects/{id}/postback_overrides/{event}', { params });
    await refresh();
  };
  return (
    <Entry
      title={
        <Text size="sm" fw={500}>
          {name}
        </Text>
      }
      state={override}
      badge={<PlainBadge color={mode === 'none' ? 'red' : 'gray'}>{text.modes[mode]}</PlainBadge>}
      actions={
        <EntryActions
          name={name}
          state={override}
          title={text.removeTitle}
          about={text.removeText}
          onSwitch={isGone(override) ? switchOn : undefined}
          onEdit={onEdit}
          onRemove={remove}
        />
      }
    >
      {mode === 'other' && override.method && override.url && <Address method={override.method} url={override.url} />}
      <Text size="sm" c="dimmed">
        {mode === 'none' ? text.modeHints.none : leftOut(override)}
      </Text>
    </Entry>
  );
}

const leftOut = ({ withhold }: Override): string =>
  withhold.length > 0 ? withhold.map((what) => text.without[what]).join(', ') : text.unchanged;
