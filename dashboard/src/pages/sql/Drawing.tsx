/** The rows of a result as lines or bars, of the columns that one chooses. */
import { Group, MultiSelect, Select } from '@mantine/core';
import { useMemo } from 'react';
import type { SqlResult } from '../../api/sql';
import { TimeChart } from '../../components/chart/TimeChart';
import { EmptyState } from '../../components/EmptyState';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';
import { useDrawnColumns } from './use-drawn-columns';
import { labelText, readNumber, valueText } from './values';

const text = engineersTexts.sql;

interface Props {
  readonly result: SqlResult;
  readonly shape: 'line' | 'bar';
  readonly stale: boolean;
}

export function Drawing({ result, shape, stale }: Props) {
  const { names, numbers, label, chosen, drawn, setView } = useDrawnColumns(result);
  const at = label === undefined ? -1 : names.indexOf(label);
  const labels = useMemo(() => result.rows.map((row) => valueText(row[at])), [result, at]);
  const series = useMemo(
    () =>
      drawn.map((name) => {
        const column = names.indexOf(name);
        return { name, values: result.rows.map((row) => readNumber(row[column])) };
      }),
    [result, drawn.join('\n')],
  );
  if (label === undefined || series.length === 0) return <EmptyState title={text.noChart} />;
  return (
    <>
      <Group gap="xs" pb="xs" align="flex-start">
        <Select
          size="xs"
          label={text.x}
          data={[...new Set(names)]}
          value={label}
          allowDeselect={false}
          onChange={(next) => setView({ x: next ?? undefined }, { replace: true })}
        />
        <MultiSelect
          size="xs"
          label={text.y}
          data={[...new Set(numbers)]}
          value={chosen}
          maxValues={8}
          placeholder={chosen.length === 0 ? drawn.join(', ') : undefined}
          clearable
          clearButtonProps={{ 'aria-label': texts.remove }}
          onChange={(next) => setView({ y: next.length > 0 ? next : undefined }, { replace: true })}
        />
      </Group>
      <TimeChart
        title={texts.result}
        kind="count"
        labels={labels}
        formatLabel={labelText}
        labelName={label}
        series={series}
        shape={shape}
        height={340}
        stale={stale}
      />
    </>
  );
}
