/** The form of a scheduled report: which board, when, and to whom. */
import { NumberInput, Select, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { boardChoicesQuery, forgetSchedules, saveSchedule, type Schedule, type ScheduleEntry } from '../../api/alerts';
import { choices } from '../../choices';
import { ReceiverForm, type FieldProps } from '../../components/receivers/ReceiverForm';
import { editReceivers, readReceivers, type Edited } from '../../components/receivers/Receivers';
import { useFormats, useMe, useProject } from '../../session';
import { schedules as text } from '../../texts/alerts';

export const writeHour = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: writeHour(hour) }));
const WEEKDAYS = text.weekdays.map((label, at) => ({ value: String(at + 1), label }));

interface Props {
  /** None for a new one. */
  readonly schedule: Schedule | undefined;
  /** Which board a new one begins with. */
  readonly board: number | undefined;
  readonly onClose: () => void;
}

interface Values {
  readonly name: string;
  readonly board: number | undefined;
  readonly every: Schedule['every'];
  readonly weekday: number;
  readonly monthDay: number;
  readonly hour: number;
  readonly receivers: readonly Edited[];
  readonly enabled: boolean;
}

const readValues = (schedule: Schedule | undefined, board: number | undefined, email: string): Values => ({
  name: schedule?.name ?? '',
  board: schedule?.board_id ?? board,
  every: schedule?.every ?? 'week',
  weekday: schedule?.weekday ?? 1,
  monthDay: schedule?.month_day ?? 1,
  hour: schedule?.hour ?? 8,
  receivers: schedule ? editReceivers(schedule.receivers) : [{ kind: 'email', typed: email }],
  enabled: schedule?.enabled ?? true,
});

const readEntry = ({ name, board, every, weekday, monthDay, hour, receivers, enabled }: Values): ScheduleEntry => ({
  name: name.trim(),
  board_id: board ?? 0,
  every,
  ...(every === 'week' ? { weekday } : {}),
  ...(every === 'month' ? { month_day: monthDay } : {}),
  hour,
  receivers: readReceivers(receivers),
  enabled,
});

export function ScheduleForm({ schedule, board, onClose }: Props) {
  const { id } = useProject();
  const { email } = useMe().user;
  return (
    <ReceiverForm
      title={schedule ? text.edit : text.create}
      initial={readValues(schedule, board, email)}
      kinds={['email']}
      on={text.on}
      isComplete={(values) => values.board !== undefined}
      save={async (values) => {
        await saveSchedule(id, schedule?.id, readEntry(values));
        await forgetSchedules(id);
      }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <BoardField {...fields} />
          <TimeFields {...fields} />
        </>
      )}
    </ReceiverForm>
  );
}

function BoardField({ values, onChange }: FieldProps<Values>) {
  const boards = useQuery(boardChoicesQuery(useProject().id)).data?.boards;
  return (
    <>
      <Select
        label={text.board}
        required
        searchable
        allowDeselect={false}
        data={(boards ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
        value={values.board === undefined ? null : String(values.board)}
        onChange={(next) => next && onChange({ board: Number(next) })}
      />
      {boards?.length === 0 && (
        <Text size="sm" c="dimmed">
          {text.noBoards}
        </Text>
      )}
    </>
  );
}

function TimeFields({ values: { every, weekday, monthDay, hour }, onChange }: FieldProps<Values>) {
  const { timezone } = useFormats();
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select
          label={text.every}
          allowDeselect={false}
          data={choices(text.everyNames)}
          value={every}
          onChange={(next) => next && onChange({ every: next })}
        />
        {every === 'week' && (
          <Select
            label={text.weekday}
            allowDeselect={false}
            data={WEEKDAYS}
            value={String(weekday)}
            onChange={(next) => next && onChange({ weekday: Number(next) })}
          />
        )}
        {every === 'month' && (
          <NumberInput
            label={text.monthDay}
            min={1}
            max={31}
            value={monthDay}
            onChange={(next) => typeof next === 'number' && onChange({ monthDay: next })}
          />
        )}
        <Select
          label={text.hour(timezone)}
          allowDeselect={false}
          data={HOURS}
          value={String(hour)}
          onChange={(next) => next && onChange({ hour: Number(next) })}
        />
      </SimpleGrid>
      {every === 'month' && monthDay > 28 && (
        <Text size="xs" c="dimmed">
          {text.monthDayHint}
        </Text>
      )}
    </>
  );
}
