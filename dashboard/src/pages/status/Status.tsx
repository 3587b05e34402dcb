/** How the installation is: checks, ingest, decisions, derived tables, and what is set aside. */
import { Alert, Badge, Code, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { statusQuery, type Status } from '../../api/admin';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { Summary } from './Summary';
import { engineers as engineersTexts } from '../../texts/engineers';

const text = engineersTexts.status;
const AGAIN_MS = 5_000;

type Check = Status['checks'][number];
type Process = Status['ingest']['processes'][number];
type Derived = Status['derived_tables'][number];

export default function StatusPage() {
  const { data, error, refetch } = useQuery({ ...statusQuery, refetchInterval: AGAIN_MS });
  const { time } = useFormats();
  return (
    <PageBody>
      <PageHeader title={texts.titles.status} about={data ? text.about(time(data.at)) : texts.loading} />
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={150} />}
      {data && (
        <>
          <Verdict status={data} />
          <Summary status={data} />
        </>
      )}
      {!error && (
        <>
          <Panel title={text.derived} about={text.derivedAbout} flush>
            <DataTable
              label={text.derived}
              columns={derived}
              rows={data?.derived_tables}
              rowId={({ name }) => name}
              loading={!data}
            />
          </Panel>
          {data?.ingest.processes.length !== 0 && (
            <Panel title={text.ingest} flush>
              <DataTable
                label={text.ingest}
                columns={processes}
                rows={data?.ingest.processes}
                rowId={({ name }) => name}
                loading={!data}
                skeletons={1}
              />
            </Panel>
          )}
          {data && data.quarantine.length > 0 && (
            <Panel title={text.setAside} about={text.setAsideHint} flush>
              <DataTable
                label={text.setAside}
                columns={quarantine}
                rows={data.quarantine}
                rowId={({ worker, state }) => `${worker} ${state}`}
              />
            </Panel>
          )}
          <Panel title={texts.checks} flush>
            <DataTable
              label={texts.checks}
              columns={checks}
              rows={data?.checks}
              rowId={({ name }) => name}
              loading={!data}
            />
          </Panel>
        </>
      )}
    </PageBody>
  );
}

function Verdict({ status: { ready, checks: all } }: { status: Status }) {
  const isFine = ready && all.every(({ ok, needs_a_look: look }) => ok && !look);
  const message = !ready ? text.notReady : isFine ? text.ready : text.degraded;
  return (
    <Alert
      variant="light"
      color={!ready ? 'red' : isFine ? 'teal' : 'yellow'}
      icon={isFine ? <IconCircleCheck size={18} /> : <IconAlertTriangle size={18} />}
      title={message}
      role="status"
      py="xs"
    />
  );
}

const readState = ({ ok, needs_a_look: look }: Check) => {
  if (look) return { name: text.look, color: 'yellow' };
  return ok ? { name: text.ok, color: 'teal' } : { name: texts.failed, color: 'red' };
};
const listDetails = ({ details }: Check) =>
  Object.entries(details)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
    .join(', ');

const checks: Column<Check>[] = [
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
  { id: 'details', header: text.details, value: listDetails },
];

const backlogText = (backlog: readonly { table: string; rows: number }[]) =>
  backlog
    .filter(({ rows }) => rows > 0)
    .map(({ table, rows }) => `${table}: ${rows.toLocaleString('en')}`)
    .join(', ') || text.none;

const processes: Column<Process>[] = [
  { id: 'name', header: text.process, value: ({ name }) => name, cell: ({ name }) => <Code>{name.slice(0, 8)}</Code> },
  { id: 'host', header: text.host, value: ({ host }) => host },
  { id: 'state', header: texts.state, value: ({ state }) => state },
  { id: 'started', header: text.started, value: () => null, cell: (one) => <Time value={one.started_at} /> },
  { id: 'up_to', header: text.upTo, value: () => null, cell: (one) => <Time value={one.received_up_to} /> },
  {
    id: 'backlog',
    header: text.backlog,
    value: ({ backlog }) => backlogText(backlog.map(({ table, records }) => ({ table, rows: records }))),
  },
];

const derived: Column<Derived>[] = [
  { id: 'name', header: texts.table, value: ({ name }) => name },
  { id: 'lag', header: text.behind, kind: 'seconds', value: ({ lag_seconds: lag }) => lag },
  { id: 'backlog', header: text.rows, value: ({ backlog }) => backlogText(backlog) },
  { id: 'complete', header: text.complete, value: () => null, cell: (one) => <Time value={one.complete_until} /> },
];

const quarantine: Column<Status['quarantine'][number]>[] = [
  { id: 'worker', header: texts.table, value: ({ worker }) => worker },
  { id: 'state', header: texts.state, value: ({ state }) => text.quarantineStates[state] },
  { id: 'entities', header: text.entities, kind: 'count', value: ({ entities }) => entities },
];
