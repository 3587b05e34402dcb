/** What of the log is listed. */
import { Button, CloseButton, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { messages as text } from '../../texts/messages';
import classes from './Messages.module.css';
import { areDays, isSearchable, type View } from './questions';
import { KINDS, OUTCOMES, SEARCH_BY } from './search';
import { texts } from '../../texts';

const TYPING_MS = 300;
const MAX = 255;

interface Props {
  readonly view: View;
  /** Whether there are webhooks besides postbacks. */
  readonly withKinds: boolean;
  readonly onChange: (changes: Partial<View>, options?: { replace?: boolean }) => void;
}

const CLEAR = {
  outcome: 'any',
  kind: 'any',
  by: 'install',
  search: undefined,
  from: undefined,
  to: undefined,
} as const;

export const isFiltered = ({ outcome, kind, search, from, to }: View) =>
  outcome !== 'any' || kind !== 'any' || [search, from, to].some((one) => one !== undefined);

export const Filters = ({ view, withKinds, onChange }: Props) => (
  <Group gap="xs" align="flex-start">
    <Select
      size="xs"
      className={classes.select}
      aria-label={text.by}
      data={SEARCH_BY.map((value) => ({ value, label: text.searchBy[value] }))}
      allowDeselect={false}
      value={view.by}
      onChange={(by) => onChange({ by: by ?? 'install' })}
    />
    <Search view={view} onChange={(search) => onChange({ search: search || undefined }, { replace: true })} />
    <Select
      size="xs"
      className={classes.select}
      aria-label={text.outcome}
      data={OUTCOMES.map((value) => ({ value, label: value === 'any' ? text.anyOutcome : text.outcomes[value] }))}
      allowDeselect={false}
      value={view.outcome}
      onChange={(outcome) => onChange({ outcome: outcome ?? 'any' })}
    />
    {withKinds && (
      <Select
        size="xs"
        className={classes.select}
        aria-label={texts.kind}
        data={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
        allowDeselect={false}
        value={view.kind}
        onChange={(kind) => onChange({ kind: kind ?? 'any' })}
      />
    )}
    <Day label={texts.from} name={text.from} value={view.from} onChange={(from) => onChange({ from })} />
    <Day
      label={texts.to}
      name={text.to}
      value={view.to}
      error={areDays(view) ? undefined : text.daysTurned}
      onChange={(to) => onChange({ to })}
    />
    {isFiltered(view) && (
      <Button variant="subtle" size="compact-xs" mt={4} onClick={() => onChange(CLEAR)}>
        {texts.clearFilters}
      </Button>
    )}
  </Group>
);

interface DayProps {
  /** What is seen; `name` says it in full. */
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly error?: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

const Day = ({ label, name, value, error, onChange }: DayProps) => (
  <TextInput
    size="xs"
    type="date"
    aria-label={name}
    title={name}
    leftSection={<Text size="xs">{label}</Text>}
    leftSectionWidth={44}
    value={value ?? ''}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
  />
);

/** Typed text goes into the URL after a pause. */
function Search({ view, onChange }: { readonly view: View; readonly onChange: (search: string) => void }) {
  const value = view.search ?? '';
  const [typed, setTyped] = useState(value);
  const send = useDebouncedCallback((next: string) => onChange(next.trim().slice(0, MAX)), TYPING_MS);
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  return (
    <TextInput
      size="xs"
      className={classes.search}
      aria-label={texts.id}
      placeholder={text.searchHints[view.by]}
      error={isSearchable(view) ? undefined : text.notAnId}
      leftSection={<IconSearch size={14} />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
      rightSection={
        typed !== '' && (
          <CloseButton
            size="xs"
            aria-label={texts.clearSearch}
            onClick={() => {
              setTyped('');
              onChange('');
            }}
          />
        )
      }
    />
  );
}
