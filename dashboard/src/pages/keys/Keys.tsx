/** Keys of a project: create one (shown once), see which are in use, revoke, and first requests to paste. */
import { Badge, Button, Menu, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keysQuery, type KeyKind, type ProjectKey } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { Secret } from '../../components/Secret';
import { Snippet } from '../../components/Snippet';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { KINDS, keysSearch } from './search';
import { buildSnippet } from './snippets';
import { keys as text } from '../../texts/keys';
import { texts } from '../../texts';

export default function Keys() {
  const { id } = useProject();
  const [{ revoked, snippet }, setView] = useView(keysSearch);
  const { data, error, isPending, refetch } = useQuery(keysQuery(id));
  const create = useMutation({
    mutationFn: (kind: KeyKind) =>
      unwrapData(api.POST('/admin/v1/projects/{id}/keys', { params: { path: { id } }, body: { kind } })),
    onSuccess: ({ kind }) => {
      setView({ snippet: kind }, { replace: true });
      return queryClient.invalidateQueries({ queryKey: keysQuery(id).queryKey });
    },
  });
  const made = create.data;
  const rows = data?.filter(({ revoked_at }) => revoked || !revoked_at);
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.keys} about={text.about}>
        <CreateMenu isPending={create.isPending} onCreate={(kind) => create.mutate(kind)} />
      </PageHeader>
      {create.error && <FormError message={readMessage(create.error)} />}
      {made && <Secret title={text.created(text.kinds[made.kind])} value={made.key} onClose={create.reset} />}
      <Panel
        title={texts.titles.keys}
        flush
        tools={
          <Switch
            size="xs"
            label={text.showRevoked}
            checked={revoked}
            onChange={({ currentTarget }) => setView({ revoked: currentTarget.checked })}
          />
        }
      >
        {error ? (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        ) : (
          <KeysTable rows={rows} loading={isPending} />
        )}
      </Panel>
      <Panel title={text.snippets} about={made?.kind === snippet ? text.snippetsWith : text.snippetsAbout}>
        <Stack gap="xs" pt="xs" align="flex-start">
          <SegmentedControl
            size="xs"
            aria-label={text.snippetsLabel}
            value={snippet}
            data={KINDS.map((kind) => ({ value: kind, label: text.kinds[kind] }))}
            onChange={(next) => setView({ snippet: next }, { replace: true })}
          />
          <Text size="sm" c="dimmed">
            {text.kindHints[snippet]}
          </Text>
          <Snippet code={buildSnippet(snippet, made?.kind === snippet ? made.key : 'YOUR_KEY')} />
        </Stack>
      </Panel>
    </PageBody>
  );
}

function CreateMenu({ isPending, onCreate }: { isPending: boolean; onCreate: (kind: KeyKind) => void }) {
  return (
    <Menu position="bottom-end" shadow="md" width={320}>
      <Menu.Target>
        <Button size="xs" loading={isPending} rightSection={<IconChevronDown size={14} />}>
          {text.create}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {KINDS.map((kind) => (
          <Menu.Item key={kind} onClick={() => onCreate(kind)}>
            <Text size="sm" fw={500}>
              {text.kinds[kind]}
            </Text>
            <Text size="xs" c="dimmed">
              {text.kindHints[kind]}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

async function revoke(id: number, key_id: number) {
  await api.DELETE('/admin/v1/projects/{id}/keys/{key_id}', { params: { path: { id, key_id } } });
  await queryClient.invalidateQueries({ queryKey: keysQuery(id).queryKey });
}

function KeysTable({ rows, loading }: { rows: readonly ProjectKey[] | undefined; loading: boolean }) {
  const { id } = useProject();
  const { time } = useFormats();
  const columns: Column<ProjectKey>[] = [
    { id: 'kind', header: texts.kind, value: ({ kind }) => text.kinds[kind] },
    {
      id: 'since',
      header: texts.created,
      value: (key) => key.created_at,
      cell: (key) => <Time value={key.created_at} />,
    },
    {
      id: 'used',
      header: text.used,
      about: text.usedAbout,
      value: (key) => key.last_used_at,
      cell: ({ last_used_at: used }) =>
        used ? (
          <Time value={used} />
        ) : (
          <Text span inherit c="dimmed">
            {texts.never}
          </Text>
        ),
    },
    {
      id: 'state',
      header: texts.state,
      value: (key) => key.revoked_at,
      cell: ({ revoked_at: revoked }) => (
        <Badge size="sm" variant="light" color={revoked ? 'gray' : 'teal'} title={revoked ? time(revoked) : undefined}>
          {revoked ? text.revoked : text.works}
        </Badge>
      ),
    },
    {
      id: 'action',
      header: texts.action,
      canSort: false,
      value: () => null,
      cell: ({ id: keyId, kind, revoked_at: revoked, last_used_at: used }) =>
        !revoked && (
          <ConfirmButton
            label={texts.revoke}
            name={text.revokeNamed(text.kinds[kind], keyId)}
            title={text.revokeTitle(text.kinds[kind])}
            text={[text.revokeText, used && text.usedNow(time(used))].filter(Boolean).join(' ')}
            confirm={texts.revoke}
            done={text.revokeDone}
            action={() => revoke(id, keyId)}
          />
        ),
    },
  ];
  return (
    <DataTable
      label={texts.titles.keys}
      columns={columns}
      rows={rows}
      rowId={(key) => String(key.id)}
      loading={loading}
      skeletons={3}
      empty={<EmptyState title={text.empty} text={text.emptyText} />}
    />
  );
}
