/** What can be done with one member. */
import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots, IconKey, IconUserMinus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../api/client';
import type { Member } from '../../api/people';
import { members as text } from '../../texts/members';
import { Confirm } from '../Confirm';
import { readReason, refreshMembers } from './api';
import type { ShownLink } from './LinkOnce';
import { texts } from '../../texts';

interface Props {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly onLink: (link: ShownLink) => void;
}

export function MemberMenu({ member: { id, name, email }, isSelf, onLink }: Props) {
  const [isAsked, setAsked] = useState(false);
  const params = { path: { id } };
  const remove = useMutation({
    mutationFn: () => api.DELETE('/auth/v1/members/{id}', { params }),
    onSuccess: () => {
      setAsked(false);
      notifications.show({ message: text.removed(name) });
      void refreshMembers();
    },
  });
  const passwordLink = useMutation({
    mutationFn: () => unwrapData(api.POST('/auth/v1/members/{id}/password-link', { params })),
    onSuccess: ({ link, expires_at }) =>
      link ? onLink({ email, link, expires_at }) : notifications.show({ message: text.passwordMailed(email) }),
    onError: (error) => notifications.show({ color: 'red', message: readReason(error) }),
  });
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon aria-label={texts.actionsFor(name)} loading={passwordLink.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => passwordLink.mutate()}>
            {text.passwordLink}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconUserMinus size={16} />} onClick={() => setAsked(true)}>
            {texts.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={isAsked}
        title={text.removeTitle(name)}
        text={isSelf ? text.removeSelf : text.removeText(name)}
        action={texts.remove}
        loading={remove.isPending}
        message={remove.error ? readReason(remove.error) : undefined}
        onConfirm={() => remove.mutate()}
        onClose={() => {
          setAsked(false);
          remove.reset();
        }}
      />
    </>
  );
}
