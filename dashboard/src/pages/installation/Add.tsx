/** Small forms that add an account, a partner or a project. */
import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { accountsQuery, type Applied, type Workspace } from '../../api/admin';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { texts } from '../../texts';
import { useApply } from './apply';
import { installation as installationTexts } from '../../texts/installation';

const text = installationTexts.accounts;
export type Added = 'account' | 'partner' | 'project';

const TITLES = { account: text.addAccount, partner: text.addPartner, project: text.addProject };
const CURRENCIES = Intl.supportedValuesOf('currency');
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface Props {
  readonly what: Added;
  readonly onClose: () => void;
  readonly onSecrets: (secrets: Applied['secrets']) => void;
}

export function Add({ what, onClose, onSecrets }: Props) {
  const accounts = useQuery(accountsQuery).data?.map(({ name }) => name) ?? [];
  const form = useForm({
    initialValues: { name: '', account: accounts[0] ?? '', timezone: HERE, currency: 'USD' },
  });
  const apply = useApply();
  const submit = form.onSubmit(({ name, account, timezone, currency }) => {
    const documents: Record<Added, Workspace> = {
      account: { accounts: [{ name }] },
      partner: { partners: [{ name }] },
      project: { projects: [{ name, account, timezone, currency }] },
    };
    apply.mutate(documents[what], {
      onSuccess: ({ secrets }) => {
        notifications.show({ message: text.added(name) });
        onSecrets(secrets);
        onClose();
      },
    });
  });
  return (
    <Modal opened onClose={onClose} title={TITLES[what]} closeButtonProps={{ 'aria-label': texts.close }} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {apply.error && <FormError message={readMessage(apply.error)} />}
          <TextInput label={texts.name} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
          {what === 'project' && (
            <>
              <Select
                label={text.account}
                data={accounts}
                required
                allowDeselect={false}
                {...form.getInputProps('account')}
              />
              <Select
                label={texts.timezone}
                data={ZONES}
                searchable
                limit={50}
                required
                {...form.getInputProps('timezone')}
              />
              <Select
                label={texts.currency}
                data={CURRENCIES}
                searchable
                limit={50}
                required
                {...form.getInputProps('currency')}
              />
            </>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={apply.isPending}>
              {TITLES[what]}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
