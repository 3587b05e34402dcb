/** Which days a view is about, and what they are compared with; both stand in the URL. */
import { Button, Divider, Group, Popover, Select, Stack, Text, UnstyledButton } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { todayIn, usePeriod, type Comparison, type Period, type Preset } from '../period';
import { COMPARISONS } from '../search';
import { useFormats } from '../session';
import { texts } from '../texts';
import classes from './PeriodPicker.module.css';

const text = texts.period;
const IN_ORDER = Object.keys(text.presets) as Preset[];

/** `withComparison={false}` where a view compares nothing. */
export function PeriodPicker({ withComparison = true }: { withComparison?: boolean }) {
  const [period, setView] = usePeriod();
  const [isOpen, { open, toggle, close }] = useDisclosure();
  // From the button, too: the focus may still be there.
  useHotkeys([['Escape', close]]);
  const formats = useFormats();
  const days =
    period.from === period.to
      ? formats.day(period.from)
      : `${formats.shortDay(period.from)} – ${formats.day(period.to)}`;
  return (
    <Popover
      opened={isOpen}
      onChange={(next) => (next ? open() : close())}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          onClick={toggle}
          aria-haspopup="dialog"
          leftSection={<IconCalendar size={15} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {period.preset ? text.presets[period.preset] : days}
          {period.preset && (
            <Text span size="xs" c="dimmed" ml={8} visibleFrom="sm">
              {days}
            </Text>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={text.label}>
        <Choice
          period={period}
          onPreset={(preset) => {
            setView({ period: preset, from: undefined, to: undefined });
            close();
          }}
          onRange={(from, to) => {
            setView({ from, to });
            close();
          }}
        />
        {withComparison && <Compare value={period.compare} onChange={(compare) => setView({ compare })} />}
        <Text size="xs" c="dimmed" mt="xs">
          {text.inZone(formats.timezone)}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ChoiceProps {
  readonly period: Period;
  readonly onPreset: (preset: Preset) => void;
  readonly onRange: (from: string, to: string) => void;
}

function Choice({ period, onPreset, onRange }: ChoiceProps) {
  const { timezone } = useFormats();
  const isPhone = useMediaQuery('(max-width: 48em)');
  const [range, setRange] = useState<[string | null, string | null]>([period.from, period.to]);
  return (
    <Group align="flex-start" gap="md" wrap={isPhone ? 'wrap' : 'nowrap'}>
      <Stack gap={2} className={classes.presets}>
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
      </Stack>
      <DatePicker
        type="range"
        size="xs"
        allowSingleDateInRange
        firstDayOfWeek={1}
        hideOutsideDates
        weekendDays={[]}
        ariaLabels={text.calendar}
        aria-label={text.range}
        defaultDate={period.to}
        maxDate={todayIn(timezone)}
        value={range}
        onChange={(days) => {
          setRange(days);
          const [from, to] = days;
          if (from && to) onRange(from, to);
        }}
      />
    </Group>
  );
}

function Compare({ value, onChange }: { value: Comparison; onChange: (comparison: Comparison) => void }) {
  return (
    <>
      <Divider my="sm" />
      <Select
        size="xs"
        label={text.comparison}
        value={value}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={COMPARISONS.map((one) => ({ value: one, label: text.comparisons[one] }))}
        onChange={(one) => one && onChange(one)}
      />
    </>
  );
}
