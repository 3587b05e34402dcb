/** Scheduled reports of a project: when each is sent, to whom, and a form. */
import { Alert as Notice, Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { deleteSchedule, forgetSchedules, schedulesQuery, sendSchedule, type Schedule } from '../../api/alerts';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useView } from '../../search';
import { useMay, useProject } from '../../session';
import { schedules as text } from '../../texts/alerts';
import { texts } from '../../texts';
import { ReceiverList } from '../alerts/Alerts';
import { ScheduleForm } from './ScheduleForm';
import { schedulesSearch } from './search';

export default function Schedules() {
  const { id } = useProject();
  const mayChange = useMay('boards');
  const [{ edit, board }, setView] = useView(schedulesSearch);
  const { data, error, isPending, refetch } = useQuery(schedulesQuery(id));
  const edited = data?.schedules.find((one) => String(one.id) === edit);
  const create = (
    <Button size="xs" onClick={() => setView({ edit: 'new' })}>
      {text.create}
    </Button>
  );
  return (
    <PageBody>
      <PageHeader title={texts.titles.schedules} about={text.about}>
        {mayChange && create}
      </PageHeader>
      {data && !data.mail && (
        <Notice variant="light" color="yellow" p="xs">
          {text.noMail}
        </Notice>
      )}
      <Panel title={texts.titles.schedules} flush>
        {error ? (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            columns={listColumns(id, mayChange, data?.mail === true, (one) => setView({ edit: String(one.id) }))}
            rows={data?.schedules}
            rowId={(one) => String(one.id)}
            label={texts.titles.schedules}
            loading={isPending}
            empty={
              <EmptyState title={text.empty} text={text.emptyText}>
                {mayChange && create}
              </EmptyState>
            }
          />
        )}
      </Panel>
      {mayChange && data && (edit === 'new' || edited) && (
        <ScheduleForm
          schedule={edited}
          board={board === undefined ? undefined : Number(board)}
          onClose={() => setView({ edit: undefined, board: undefined })}
        />
      )}
    </PageBody>
  );
}

const writeHour = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
/** `Mondays at 08:00 (Asia/Kolkata)`. */
function describeTimes({ every, weekday, month_day: monthDay, hour, timezone }: Schedule): string {
  const at = `${writeHour(hour)} (${timezone})`;
  if (every === 'day') return text.daily(at);
  if (every === 'month') return text.monthly(monthDay ?? 1, at);
  return text.onWeekday(text.weekdays[(weekday ?? 1) - 1] ?? '', at);
}

const listColumns = (
  projectId: number,
  mayChange: boolean,
  hasMail: boolean,
  onEdit: (schedule: Schedule) => void,
): Column<Schedule>[] => [
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
  {
    id: 'to',
    header: text.columns.to,
    value: ({ receivers }) => receivers.map(({ to }) => to).join(', '),
    cell: ({ receivers }) => <ReceiverList all={receivers} />,
  },
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
