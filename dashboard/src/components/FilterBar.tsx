/** The filters of a view: what holds, each to be removed, and a form for another. They stand in the URL. */
import { Button, CloseButton, Group, Pill, Popover, Select, Stack, TagsInput } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import type { Filter } from '../search';
import { dimensionText, texts } from '../texts';

const text = texts.tools.filters;
const OPERATORS = ['is', 'is_not', 'contains', 'contains_not'] as const;

interface Props {
  /** Which dimensions can be filtered by. */
  readonly dimensions: readonly string[];
  readonly filters: readonly Filter[] | undefined;
  readonly onChange: (filters: Filter[] | undefined) => void;
  /** Values to choose from, by dimension; others can be typed. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Called when the form opens, for example to ask for the values. */
  readonly onOpen?: () => void;
}

const words = ([operator, dimension, values]: Filter) =>
  `${dimensionText(dimension)} ${text.operators[operator]} ${values.join(', ')}`;

export function FilterBar({ dimensions, filters = [], onChange, values = {}, onOpen }: Props) {
  const set = (next: readonly Filter[]) => onChange(next.length > 0 ? [...next] : undefined);
  return (
    <Group gap={6} role="group" aria-label={text.label}>
      <NewFilter
        dimensions={dimensions}
        values={values}
        onOpen={onOpen}
        onAdd={(filter) => set([...filters, filter])}
      />
      {filters.map((filter, at) => (
        <Pill.Group key={JSON.stringify(filter)}>
          <Pill size="md">
            {words(filter)}
            <CloseButton
              size={18}
              iconSize={12}
              aria-label={text.remove(words(filter))}
              onClick={() => set(filters.filter((_, i) => i !== at))}
            />
          </Pill>
        </Pill.Group>
      ))}
      {filters.length > 1 && (
        <Button variant="subtle" size="compact-xs" onClick={() => set([])}>
          {text.clear}
        </Button>
      )}
    </Group>
  );
}

interface NewProps extends Required<Pick<Props, 'dimensions' | 'values'>> {
  readonly onOpen: (() => void) | undefined;
  readonly onAdd: (filter: Filter) => void;
}

function NewFilter({ dimensions, values, onOpen, onAdd }: NewProps) {
  const [isOpen, { open, toggle, close }] = useDisclosure(false, { onOpen });
  useHotkeys([['Escape', close]]);
  const [dimension, setDimension] = useState(dimensions[0] ?? '');
  const [operator, setOperator] = useState<Filter[0]>('is');
  const [chosen, setChosen] = useState<string[]>([]);
  const inside = { comboboxProps: { withinPortal: false }, size: 'xs' } as const;
  return (
    <Popover
      opened={isOpen}
      onChange={(next) => (next ? open() : close())}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      width={280}
    >
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconFilter size={15} />} onClick={toggle}>
          {text.add}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.add}>
        <Stack gap="xs">
          <Select
            {...inside}
            label={text.dimension}
            data-autofocus
            value={dimension}
            allowDeselect={false}
            data={dimensions.map((one) => ({ value: one, label: dimensionText(one) }))}
            onChange={(one) => {
              setDimension(one ?? dimension);
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
          <TagsInput
            {...inside}
            label={text.values}
            placeholder={chosen.length === 0 ? text.valuesHint : undefined}
            data={[...(values[dimension] ?? [])]}
            value={chosen}
            acceptValueOnBlur
            maxTags={100}
            onChange={setChosen}
          />
          <Button
            size="xs"
            disabled={chosen.length === 0}
            onClick={() => {
              onAdd([operator, dimension, chosen]);
              setChosen([]);
              close();
            }}
          >
            {texts.apply}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
