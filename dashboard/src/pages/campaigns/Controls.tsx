/** What narrows the list of campaigns: a name, a state, filters. */
import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { FilterBar } from '../../components/FilterBar';
import { campaigns as text } from '../../texts/campaigns';
import type { Static } from '../../search';
import { texts } from '../../texts';
import { FILTERS } from './questions';
import type { campaignsSearch } from './search';

type View = Static<typeof campaignsSearch>;

interface Props {
  readonly view: View;
  readonly onChange: (changes: Partial<View>, options?: { replace: boolean }) => void;
}

export const Controls = ({ view: { search, state, filters }, onChange }: Props) => (
  <Group gap="xs" px="md" pb="sm">
    <Search
      value={search ?? ''}
      onChange={(next) => onChange({ search: next || undefined, page: 1 }, { replace: true })}
    />
    <SegmentedControl
      size="xs"
      aria-label={texts.state}
      value={state}
      data={(['all', 'active', 'paused'] as const).map((value) => ({ value, label: text.states[value] }))}
      onChange={(next) => onChange({ state: next, page: 1 })}
    />
    <FilterBar
      source="app"
      dimensions={FILTERS}
      filters={filters}
      onChange={(next) => onChange({ filters: next, page: 1 })}
    />
  </Group>
);

/** Typed into at once; the URL follows. */
function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const tell = useDebouncedCallback(onChange, 250);
  useEffect(() => {
    if (value === '') setTyped('');
  }, [value]);
  return (
    <TextInput
      size="xs"
      w={230}
      aria-label={text.search}
      placeholder={text.search}
      leftSection={<IconSearch size={15} />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        tell(currentTarget.value);
      }}
    />
  );
}
