/** Small forms that add an account or a partner. */
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Applied, Workspace } from '../../api/admin';
import { FormModal } from '../../components/FormModal';
import { texts } from '../../texts';
import { useApply } from './apply';
import { installation as installationTexts } from '../../texts/installation';

const text = installationTexts.accounts;
export type Added = 'account' | 'partner';

const TITLES = { account: text.addAccount, partner: text.addPartner };

interface Props {
  readonly what: Added;
  readonly onClose: () => void;
  readonly onSecrets: (secrets: Applied['secrets']) => void;
}

export function Add({ what, onClose, onSecrets }: Props) {
  const form = useForm({ initialValues: { name: '' } });
  const apply = useApply();
  const submit = form.onSubmit(({ name }) => {
    const documents: Record<Added, Workspace> = {
      account: { accounts: [{ name }] },
      partner: { partners: [{ name }] },
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
    <FormModal
      title={TITLES[what]}
      error={apply.error}
      isSaving={apply.isPending}
      isDirty={form.isDirty()}
      submit={TITLES[what]}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput label={texts.name} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
    </FormModal>
  );
}
