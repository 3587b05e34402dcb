/** The question: figures, dimensions, filters, and what else of it can be chosen. */
import { Button, Checkbox, Group, MultiSelect, Paper, Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { modelQuery } from '../../api/queries';
import { FilterBar } from '../../components/FilterBar';
import { useProject } from '../../session';
import { dimensionText } from '../../texts';
import { explore as text } from '../../texts/explore';
import { choices } from './choices';
import { MetricPicker } from './MetricPicker';
import { readDimensions, readMetrics, type View } from './questions';

const MAX_DIMENSIONS = 4;

interface Props {
  readonly view: View;
  readonly onChange: (changes: Partial<View>) => void;
}

/** Names of campaigns come after the campaigns themselves, which are chosen by name. */
function filterDimensions(dimensions: readonly { readonly name: string; readonly filters: boolean }[]): string[] {
  const names = dimensions.filter(({ filters }) => filters).map(({ name }) => name);
  return [...names.filter((one) => one !== 'campaign_name'), ...names.filter((one) => one === 'campaign_name')];
}

export function Builder({ view, onChange }: Props) {
  const { data } = useQuery(modelQuery(useProject().id));
  const dimensions = data?.[view.source].dimensions ?? [];
  const by = readDimensions(view);
  return (
    <Paper p="md" component="section" aria-label={text.question}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <MetricPicker
          source={view.source}
          value={readMetrics(view)}
          onChange={(metrics) => onChange({ metrics: metrics.length > 0 ? metrics : undefined })}
        />
        <MultiSelect
          size="xs"
          label={text.by}
          placeholder={by.length === 0 ? text.byAll : by.length < MAX_DIMENSIONS ? text.byHint : undefined}
          searchable
          hidePickedOptions
          maxValues={MAX_DIMENSIONS}
          maxDropdownHeight={320}
          value={[...by]}
          onChange={(next) => onChange({ by: next, sort: undefined })}
          data={dimensions.filter(({ rows }) => rows).map(({ name }) => ({ value: name, label: dimensionText(name) }))}
        />
      </SimpleGrid>
      <Group gap="md" mt="sm" align="center">
        <FilterBar
          source={view.source}
          dimensions={filterDimensions(dimensions)}
          filters={view.filters}
          onChange={(filters) => onChange({ filters })}
        />
        {view.source === 'app' ? (
          <>
            <Select
              size="xs"
              w={170}
              aria-label={text.view}
              allowDeselect={false}
              value={view.view}
              data={choices(text.views)}
              onChange={(next) => onChange({ view: next ?? view.view })}
            />
            <Checkbox
              size="xs"
              label={text.paid}
              checked={view.paid}
              onChange={({ currentTarget }) => onChange({ paid: currentTarget.checked })}
            />
          </>
        ) : (
          <Select
            size="xs"
            w={130}
            aria-label={text.model}
            allowDeselect={false}
            value={view.model}
            data={choices(text.models)}
            onChange={(next) => onChange({ model: next ?? view.model })}
          />
        )}
        <Button
          variant="subtle"
          size="compact-xs"
          ml="auto"
          data-print="hidden"
          onClick={() => onChange({ metrics: undefined, by: undefined, filters: undefined, sort: undefined })}
        >
          {text.reset}
        </Button>
      </Group>
    </Paper>
  );
}
