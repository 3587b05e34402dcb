/** Which days a view is about, how they are shown, and what they are compared with; all of it stands in the URL. */
import { Button, Loader, Popover, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useEscape } from '../escape';
import { usePeriod } from '../period';
import { useFormats } from '../session';
import { texts } from '../texts';

const text = texts.period;
/** The calendar comes when somebody opens it. */
const load = () => import('./PeriodChoice');
const Choice = lazy(load);

interface Props {
  /** False where a view compares nothing. */
  readonly withComparison?: boolean;
  /** Whether it is shown by hours, days, weeks or months. */
  readonly withGranularity?: boolean;
}

export function PeriodPicker({ withComparison = true, withGranularity = false }: Props) {
  const [period, setView] = usePeriod();
  const [isOpen, { open, toggle, close }] = useDisclosure();
  // From the button, too: the focus may still be there.
  useEscape(isOpen, close);
  const formats = useFormats();
  const days = period.from === period.to ? formats.day(period.from) : formats.range(period.from, period.to);
  return (
    <Popover
      opened={isOpen}
      onChange={(next) => (next ? open() : close())}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      closeOnEscape={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          onClick={toggle}
          onMouseEnter={() => void load()}
          onFocus={() => void load()}
          aria-haspopup="dialog"
          data-print="shown"
          leftSection={<IconCalendar size={15} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {period.preset ? text.presets[period.preset] : days}
          {period.preset && (
            <Text span size="xs" c="dimmed" ml={8} visibleFrom="sm">
              {days}
            </Text>
          )}
          {withComparison && period.earlier && (
            <Text span size="xs" c="dimmed" ml={8} visibleFrom="md">
              {text.versus(formats.range(period.earlier.from, period.earlier.to))}
            </Text>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={text.label}>
        <Suspense fallback={<Loader size="sm" />}>
          <Choice
            withComparison={withComparison}
            withGranularity={withGranularity}
            onPreset={(preset) => {
              setView({ period: preset, from: undefined, to: undefined });
              close();
            }}
            onRange={(from, to) => {
              setView({ from, to });
              close();
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
