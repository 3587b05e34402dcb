/** The tracking domains of a project, each with what DNS says of it. */
import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { domainsQuery, type Domain } from '../../api/admin';
import { api } from '../../api/client';
import { queryClient } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { FormModal } from '../../components/FormModal';
import { Panel } from '../../components/Panel';
import { useProject } from '../../session';
import { settings as settingsTexts } from '../../texts/settings';
import { checkKey, DnsCheck } from './DnsCheck';
import { buildColumns } from './domain-columns';
import { useFormSave, useSave } from './save';

const text = settingsTexts.domains;

export function Domains() {
  const { id } = useProject();
  const { data, error, isPending, refetch } = useQuery(domainsQuery(id));
  const [isAdding, setAdding] = useState(false);
  const [checked, setChecked] = useState<Domain>();
  const makePrimary = useSave({ message: text.made });
  const columns = buildColumns({
    check: (domain) => {
      setChecked(domain);
      // The one that is shown already is checked again.
      void queryClient.refetchQueries({ queryKey: checkKey(id, domain.id), type: 'active' });
    },
    makePrimary: ({ name }) => makePrimary.mutate({ domains: [{ name, primary: true }] }),
    remove: (domain) => remove(id, domain, () => setChecked(undefined)),
  });
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
