/** Accounts at ad networks: spend and synced campaigns name them. */
import { Autocomplete, Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { networkAccountsQuery, type NetworkAccount } from '../../api/admin';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { FormModal } from '../../components/FormModal';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { valueName } from '../../names';
import { useProject } from '../../session';
import { AddButton, EditButton } from './buttons';
import { CURRENCIES } from './currencies';
import { useFormSave } from './save';
import { settings as settingsTexts } from '../../texts/settings';
import { texts } from '../../texts';

const text = settingsTexts.networks;

/** Any other name is taken, too. */
const NETWORKS = ['META', 'GOOGLE', 'TIKTOK', 'APPLE_SEARCH_ADS', 'SNAPCHAT', 'LINKEDIN'];

export function NetworkAccounts() {
  const { id } = useProject();
  const { data, error, isPending, refetch } = useQuery(networkAccountsQuery(id));
  const [edited, setEdited] = useState<NetworkAccount | 'new'>();
  const columns: Column<NetworkAccount>[] = [
    { id: 'network', header: texts.network, value: ({ network }) => valueName('app', 'network', network) },
    { id: 'id', header: text.account, value: ({ external_customer_id }) => external_customer_id },
    { id: 'name', header: texts.name, value: ({ name }) => name },
    { id: 'currency', header: texts.currency, value: ({ currency }) => currency },
    {
      id: 'action',
      header: texts.action,
      canSort: false,
      value: () => null,
      cell: (one) => <EditButton name={one.external_customer_id} onClick={() => setEdited(one)} />,
    },
  ];
  return (
    <Panel
      title={settingsTexts.tabs.networks}
      about={text.about}
      tools={<AddButton label={text.add} onClick={() => setEdited('new')} />}
      flush
    >
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={settingsTexts.tabs.networks}
          columns={columns}
          rows={data}
          rowId={(one) => String(one.id)}
          loading={isPending}
          skeletons={2}
          empty={<EmptyState title={text.empty} text={text.emptyText} />}
        />
      )}
      {edited && (
        <NetworkAccountForm account={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Panel>
  );
}

interface FormProps {
  readonly account: NetworkAccount | undefined;
  readonly onClose: () => void;
}

export function NetworkAccountForm({ account, onClose }: FormProps) {
  const project = useProject();
  const form = useForm({
    initialValues: {
      network: account?.network ?? 'META',
      external_customer_id: account?.external_customer_id ?? '',
      name: account?.name ?? '',
      currency: account?.currency ?? project.currency,
      capi_configured: account?.capi_configured ?? false,
    },
  });
  const save = useFormSave(form, { onSaved: onClose });
  const submit = form.onSubmit(({ network, external_customer_id, name, ...rest }) =>
    save.mutate({
      network_accounts: [
        {
          network: network.trim().toUpperCase(),
          external_customer_id: external_customer_id.trim(),
          name: name.trim() || null,
          ...rest,
        },
      ],
    }),
  );
  return (
    <FormModal
      title={account ? account.external_customer_id : text.add}
      error={save.error}
      isSaving={save.isPending}
      isDirty={form.isDirty()}
      onSubmit={submit}
      onClose={onClose}
    >
      <Autocomplete
        label={texts.network}
        description={text.networkHint}
        data={NETWORKS}
        required
        maxLength={64}
        readOnly={account !== undefined}
        {...form.getInputProps('network')}
      />
      <TextInput
        label={text.account}
        description={text.accountHint}
        placeholder="act_1234567890"
        required
        maxLength={255}
        readOnly={account !== undefined}
        {...form.getInputProps('external_customer_id')}
      />
      <TextInput label={texts.name} maxLength={255} {...form.getInputProps('name')} />
      <Select
        label={texts.currency}
        description={text.currencyHint}
        data={CURRENCIES}
        searchable
        allowDeselect={false}
        limit={50}
        {...form.getInputProps('currency')}
      />
      <Switch
        label={text.capi}
        description={text.capiHint}
        {...form.getInputProps('capi_configured', { type: 'checkbox' })}
      />
    </FormModal>
  );
}
