/** The alerts of a project: how each is, and a form to make one. */
import { Alert as Notice, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { alertsQuery, type Alert } from '../../api/alerts';
import { toPage } from '../../addresses';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { Secret } from '../../components/Secret';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { alerts as text, receivers } from '../../texts/alerts';
import { texts } from '../../texts';
import { AlertForm } from './AlertForm';
import { alertsSearch } from './search';
import { State } from './State';
import { describeAlert } from './words';

export default function Alerts() {
  const { id } = useProject();
  const mayChange = useMay('boards');
  const [{ edit }, setView] = useView(alertsSearch);
  const [secrets, setSecrets] = useState<string[]>([]);
  const { data, error, isPending, refetch } = useQuery(alertsQuery(id));
  const edited = data?.alerts.find((one) => String(one.id) === edit);
  const create = (
    <Button size="xs" onClick={() => setView({ edit: 'new' })}>
      {text.create}
    </Button>
  );
  return (
    <PageBody>
      <PageHeader title={texts.titles.alerts} about={text.about}>
        {mayChange && create}
      </PageHeader>
      {data && !data.mail && (
        <Notice variant="light" color="yellow" p="xs">
          {text.noMail}
        </Notice>
      )}
      {secrets.map((secret) => (
        <Secret key={secret} title={receivers.secret} value={secret} onClose={() => setSecrets([])} />
      ))}
      <Panel title={texts.titles.alerts} flush>
        {error ? (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        ) : (
          <AlertTable rows={data?.alerts} loading={isPending}>
            {mayChange && create}
          </AlertTable>
        )}
      </Panel>
      {mayChange && data && (edit === 'new' || edited) && (
        <AlertForm alert={edited} onSecrets={setSecrets} onClose={() => setView({ edit: undefined })} />
      )}
    </PageBody>
  );
}

interface TableProps {
  readonly rows: readonly Alert[] | undefined;
  readonly loading: boolean;
  readonly children: React.ReactNode;
}

function AlertTable({ rows, loading, children }: TableProps) {
  const { id: projectId } = useProject();
  const formats = useFormats();
  const columns: Column<Alert>[] = [
    {
      id: 'name',
      header: texts.name,
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <Anchor component={Link} {...toPage('/projects/$projectId/alerts/$alertId', { projectId, alertId: id })}>
          {name}
        </Anchor>
      ),
    },
    {
      id: 'state',
      header: text.columns.state,
      value: ({ state }) => text.states[state.state],
      cell: (alert) => (
        <Stack gap={0} align="flex-start">
          <State state={alert.state} />
          <Text size="xs" c="dimmed" truncate maw={220}>
            {alert.state.firing
              .map(({ label }) => label)
              .filter(Boolean)
              .join(', ')}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'condition',
      header: text.columns.condition,
      value: (alert) => describeAlert(alert, formats),
      cell: (alert) => <Text size="sm">{describeAlert(alert, formats)}</Text>,
    },
    {
      id: 'judged',
      header: text.columns.judged,
      value: ({ state }) => state.judged_at,
      cell: ({ state }) => <Time value={state.judged_at} />,
    },
    {
      id: 'receivers',
      header: text.columns.receivers,
      value: ({ receivers: all }) => all.map(({ to }) => to).join(', ') || text.nobody,
      cell: ({ receivers: all }) => <ReceiverList all={all} />,
    },
  ];
  return (
    <DataTable
      columns={columns}
      rows={rows}
      rowId={({ id }) => String(id)}
      label={texts.titles.alerts}
      loading={loading}
      empty={
        <EmptyState title={text.empty} text={text.emptyText}>
          {children}
        </EmptyState>
      }
    />
  );
}

export const ReceiverList = ({ all }: { all: Alert['receivers'] }) => (
  <Group gap={4}>
    <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
      {all
        .map(({ to, unsubscribed_at }) => (unsubscribed_at === null ? to : `${to} (${receivers.unsubscribed})`))
        .join(', ') || text.nobody}
    </Text>
  </Group>
);
