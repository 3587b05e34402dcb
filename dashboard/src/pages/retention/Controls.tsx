/** Which cohorts are shown: their length, what counts as coming back, up to which day, and of whom. */
import { SegmentedControl, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FilterBar } from '../../components/FilterBar';
import type { Static } from '../../search';
import { retention as text } from '../../texts/retention';
import { texts } from '../../texts';
import classes from './Retention.module.css';
import type { retentionSearch } from './search';

const FILTERS = ['campaign_name', 'partner', 'platform', 'country', 'channel'];
type View = Static<typeof retentionSearch>;

interface Props {
  readonly view: Pick<View, 'unit' | 'definition' | 'horizon' | 'filters'>;
  readonly onChange: (changes: Partial<View>) => void;
}

export const Controls = ({ view: { unit, definition, horizon, filters }, onChange }: Props) => (
  <div className={classes.controls}>
    <Control label={text.cohorts}>
      <Choice
        label={text.cohorts}
        value={unit}
        names={text.units}
        onChange={(next) => onChange({ unit: next, cohorts: undefined })}
      />
    </Control>
    <Control label={text.definition}>
      <Choice
        label={text.definition}
        value={definition}
        names={text.definitions}
        onChange={(next) => onChange({ definition: next })}
      />
    </Control>
    <Control label={texts.days}>
      <Choice
        label={texts.days}
        value={horizon}
        names={text.horizons}
        onChange={(next) => onChange({ horizon: next })}
      />
    </Control>
    <FilterBar source="app" dimensions={FILTERS} filters={filters} onChange={(next) => onChange({ filters: next })} />
  </div>
);

const Control = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.control}>
    <Text size="xs" c="dimmed" aria-hidden>
      {label}
    </Text>
    {children}
  </div>
);

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly names: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

const Choice = <T extends string>({ label, value, names, onChange }: ChoiceProps<T>) => (
  <SegmentedControl
    size="xs"
    aria-label={label}
    value={value}
    data={(Object.keys(names) as T[]).map((one) => ({ value: one, label: names[one] }))}
    onChange={onChange}
  />
);
