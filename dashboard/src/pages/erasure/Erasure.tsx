/** Forget a person, or hand over what there is of one; and the receipts of that. */
import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { receiptsQuery, type Receipt } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { saveBlob } from '../../components/files';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useProject } from '../../session';
import { erasure as text } from '../../texts/erasure';
import { texts } from '../../texts';
import { Found, FoundCounts, type Identifier } from './Found';
import { KeptInFiles } from './KeptInFiles';

const KINDS = ['user', 'gaid', 'idfa'] as const;
type Kind = (typeof KINDS)[number];
/** While something is under way the receipts are asked for again. */
const AGAIN_MS = 5_000;

export default function Erasure() {
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.erasure} about={text.about} />
      <KeptInFiles />
      <Person />
      <Receipts />
    </PageBody>
  );
}

function Person() {
  const [kind, setKind] = useState<Kind>('user');
  const [value, setValue] = useState('');
  const [seen, setSeen] = useState<Identifier & { readonly turn: number }>();
  const identifier = { kind, value: value.trim() };
  const isSeen = seen?.kind === kind && seen.value === identifier.value;
  return (
    <Panel title={text.form} about={text.formAbout}>
      <Stack gap="sm" pt="xs">
        <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
          <Select
            label={text.kind}
            data={KINDS.map((one) => ({ value: one, label: text.kinds[one] }))}
            allowDeselect={false}
            value={kind}
            onChange={(next) => setKind(next ?? 'user')}
            miw={220}
          />
          <TextInput
            label={text.value}
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            description={text.hints[kind]}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            miw={220}
          />
        </Group>
        <Group gap="xs">
          <Button
            size="sm"
            variant="default"
            disabled={identifier.value === ''}
            onClick={() => setSeen({ ...identifier, turn: (seen?.turn ?? 0) + 1 })}
          >
            {text.count}
          </Button>
          <Export identifier={identifier} />
          <Forget identifier={identifier} onForgotten={() => setValue('')} />
        </Group>
        {isSeen && <Found key={seen.turn} kind={kind} value={seen.value} />}
        <Text size="xs" c="dimmed">
          {text.exportAbout}
        </Text>
      </Stack>
    </Panel>
  );
}

function Export({ identifier }: { identifier: Identifier }) {
  const { id } = useProject();
  const save = useMutation({
    mutationFn: async () => {
      const options = { params: { path: { id } }, body: identifier, parseAs: 'blob' as const };
      saveBlob('person.ndjson', await unwrapData<Blob>(api.POST('/admin/v1/projects/{id}/persons/export', options)));
    },
    onSuccess: () => notifications.show({ message: text.exported }),
    onError: (error) => notifications.show({ color: 'red', message: readMessage(error) }),
  });
  return (
    <Button
      size="sm"
      variant="default"
      disabled={identifier.value === ''}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {text.export}
    </Button>
  );
}

function Forget({ identifier, onForgotten }: { identifier: Identifier; onForgotten: () => void }) {
  const { id } = useProject();
  const forget = async () => {
    const path = { id, ...identifier };
    await unwrapData(api.DELETE('/admin/v1/projects/{id}/devices/{kind}/{value}', { params: { path } }));
    onForgotten();
    await queryClient.invalidateQueries({ queryKey: receiptsQuery(id).queryKey });
  };
  return (
    <ConfirmButton
      label={text.submit}
      size="sm"
      variant="light"
      color="red"
      disabled={identifier.value === ''}
      title={text.confirmTitle}
      text={
        <Stack gap="xs">
          <div>{`${text.kinds[identifier.kind]}: ${identifier.value}. ${text.confirmText}`}</div>
          <Found {...identifier} />
        </Stack>
      }
      confirm={text.confirm}
      done={text.done}
      action={forget}
    />
  );
}

const readState = ({ hidden_at, removed_at, failure }: Receipt) => {
  if (removed_at) return { name: text.states.removed, color: 'teal' };
  if (failure) return { name: text.states.failed, color: 'red' };
  return hidden_at ? { name: text.states.hidden, color: 'blue' } : { name: text.states.waiting, color: 'gray' };
};

const columns: Column<Receipt>[] = [
  { id: 'id', header: text.id, value: ({ id }) => `#${id}` },
  { id: 'kind', header: text.kind, value: ({ kind }) => text.kinds[kind] },
  { id: 'found', header: text.receiptFound, value: () => null, cell: ({ found }) => <FoundCounts found={found} /> },
  { id: 'asked', header: text.asked, value: () => null, cell: (one) => <Time value={one.requested_at} /> },
  { id: 'hidden', header: text.hidden, value: () => null, cell: (one) => <Time value={one.hidden_at} /> },
  { id: 'removed', header: text.removed, value: () => null, cell: (one) => <Time value={one.removed_at} /> },
  {
    id: 'state',
    header: texts.state,
    value: () => null,
    cell: (one) => (
      <Badge size="sm" variant="light" color={readState(one).color} title={one.failure ?? undefined}>
        {readState(one).name}
      </Badge>
    ),
  },
];

function Receipts() {
  const { id } = useProject();
  const { data, error, isPending, refetch } = useQuery({
    ...receiptsQuery(id),
    refetchInterval: ({ state }) => state.data?.some(({ removed_at }) => !removed_at) && AGAIN_MS,
  });
  return (
    <Panel title={text.receipts} about={text.receiptsAbout} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.receipts}
          columns={columns}
          rows={data}
          rowId={(one) => String(one.id)}
          loading={isPending}
          skeletons={2}
          empty={<EmptyState title={text.empty} text={text.emptyText} />}
        />
      )}
    </Panel>
  );
}
