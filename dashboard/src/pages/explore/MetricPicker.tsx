/** Chooses figures: those of the model, those by a day since install, and those of an event that is typed. */
import { MultiSelect, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelQuery } from '../../api/queries';
import { useProject } from '../../session';
import { metricText } from '../../texts';
import { explore as text } from '../../texts/explore';
import { listMetricGroups } from './metrics';

interface Props {
  readonly source: 'app' | 'web';
  readonly value: readonly string[];
  readonly onChange: (metrics: string[]) => void;
}

const MAX_METRICS = 20;

export function MetricPicker({ source, value, onChange }: Props) {
  const { data } = useQuery(modelQuery(useProject().id));
  const [typed, setTyped] = useState('');
  const groups = data ? listMetricGroups(data[source].metrics, [...value], typed) : [];
  return (
    <MultiSelect
      size="xs"
      label={text.metrics}
      placeholder={value.length === 0 ? text.metricsHint : undefined}
      searchable
      hidePickedOptions
      // What is typed begins on the line of the chosen ones.
      styles={{ inputField: { minWidth: value.length > 0 ? 40 : undefined } }}
      maxValues={MAX_METRICS}
      maxDropdownHeight={320}
      searchValue={typed}
      onSearchChange={setTyped}
      value={[...value]}
      onChange={(next) => {
        onChange(next);
        setTyped('');
      }}
      data={groups}
      renderOption={({ option }) => (
        <Tooltip label={metricText(option.value).about} disabled={!metricText(option.value).about} position="right">
          <Text size="xs">{option.label}</Text>
        </Tooltip>
      )}
    />
  );
}
