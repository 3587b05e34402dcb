/** The accounts, partners and projects of the installation. */
import { Badge, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  accountsQuery,
  allPartnersQuery,
  projectsQuery,
  type Applied,
  type Project,
  type Workspace,
} from '../../api/admin';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { Add, type Added } from './Add';
import { useApply } from './apply';
import NewProject from '../new-project/NewProject';
import { Secrets } from './Secrets';
import { installation as installationTexts } from '../../texts/installation';
import { texts } from '../../texts';
import { toPage } from '../../addresses';

const text = installationTexts.accounts;
type State = keyof typeof text.states;

export default function Accounts() {
  const [adding, setAdding] = useState<Added>();
  const [isMaking, setMaking] = useState(false);
  const [secrets, setSecrets] = useState<Applied['secrets']>([]);
  const add = (what: Added, label: string) => (
    <Button size="xs" variant="default" onClick={() => setAdding(what)}>
      {label}
    </Button>
  );
  return (
    <PageBody>
      <PageHeader title={texts.titles.installationAccounts} about={text.about} />
      <Secrets secrets={secrets} onClose={() => setSecrets([])} />
      <Panel title={text.accounts} tools={add('account', text.addAccount)} flush>
        <AccountsTable />
      </Panel>
      <Panel
        title={texts.projects}
        tools={
          <Button size="xs" variant="default" onClick={() => setMaking(true)}>
            {text.addProject}
          </Button>
        }
        flush
      >
        <ProjectsTable />
      </Panel>
      <Panel title={texts.titles.partners} tools={add('partner', text.addPartner)} flush>
        <PartnersTable />
      </Panel>
      {isMaking && <NewProject onClose={() => setMaking(false)} />}
      {adding && <Add what={adding} onClose={() => setAdding(undefined)} onSecrets={setSecrets} />}
    </PageBody>
  );
}

const StateBadge = ({ state }: { state: State }) => (
  <Badge size="sm" variant="light" color={state === 'active' ? 'teal' : 'red'}>
    {text.states[state]}
  </Badge>
);

interface SwitchProps {
  readonly name: string;
  readonly state: State;
  readonly meaning: string;
  readonly document: (state: State) => Workspace;
}

/** Suspends, after a question; the way back needs none. */
function StateSwitch({ name, state, meaning, document }: SwitchProps) {
  const apply = useApply();
  if (state === 'active')
    return (
      <ConfirmButton
        label={text.suspend}
        name={text.suspendNamed(name)}
        title={text.suspendTitle(name)}
        text={meaning}
        confirm={text.suspend}
        done={text.suspended}
        action={() => apply.mutateAsync(document('suspended'))}
      />
    );
  const activate = () =>
    apply.mutate(document('active'), {
      onSuccess: () => notifications.show({ message: texts.activeAgain(name) }),
      onError: (error) => notifications.show({ color: 'red', message: readMessage(error) }),
    });
  return (
    <Button size="compact-xs" variant="default" loading={apply.isPending} onClick={activate}>
      {text.activate}
    </Button>
  );
}

function AccountsTable() {
  const { data, error, isPending, refetch } = useQuery(accountsQuery);
  type Row = NonNullable<typeof data>[number];
  const columns: Column<Row>[] = [
    { id: 'name', header: texts.name, value: ({ name }) => name },
    {
      id: 'state',
      header: texts.state,
      value: () => null,
      cell: (one) => <StateBadge state={one.billing_status} />,
    },
    { id: 'since', header: texts.since, value: () => null, cell: (one) => <Time value={one.created_at} /> },
    {
      id: 'action',
      header: texts.action,
      value: () => null,
      cell: ({ name, billing_status }) => (
        <StateSwitch
          name={name}
          state={billing_status}
          meaning={text.suspendAccount}
          document={(state) => ({ accounts: [{ name, billing_status: state }] })}
        />
      ),
    },
  ];
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  return (
    <DataTable
      label={text.accounts}
      columns={columns}
      rows={data}
      rowId={({ id }) => String(id)}
      loading={isPending}
      skeletons={2}
      empty={<EmptyState title={text.noAccounts} text={text.noAccountsText} />}
    />
  );
}

function PartnersTable() {
  const { data, error, isPending, refetch } = useQuery(allPartnersQuery);
  type Row = NonNullable<typeof data>[number];
  const columns: Column<Row>[] = [
    { id: 'name', header: texts.name, value: ({ name }) => name },
    { id: 'state', header: texts.state, value: () => null, cell: ({ status }) => <StateBadge state={status} /> },
    { id: 'tokens', header: text.tokens, kind: 'count', value: ({ tokens }) => tokens },
    { id: 'since', header: texts.since, value: () => null, cell: (one) => <Time value={one.created_at} /> },
    {
      id: 'action',
      header: texts.action,
      value: () => null,
      cell: ({ name, status }) => (
        <StateSwitch
          name={name}
          state={status}
          meaning={text.suspendPartner}
          document={(state) => ({ partners: [{ name, status: state }] })}
        />
      ),
    },
  ];
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  return (
    <DataTable
      label={texts.titles.partners}
      columns={columns}
      rows={data}
      rowId={({ id }) => String(id)}
      loading={isPending}
      skeletons={2}
      empty={<EmptyState title={text.noPartners} text={text.noPartnersText} />}
    />
  );
}

const projectColumns: Column<Project>[] = [
  { id: 'name', header: texts.name, value: ({ name }) => name },
  { id: 'account', header: text.account, value: ({ account }) => account },
  { id: 'currency', header: texts.currency, value: ({ currency }) => currency },
  { id: 'timezone', header: texts.timezone, value: ({ timezone }) => timezone },
  { id: 'since', header: texts.since, value: () => null, cell: (one) => <Time value={one.created_at} /> },
  {
    id: 'action',
    header: texts.action,
    value: () => null,
    cell: ({ id, name }) => (
      <Button
        size="compact-xs"
        variant="default"
        component={Link}
        {...toPage('/projects/$projectId', { projectId: id })}
        aria-label={`${text.open} ${name}`}
      >
        {text.open}
      </Button>
    ),
  },
];

function ProjectsTable() {
  const { data, error, isPending, refetch } = useQuery(projectsQuery);
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  return (
    <DataTable
      label={texts.projects}
      columns={projectColumns}
      rows={data}
      rowId={({ id }) => String(id)}
      loading={isPending}
      skeletons={2}
      empty={<EmptyState title={text.noProjects} text={text.noProjectsText} />}
    />
  );
}
