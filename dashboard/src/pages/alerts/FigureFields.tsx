/** What an alert on a figure asks, and what it waits for. */
import { Group, NumberInput, Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { questionsQuery } from '../../api/boards';
import { CONDITION_BOUNDS } from '../../api/generated-limits';
import { modelQuery } from '../../api/queries';
import { choices } from '../../choices';
import { FilterBar } from '../../components/FilterBar';
import type { FieldProps as ReceiverFields } from '../../components/receivers/ReceiverForm';
import { isTime } from '../../drill';
import { useProject } from '../../session';
import { dimensionText } from '../../texts';
import { alerts as text } from '../../texts/alerts';
import { listMetricGroups } from '../explore/metrics';
import type { RangeName, Values } from './entry';

export type FieldProps = ReceiverFields<Values>;

export const FigureFields = (props: FieldProps) => (
  <>
    <SavedField {...props} />
    {props.values.savedId === null && <QuestionFields {...props} />}
    <ConditionFields {...props} />
  </>
);

/** A question that the project keeps, instead of one of the alert's own. */
function SavedField({ values, onChange }: FieldProps) {
  const { data = [] } = useQuery(questionsQuery(useProject().id));
  const { savedId } = values;
  const isKnown = savedId === null || data.some(({ id }) => id === savedId);
  if (data.length === 0 && savedId === null) return null;
  return (
    <Select
      label={text.savedQuestion}
      description={text.savedAbout}
      searchable
      clearable
      placeholder={text.ownQuestion}
      data={[
        ...data.map(({ id, name }) => ({ value: String(id), label: name })),
        ...(isKnown ? [] : [{ value: String(savedId), label: text.saved(savedId) }]),
      ]}
      value={savedId === null ? null : String(savedId)}
      onChange={(next) => onChange({ savedId: next === null ? null : Number(next) })}
    />
  );
}

function QuestionFields({ values, onChange }: FieldProps) {
  const { data } = useQuery(modelQuery(useProject().id));
  const { source, metric, dimension, filters, range, type } = values;
  const model = data?.[source];
  const dimensions = model?.dimensions ?? [];
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label={text.source}
          allowDeselect={false}
          data={choices(text.sources)}
          value={source}
          onChange={(next) =>
            next &&
            onChange({
              source: next,
              metric: next === 'app' ? 'installs' : 'visitors',
              dimension: null,
              filters: undefined,
            })
          }
        />
        <Select
          label={text.metric}
          searchable
          allowDeselect={false}
          data={model ? listMetricGroups(model.metrics, [metric], '') : []}
          value={metric}
          onChange={(next) => next && onChange({ metric: next })}
        />
        <Select
          label={text.dimension}
          searchable
          clearable
          placeholder={text.noDimension}
          data={dimensions
            .filter(({ name, rows }) => rows && !isTime(name) && name !== 'day_n')
            .map(({ name }) => ({ value: name, label: dimensionText(name) }))}
          value={dimension}
          onChange={(next) => onChange({ dimension: next })}
        />
        {type !== 'unusual' && (
          <Select
            label={text.range}
            allowDeselect={false}
            data={choices<RangeName>(text.ranges)}
            value={range}
            onChange={(next) => next && onChange({ range: next })}
          />
        )}
      </SimpleGrid>
      <FilterBar
        source={source}
        dimensions={dimensions.filter(({ filters: has }) => has).map(({ name }) => name)}
        filters={filters ? [...filters] : undefined}
        onChange={(next) => onChange({ filters: next })}
      />
    </>
  );
}

function ConditionFields({ values, onChange }: FieldProps) {
  const { type, limit, value, direction, percent, compare, factor } = values;
  const { above, below, ...directions } = text.directions;
  const number = (read: (next: number) => Partial<Values>) => (next: number | string) => {
    if (typeof next === 'number') onChange(read(next));
  };
  if (type === 'threshold')
    return (
      <Group grow align="flex-start">
        <Select
          label={text.direction}
          allowDeselect={false}
          data={choices({ above, below })}
          value={limit}
          onChange={(next) => next && onChange({ limit: next })}
        />
        <NumberInput label={text.value} value={value} onChange={number((next) => ({ value: next }))} />
      </Group>
    );
  if (type === 'change')
    return (
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select
          label={text.direction}
          allowDeselect={false}
          data={choices(directions)}
          value={direction}
          onChange={(next) => next && onChange({ direction: next })}
        />
        <NumberInput label={text.percent} min={1} value={percent} onChange={number((next) => ({ percent: next }))} />
        <Select
          label={text.compare}
          allowDeselect={false}
          data={choices(text.compares)}
          value={compare}
          onChange={(next) => next && onChange({ compare: next })}
        />
      </SimpleGrid>
    );
  return (
    <NumberInput
      label={text.factor}
      description={text.factorHint}
      {...CONDITION_BOUNDS.unusual.factor}
      step={0.5}
      value={factor}
      onChange={number((next) => ({ factor: next }))}
    />
  );
}
