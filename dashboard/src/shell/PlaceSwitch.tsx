/** Leads to another project, partner or the installation. */
import { Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMe, type Place } from '../session';
import { texts } from '../texts';
import { addressOf, placesOf, startOf } from './navigation';
import classes from './Shell.module.css';

const { navigation } = texts;

export function PlaceSwitch({ place }: { place: Place | undefined }) {
  const me = useMe();
  const navigate = useNavigate();
  const places = placesOf(me);
  const nameOf = ({ area, name }: Place) => (area === 'installation' ? navigation.installation : name);
  if (places.length < 2 && place) return <Text fw={600}>{nameOf(place)}</Text>;
  const accountOf = ({ id }: Place) => {
    const project = me.projects.find((one) => one.id === id);
    return me.accounts.find((one) => one.id === project?.account_id)?.name ?? navigation.projects;
  };
  const groupOf = (one: Place) => {
    if (one.area === 'project') return accountOf(one);
    return one.area === 'partner' ? navigation.partners : navigation.installation;
  };
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const one of places)
    groups.set(groupOf(one), [...(groups.get(groupOf(one)) ?? []), { value: addressOf(one), label: nameOf(one) }]);
  return (
    <Select
      className={classes.place}
      size="xs"
      aria-label={navigation.switchPlace}
      placeholder={navigation.switchPlace}
      searchable
      allowDeselect={false}
      nothingFoundMessage={navigation.nothingFound}
      value={place ? addressOf(place) : null}
      data={[...groups].map(([group, items]) => ({ group, items }))}
      onChange={(value) => {
        const next = places.find((one) => addressOf(one) === value);
        const to = next && startOf(me, next);
        if (to) void navigate({ to });
      }}
    />
  );
}
