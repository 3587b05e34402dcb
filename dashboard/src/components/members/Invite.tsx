/** Invites a person with a role. */
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../api/client';
import type { Member } from '../../api/people';
import { texts } from '../../texts';
import { members as text } from '../../texts/members';
import { FormError } from '../FormError';
import { useCloseGuard, useReportDirty } from '../use-close-guard';
import { readReason, refreshMembers, type MembersPlace } from './api';
import type { ShownLink } from './LinkOnce';
import { Modal } from '../layers';

interface Props {
  readonly place: MembersPlace;
  readonly roles: readonly Member['role'][];
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Called with the link where no e-mail was sent. */
  readonly onLink: (link: ShownLink) => void;
}

export function Invite({ opened, onClose, ...props }: Props) {
  const [isDirty, setDirty] = useState(false);
  const guard = useCloseGuard(isDirty, onClose);
  return (
    <Modal
      opened={opened}
      onClose={guard.close}
      closeOnEscape={guard.closeOnEscape}
      title={text.inviteTitle}
      centered
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <InviteForm {...props} onClose={guard.close} onDone={onClose} onDirty={setDirty} />
      {guard.warning}
    </Modal>
  );
}

interface FormProps extends Omit<Props, 'opened'> {
  readonly onDone: () => void;
  readonly onDirty: (isDirty: boolean) => void;
}

function InviteForm({ place, roles, onClose, onDone, onDirty, onLink }: FormProps) {
  const form = useForm({
    initialValues: { email: '', role: (roles.at(-1) ?? '') as Member['role'] },
    validate: { email: (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : texts.badEmail) },
  });
  const invite = useMutation({
    mutationFn: ({ email, role }: typeof form.values) =>
      unwrapData(api.POST('/auth/v1/invitations', { body: { email: email.trim(), role, ...place } })),
    onSuccess: ({ email, link, expires_at }) => {
      onDone();
      if (link) onLink({ email, link, expires_at });
      else notifications.show({ message: text.invited(email) });
      void refreshMembers();
    },
  });
  useReportDirty(form.isDirty() && !invite.isPending, onDirty);
  return (
    <form noValidate onSubmit={form.onSubmit((values) => invite.mutate(values))}>
      <Stack gap="md">
        {invite.error && <FormError message={readReason(invite.error)} />}
        <TextInput
          label={texts.email}
          description={text.emailHint}
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        {roles.length > 1 && (
          <Radio.Group label={text.role} {...form.getInputProps('role')}>
            <Stack gap="xs" mt={6}>
              {roles.map((role) => (
                <Radio key={role} value={role} label={texts.people.roles[role]} description={text.about[role]} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {text.invite}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
