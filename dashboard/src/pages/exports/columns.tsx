/** The columns of the list of exports. */
import { Badge, Button, Group, Progress, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { changeExport, deleteExport, forgetExports, type ScheduledExport } from '../../api/exports';
import { ConfirmButton } from '../../components/ConfirmButton';
import { readMessage } from '../../components/ErrorBox';
import type { Column } from '../../components/table-columns';
import type { Formats } from '../../format';
import { texts } from '../../texts';
import { scheduledExports as text } from '../../texts/exports';
import { lengthText, sizeText } from '../../words';

const COLOURS: Readonly<Record<ScheduledExport['state'], string>> = {
  failing: 'red',
  late: 'yellow',
  writing: 'blue',
  up_to_date: 'green',
  off: 'gray',
};

/** `open` is given the form that is asked for, as the address names it. */
export const listColumns = (
  projectId: number,
  formats: Formats,
  open: (form: string) => void,
): Column<ScheduledExport>[] => [
  { id: 'what', header: text.columns.what, value: ({ name }) => name, cell: (one) => <What one={one} /> },
  {
    id: 'state',
    header: text.columns.state,
    value: ({ state }) => text.states[state],
    cell: (one) => <State one={one} formats={formats} />,
  },
  {
    id: 'next',
    header: text.columns.next,
    value: ({ next }) => next.ends_at,
    cell: ({ next }) => <Lines first={next.period} second={text.ends(formats.time(next.ends_at))} />,
  },
  {
    id: 'written',
    header: text.columns.written,
    value: ({ progress }) => progress.rows,
    cell: (one) => <Written one={one} formats={formats} />,
  },
  {
    id: 'tools',
    header: texts.action,
    canSort: false,
    value: () => '',
    cell: (one) => one.declared_by === 'project' && <Tools projectId={projectId} one={one} open={open} />,
  },
];

const Lines = ({ first, second }: { first: string; second: string | undefined }) => (
  <Stack gap={0}>
    <Text size="sm">{first}</Text>
    {second && (
      <Text size="xs" c="dimmed">
        {second}
      </Text>
    )}
  </Stack>
);

/** Where an export writes to, in one line. */
function describePlace({ destination }: ScheduledExport): string {
  const { type, bucket = '', prefix = '', path = '' } = destination;
  return type === 's3' ? `s3://${[bucket, prefix].filter(Boolean).join('/')}` : path;
}

function What({ one }: { one: ScheduledExport }) {
  const kind = typeof one.kind === 'string' ? (text.kinds[one.kind] ?? one.kind) : text.question;
  return (
    <Stack gap={0}>
      <Text size="sm" fw={500}>
        {one.name}
      </Text>
      <Text size="xs">{text.summary(kind, text.formats[one.format], text.every[one.every])}</Text>
      <Text size="xs" c="dimmed" style={{ wordBreak: 'break-all' }}>
        {describePlace(one)}
      </Text>
      {one.declared_by === 'operator' && (
        <Text size="xs" c="dimmed">
          {text.byOperator}
        </Text>
      )}
    </Stack>
  );
}

interface ShownProps {
  readonly one: ScheduledExport;
  readonly formats: Formats;
}

function State({ one, formats }: ShownProps) {
  const { state, lag_seconds: lag, failure, progress } = one;
  const tell = failure?.is_over ? text.failedBefore : text.failed;
  return (
    <Stack gap={2} align="flex-start" maw={320}>
      <Badge variant="light" color={COLOURS[state]}>
        {text.states[state]}
      </Badge>
      {lag > 0 && <Text size="xs">{text.behind(lengthText(lag))}</Text>}
      {progress.periods_waiting > 0 && <Text size="xs">{text.waiting(formats.count(progress.periods_waiting))}</Text>}
      {failure && (
        <Text size="xs" c={failure.is_over ? 'dimmed' : undefined} style={{ wordBreak: 'break-word' }}>
          {tell(formats.time(failure.at), failure.error)}
        </Text>
      )}
    </Stack>
  );
}

function Written({ one, formats }: ShownProps) {
  const { periods_written: periods, rows, bytes, latest } = one.progress;
  const whole = text.written(formats.count(periods), formats.count(rows), sizeText(bytes));
  return (
    <Stack gap={4}>
      <Lines first={periods === 0 ? text.nothing : whole} second={latest === null ? undefined : text.latest(latest)} />
      {one.backfills
        .filter((asked) => asked.periods_written < asked.periods)
        .map((asked) => {
          const [done, all] = [formats.count(asked.periods_written), formats.count(asked.periods)];
          const label = text.backfilled(formats.day(asked.from), formats.day(asked.to), done, all);
          return (
            <Stack key={asked.id} gap={2}>
              <Text size="xs">{label}</Text>
              <Progress size="sm" value={(100 * asked.periods_written) / asked.periods} aria-label={label} />
            </Stack>
          );
        })}
    </Stack>
  );
}

interface ToolsProps {
  readonly projectId: number;
  readonly one: ScheduledExport;
  readonly open: (form: string) => void;
}

function Tools({ projectId, one, open }: ToolsProps) {
  const { id, name, enabled, destination } = one;
  const turn = useMutation({
    mutationFn: (next: boolean) => changeExport(projectId, id, { enabled: next }),
    onSuccess: () => forgetExports(projectId),
    onError: (error) => notifications.show({ color: 'red', message: readMessage(error) }),
  });
  return (
    <Group gap="xs">
      <Switch
        size="xs"
        aria-label={text.isOn(name)}
        checked={enabled}
        disabled={turn.isPending}
        onChange={({ currentTarget }) => turn.mutate(currentTarget.checked)}
      />
      <Button
        variant="default"
        size="compact-xs"
        aria-label={text.backfillNamed(name)}
        onClick={() => open(`backfill-${id}`)}
      >
        {text.backfill}
      </Button>
      {destination.type === 's3' && (
        <Button
          variant="default"
          size="compact-xs"
          aria-label={text.keysNamed(name)}
          onClick={() => open(`keys-${id}`)}
        >
          {text.keys}
        </Button>
      )}
      <ConfirmButton
        label={text.remove}
        name={text.removeNamed(name)}
        title={text.removeTitle(name)}
        text={text.removeText}
        confirm={text.remove}
        done={text.removed}
        action={async () => {
          await deleteExport(projectId, id);
          await forgetExports(projectId);
        }}
      />
    </Group>
  );
}
