/** The inside of a PeriodPicker: presets, a calendar, how a view is shown and what it is compared with. */
import { Divider, Group, Select, Stack, Switch, Text, UnstyledButton } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { listGranularities, todayIn, usePeriod, type Period, type Preset, type Range } from '../period';
import { COMPARISONS, periodSearch, Type, useView } from '../search';
import { useFormats } from '../session';
import { texts } from '../texts';
import classes from './PeriodPicker.module.css';

const text = texts.period;
const IN_ORDER = Object.keys(text.presets) as Preset[];
const schema = Type.Object(periodSearch);

interface ChoiceProps {
  readonly withComparison: boolean;
  readonly withGranularity: boolean;
  readonly onPreset: (preset: Preset) => void;
  readonly onRange: (from: string, to: string) => void;
}

export default function PeriodChoice({ withComparison, withGranularity, onPreset, onRange }: ChoiceProps) {
  const [period] = usePeriod();
  const { timezone } = useFormats();
  return (
    <>
      <Days period={period} onPreset={onPreset} onRange={onRange} />
      {(withComparison || withGranularity) && <Divider my="sm" />}
      <Stack gap="xs">
        {withGranularity && <Shown period={period} />}
        {withComparison && <Compare period={period} />}
      </Stack>
      <Text size="xs" c="dimmed" mt="xs">
        {text.inZone(timezone)}
      </Text>
    </>
  );
}

type DaysProps = Pick<ChoiceProps, 'onPreset' | 'onRange'> & { readonly period: Period };

function Days({ period, onPreset, onRange }: DaysProps) {
  const isPhone = useMediaQuery('(max-width: 48em)');
  return (
    <Group align="flex-start" gap="md" wrap={isPhone ? 'wrap' : 'nowrap'}>
      <div className={classes.presets}>
        {IN_ORDER.map((preset) => (
          <UnstyledButton
            key={preset}
            className={classes.preset}
            aria-pressed={period.preset === preset}
            data-autofocus={period.preset === preset || undefined}
            onClick={() => onPreset(preset)}
          >
            {text.presets[preset]}
          </UnstyledButton>
        ))}
      </div>
      <Calendar label={text.range} range={period} onChange={onRange} />
    </Group>
  );
}

interface CalendarProps {
  readonly label: string;
  readonly range: Range;
  readonly onChange: (from: string, to: string) => void;
}

function Calendar({ label, range: { from: first, to: last }, onChange }: CalendarProps) {
  const { timezone, firstWeekday } = useFormats();
  const [range, setRange] = useState<[string | null, string | null]>([first, last]);
  return (
    <DatePicker
      type="range"
      size="xs"
      allowSingleDateInRange
      firstDayOfWeek={(firstWeekday % 7) as 0 | 1 | 6}
      hideOutsideDates
      weekendDays={[]}
      ariaLabels={text.calendar}
      aria-label={label}
      defaultDate={last}
      maxDate={todayIn(timezone)}
      value={range}
      onChange={(days) => {
        setRange(days);
        const [from, to] = days;
        if (from && to) onChange(from, to);
      }}
    />
  );
}

function Shown({ period }: { readonly period: Period }) {
  const [{ granularity }, setView] = useView(schema);
  const legal = listGranularities(period.days);
  const isLegal = legal.some((one) => one === granularity);
  return (
    <Select
      size="xs"
      label={text.show}
      value={isLegal ? granularity : 'auto'}
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      data={(['auto', ...legal] as const).map((one) => ({ value: one, label: text.granularities[one] }))}
      onChange={(one) => one && setView({ granularity: one })}
    />
  );
}

function Compare({ period }: { readonly period: Period }) {
  const [{ compare, weekdays }, setView] = useView(schema);
  return (
    <>
      <Select
        size="xs"
        label={text.comparison}
        value={compare}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={COMPARISONS.map((one) => ({ value: one, label: text.comparisons[one] }))}
        onChange={(one) => {
          if (!one) return;
          // One's own days begin as those that were compared with.
          const own = one === 'custom' ? { compare_from: period.earlier?.from, compare_to: period.earlier?.to } : {};
          setView({ compare: one, ...own });
        }}
      />
      {(compare === 'previous_period' || compare === 'previous_year') && (
        <Switch
          size="xs"
          label={text.weekdays}
          checked={weekdays}
          onChange={({ currentTarget }) => setView({ weekdays: currentTarget.checked })}
        />
      )}
      {compare === 'custom' && (
        <Calendar
          label={text.earlierRange}
          range={period.earlier ?? period}
          onChange={(from, to) => setView({ compare_from: from, compare_to: to })}
        />
      )}
    </>
  );
}
