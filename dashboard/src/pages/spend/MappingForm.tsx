/** Which column of a file is what: as it was recognised, to be changed before anything is stored. */
import { Badge, Button, Code, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../components/Panel';
import { spend as spendTexts } from '../../texts/spend';
import type { Columns, Mapping } from './send-file';

const text = spendTexts.mapping;
type Field = keyof typeof text.fields;
type Fixed = keyof Mapping['values'];
const FIELDS = Object.keys(text.fields) as Field[];
const FIXED: ReadonlySet<string> = new Set<Fixed>(['network', 'account', 'platform', 'currency']);
const REQUIRED: ReadonlySet<string> = new Set<Field>(['date', 'campaign_id', 'spend', 'currency']);
const MAX_VALUE = 200;

interface Props {
  readonly columns: Columns;
  readonly mapping: Mapping;
  readonly isBusy: boolean;
  /** What was checked before does not hold any more. */
  readonly onChange: () => void;
  readonly onCheck: (mapping: Mapping) => void;
}

/** The fields that neither a column nor a value says. */
export const listMissing = ({ columns, values }: Mapping) => {
  const isSaid = (field: Field) => columns[field] !== undefined || Boolean(values[field as Fixed]);
  return FIELDS.filter((field) => REQUIRED.has(field) || (field === 'account' && isSaid('network'))).filter(
    (field) => !isSaid(field),
  );
};

const without = <T extends object>(record: T, key: string): T =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key)) as T;

export function MappingForm({ columns, mapping: recognised, isBusy, onChange, onCheck }: Props) {
  const [mapping, setState] = useState(recognised);
  const setMapping = (next: Mapping) => {
    setState(next);
    onChange();
  };
  const missing = listMissing(mapping);
  const setColumn = (field: Field, title: string | null) =>
    setMapping({
      ...mapping,
      columns: title === null ? without(mapping.columns, field) : { ...mapping.columns, [field]: title },
    });
  const setValue = (field: Fixed, value: string) =>
    setMapping({
      ...mapping,
      values: value === '' ? without(mapping.values, field) : { ...mapping.values, [field]: value },
    });
  return (
    <Panel
      title={text.title}
      about={columns.format ? text.recognised : text.unknown}
      tools={columns.format && <Badge variant="light">{text.formats[columns.format]}</Badge>}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (missing.length === 0) onCheck(mapping);
        }}
      >
        <Stack gap="md" pt="xs">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="md" verticalSpacing="sm">
            {FIELDS.map((field) => (
              <FieldInput
                key={field}
                field={field}
                columns={columns.columns}
                column={mapping.columns[field]}
                value={mapping.values[field as Fixed] ?? ''}
                isMissing={missing.includes(field)}
                onColumn={(title) => setColumn(field, title)}
                onValue={(value) => setValue(field as Fixed, value)}
              />
            ))}
            <Select
              label={text.dates}
              placeholder={text.open}
              data={text.dateOrders.map(([value, label]) => ({ value, label }))}
              value={mapping.dates}
              error={mapping.dates === null ? text.openDates : undefined}
              onChange={(dates) => setMapping({ ...mapping, dates: dates })}
            />
            <Select
              label={text.decimal}
              placeholder={text.open}
              data={text.decimalSigns.map(([value, label]) => ({ value, label }))}
              value={mapping.decimal}
              error={mapping.decimal === null ? text.openDecimal : undefined}
              onChange={(decimal) => setMapping({ ...mapping, decimal: decimal })}
            />
          </SimpleGrid>
          <Group gap="sm">
            <Button type="submit" variant="light" loading={isBusy} disabled={missing.length > 0}>
              {text.check}
            </Button>
            {missing.length > 0 && (
              <Text size="sm" c="dimmed" role="status">
                {text.missing(missing.map((field) => text.fields[field]).join(', '))}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

interface FieldProps {
  readonly field: Field;
  readonly columns: Columns['columns'];
  /** The title of its column, if there is one. */
  readonly column: string | undefined;
  /** What it is in all rows, where no column says it. */
  readonly value: string;
  readonly isMissing: boolean;
  readonly onColumn: (title: string | null) => void;
  readonly onValue: (value: string) => void;
}

function FieldInput({ field, columns, column, value, isMissing, onColumn, onValue }: FieldProps) {
  const titles = columns.map(({ title }) => title);
  const example = columns.find(({ title }) => title === column)?.samples.find((one) => one !== '');
  return (
    <Stack gap={6}>
      <Select
        label={text.fields[field]}
        placeholder={text.noColumn}
        data={titles}
        clearable
        searchable={titles.length > 12}
        withAsterisk={REQUIRED.has(field)}
        value={column ?? null}
        error={isMissing && !FIXED.has(field) ? text.needed : undefined}
        onChange={onColumn}
        clearButtonProps={{ 'aria-label': text.clear(text.fields[field]) }}
      />
      {FIXED.has(field) && column === undefined && (
        <TextInput
          aria-label={text.sameForAll(text.fields[field])}
          placeholder={text.values[field as Fixed]}
          maxLength={MAX_VALUE}
          value={value}
          error={isMissing ? text.needed : undefined}
          onChange={({ currentTarget }) => onValue(currentTarget.value.trim())}
        />
      )}
      {example !== undefined && (
        <Text size="xs" c="dimmed" truncate>
          {text.example} <Code>{example}</Code>
        </Text>
      )}
    </Stack>
  );
}
