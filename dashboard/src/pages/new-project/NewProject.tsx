/** A new project of an account; it leads to the page by which the project is set up. */
import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountsQuery } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { rememberSecrets } from '../../api/made-keys';
import { queryClient } from '../../api/queries';
import { toPage } from '../../addresses';
import { FormModal } from '../../components/FormModal';
import { useMe } from '../../session';
import { newProject as text } from '../../texts/new-project';
import { texts } from '../../texts';
import { CURRENCIES } from '../settings/currencies';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The accounts in which the user may make one. */
function useAccounts(): readonly string[] {
  const me = useMe();
  const all = useQuery({ ...accountsQuery, enabled: me.operator });
  if (me.operator) return all.data?.map(({ name }) => name) ?? [];
  return me.accounts.filter(({ permissions }) => permissions.includes('settings')).map(({ name }) => name);
}

export default function NewProject({ onClose }: { onClose: () => void }) {
  const accounts = useAccounts();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { account: '', name: '', timezone: HERE, currency: 'USD', website: '' },
  });
  const account = form.values.account || accounts[0] || '';
  const create = useMutation({
    mutationFn: ({ name, website, ...rest }: typeof form.values) =>
      unwrapData(
        api.POST('/admin/v1/projects', {
          body: { ...rest, account, name: name.trim(), website: website.trim() || null },
        }),
      ),
    onSuccess: async ({ id, secrets }) => {
      rememberSecrets(id, secrets);
      await queryClient.invalidateQueries();
      onClose();
      await navigate(toPage('/projects/$projectId/setup', { projectId: id }));
    },
  });
  return (
    <FormModal
      title={text.title}
      submit={text.title}
      error={create.error}
      isSaving={create.isPending || create.isSuccess}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        description={text.nameHint}
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {accounts.length > 1 && (
        <Select
          label={text.account}
          data={accounts}
          searchable
          allowDeselect={false}
          {...form.getInputProps('account')}
          value={account}
        />
      )}
      <Select
        label={texts.timezone}
        description={text.timezoneHint}
        data={ZONES}
        searchable
        limit={50}
        allowDeselect={false}
        {...form.getInputProps('timezone')}
      />
      <Select
        label={texts.currency}
        description={text.currencyHint}
        data={CURRENCIES}
        searchable
        limit={50}
        allowDeselect={false}
        {...form.getInputProps('currency')}
      />
      <TextInput
        label={text.website}
        description={text.websiteHint}
        type="url"
        maxLength={2048}
        placeholder="https://www.example.com"
        {...form.getInputProps('website')}
      />
    </FormModal>
  );
}
