/** The command palette, in a chunk of its own that comes with the first Ctrl-K. */
import { Group, Kbd, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { leadTo } from '../addresses';
import { projectApi, unwrapData } from '../api/client';
import { SECTIONS } from '../pages/settings/search';
import { useEscape } from '../escape';
import { readPeriod } from '../search';
import { may, useMe, type Place } from '../session';
import { texts } from '../texts';
import { palette as text } from '../texts/palette';
import { settings as settingsTexts } from '../texts/settings';
import { findCommands, readId, type Command } from './commands';
import { findStart, listPlaces, pagesAt, placeAddress } from './navigation';

const SEARCH_MS = 200;
const INSTALLS = 5;
const CAMPAIGNS = 1_000;

interface Props {
  readonly place: Place | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function useCampaignCommands(place: Place | undefined, isOpen: boolean): Command[] {
  const isProject = place?.area === 'project' && may(place, 'reports');
  const { data } = useQuery({
    queryKey: ['palette campaigns', place?.id],
    queryFn: ({ signal }) =>
      unwrapData(
        projectApi(place?.id ?? 0).GET('/api/v1/campaigns', { params: { query: { limit: CAMPAIGNS } }, signal }),
      ),
    enabled: isOpen && isProject,
  });
  if (!place || !isProject) return [];
  return (data?.data.campaigns ?? []).map(({ display_id, name }) => ({
    id: `campaign ${display_id}`,
    group: text.groups.campaigns,
    label: name || display_id,
    about: display_id,
    to: `${placeAddress(place)}/campaigns/${encodeURIComponent(display_id)}`,
  }));
}

/** By install ID, device, user or click, as the service finds them. */
function useInstallCommands(place: Place | undefined, typed: string): Command[] {
  const [wanted] = useDebouncedValue(typed, SEARCH_MS);
  const search = readId(wanted);
  const isProject = place?.area === 'project' && may(place, 'installs');
  const { data } = useQuery({
    queryKey: ['palette installs', place?.id, search],
    queryFn: ({ signal }) =>
      unwrapData(
        projectApi(place?.id ?? 0).GET('/api/v1/installs', {
          params: { query: { ...(search !== undefined && { search }), limit: INSTALLS } },
          signal,
        }),
      ),
    enabled: isProject && search !== undefined,
    placeholderData: keepPreviousData,
  });
  if (!place || !isProject || search === undefined || search !== readId(typed)) return [];
  const group = text.groups.installs;
  const found = (data?.installs ?? []).map(({ install_id, campaign }): Command => ({
    id: `install ${install_id}`,
    group,
    label: install_id,
    about: campaign?.name ?? texts.organic,
    to: `${placeAddress(place)}/installs/${encodeURIComponent(install_id)}`,
  }));
  return found.length === 0
    ? []
    : [
        ...found,
        {
          id: 'installs',
          group,
          label: text.installs(search),
          to: `${placeAddress(place)}/installs`,
          search: { search },
        },
      ];
}

function useFixedCommands(place: Place | undefined): Command[] {
  const me = useMe();
  const pages = place ? pagesAt(place) : [];
  const address = place ? placeAddress(place) : '';
  const hasSettings = pages.some(({ area, path }) => area === 'project' && path === 'settings');
  return [
    ...pages.map(({ path, title, group }) => ({
      id: path,
      group: text.groups.pages,
      label: title,
      ...(group && { about: texts.navigation.groups[group] }),
      to: `${address}/${path}`,
    })),
    ...(hasSettings ? SECTIONS : []).map((section) => ({
      id: `settings ${section}`,
      group: text.groups.settings,
      label: settingsTexts.tabs[section],
      to: `${address}/settings`,
      search: { section },
    })),
    ...listPlaces(me).map((one) => ({
      id: placeAddress(one),
      group: text.groups.places,
      label: one.area === 'installation' ? texts.navigation.installation : one.name,
      to: findStart(me, one) ?? '/',
    })),
    { id: 'profile', group: text.groups.settings, label: texts.titles.profile, to: '/profile' },
    { id: 'docs', group: text.groups.help, label: text.reference, to: '/docs', isOutside: true },
    { id: 'openapi', group: text.groups.help, label: text.document, to: '/openapi.json', isOutside: true },
  ];
}

export default function Palette({ place, isOpen, onClose }: Props) {
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (isOpen) spotlight.open();
  }, [isOpen]);
  useEscape(isOpen, () => spotlight.close());
  const navigate = useNavigate();
  const fixed = useFixedCommands(place);
  const campaigns = useCampaignCommands(place, isOpen);
  const installs = useInstallCommands(place, typed);
  const found = [...findCommands([...fixed, ...campaigns], typed), ...installs];
  const groups = [...new Set(found.map(({ group }) => group))];
  const open = ({ to, search, isOutside }: Command) => {
    spotlight.close();
    if (isOutside) window.open(to, '_blank', 'noreferrer');
    else void navigate(leadTo(to, search ?? (to.startsWith('/projects/') ? readPeriod : undefined)));
  };
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      onSpotlightClose={onClose}
      closeOnActionTrigger={false}
      closeOnEscape={false}
      scrollable
      maxHeight={420}
      aria-label={text.title}
    >
      <Spotlight.Search placeholder={text.placeholder} aria-label={text.title} leftSection={<IconSearch size={17} />} />
      <Spotlight.ActionsList>
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {found
              .filter((one) => one.group === group)
              .map((one) => (
                <Spotlight.Action key={one.id} onClick={() => open(one)}>
                  <Group justify="space-between" wrap="nowrap" w="100%">
                    <Text size="sm" truncate>
                      {one.label}
                    </Text>
                    <Text size="xs" opacity={0.85} truncate>
                      {one.about}
                    </Text>
                  </Group>
                </Spotlight.Action>
              ))}
          </Spotlight.ActionsGroup>
        ))}
        {found.length === 0 && <Spotlight.Empty>{text.nothing}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <Spotlight.Footer>
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {text.keys}
          </Text>
          <Kbd size="xs">Ctrl K</Kbd>
        </Group>
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}
