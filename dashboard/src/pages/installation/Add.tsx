/** Small forms that add an account or a partner. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Applied, Workspace } from '../../api/admin';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
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
    <Modal opened onClose={onClose} title={TITLES[what]} closeButtonProps={{ 'aria-label': texts.close }} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {apply.error && <FormError message={readMessage(apply.error)} />}
          <TextInput label={texts.name} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
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
