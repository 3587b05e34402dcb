/** The filters of a view: what holds, each to be changed or removed, and a form for another. They stand in the URL. */
import { Button, CloseButton, Group, Pill, Popover, UnstyledButton } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Source } from '../drill';
import type { Filter } from '../search';
import { dimensionText, texts } from '../texts';
import { useFilterNames } from './dimension-values';
import { FilterForm } from './FilterForm';
import classes from './components.module.css';
import { useEscape } from '../escape';

const text = texts.tools.filters;
/** More are counted. */
const NAMED = 3;

interface Props {
  readonly source: Source;
  /** Which dimensions can be filtered by. */
  readonly dimensions: readonly string[];
  readonly filters: readonly Filter[] | undefined;
  readonly onChange: (filters: Filter[] | undefined) => void;
}

export function FilterBar({ source, dimensions, filters = [], onChange }: Props) {
  const set = (next: readonly Filter[]) => onChange(next.length > 0 ? [...next] : undefined);
  const nameValue = useFilterNames(source, filters);
  const words = ([operator, dimension, values]: Filter) => {
    const names = values.slice(0, NAMED).map((value) => nameValue(dimension, value));
    const more = values.length > NAMED ? [text.moreValues(values.length - NAMED)] : [];
    return `${dimensionText(dimension)} ${text.operators[operator]} ${[...names, ...more].join(', ')}`;
  };
  const form = { source, dimensions };
  return (
    <Group gap={6} role="group" aria-label={text.label}>
      <FilterPopover {...form} onApply={(filter) => set([...filters, filter])}>
        {(toggle) => (
          <Button variant="default" size="xs" leftSection={<IconFilter size={15} />} onClick={toggle}>
            {text.add}
          </Button>
        )}
      </FilterPopover>
      {filters.map((filter, at) => (
        <Pill.Group key={JSON.stringify(filter)}>
          <Pill size="md">
            <FilterPopover
              {...form}
              filter={filter}
              onApply={(next) => set(filters.map((one, i) => (i === at ? next : one)))}
            >
              {(toggle) => (
                <UnstyledButton className={classes.filter} aria-label={text.change(words(filter))} onClick={toggle}>
                  {words(filter)}
                </UnstyledButton>
              )}
            </FilterPopover>
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

interface PopoverProps extends Pick<Props, 'source' | 'dimensions'> {
  readonly filter?: Filter;
  readonly onApply: (filter: Filter) => void;
  /** The button that opens it. */
  readonly children: (toggle: () => void) => ReactNode;
}

function FilterPopover({ filter, onApply, children, ...form }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useEscape(isOpen, close);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      width={320}
      closeOnEscape={false}
    >
      <Popover.Target>{children(() => setOpen(!isOpen))}</Popover.Target>
      <Popover.Dropdown aria-label={text.add}>
        {isOpen && (
          <FilterForm
            {...form}
            filter={filter}
            onApply={(next) => {
              onApply(next);
              close();
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
