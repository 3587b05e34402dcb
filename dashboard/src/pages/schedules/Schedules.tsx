/** Scheduled reports of a project: when each is sent, to whom, and a form. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { deleteSchedule, forgetSchedules, schedulesQuery, sendSchedule, type Schedule } from '../../api/alerts';
import { ConfirmButton } from '../../components/ConfirmButton';
import { readMessage } from '../../components/ErrorBox';
import { receiverColumn } from '../../components/receivers/ReceiverList';
import { SentPage } from '../../components/receivers/SentPage';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useView } from '../../search';
import { useMay, useProject } from '../../session';
import { schedules as text } from '../../texts/alerts';
import { texts } from '../../texts';
import { ScheduleForm, writeHour } from './ScheduleForm';
import { schedulesSearch } from './search';

export default function Schedules() {
  const { id: projectId } = useProject();
  const mayChange = useMay('boards');
  const [{ edit, board }, setView] = useView(schedulesSearch);
  const list = useQuery(schedulesQuery(projectId));
  const rows = list.data?.schedules;
  const edited = rows?.find((one) => String(one.id) === edit);
  const onEdit = ({ id }: { readonly id: number }) => setView({ edit: String(id) });
  return (
    <SentPage
      title={texts.titles.schedules}
      text={text}
      list={list}
      rows={rows}
      columns={buildColumns({ projectId, mayChange, hasMail: list.data?.mail === true, onEdit })}
      onCreate={() => setView({ edit: 'new' })}
    >
      {mayChange && rows && (edit === 'new' || edited) && (
        <ScheduleForm
          schedule={edited}
          board={board === undefined ? undefined : Number(board)}
          onClose={() => setView({ edit: undefined, board: undefined })}
        />
      )}
    </SentPage>
  );
}

/** `Mondays at 08:00 (Asia/Kolkata)`. */
function describeTimes({ every, weekday, month_day: monthDay, hour, timezone }: Schedule): string {
  const at = `${writeHour(hour)} (${timezone})`;
  if (every === 'day') return text.daily(at);
  if (every === 'month') return text.monthly(monthDay ?? 1, at);
  return text.onWeekday(text.weekdays[(weekday ?? 1) - 1] ?? '', at);
}

interface Shown {
  readonly projectId: number;
  readonly mayChange: boolean;
  readonly hasMail: boolean;
  readonly onEdit: (schedule: Schedule) => void;
}

const buildColumns = ({ projectId, mayChange, hasMail, onEdit }: Shown): Column<Schedule>[] => [
  {
    id: 'name',
    header: texts.name,
    value: ({ name }) => name,
    cell: (one) =>
      mayChange ? (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onEdit(one)}>
          {one.name}
        </Anchor>
      ) : (
        one.name
      ),
  },
  { id: 'board', header: text.board, value: ({ board }) => board },
  {
    id: 'when',
    header: text.columns.when,
    value: describeTimes,
    cell: (one) => <Text size="sm">{describeTimes(one)}</Text>,
  },
  {
    id: 'next',
    header: text.columns.next,
    value: ({ next_at: next }) => next,
    cell: ({ next_at: next }) => <Time value={next} />,
  },
  {
    id: 'sent',
    header: text.columns.sent,
    value: ({ sent_at: sent }) => sent,
    cell: ({ sent_at: sent }) => (sent === null ? text.never : <Time value={sent} />),
  },
  receiverColumn(text.columns.to),
  ...(mayChange
    ? [
        {
          id: 'tools',
          header: '',
          canSort: false,
          value: () => '',
          cell: (one: Schedule) => <Tools projectId={projectId} schedule={one} hasMail={hasMail} />,
        },
      ]
    : []),
];

interface ToolsProps {
  readonly projectId: number;
  readonly schedule: Schedule;
  readonly hasMail: boolean;
}

function Tools({ projectId, schedule, hasMail }: ToolsProps) {
  const send = useMutation({
    mutationFn: () => sendSchedule(projectId, schedule.id),
    onSuccess: ({ to }) => notifications.show({ message: text.sentTo(to) }),
    onError: (error) => notifications.show({ color: 'red', message: readMessage(error) }),
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        variant="default"
        size="compact-xs"
        disabled={!hasMail}
        loading={send.isPending}
        onClick={() => send.mutate()}
      >
        {text.sendNow}
      </Button>
      <ConfirmButton
        label={texts.delete}
        title={text.deleteTitle(schedule.name)}
        text={text.deleteText}
        confirm={texts.delete}
        done={text.deleted}
        action={async () => {
          await deleteSchedule(projectId, schedule.id);
          await forgetSchedules(projectId);
        }}
      />
    </Group>
  );
}
