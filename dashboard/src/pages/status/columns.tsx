/** The columns of the tables of the status. */
import { Badge, Code, Text } from '@mantine/core';
import type { Status } from '../../api/admin';
import type { Formats } from '../../format';
import type { Column } from '../../components/table-columns';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';
import { agoText, detailText, lengthText } from '../../words';

const text = engineersTexts.status;

type Check = Status['checks'][number];
type Process = Status['ingest']['processes'][number];
type Exports = Status['exports'];
type Derived = Status['derived_tables'][number];

const readState = ({ ok, needs_a_look: look }: Check) => {
  if (look) return { name: text.look, color: 'yellow' };
  return ok ? { name: text.ok, color: 'teal' } : { name: texts.failed, color: 'red' };
};
const listDetails = ({ details }: Check, now: string) =>
  Object.entries(details)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([name, value]) => detailText(name, value as string | number | boolean, now))
    .join(', ');

/** `now` is when the service answered: ages are as of then. */
export const listCheckColumns = (now: string): Column<Check>[] => [
  {
    id: 'name',
    header: text.check,
    value: ({ name }) => name,
    cell: ({ name, required }) => (
      <>
        {name}
        {!required && (
          <Text span size="xs" c="dimmed">
            {' '}
            {text.optional}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'state',
    header: texts.state,
    value: () => null,
    cell: (check) => (
      <Badge size="sm" variant="light" color={readState(check).color}>
        {readState(check).name}
      </Badge>
    ),
  },
  { id: 'details', header: text.details, value: (check) => listDetails(check, now) },
];

/** The instant itself is in its title. */
function Age({ at, now }: { at: string | null; now: string }) {
  const { time } = useFormats();
  if (at === null) return texts.none;
  return (
    <time dateTime={at} title={time(at)}>
      {agoText(at, now)}
    </time>
  );
}

const backlogText = (backlog: readonly { table: string; rows: number }[]) =>
  backlog
    .filter(({ rows }) => rows > 0)
    .map(({ table, rows }) => `${table}: ${rows.toLocaleString('en')}`)
    .join(', ') || text.none;

export const listProcessColumns = (now: string): Column<Process>[] => [
  { id: 'name', header: text.process, value: ({ name }) => name, cell: ({ name }) => <Code>{name.slice(0, 8)}</Code> },
  { id: 'host', header: text.host, value: ({ host }) => host },
  { id: 'state', header: texts.state, value: ({ state }) => state },
  { id: 'started', header: text.started, value: () => null, cell: (one) => <Age at={one.started_at} now={now} /> },
  { id: 'up_to', header: text.upTo, value: () => null, cell: (one) => <Age at={one.received_up_to} now={now} /> },
  {
    id: 'backlog',
    header: text.backlog,
    value: ({ backlog }) => backlogText(backlog.map(({ table, records }) => ({ table, rows: records }))),
  },
];

export const listDerivedColumns = (now: string): Column<Derived>[] => [
  { id: 'name', header: texts.table, value: ({ name }) => name },
  {
    id: 'lag',
    header: text.behind,
    value: ({ lag_seconds: lag }) => lag,
    cell: ({ lag_seconds: lag }) => lengthText(lag),
  },
  { id: 'backlog', header: text.rows, value: ({ backlog }) => backlogText(backlog) },
  {
    id: 'complete',
    header: text.complete,
    value: () => null,
    cell: (one) => <Age at={one.complete_until} now={now} />,
  },
];

export const quarantineColumns: Column<Status['quarantine'][number]>[] = [
  { id: 'worker', header: texts.table, value: ({ worker }) => worker },
  { id: 'state', header: texts.state, value: ({ state }) => text.quarantineStates[state] },
  { id: 'entities', header: text.entities, kind: 'count', value: ({ entities }) => entities },
];

/** How scheduled exports are doing, in one sentence. */
export function describeExports({ state, enabled, failing, late, lag_seconds: lag }: Exports, { count }: Formats) {
  if (state === 'ok') return text.exportsFine(count(enabled));
  return text.exportsAbout(count(enabled), count(failing), count(late), lengthText(lag));
}

const HEALTH_COLOURS = { ok: 'teal', warning: 'yellow', critical: 'red' } as const;

export const listExportColumns = (now: string): Column<Exports['problems'][number]>[] => [
  { id: 'project', header: text.project, value: ({ project }) => project },
  { id: 'export', header: text.export, value: ({ name }) => name },
  {
    id: 'state',
    header: texts.state,
    value: ({ state }) => text.health[state],
    cell: ({ state }) => (
      <Badge size="sm" variant="light" color={HEALTH_COLOURS[state]}>
        {text.health[state]}
      </Badge>
    ),
  },
  {
    id: 'behind',
    header: text.behind,
    value: ({ lag_seconds: lag }) => lag,
    cell: ({ lag_seconds: lag }) => lengthText(lag),
  },
  {
    id: 'since',
    header: text.failingSince,
    value: () => null,
    cell: (one) => <Age at={one.failing_since} now={now} />,
  },
  { id: 'why', header: text.why, value: ({ error }) => error ?? texts.none },
];
