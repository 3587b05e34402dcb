/** Keys of a project: create one (shown once), see which are in use, revoke, and first requests to paste. */
import { Badge, Button, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { keysQuery, type KeyKind, type ProjectKey } from '../../api/admin';
import { api } from '../../api/client';
import { useCreateKey, useMadeKey } from '../../api/made-keys';
import { queryClient } from '../../api/queries';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { FirstEvent } from '../../components/FirstEvent';
import { WithKey } from '../../components/FirstRequest';
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
import { buildCampaignList } from '../../snippets';
import { NewKey, RenameKey } from './forms';
import { keys as text } from '../../texts/keys';
import { texts } from '../../texts';

export default function Keys() {
  const { id } = useProject();
  const [{ revoked, snippet }, setView] = useView(keysSearch);
  const { data, error, isPending, refetch } = useQuery(keysQuery(id));
  const [edited, setEdited] = useState<ProjectKey | 'new'>();
  const create = useCreateKey(id);
  const made = create.data;
  const known = useMadeKey(id, snippet);
  const rows = data?.filter(({ revoked_at }) => revoked || !revoked_at);
  return (
    <PageBody narrow>
      <PageHeader withZone title={texts.titles.keys} about={text.about}>
        <Button size="xs" onClick={() => setEdited('new')}>
          {text.create}
        </Button>
      </PageHeader>
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
          <KeysTable rows={rows} loading={isPending} onRename={setEdited} />
        )}
      </Panel>
      <Panel title={text.snippets} about={known ? text.snippetsWith : text.snippetsAbout}>
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
          <FirstRequest kind={snippet} />
        </Stack>
      </Panel>
      {edited === 'new' && (
        <NewKey
          create={create}
          onClose={() => setEdited(undefined)}
          onCreated={(kind) => setView({ snippet: kind }, { replace: true })}
        />
      )}
      {edited !== undefined && edited !== 'new' && <RenameKey one={edited} onClose={() => setEdited(undefined)} />}
    </PageBody>
  );
}

function FirstRequest({ kind }: { kind: KeyKind }) {
  if (kind === 'app_key') return <FirstEvent source="app" />;
  if (kind === 'web_key') return <FirstEvent source="web" />;
  return <WithKey kind={kind}>{(key) => <Snippet code={buildCampaignList(key)} />}</WithKey>;
}

async function revoke(id: number, key_id: number) {
  await api.DELETE('/admin/v1/projects/{id}/keys/{key_id}', { params: { path: { id, key_id } } });
  await queryClient.invalidateQueries({ queryKey: keysQuery(id).queryKey });
}

interface TableProps {
  readonly rows: readonly ProjectKey[] | undefined;
  readonly loading: boolean;
  readonly onRename: (key: ProjectKey) => void;
}

function KeysTable({ rows, loading, onRename }: TableProps) {
  const { id } = useProject();
  const { time } = useFormats();
  const columns: Column<ProjectKey>[] = [
    {
      id: 'name',
      header: texts.name,
      value: ({ name, prefix }) => name ?? prefix,
      cell: ({ name, prefix }) => (
        <div style={{ maxWidth: 260, overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          <Text size="sm" c={name ? undefined : 'dimmed'}>
            {name ?? text.unnamed}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {prefix ? `${prefix}…` : text.noPrefix}
          </Text>
        </div>
      ),
    },
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
      cell: (one) => <KeyActions one={one} onRename={onRename} revoke={() => revoke(id, one.id)} />,
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

interface ActionsProps {
  readonly one: ProjectKey;
  readonly onRename: (key: ProjectKey) => void;
  readonly revoke: () => Promise<unknown>;
}

function KeyActions({ one, onRename, revoke }: ActionsProps) {
  const { time } = useFormats();
  const { id, kind, revoked_at: revoked, last_used_at: used } = one;
  if (revoked) return null;
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={text.renameNamed(text.kinds[kind], id)}
        onClick={() => onRename(one)}
      >
        {text.rename}
      </Button>
      <ConfirmButton
        label={texts.revoke}
        name={text.revokeNamed(text.kinds[kind], id)}
        title={text.revokeTitle(text.kinds[kind])}
        text={[text.revokeText, used && text.usedNow(time(used))].filter(Boolean).join(' ')}
        confirm={texts.revoke}
        done={text.revokeDone}
        action={revoke}
      />
    </Group>
  );
}
