/** The tracking domains of a project, each with what DNS says of it. */
import { Alert, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { domainsQuery, type Domain } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useProject } from '../../session';
import { FormModal } from '../../components/FormModal';
import { useFormSave, useSave } from './save';
import { settings as settingsTexts } from '../../texts/settings';
import { texts } from '../../texts';

const text = settingsTexts.domains;

export function Domains() {
  const { id } = useProject();
  const { data, error, isPending, refetch } = useQuery(domainsQuery(id));
  const [isAdding, setAdding] = useState(false);
  const [checked, setChecked] = useState<Domain>();
  const makePrimary = useSave({ message: text.made });
  const columns: Column<Domain>[] = [
    {
      id: 'name',
      header: text.name,
      value: ({ name }) => name,
      cell: ({ name, primary, status }) => (
        <Group gap="xs">
          {name}
          {primary && (
            <Badge size="sm" variant="light">
              {text.primary}
            </Badge>
          )}
          {status === 'pending' && (
            <Badge size="sm" variant="light" color="yellow">
              {text.pending}
            </Badge>
          )}
        </Group>
      ),
    },
    { id: 'state', header: text.state, canSort: false, value: () => null, cell: (one) => <Found domain={one} /> },
    {
      id: 'action',
      header: texts.action,
      canSort: false,
      value: () => null,
      cell: (domain) => (
        <Group gap={6}>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={text.checkNamed(domain.name)}
            onClick={() => setChecked({ ...domain })}
          >
            {text.check}
          </Button>
          {!domain.primary && domain.status === 'proven' && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${text.makePrimary}: ${domain.name}`}
              onClick={() => makePrimary.mutate({ domains: [{ name: domain.name, primary: true }] })}
            >
              {text.makePrimary}
            </Button>
          )}
          <ConfirmButton
            label={texts.delete}
            name={texts.deleteNamed(domain.name)}
            title={texts.deleteTitle(domain.name)}
            text={text.removeText}
            confirm={texts.delete}
            done={text.removed}
            action={() => remove(id, domain, () => setChecked(undefined))}
          />
        </Group>
      ),
    },
  ];
  const add = (
    <Button size="xs" variant="default" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <Stack gap="md">
      <Panel title={settingsTexts.tabs.domains} about={text.about} tools={add} flush>
        {makePrimary.error && <FormError message={readMessage(makePrimary.error)} />}
        {error ? (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label={settingsTexts.tabs.domains}
            columns={columns}
            rows={data}
            rowId={(domain) => String(domain.id)}
            loading={isPending}
            skeletons={1}
            empty={<EmptyState title={text.empty} text={text.emptyText} />}
          />
        )}
      </Panel>
      {checked && <DnsCheck key={checked.id} domain={checked} />}
      {isAdding && <DomainForm onClose={() => setAdding(false)} />}
    </Stack>
  );
}

async function remove(id: number, { id: domain_id }: Domain, onRemoved: () => void) {
  await api.DELETE('/admin/v1/projects/{id}/domains/{domain_id}', { params: { path: { id, domain_id } } });
  onRemoved();
  await queryClient.invalidateQueries({ queryKey: domainsQuery(id).queryKey });
}

const COLOURS = { works: 'teal', elsewhere: 'yellow', no_certificate: 'yellow', unknown: 'gray' } as const;

/** What is known of a domain without asking anew: a word, why, and when. */
function Found({ domain: { status, last_check: found } }: { readonly domain: Domain }) {
  if (status === 'pending') return <Words about={text.pendingText} />;
  if (!found)
    return (
      <>
        <Badge size="sm" variant="light" color="gray">
          {text.unchecked}
        </Badge>
        <Words about={text.uncheckedText} />
      </>
    );
  return (
    <>
      <Badge size="sm" variant="light" color={COLOURS[found.state]}>
        {text.states[found.state]}
      </Badge>
      {found.state !== 'works' && <Words about={found.msg} />}
      <Text size="xs" c="dimmed">
        {text.checkedAt} <Time value={found.checked_at} />
      </Text>
    </>
  );
}

const Words = ({ about }: { readonly about: string }) => (
  <Text size="xs" maw={420} style={{ whiteSpace: 'normal' }}>
    {about}
  </Text>
);

/** Whether links of a checked domain work: it leads here, and browsers accept its certificate. */
const works = ({ ok, certificate }: { readonly ok: boolean; readonly certificate: { readonly ok: boolean } | null }) =>
  ok && certificate?.ok !== false;

export function DnsCheck({ domain }: { domain: Domain }) {
  const { id } = useProject();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['domain check', id, domain.id],
    queryFn: async () => {
      const path = { id, domain_id: domain.id };
      const checked = await unwrapData(
        api.POST('/admin/v1/projects/{id}/domains/{domain_id}/check', { params: { path } }),
      );
      // The list has what was found, and the domain may be proven by now.
      void queryClient.invalidateQueries({ queryKey: domainsQuery(id).queryKey });
      return checked;
    },
    staleTime: 0,
  });
  const again = (
    <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
      {text.check}
    </Button>
  );
  return (
    <Panel title={domain.name} tools={again}>
      <Stack gap="sm" pt="xs" mih={120}>
        {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {data && (
          <>
            <Alert
              variant="light"
              color={works(data) ? 'teal' : 'yellow'}
              icon={works(data) ? <IconCircleCheck size={18} /> : <IconAlertTriangle size={18} />}
              role="status"
            >
              {data.certificate?.msg ?? data.msg}
            </Alert>
            {data.proof && (
              <div>
                <Text size="sm" fw={500} mb={4}>
                  {text.proof}
                </Text>
                <Snippet code={`${data.proof.name}.  ${data.proof.type} ${data.proof.value}`} />
              </div>
            )}
            {!data.ok && (
              <div>
                <Text size="sm" fw={500} mb={4}>
                  {text.record}
                </Text>
                <Snippet code={`${domain.name}.  ${data.expected}`} />
                {data.addresses.length > 0 && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {text.addresses(data.addresses.join(', '))}
                  </Text>
                )}
              </div>
            )}
            {data.records.length > 0 && (
              <Text size="sm">
                {text.recordNow}: {data.records.map(({ type, value }) => `${type} ${value}`).join(', ')}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}

export function DomainForm({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: { name: '' } });
  const save = useFormSave(form, { message: text.added, onSaved: onClose });
  return (
    <FormModal
      title={text.add}
      error={save.error}
      isSaving={save.isPending}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit(({ name }) => save.mutate({ domains: [{ name: name.trim().toLowerCase() }] }))}
      onClose={onClose}
    >
      <TextInput
        label={text.name}
        description={text.nameHint}
        placeholder={text.placeholder}
        required
        maxLength={253}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  );
}
