/** The form of a scheduled report: which board, when, and to whom. */
import { NumberInput, Select, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { boardChoicesQuery, forgetSchedules, saveSchedule, type Schedule, type ScheduleEntry } from '../../api/alerts';
import { choices } from '../../choices';
import { readFieldErrors } from '../../components/field-errors';
import { FormModal } from '../../components/FormModal';
import { editReceivers, readReceivers, Receivers, type Edited } from '../../components/receivers/Receivers';
import { useFormats, useMe, useProject } from '../../session';
import { schedules as text } from '../../texts/alerts';
import { texts } from '../../texts';

const MAX_NAME = 255;
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
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
  const { timezone } = useFormats();
  const [before] = useState(() => readValues(schedule, board, email));
  const [values, setValues] = useState(before);
  const change = (changes: Partial<Values>) => setValues((now) => ({ ...now, ...changes }));
  const boards = useQuery(boardChoicesQuery(id)).data?.boards;
  const save = useMutation({
    mutationFn: (entry: ScheduleEntry) => saveSchedule(id, schedule?.id, entry),
    onSuccess: async () => {
      await forgetSchedules(id);
      onClose();
      notifications.show({ message: texts.saved });
    },
  });
  const errors = readFieldErrors(save.error, ['name', 'receivers']);
  return (
    <FormModal
      title={schedule ? text.edit : text.create}
      error={Object.keys(errors).length > 0 ? null : save.error}
      isSaving={save.isPending}
      isDirty={JSON.stringify(values) !== JSON.stringify(before)}
      onSubmit={(event) => {
        event.preventDefault();
        if (values.board !== undefined) save.mutate(readEntry(values));
      }}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        required
        maxLength={MAX_NAME}
        data-autofocus
        error={errors.name}
        value={values.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Select
        label={text.board}
        required
        searchable
        allowDeselect={false}
        data={(boards ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
        value={values.board === undefined ? null : String(values.board)}
        onChange={(next) => next && change({ board: Number(next) })}
      />
      {boards?.length === 0 && (
        <Text size="sm" c="dimmed">
          {text.noBoards}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select
          label={text.every}
          allowDeselect={false}
          data={choices(text.everyNames)}
          value={values.every}
          onChange={(next) => next && change({ every: next })}
        />
        {values.every === 'week' && (
          <Select
            label={text.weekday}
            allowDeselect={false}
            data={WEEKDAYS}
            value={String(values.weekday)}
            onChange={(next) => next && change({ weekday: Number(next) })}
          />
        )}
        {values.every === 'month' && (
          <NumberInput
            label={text.monthDay}
            min={1}
            max={31}
            value={values.monthDay}
            onChange={(next) => typeof next === 'number' && change({ monthDay: next })}
          />
        )}
        <Select
          label={text.hour(timezone)}
          allowDeselect={false}
          data={HOURS}
          value={String(values.hour)}
          onChange={(next) => next && change({ hour: Number(next) })}
        />
      </SimpleGrid>
      {values.every === 'month' && values.monthDay > 28 && (
        <Text size="xs" c="dimmed">
          {text.monthDayHint}
        </Text>
      )}
      <Receivers
        value={values.receivers}
        kinds={['email']}
        error={errors.receivers}
        onChange={(receivers) => change({ receivers })}
      />
      <Switch
        label={text.on}
        checked={values.enabled}
        onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
      />
    </FormModal>
  );
}
