/** The form of a filter: a dimension, how its values are compared, and the values, chosen by name with their counts. */
import { Button, Checkbox, Group, ScrollArea, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Source } from '../drill';
import { valueName } from '../names';
import type { Filter } from '../search';
import { useFormats } from '../session';
import { dimensionText, texts } from '../texts';
import { useDimensionValues } from './dimension-values';

const text = texts.tools.filters;
const OPERATORS = ['is', 'is_not', 'contains', 'contains_not'] as const;
const SEARCH_MS = 200;
const MAX_VALUES = 100;
const LIST_HEIGHT = 190;

interface Props {
  readonly source: Source;
  readonly dimensions: readonly string[];
  readonly filter: Filter | undefined;
  readonly onApply: (filter: Filter) => void;
}

export function FilterForm({ source, dimensions, filter, onApply }: Props) {
  const [dimension, setDimension] = useState(filter?.[1] ?? dimensions[0] ?? '');
  const [operator, setOperator] = useState<Filter[0]>(filter?.[0] ?? 'is');
  const [chosen, setChosen] = useState<string[]>(filter?.[2] ?? []);
  const inside = { comboboxProps: { withinPortal: false }, size: 'xs' } as const;
  const isExact = operator === 'is' || operator === 'is_not';
  const known = dimensions.includes(dimension) ? dimensions : [dimension, ...dimensions];
  return (
    <Stack gap="xs">
      <Select
        {...inside}
        label={text.dimension}
        data-autofocus
        value={dimension}
        allowDeselect={false}
        maxDropdownHeight={260}
        data={known.map((one) => ({ value: one, label: dimensionText(one) }))}
        onChange={(one) => {
          if (one === null || one === dimension) return;
          setDimension(one);
          setChosen([]);
        }}
      />
      <Select
        {...inside}
        label={text.operator}
        value={operator}
        allowDeselect={false}
        data={OPERATORS.map((one) => ({ value: one, label: text.operators[one] }))}
        onChange={(one) => setOperator(one ?? operator)}
      />
      {isExact ? (
        <Values source={source} dimension={dimension} chosen={chosen} onChange={setChosen} />
      ) : (
        <TagsInput
          {...inside}
          label={text.values}
          placeholder={chosen.length === 0 ? text.valuesHint : undefined}
          value={chosen}
          acceptValueOnBlur
          maxTags={MAX_VALUES}
          onChange={setChosen}
        />
      )}
      <Button size="xs" disabled={chosen.length === 0} onClick={() => onApply([operator, dimension, chosen])}>
        {texts.apply}
      </Button>
    </Stack>
  );
}

interface ValuesProps {
  readonly source: Source;
  readonly dimension: string;
  readonly chosen: string[];
  readonly onChange: (values: string[]) => void;
}

/** What is typed is looked for in values and names; it can be chosen as it is, too, where nothing is found. */
function Values({ source, dimension, chosen, onChange }: ValuesProps) {
  const formats = useFormats();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search, SEARCH_MS);
  const { values, isPending } = useDimensionValues(source, dimension, wanted, true);
  const known = new Map(values.map((one) => [one.value, one]));
  const typed = search.trim();
  const isAnswered = !isPending && wanted === search;
  // What is chosen stays in sight, whatever is searched for.
  const listed = [...new Set([...chosen, ...values.map(({ value }) => value)])];
  if (typed !== '' && isAnswered && values.length === 0 && !listed.includes(typed)) listed.push(typed);
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value].slice(0, MAX_VALUES));
  return (
    <>
      <TextInput
        size="xs"
        label={text.values}
        placeholder={text.search}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <ScrollArea h={LIST_HEIGHT} type="auto" offsetScrollbars>
        <Stack gap={7} role="group" aria-label={text.values}>
          {listed.map((value) => (
            <Group key={value} justify="space-between" gap="xs" wrap="nowrap">
              <Checkbox
                size="xs"
                label={known.get(value)?.name ?? valueName(source, dimension, value)}
                title={value}
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
              />
              <Text size="xs" c="dimmed">
                {known.has(value) && formats.count(known.get(value)?.count)}
              </Text>
            </Group>
          ))}
          {listed.length === 0 && (
            <Text size="xs" c="dimmed">
              {isAnswered ? text.nothing : texts.loading}
            </Text>
          )}
        </Stack>
      </ScrollArea>
    </>
  );
}
