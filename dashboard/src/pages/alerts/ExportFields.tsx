/** What an alert on scheduled exports waits for. */
import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { exportsQuery } from '../../api/exports';
import { CONDITION_BOUNDS } from '../../api/generated-limits';
import { useMay, useProject } from '../../session';
import { alerts as text } from '../../texts/alerts';
import type { FieldProps } from './FigureFields';

export function ExportFields({ values, onChange }: FieldProps) {
  const { id } = useProject();
  // Who may not see exports is told of any, or of the one that the alert names already.
  const known =
    useQuery({ ...exportsQuery(id), enabled: useMay('connections') }).data?.exports.map(({ name }) => name) ?? [];
  const names = values.export === null || known.includes(values.export) ? known : [...known, values.export];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label={text.export}
        searchable
        clearable
        placeholder={text.anyExport}
        data={names}
        value={values.export}
        onChange={(next) => onChange({ export: next })}
      />
      <NumberInput
        label={text.exportHours}
        {...CONDITION_BOUNDS.export_late.hours}
        value={values.hours}
        onChange={(next) => typeof next === 'number' && onChange({ hours: next })}
      />
    </SimpleGrid>
  );
}
