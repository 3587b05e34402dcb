/** Leads to another project, partner or the installation. */
import { Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useMe, type Place } from '../session';
import { texts } from '../texts';
import { placeAddress, listPlaces, findStart } from './navigation';
import classes from './Shell.module.css';

const { navigation } = texts;

const NewProject = lazy(() => import('../pages/new-project/NewProject'));
/** No place has this address. */
const NEW = 'new project';

export function PlaceSwitch({ place }: { place: Place | undefined }) {
  const me = useMe();
  const navigate = useNavigate();
  const places = listPlaces(me);
  const placeName = ({ area, name }: Place) => (area === 'installation' ? navigation.installation : name);
  const mayMake = me.operator || me.accounts.some(({ permissions }) => permissions.includes('settings'));
  const [isMaking, setMaking] = useState(false);
  if (places.length < 2 && place && !mayMake) return <Text fw={600}>{placeName(place)}</Text>;
  const findAccount = ({ id }: Place) => {
    const project = me.projects.find((one) => one.id === id);
    return me.accounts.find((one) => one.id === project?.account_id)?.name ?? texts.projects;
  };
  const findGroup = (one: Place) => {
    if (one.area === 'project') return findAccount(one);
    return one.area === 'partner' ? texts.titles.partners : navigation.installation;
  };
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const one of places)
    groups.set(findGroup(one), [
      ...(groups.get(findGroup(one)) ?? []),
      { value: placeAddress(one), label: placeName(one) },
    ]);
  const made = mayMake ? [{ group: texts.projects, items: [{ value: NEW, label: `+ ${navigation.newProject}` }] }] : [];
  return (
    <>
      <Select
        className={classes.place}
        size="xs"
        aria-label={navigation.switchPlace}
        placeholder={navigation.switchPlace}
        searchable
        allowDeselect={false}
        nothingFoundMessage={texts.nothingFound}
        value={place ? placeAddress(place) : null}
        data={[...[...groups].map(([group, items]) => ({ group, items })), ...made]}
        onChange={(value) => {
          if (value === NEW) return setMaking(true);
          const next = places.find((one) => placeAddress(one) === value);
          const to = next && findStart(me, next);
          if (to) void navigate({ to });
        }}
      />
      {isMaking && (
        <Suspense>
          <NewProject onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </>
  );
}
